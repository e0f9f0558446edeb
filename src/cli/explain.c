/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cli/account.h"
#include "cli/messages.h"

/* One row: a leaf, or leaves that are told together. */
typedef struct {
    char *source;  /* its pointer, if it is the only one */
    char *sources; /* what they have in common */
    char *place;
    char *places;
    const char *rule;
    guint64 count;
} Row;

typedef struct {
    guint source;
    guint place;
    guint rule;
    bool counted;
} Columns;

static const char *const headings[OCP_FATES] = {
    "the result alone gives it back",
    "shows in the result in another form; its exact form is carried",
    "has no place of its own in the result; carried along in its exact form",
    "left out, with the reason",
};

static const char *const colors[OCP_FATES] = {"\033[32m", "\033[36m", "\033[33m",
                                              "\033[31m"};

static void
free_row(gpointer pointer)
{
    Row *row = pointer;
    g_free(row->source);
    g_free(row->sources);
    g_free(row->place);
    g_free(row->places);
    g_free(row);
}

static char *
place_of(const OcpLeaf *leaf)
{
    if (leaf->fate == OCP_FATE_OMITTED)
        return g_strconcat(leaf->reason != NULL ? leaf->reason : "omitted",
                           leaf->asked ? ", as asked" : "", NULL);
    if (leaf->place != NULL && leaf->fate != OCP_FATE_CARRIED)
        return g_strdup(leaf->place);
    if (leaf->fate == OCP_FATE_MAPPED)
        return g_strdup("(follows from the rest)");
    return g_strdup(leaf->carry != NULL ? leaf->carry : "");
}

/* What siblings have in common, as a pattern: "/items/[*]/ci/…". */
static char *
common_of(const char *pointer)
{
    g_autofree char *pattern = ocp_account_pattern(pointer);
    const char *last = strrchr(pattern, '/');
    if (last == NULL || last == pattern)
        return g_steal_pointer(&pattern);
    return g_strdup_printf("%.*s/…", (int)(last - pattern), pattern);
}

static Row *
new_row(const char *source, const char *place, const char *rule)
{
    Row *row = g_new0(Row, 1);
    row->source = ocp_messages_plain(source);
    row->sources = ocp_account_pattern(row->source);
    row->place = ocp_messages_plain(place);
    row->places =
        *place == '/' ? ocp_account_pattern(row->place) : g_strdup(row->place);
    row->rule = rule != NULL ? rule : "";
    row->count = 1;
    return row;
}

/* Adds the row, or counts it in the row of those it is told with. known: rows by what
 * they have in common; NULL: every row stands alone. */
static void
add_row(GPtrArray *rows, GHashTable *known, Row *row)
{
    if (known == NULL) {
        g_ptr_array_add(rows, row);
        return;
    }
    char *key = g_strjoin("\n", row->sources, row->places, row->rule, NULL);
    Row *same = g_hash_table_lookup(known, key);
    if (same == NULL) {
        g_hash_table_insert(known, key, row);
        g_ptr_array_add(rows, row);
        return;
    }
    same->count++;
    g_free(key);
    free_row(row);
}

static GHashTable *
new_known(bool all)
{
    return all ? NULL : g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

/* What is carried or follows from the rest has no rule, and its exact place matters to
 * nobody who wants to get the picture: siblings are told together, with the extension they
 * are in. */
static Row *
new_row_carried(const char *source, const char *carry)
{
    const char *inside = strstr(carry, "/patch/");
    gsize length = inside != NULL ? (gsize)(inside - carry) : strlen(carry);
    g_autofree char *extension = g_strndup(carry, length);
    Row *row = new_row(source, extension, NULL);
    g_free(row->sources);
    row->sources = common_of(row->source);
    return row;
}

static GPtrArray *
rows_of(const OcpAccount *account, OcpFate fate, bool all)
{
    GPtrArray *rows = g_ptr_array_new_with_free_func(free_row);
    g_autoptr(GHashTable) known = new_known(all);
    for (guint i = 0; i < account->fates->len; i++) {
        const OcpLeaf *leaf = account->fates->pdata[i];
        if (leaf->fate != fate)
            continue;
        g_autofree char *place = place_of(leaf);
        const char *source = leaf->pointer[0] != '\0' ? leaf->pointer : "(all of it)";
        bool shows = leaf->place != NULL || fate == OCP_FATE_OMITTED;
        bool brief = !all && (fate == OCP_FATE_CARRIED || (fate == OCP_FATE_MAPPED && !shows));
        add_row(rows, known,
                brief ? new_row_carried(source, place)
                      : new_row(source, place, leaf->rule));
    }
    return rows;
}

/* Siblings together, whatever rules made them, unless all is wanted. */
static GPtrArray *
rows_made(const OcpAccount *account, bool all)
{
    GPtrArray *rows = g_ptr_array_new_with_free_func(free_row);
    g_autoptr(GHashTable) known = new_known(all);
    for (guint i = 0; i < account->made->len; i++) {
        const OcpMadeLeaf *made = account->made->pdata[i];
        bool engine = g_strcmp0(made->rule, "engine") == 0;
        Row *row = new_row(made->why != NULL ? made->why : "", made->pointer,
                           all || engine ? made->rule : "mapping");
        if (!all) {
            g_free(row->places);
            row->places = common_of(row->place);
        }
        add_row(rows, known, row);
    }
    return rows;
}

/* Appends text in exactly width columns, cut in the middle: the two ends of a pointer
 * say the most. Pads with blanks unless last. */
static void
append_cell(GString *out, const char *text, guint width, bool last)
{
    gsize needed = ocp_messages_width(text);
    if (needed <= width) {
        g_string_append_printf(out, "%s%*s", text, last ? 0 : (int)(width - needed),
                               "");
        return;
    }
    gsize taken = 0;
    const char *at = text;
    for (; taken < width / 3; at = g_utf8_next_char(at)) {
        g_string_append_unichar(out, g_utf8_get_char(at));
        taken++;
    }
    const char *tail = text + strlen(text);
    for (gsize left = width - taken - 1; left > 0 && tail > at; left--)
        tail = g_utf8_prev_char(tail);
    g_string_append_printf(out, "…%s", tail);
}

static void
append_rows(const GPtrArray *rows, const Columns *columns, GString *out)
{
    for (guint i = 0; i < rows->len; i++) {
        const Row *row = rows->pdata[i];
        g_string_append(out, "  ");
        if (columns->counted)
            g_string_append_printf(out, "%5" G_GUINT64_FORMAT "  ", row->count);
        bool one = row->count == 1;
        append_cell(out, one ? row->source : row->sources, columns->source, false);
        g_string_append(out, "  ");
        append_cell(out, one ? row->place : row->places, columns->place,
                    row->rule[0] == '\0');
        if (row->rule[0] != '\0') {
            g_string_append(out, "  ");
            append_cell(out, row->rule, columns->rule, true);
        }
        while (out->len > 0 && out->str[out->len - 1] == ' ')
            g_string_truncate(out, out->len - 1);
        g_string_append_c(out, '\n');
    }
}

static void
append_heading(const char *name, guint64 count, const char *meaning, const char *color,
               GString *out)
{
    g_string_append_printf(out, "\n%s%s: %" G_GUINT64_FORMAT "%s (%s)\n", color, name,
                           count, color[0] != '\0' ? "\033[0m" : "", meaning);
}

static void
append_made(const OcpAccount *account, const OcpExplainStyle *style,
            const Columns *columns, GString *out)
{
    if (account->made->len == 0)
        return;
    append_heading("made", account->made->len,
                   "in the result, from no value of the source",
                   style->color ? "\033[35m" : "", out);
    g_autoptr(GPtrArray) rows = rows_made(account, style->all);
    append_rows(rows, columns, out);
}

void
ocp_account_explain(const OcpOutcome *outcome, const char *title,
                    const OcpExplainStyle *style, GString *out)
{
    guint room = MAX(style->width, 60) - (style->all ? 6 : 13);
    Columns columns = {.source = room * 4 / 11,
                       .place = room * 4 / 11,
                       .rule = room * 3 / 11,
                       .counted = !style->all};
    g_autofree char *line = ocp_account_line(outcome);
    g_string_append_printf(out, "%s%s: %s%s\n\n  ", style->color ? "\033[1m" : "",
                           title, line, style->color ? "\033[0m" : "");
    if (columns.counted)
        g_string_append(out, "count  ");
    append_cell(out, "source", columns.source, false);
    g_string_append(out, "  ");
    append_cell(out, "place in the result", columns.place, false);
    g_string_append(out, "  rule\n");
    const OcpAccount *account = outcome->route;
    for (int fate = 0; account != NULL && fate < OCP_FATES; fate++) {
        if (account->counts[fate] == 0)
            continue;
        g_autoptr(GPtrArray) rows = rows_of(account, (OcpFate)fate, style->all);
        append_heading(ocp_fate_name((OcpFate)fate), account->counts[fate],
                       headings[fate], style->color ? colors[fate] : "", out);
        append_rows(rows, &columns, out);
    }
    if (account != NULL)
        append_made(account, style, &columns, out);
}
