/* SPDX-License-Identifier: Apache-2.0 */
#include "batch/state_line.h"

#include <string.h>

enum {
    FIELD_FORMAT,
    FIELD_INPUT,
    FIELD_DIGEST,
    FIELD_MODIFIED,
    FIELD_OPTIONS,
    FIELD_PART,
    FIELD_PARTS,
    FIELD_OUTPUT,
    FIELD_OUTPUT_DIGEST,
    FIELD_COMPANION,
    FIELD_COMPANION_DIGEST,
    FIELD_CHECK,
    FIELDS
};

#define FORMAT "1"

/* Tells a line that is whole from one that is not; nobody is kept out. */
static guint64
check_of(const char *bytes, gsize length)
{
    guint64 value = G_GUINT64_CONSTANT(0xCBF29CE484222325);
    for (gsize i = 0; i < length; i++)
        value = (value ^ (guchar)bytes[i]) * G_GUINT64_CONSTANT(0x100000001B3);
    return value;
}

/* ---- writing --------------------------------------------------------------- */

static void
append_name(const char *name, GString *out)
{
    for (; *name != '\0'; name++) {
        if (*name == '\t')
            g_string_append(out, "\\t");
        else if (*name == '\n')
            g_string_append(out, "\\n");
        else if (*name == '\\')
            g_string_append(out, "\\\\");
        else
            g_string_append_c(out, *name);
    }
    g_string_append_c(out, '\t');
}

static void
append_digest(const OcpDigest *digest, GString *out)
{
    static const char digits[] = "0123456789abcdef";
    for (gsize i = 0; i < sizeof digest->bytes; i++) {
        g_string_append_c(out, digits[digest->bytes[i] >> 4]);
        g_string_append_c(out, digits[digest->bytes[i] & 15]);
    }
    g_string_append_c(out, '\t');
}

void
ocp_state_line_append(const OcpStateLine *line, GString *out)
{
    gsize start = out->len;
    g_string_append(out, FORMAT "\t");
    append_name(line->input.name, out);
    append_digest(&line->input.digest, out);
    g_string_append_printf(out, "%" G_GINT64_FORMAT "\t", line->input.modified);
    append_digest(&line->input.options, out);
    g_string_append_printf(out, "%u\t%u\t", line->part, line->parts);
    append_name(line->output.name, out);
    append_digest(&line->output.digest, out);
    if (line->companion.name != NULL) {
        append_name(line->companion.name, out);
        append_digest(&line->companion.digest, out);
    } else {
        g_string_append(out, "\t\t");
    }
    guint64 check = check_of(out->str + start, out->len - start);
    g_string_append_printf(out, "%016" G_GINT64_MODIFIER "x\n", check);
}

/* ---- reading --------------------------------------------------------------- */

static bool
read_digest(const char *text, OcpDigest *ret)
{
    if (strlen(text) != 2 * sizeof ret->bytes)
        return false;
    for (gsize i = 0; i < sizeof ret->bytes; i++) {
        int high = g_ascii_xdigit_value(text[2 * i]);
        int low = g_ascii_xdigit_value(text[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        ret->bytes[i] = (guint8)(high << 4 | low);
    }
    return true;
}

static void
read_name(char *text)
{
    char *to = text;
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '\\' && at[1] != '\0') {
            at++;
            *to++ = *at == 't' ? '\t' : *at == 'n' ? '\n' : *at;
        } else {
            *to++ = *at;
        }
    }
    *to = '\0';
}

static bool
read_number(const char *text, guint *ret)
{
    guint64 number;
    if (!g_ascii_string_to_unsigned(text, 10, 1, G_MAXUINT, &number, NULL))
        return false;
    *ret = (guint)number;
    return true;
}

static bool
read_fields(char **fields, OcpStateLine *line)
{
    if (strcmp(fields[FIELD_FORMAT], FORMAT) != 0 ||
        !read_digest(fields[FIELD_DIGEST], &line->input.digest) ||
        !g_ascii_string_to_signed(fields[FIELD_MODIFIED], 10, G_MININT64, G_MAXINT64,
                                  &line->input.modified, NULL) ||
        !read_digest(fields[FIELD_OPTIONS], &line->input.options) ||
        !read_number(fields[FIELD_PART], &line->part) ||
        !read_number(fields[FIELD_PARTS], &line->parts) || line->part > line->parts ||
        !read_digest(fields[FIELD_OUTPUT_DIGEST], &line->output.digest))
        return false;
    read_name(fields[FIELD_INPUT]);
    read_name(fields[FIELD_OUTPUT]);
    line->input.name = fields[FIELD_INPUT];
    line->output.name = fields[FIELD_OUTPUT];
    if (*fields[FIELD_COMPANION] == '\0')
        return true;
    read_name(fields[FIELD_COMPANION]);
    line->companion.name = fields[FIELD_COMPANION];
    return read_digest(fields[FIELD_COMPANION_DIGEST], &line->companion.digest);
}

/* The checksum covers what is before it, so a line of something else has none. */
static bool
adds_up(const char *text, gsize length)
{
    enum { DIGITS = 16 };
    if (length <= DIGITS || text[length - DIGITS - 1] != '\t' ||
        memchr(text, '\0', length) != NULL)
        return false;
    char expected[DIGITS + 1];
    g_snprintf(expected, sizeof expected, "%016" G_GINT64_MODIFIER "x",
               check_of(text, length - DIGITS));
    return memcmp(expected, text + length - DIGITS, DIGITS) == 0;
}

OcpStateLine *
ocp_state_line_read(const char *text, gsize length)
{
    if (!adds_up(text, length))
        return NULL;
    g_autofree char *copy = g_strndup(text, length);
    OcpStateLine *line = g_new0(OcpStateLine, 1);
    line->fields = g_strsplit(copy, "\t", FIELDS + 1);
    if (g_strv_length(line->fields) == FIELDS && read_fields(line->fields, line))
        return line;
    ocp_state_line_free(line);
    return NULL;
}

void
ocp_state_line_free(gpointer pointer)
{
    OcpStateLine *line = pointer;
    g_strfreev(line->fields);
    g_free(line);
}
