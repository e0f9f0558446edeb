/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spells a parsed pattern for PCRE2. Every character is written as \x{…}, every set as
 * explicit ranges, so nothing depends on options or on PCRE2's own idea of \d or $.
 * Recursion is bounded by the parser's depth limit.
 */
#include "schema/regexp_private.h"

static const char word_edge[] = "(?:(?<=[0-9A-Z_a-z])(?![0-9A-Z_a-z])|"
                                "(?<![0-9A-Z_a-z])(?=[0-9A-Z_a-z]))";
static const char no_word_edge[] = "(?:(?<=[0-9A-Z_a-z])(?=[0-9A-Z_a-z])|"
                                   "(?<![0-9A-Z_a-z])(?![0-9A-Z_a-z]))";

static void
append_character(guint32 code, GString *out)
{
    if (code < 0x80 && g_ascii_isalnum((gchar)code))
        g_string_append_c(out, (gchar)code);
    else
        g_string_append_printf(out, "\\x{%X}", code);
}

static void
append_set(const OcpRxSet *set, GString *out)
{
    if (set->count == 0 && set->properties == NULL) {
        g_string_append(out, "(?!)");
        return;
    }
    if (set->count == 1 && set->properties == NULL &&
        set->ranges[0].low == set->ranges[0].high) {
        append_character(set->ranges[0].low, out);
        return;
    }
    g_string_append(out, set->negated ? "[^" : "[");
    for (guint i = 0; i < set->count; i++) {
        append_character(set->ranges[i].low, out);
        if (set->ranges[i].high > set->ranges[i].low) {
            g_string_append_c(out, '-');
            append_character(set->ranges[i].high, out);
        }
    }
    if (set->properties != NULL)
        g_string_append(out, set->properties);
    g_string_append_c(out, ']');
}

static void
append_repeat(const OcpRx *rx, GString *out)
{
    /* A bare set repeats in one step; a group would cost a frame each time. */
    const OcpRxSet *set = rx->first->kind == OCP_RX_SET ? rx->first->set : NULL;
    bool bare = set != NULL && (set->count > 0 || set->properties != NULL);
    g_string_append(out, bare ? "" : "(?:");
    ocp_rx_translate(rx->first, out);
    g_string_append(out, bare ? "" : ")");
    if (rx->high == OCP_RX_FOREVER && rx->low <= 1)
        g_string_append_c(out, rx->low == 0 ? '*' : '+');
    else if (rx->high == OCP_RX_FOREVER)
        g_string_append_printf(out, "{%u,}", rx->low);
    else
        g_string_append_printf(out, "{%u,%u}", rx->low, rx->high);
    if (rx->lazy)
        g_string_append_c(out, '?');
}

static void
append_children(const OcpRx *rx, const char *before, const char *between, GString *out)
{
    g_string_append(out, before);
    for (const OcpRx *child = rx->first; child != NULL; child = child->next) {
        if (child != rx->first)
            g_string_append(out, between);
        ocp_rx_translate(child, out);
    }
    if (*before != '\0')
        g_string_append_c(out, ')');
}

void
ocp_rx_translate(const OcpRx *rx, GString *out)
{
    static const char *const looks[] = {"(?=", "(?!", "(?<=", "(?<!"};
    switch (rx->kind) {
    case OCP_RX_SET: append_set(rx->set, out); break;
    case OCP_RX_SEQUENCE: append_children(rx, "", "", out); break;
    case OCP_RX_CHOICE: append_children(rx, "(?:", "|", out); break;
    case OCP_RX_REPEAT: append_repeat(rx, out); break;
    case OCP_RX_CAPTURE: append_children(rx, "(", "", out); break;
    case OCP_RX_START: g_string_append(out, "\\A"); break;
    case OCP_RX_END: g_string_append(out, "\\z"); break;
    case OCP_RX_WORD_EDGE:
        g_string_append(out, rx->negative ? no_word_edge : word_edge);
        break;
    case OCP_RX_LOOK:
        append_children(rx, looks[(rx->behind ? 2 : 0) + (rx->negative ? 1 : 0)], "",
                        out);
        break;
    case OCP_RX_BACK:
        g_string_append_printf(out, "(?(%u)\\g{%u})", rx->group, rx->group);
        break;
    default: break;
    }
}
