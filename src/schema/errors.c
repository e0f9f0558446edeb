/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From faults to diagnostics: sorted by place, each once, at most so many, and without
 * a line of the source that would show a sensitive value.
 */
#include <string.h>

#include "schema/check.h"
#include "value/pointer.h"

enum { NAMES_SHOWN = 3 };
enum { MOST = 20, EXCERPT = 256 }; /* bytes around a place that an excerpt may show */

static gint
compare_faults(gconstpointer a, gconstpointer b)
{
    const OcpFault *left = *(const OcpFault *const *)a;
    const OcpFault *right = *(const OcpFault *const *)b;
    if (left->place != right->place)
        return left->place < right->place ? -1 : 1;
    return 0; /* GLib's sort is stable */
}

static bool
same_fault(const OcpFault *a, const OcpFault *b)
{
    return strcmp(a->keyword, b->keyword) == 0 && strcmp(a->pointer, b->pointer) == 0 &&
           g_strcmp0(a->message, b->message) == 0;
}

/* Places of all sensitive scalars, in the document's order. */
static GArray *
find_sensitive(const OcpNode *root, const OcpCheckOptions *options)
{
    GArray *places = g_array_new(FALSE, FALSE, sizeof(guint32));
    if (options == NULL || options->sensitive == NULL)
        return places;
    g_autoptr(GPtrArray) stack = g_ptr_array_new();
    g_ptr_array_add(stack, (gpointer)root);
    while (stack->len > 0) {
        const OcpNode *node = g_ptr_array_steal_index(stack, stack->len - 1);
        if (node->place != OCP_NO_PLACE && options->sensitive(node, options->data)) {
            guint32 end = node->place + (ocp_is_container(node) ? 0 : node->size + 2);
            g_array_append_val(places, node->place);
            g_array_append_val(places, end);
        }
        const OcpNode *child = ocp_first_child(node);
        for (; child != NULL; child = child->next)
            g_ptr_array_add(stack, (gpointer)ocp_deref(child));
    }
    return places;
}

static bool
near_sensitive(const GArray *places, guint32 place)
{
    for (guint i = 0; i + 1 < places->len; i += 2) {
        guint64 from = g_array_index(places, guint32, i);
        guint64 to = g_array_index(places, guint32, i + 1);
        if (from < (guint64)place + EXCERPT && to + EXCERPT > place)
            return true;
    }
    return false;
}

static void
report_fault(OcpReport *report, const OcpDocument *document, const OcpFault *fault,
             const char *prefix, const GArray *sensitive)
{
    g_autofree char *code = g_strconcat("schema.", fault->keyword, NULL);
    OcpDiagnostic *diagnostic = ocp_report_add(
        report, fault->warning ? OCP_WARNING : OCP_ERROR, code, "%s%s%s",
        fault->message != NULL ? fault->message : "not allowed by the schema",
        fault->because != NULL ? ", because " : "",
        fault->because != NULL ? fault->because : "");
    diagnostic->pointer = g_strconcat(prefix, fault->pointer, NULL);
    diagnostic->keyword = g_strdup(fault->keyword);
    diagnostic->expected = g_strdup(fault->expected);
    diagnostic->found = g_strdup(fault->found);
    diagnostic->hint = g_strdup(fault->hint);
    ocp_diagnostic_locate(diagnostic, document, fault->place);
    if (near_sensitive(sensitive, fault->place))
        g_clear_pointer(&diagnostic->excerpt, g_free);
}

/* Where value stands in the document: the beginning of every pointer. */
static char *
pointer_of(const OcpDocument *document, const OcpNode *value)
{
    g_autoptr(GString) pointer = g_string_new(NULL);
    if (document != NULL && value != document->root) {
        g_autoptr(OcpPlaces) places = ocp_places_new(document);
        if (ocp_places_has(places, value))
            ocp_places_pointer(places, value, pointer);
    }
    return g_strdup(pointer->str);
}

/* Unknown members of one object are one mistake, told where the first stands. */
typedef struct {
    OcpDiagnostic *first;
    guint more;
    GString *names; /* of the first few others */
} Unknown;

static void
free_unknown(gpointer pointer)
{
    Unknown *unknown = pointer;
    g_string_free(unknown->names, TRUE);
    g_free(unknown);
}

/* The object whose unknown member the fault is, or NULL for any other fault. */
static char *
unknown_in(const OcpFault *fault)
{
    if (strcmp(fault->keyword, "additionalProperties") != 0)
        return NULL;
    const char *slash = strrchr(fault->pointer, '/');
    return slash != NULL ? g_strndup(fault->pointer, (gsize)(slash - fault->pointer))
                         : NULL;
}

static void
tell_more(gpointer key, gpointer value, gpointer data)
{
    const Unknown *unknown = value;
    (void)key;
    (void)data;
    if (unknown->more == 0)
        return;
    char *message = unknown->first->message;
    unknown->first->message =
        g_strdup_printf("%s; %u more unknown member%s in this object: %s%s", message,
                        unknown->more, unknown->more == 1 ? "" : "s",
                        unknown->names->str, unknown->more > NAMES_SHOWN ? ", …" : "");
    g_free(message);
}

/* True if the fault is told already, with an earlier unknown member of its object. */
static bool
is_told(GHashTable *unknowns, const OcpFault *fault)
{
    g_autofree char *object = unknown_in(fault);
    Unknown *unknown = object != NULL ? g_hash_table_lookup(unknowns, object) : NULL;
    if (unknown == NULL)
        return false;
    if (unknown->more++ < NAMES_SHOWN)
        g_string_append_printf(unknown->names, "%s%.40s",
                               unknown->names->len > 0 ? ", " : "",
                               fault->pointer + strlen(object) + 1);
    return true;
}

static void
note_unknown(GHashTable *unknowns, const OcpFault *fault, const OcpReport *report)
{
    char *object = unknown_in(fault);
    if (object == NULL)
        return;
    Unknown *unknown = g_new0(Unknown, 1);
    unknown->names = g_string_new(NULL);
    unknown->first = report->diagnostics->pdata[report->diagnostics->len - 1];
    g_hash_table_insert(unknowns, object, unknown);
}

static void
report_faults(const OcpCheck *check, GPtrArray *faults, const OcpDocument *document,
              const OcpNode *value, OcpReport *report)
{
    guint most = check->options != NULL && check->options->most > 0
                     ? check->options->most
                     : MOST;
    g_autofree char *prefix = pointer_of(document, value);
    g_autoptr(GArray) sensitive = find_sensitive(value, check->options);
    g_autoptr(GHashTable) unknowns =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_unknown);
    guint said = 0;
    g_ptr_array_sort(faults, compare_faults);
    for (guint i = 0; i < faults->len && said < most; i++) {
        const OcpFault *fault = faults->pdata[i];
        bool again = false;
        for (guint j = i; j > 0 && !again; j--) {
            const OcpFault *before = faults->pdata[j - 1];
            if (before->place != fault->place)
                break;
            again = same_fault(before, fault);
        }
        if (again || is_told(unknowns, fault))
            continue;
        report_fault(report, document, fault, prefix, sensitive);
        note_unknown(unknowns, fault, report);
        said++;
    }
    g_hash_table_foreach(unknowns, tell_more, NULL);
}

static GPtrArray *
collect(OcpCheck *check, const OcpSchema *schema, const OcpNode *value)
{
    GPtrArray *faults = g_ptr_array_new();
    for (OcpEntry *at = ocp_check_collect(check, schema->root, value); at != NULL;
         at = at->next)
        g_ptr_array_add(faults, at);
    return faults;
}

/* The second run: what is wrong. */
static void
explain(OcpCheck *check, const OcpSchema *schema, const OcpDocument *document,
        const OcpNode *value, bool good, OcpReport *report)
{
    g_autoptr(OcpArena) arena = ocp_arena_new();
    check->arena = arena;
    g_autoptr(GPtrArray) faults =
        check->too_deep ? g_ptr_array_new() : collect(check, schema, value);
    if (check->too_deep)
        ocp_fail_at(report, document, value->place, "schema.depth",
                    "the schema leads too deep, or back to itself, at one value");
    else if (!good && faults->len == 0)
        ocp_fail_at(report, document, value->place, "schema.fault",
                    "the value does not fit its schema");
    else
        report_faults(check, faults, document, value, report);
}

bool
ocp_schema_check(const OcpSchema *schema, const OcpDocument *document,
                 const OcpNode *value, const OcpCheckOptions *options,
                 OcpReport *report)
{
    OcpCheck check;
    ocp_check_init(&check, options);
    value = ocp_deref(value);
    bool good = ocp_check_verdict(&check, schema->root, value, NULL);
    if (report != NULL && (!good || check.format_failed))
        explain(&check, schema, document, value, good, report);
    good = good && !check.too_deep;
    ocp_check_clear(&check);
    return good;
}
