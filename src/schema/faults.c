/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes faults and their words. Strings go to the check's arena; values are shown cut,
 * and not at all where they are sensitive.
 */
#include <string.h>

#include "schema/check.h"
#include "schema/suggest.h"
#include "text/json.h"
#include "value/pointer.h"

enum { SHOWN = 40, LISTED = 12 }; /* characters of a value, values of a list */

static void
append_path(const OcpPath *path, GString *out)
{
    g_autoptr(GPtrArray) steps = g_ptr_array_new();
    for (; path != NULL; path = path->up)
        g_ptr_array_add(steps, (gpointer)path);
    for (guint i = steps->len; i > 0; i--) {
        const OcpPath *step = steps->pdata[i - 1];
        if (step->key != NULL)
            ocp_pointer_push_key(out, step->key);
        else
            ocp_pointer_push_index(out, step->index);
    }
}

static guint
depth_of(const OcpPath *path)
{
    guint depth = 0;
    for (; path != NULL; path = path->up)
        depth++;
    return depth;
}

void
ocp_fault_add(OcpCheck *check, OcpEntry *entry)
{
    entry->next = *check->faults;
    *check->faults = entry;
    check->faults = &entry->next;
}

/* The nearest reason for what is wrong with the value at depth. */
static const char *
reason_at(const OcpCheck *check, guint depth)
{
    for (const OcpReason *at = check->reason; at != NULL; at = at->up)
        if (at->depth == depth && at->because != NULL)
            return at->because;
    return NULL;
}

static OcpFault *
new_fault(OcpCheck *check, const OcpNode *value, const char *keyword, guint depth)
{
    if (check->faults == NULL || check->made >= OCP_CHECK_FAULTS)
        return NULL;
    g_autoptr(GString) pointer = g_string_new(NULL);
    append_path(check->path, pointer);
    OcpFault *fault = ocp_arena_new_of(check->arena, OcpFault);
    memset(fault, 0, sizeof *fault);
    fault->keyword = keyword;
    fault->value = value;
    fault->pointer = ocp_arena_copy(check->arena, pointer->str, pointer->len);
    fault->place = value->place;
    fault->depth = depth;
    fault->because = check->because != NULL ? check->because : reason_at(check, depth);
    fault->hint = check->rule;
    ocp_fault_add(check, &fault->entry);
    check->made++;
    return fault;
}

OcpFault *
ocp_fault_new(OcpCheck *check, const OcpNode *value, const char *keyword)
{
    return new_fault(check, value, keyword, depth_of(check->path));
}

OcpFault *
ocp_fault_of_member(OcpCheck *check, const OcpNode *key, const char *keyword)
{
    OcpPath here = {check->path, key, 0};
    check->path = &here;
    OcpFault *fault = new_fault(check, key, keyword, depth_of(here.up));
    check->path = here.up;
    return fault;
}

char *
ocp_fault_text(OcpCheck *check, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    return ocp_arena_copy(check->arena, text, strlen(text));
}

/* ---- showing values -------------------------------------------------------------- */

const char *
ocp_fault_show_text(OcpCheck *check, const char *text, gsize length)
{
    gsize end = 0;
    guint shown = 0;
    while (end < length && shown < SHOWN) {
        end += (gsize)g_utf8_skip[(guchar)text[end]];
        shown++;
    }
    end = MIN(end, length);
    g_autoptr(GString) quoted = g_string_new(NULL);
    ocp_json_write_string(text, end, quoted);
    if (end < length)
        g_string_insert(quoted, (gssize)quoted->len - 1, "…");
    return ocp_arena_copy(check->arena, quoted->str, quoted->len);
}

const char *
ocp_fault_show_name(OcpCheck *check, const OcpNode *key)
{
    gsize length;
    const char *text = ocp_text(key, check->arena, &length);
    return ocp_fault_show_text(check, text, length);
}

const char *
ocp_fault_show_constant(OcpCheck *check, const OcpNode *value)
{
    switch ((OcpKind)value->kind) {
    case OCP_STRING: return ocp_fault_show_name(check, value);
    case OCP_OBJECT: return value->size == 0 ? "{}" : "an object";
    case OCP_ARRAY: return value->size == 0 ? "[]" : "an array";
    case OCP_NUMBER:
        if (value->size > SHOWN)
            return ocp_fault_text(check, "%.*s…", SHOWN, value->as.text);
        return ocp_arena_copy(check->arena, value->as.text, value->size);
    case OCP_TRUE: return "true";
    case OCP_FALSE: return "false";
    case OCP_NULL:
    case OCP_LINK:
    default: return "null";
    }
}

const char *
ocp_fault_show(OcpCheck *check, const OcpNode *value)
{
    const OcpCheckOptions *options = check->options;
    if (options != NULL && options->sensitive != NULL &&
        options->sensitive(value, options->data))
        return "a hidden value";
    return ocp_fault_show_constant(check, value);
}

/* ---- ready-made faults ----------------------------------------------------------- */

bool
ocp_fault_plain(OcpCheck *check, const OcpNode *value, const char *keyword,
                const char *message)
{
    OcpFault *fault = ocp_fault_new(check, value, keyword);
    if (fault != NULL)
        fault->message = message;
    return false;
}

static const char *
list_types(OcpCheck *check, guint types)
{
    static const struct {
        guint bit;
        const char *name;
    } names[] = {{1 << OCP_OBJECT, "object"},   {1 << OCP_ARRAY, "array"},
                 {1 << OCP_STRING, "string"},   {1 << OCP_NUMBER, "number"},
                 {OCP_TYPE_INTEGER, "integer"}, {1 << OCP_TRUE, "boolean"},
                 {1 << OCP_NULL, "null"}};
    g_autoptr(GString) list = g_string_new(NULL);
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        if (!(types & names[i].bit))
            continue;
        types &= ~names[i].bit;
        if (list->len > 0)
            g_string_append(list, types != 0 ? ", " : " or ");
        g_string_append(list, names[i].name);
    }
    return ocp_arena_copy(check->arena, list->str, list->len);
}

bool
ocp_fault_type(OcpCheck *check, const OcpNode *value, guint types)
{
    OcpFault *fault = ocp_fault_new(check, value, "type");
    if (fault == NULL)
        return false;
    fault->expected = list_types(check, types);
    fault->found = value->kind == OCP_NUMBER && (types & OCP_TYPE_INTEGER)
                       ? ocp_fault_show(check, value)
                       : ocp_kind_name(value->kind);
    fault->message =
        ocp_fault_text(check, "expected %s, found %s", fault->expected, fault->found);
    return false;
}

bool
ocp_fault_values(OcpCheck *check, const OcpNode *value, const OcpNode *const *allowed,
                 guint count, const char *keyword)
{
    OcpFault *fault = ocp_fault_new(check, value, keyword);
    if (fault == NULL)
        return false;
    g_autoptr(GString) list = g_string_new(NULL);
    guint listed = MIN(count, LISTED);
    for (guint i = 0; i < listed; i++) {
        if (i > 0)
            g_string_append(list, i + 1 < count ? ", " : " or ");
        g_string_append(list, ocp_fault_show_constant(check, allowed[i]));
    }
    if (listed < count)
        g_string_append_printf(list, " or one of %u more", count - listed);
    fault->expected = ocp_arena_copy(check->arena, list->str, list->len);
    fault->found = ocp_fault_show(check, value);
    fault->message = ocp_fault_text(check, "%s is not allowed here; expected %s",
                                    fault->found, fault->expected);
    const OcpNode *near = ocp_suggest_value(allowed, count, value);
    if (near != NULL && fault->hint == NULL)
        fault->hint = ocp_fault_text(check, "did you mean %s?",
                                     ocp_fault_show_constant(check, near));
    return false;
}

bool
ocp_fault_bound(OcpCheck *check, const OcpNode *value, const char *keyword,
                const char *bound, guint64 expected, guint64 found, const char *unit)
{
    OcpFault *fault = ocp_fault_new(check, value, keyword);
    if (fault == NULL)
        return false;
    fault->expected = ocp_fault_text(check, "%s %" G_GUINT64_FORMAT " %s%s", bound,
                                     expected, unit, expected == 1 ? "" : "s");
    fault->found = ocp_fault_text(check, "%" G_GUINT64_FORMAT, found);
    fault->message =
        ocp_fault_text(check, "expected %s, found %s", fault->expected, fault->found);
    return false;
}

bool
ocp_fault_misspelt(OcpCheck *check, const OcpNode *key, const char *keyword,
                   const OcpName *near, bool required)
{
    OcpFault *fault = ocp_fault_of_member(check, key, keyword);
    if (fault == NULL)
        return false;
    fault->found = ocp_fault_show_name(check, key);
    if (near == NULL) {
        fault->message = ocp_fault_text(check, "unknown member %s", fault->found);
        return false;
    }
    fault->expected = ocp_fault_show_text(check, near->text, near->length);
    fault->message =
        ocp_fault_text(check, "unknown member %s; did you mean %s%s?", fault->found,
                       required ? "the required " : "", fault->expected);
    fault->hint = ocp_fault_text(check, "rename it to %s", fault->expected);
    return false;
}

bool
ocp_fault_missing(OcpCheck *check, const OcpNode *object, const GPtrArray *missing)
{
    OcpFault *fault = ocp_fault_new(check, object, "required");
    if (fault == NULL)
        return false;
    g_autoptr(GString) list = g_string_new(NULL);
    for (guint i = 0; i < missing->len; i++) {
        const OcpName *name = missing->pdata[i];
        if (i > 0)
            g_string_append(list, i + 1 < missing->len ? ", " : " and ");
        g_string_append(list, ocp_fault_show_text(check, name->text, name->length));
    }
    fault->expected = ocp_arena_copy(check->arena, list->str, list->len);
    fault->message = ocp_fault_text(check, "missing member%s %s",
                                    missing->len == 1 ? "" : "s", fault->expected);
    return false;
}
