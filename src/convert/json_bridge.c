/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "convert/ocp_json.h"
#include "text/limits.h"
#include "value/number.h"
#include "value/pointer.h"
#include "value/report.h"

/* json-c frees its values by recursion, so both directions keep to the depth limit, and
 * recurse on it themselves. */
typedef struct {
    const OcpDocument *from; /* being read; NULL if json-c is */
    OcpDocument *to;         /* being made; NULL if json-c's value is */
    OcpReport *report;
    GString *pointer; /* of the value being converted */
    guint depth;
    guint limit;
} Bridge;

static OcpDiagnostic *
say(const Bridge *bridge, OcpSeverity severity, const OcpNode *node, const char *code,
    const char *message)
{
    OcpDiagnostic *diagnostic =
        ocp_report_add(bridge->report, severity, code, "%s", message);
    diagnostic->pointer = g_strdup(bridge->pointer->str);
    const OcpDocument *document = bridge->from != NULL ? bridge->from : bridge->to;
    guint32 place = OCP_NO_PLACE;
    /* A value may be linked from another document, whose places mean nothing here. */
    if (node != NULL && !ocp_is_container(node) && document->text != NULL &&
        node->as.text >= document->text &&
        node->as.text < document->text + document->length)
        place = node->place;
    ocp_diagnostic_locate(diagnostic, document, place);
    return diagnostic;
}

static bool
fail(const Bridge *bridge, const OcpNode *node, const char *code, const char *message)
{
    say(bridge, OCP_ERROR, node, code, message);
    return false;
}

static bool
enter(Bridge *bridge)
{
    if (bridge->depth == bridge->limit)
        return fail(bridge, NULL, "json-c.depth",
                    "the value is nested too deep to be handed over");
    bridge->depth++;
    return true;
}

/* ---- to json-c ------------------------------------------------------------- */

/* NULL, which json-c would take for JSON's null, is lack of memory here. */
static bool
made(const Bridge *bridge, struct json_object *object, struct json_object **ret)
{
    if (object == NULL)
        return fail(bridge, NULL, "json-c.memory", "json-c has no memory left");
    *ret = object;
    return true;
}

static bool
double_to_object(const Bridge *bridge, const OcpNode *number, struct json_object **ret)
{
    g_autofree char *text = g_strndup(number->as.text, number->size);
    double value = g_ascii_strtod(text, NULL);
    OcpNode zero = {.kind = OCP_NUMBER, .size = 1, .as.text = "0"};
    if (!isfinite(value) ||
        (fpclassify(value) == FP_ZERO && ocp_number_compare(number, &zero) != 0))
        return fail(bridge, number, "json-c.number",
                    "json-c holds numbers as doubles, and no double is near this one");
    if (strpbrk(text, ".eE") != NULL) {
        g_autoptr(GString) near = g_string_new(NULL);
        ocp_number_append_python(number, near);
        OcpNode other = {
            .kind = OCP_NUMBER, .size = (guint32)near->len, .as.text = near->str};
        if (ocp_number_compare(number, &other) != 0) {
            OcpDiagnostic *warning =
                say(bridge, OCP_WARNING, number, "json-c.precision",
                    "json-c calculates with a double near this "
                    "number; what it writes keeps the digits");
            warning->found = g_strdup(near->str);
        }
    }
    return made(bridge, json_object_new_double_s(value, text), ret);
}

static bool
number_to_object(const Bridge *bridge, const OcpNode *number, struct json_object **ret)
{
    g_autofree char *text = g_strndup(number->as.text, number->size);
    if (strpbrk(text, ".eE") != NULL || strcmp(text, "-0") == 0)
        return double_to_object(bridge, number, ret);
    gint64 whole = 0;
    if (ocp_number_to_int64(number, &whole))
        return made(bridge, json_object_new_int64(whole), ret);
    guint64 natural = 0;
    if (!g_ascii_string_to_unsigned(text, 10, 0, G_MAXUINT64, &natural, NULL))
        return fail(bridge, number, "json-c.integer",
                    "json-c has no integers beyond 64 bits");
    return made(bridge, json_object_new_uint64(natural), ret);
}

static bool
string_to_object(const Bridge *bridge, const OcpNode *string, struct json_object **ret)
{
    if (string->size >= G_MAXINT)
        return fail(bridge, string, "json-c.string",
                    "json-c has no strings of 2 GiB or more");
    if (!(string->flags & OCP_NODE_ESCAPED))
        return made(bridge,
                    json_object_new_string_len(string->as.text, (int)string->size),
                    ret);
    g_autofree char *text = g_malloc(string->size + 1);
    gsize length = ocp_unescape(string->as.text, string->size, text);
    return made(bridge, json_object_new_string_len(text, (int)length), ret);
}

static bool value_to_object(Bridge *bridge, const OcpNode *node,
                            struct json_object **ret);

static bool
add_element(Bridge *bridge, const OcpNode *element, gsize index,
            struct json_object *array)
{
    gsize above = bridge->pointer->len;
    struct json_object *value = NULL;
    ocp_pointer_push_index(bridge->pointer, index);
    if (!value_to_object(bridge, element, &value))
        return false;
    g_string_truncate(bridge->pointer, above);
    if (json_object_array_add(array, value) == 0)
        return true;
    json_object_put(value);
    return fail(bridge, NULL, "json-c.memory", "json-c has no memory left");
}

static bool
add_member(Bridge *bridge, const OcpNode *key, const OcpNode *node,
           struct json_object *object)
{
    gsize above = bridge->pointer->len;
    struct json_object *value = NULL;
    ocp_pointer_push_key(bridge->pointer, key);
    g_autofree char *name = g_malloc(key->size + 1);
    gsize length = key->size;
    if (key->flags & OCP_NODE_ESCAPED)
        length = ocp_unescape(key->as.text, key->size, name);
    else
        memcpy(name, key->as.text, length);
    name[length] = '\0';
    if (memchr(name, '\0', length) != NULL)
        return fail(bridge, key, "json-c.key", "json-c has no keys that hold U+0000");
    if (!value_to_object(bridge, node, &value))
        return false;
    g_string_truncate(bridge->pointer, above);
    if (json_object_object_add(object, name, value) == 0)
        return true;
    json_object_put(value);
    return fail(bridge, NULL, "json-c.memory", "json-c has no memory left");
}

static bool
fill_array(Bridge *bridge, const OcpNode *node, struct json_object *array)
{
    const OcpNode *element = NULL;
    gsize index = 0;
    for (OcpIter iter = ocp_iter(node); (element = ocp_iter_element(&iter)) != NULL;)
        if (!add_element(bridge, element, index++, array))
            return false;
    return true;
}

static bool
fill_object(Bridge *bridge, const OcpNode *node, struct json_object *object)
{
    const OcpNode *key = NULL;
    const OcpNode *value = NULL;
    for (OcpIter iter = ocp_iter(node); ocp_iter_member(&iter, &key, &value);)
        if (!add_member(bridge, key, value, object))
            return false;
    return true;
}

static bool
container_to_object(Bridge *bridge, const OcpNode *node, struct json_object **ret)
{
    bool is_object = node->kind == OCP_OBJECT;
    struct json_object *object = NULL;
    if (!enter(bridge) ||
        !made(bridge, is_object ? json_object_new_object() : json_object_new_array(),
              &object))
        return false;
    if (!(is_object ? fill_object(bridge, node, object)
                    : fill_array(bridge, node, object))) {
        json_object_put(object);
        return false;
    }
    bridge->depth--;
    *ret = object;
    return true;
}

static bool
value_to_object(Bridge *bridge, const OcpNode *node, struct json_object **ret)
{
    switch ((OcpKind)node->kind) {
    case OCP_NULL:
    case OCP_LINK: /* followed before */ *ret = NULL; return true;
    case OCP_FALSE: return made(bridge, json_object_new_boolean(FALSE), ret);
    case OCP_TRUE: return made(bridge, json_object_new_boolean(TRUE), ret);
    case OCP_NUMBER: return number_to_object(bridge, node, ret);
    case OCP_STRING: return string_to_object(bridge, node, ret);
    case OCP_ARRAY:
    case OCP_OBJECT: return container_to_object(bridge, node, ret);
    }
    return false;
}

bool
ocp_json_to_object(const OcpDocument *document, const OcpNode *node, OcpReport *report,
                   struct json_object **ret)
{
    const OcpLimits limits = OCP_LIMITS_DEFAULT;
    g_autoptr(GString) pointer = g_string_new(NULL);
    Bridge bridge = {
        .from = document, .report = report, .pointer = pointer, .limit = limits.depth};
    return value_to_object(&bridge, ocp_deref(node != NULL ? node : document->root),
                           ret);
}

/* ---- from json-c ----------------------------------------------------------- */

static OcpNode *
integer_from_object(const Bridge *bridge, struct json_object *object)
{
    gint64 whole = json_object_get_int64(object);
    if (whole < G_MAXINT64)
        return ocp_make_integer(bridge->to, whole);
    char text[32]; /* json-c saturates: only the unsigned look tells */
    int length = g_snprintf(text, sizeof text, "%" G_GUINT64_FORMAT,
                            (guint64)json_object_get_uint64(object));
    return ocp_make_number(bridge->to, text, (gsize)length);
}

/* The text the double came with, if there is one and it is that number. */
static const char *
own_text(struct json_object *object, double value)
{
    if (json_object_get_userdata(object) == NULL)
        return NULL;
    const char *text = json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN);
    if (text == NULL || !ocp_number_valid(text, strlen(text)))
        return NULL;
    double read = g_ascii_strtod(text, NULL);
    return memcmp(&read, &value, sizeof read) == 0 ? text : NULL;
}

static OcpNode *
double_from_object(const Bridge *bridge, struct json_object *object)
{
    double value = json_object_get_double(object);
    if (!isfinite(value)) {
        fail(bridge, NULL, "json-c.number", "JSON has no numbers that are not finite");
        return NULL;
    }
    const char *own = own_text(object, value);
    if (own != NULL)
        return ocp_make_number(bridge->to, own, strlen(own));
    char digits[40]; /* with an exponent, so that it stays a number of this kind */
    g_ascii_formatd(digits, sizeof digits, "%.16e", value);
    OcpNode exact = {
        .kind = OCP_NUMBER, .size = (guint32)strlen(digits), .as.text = digits};
    g_autoptr(GString) shortest = g_string_new(NULL);
    ocp_number_append_python(&exact, shortest);
    return ocp_make_number(bridge->to, shortest->str, shortest->len);
}

/* True if length bytes are UTF-8; U+0000 is a character like any other. */
static bool
is_utf8(const char *text, gsize length)
{
    const char *end = text + length;
    while (text < end) {
        const char *stop = memchr(text, '\0', (gsize)(end - text));
        gsize run = (gsize)((stop != NULL ? stop : end) - text);
        if (!g_utf8_validate(text, (gssize)run, NULL))
            return false;
        text += run + 1;
    }
    return true;
}

static OcpNode *
string_from_object(const Bridge *bridge, struct json_object *object)
{
    const char *text = json_object_get_string(object);
    gsize length = (gsize)json_object_get_string_len(object);
    if (is_utf8(text, length))
        return ocp_make_string(bridge->to, text, length);
    fail(bridge, NULL, "json-c.utf8", "the string is not UTF-8");
    return NULL;
}

static OcpNode *value_from_object(Bridge *bridge, struct json_object *object);

static OcpNode *
array_from_object(Bridge *bridge, struct json_object *array)
{
    OcpBuilder build = ocp_build(bridge->to, ocp_make_array(bridge->to));
    gsize above = bridge->pointer->len;
    gsize count = json_object_array_length(array);
    for (gsize i = 0; i < count; i++) {
        ocp_pointer_push_index(bridge->pointer, i);
        OcpNode *element =
            value_from_object(bridge, json_object_array_get_idx(array, i));
        if (element == NULL)
            return NULL;
        ocp_build_element(&build, element);
        g_string_truncate(bridge->pointer, above);
    }
    return build.container;
}

static OcpNode *
object_from_object(Bridge *bridge, struct json_object *object)
{
    OcpBuilder build = ocp_build(bridge->to, ocp_make_object(bridge->to));
    gsize above = bridge->pointer->len;
    struct json_object_iterator at = json_object_iter_begin(object);
    struct json_object_iterator end = json_object_iter_end(object);
    for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
        const char *name = json_object_iter_peek_name(&at);
        if (!g_utf8_validate(name, -1, NULL)) {
            fail(bridge, NULL, "json-c.utf8", "a key of this object is not UTF-8");
            return NULL;
        }
        ocp_pointer_push(bridge->pointer, name, strlen(name));
        OcpNode *value = value_from_object(bridge, json_object_iter_peek_value(&at));
        if (value == NULL)
            return NULL;
        ocp_build_named(&build, name, value);
        g_string_truncate(bridge->pointer, above);
    }
    ocp_object_seal(bridge->to, build.container); /* json-c's keys are unique */
    return build.container;
}

static OcpNode *
container_from_object(Bridge *bridge, struct json_object *object)
{
    if (!enter(bridge))
        return NULL;
    OcpNode *node = json_object_is_type(object, json_type_object)
                        ? object_from_object(bridge, object)
                        : array_from_object(bridge, object);
    bridge->depth--;
    return node;
}

/* NULL after an error. */
static OcpNode *
value_from_object(Bridge *bridge, struct json_object *object)
{
    switch (json_object_get_type(object)) {
    case json_type_null: return ocp_make_null(bridge->to);
    case json_type_boolean:
        return ocp_make_boolean(bridge->to, json_object_get_boolean(object) != 0);
    case json_type_int: return integer_from_object(bridge, object);
    case json_type_double: return double_from_object(bridge, object);
    case json_type_string: return string_from_object(bridge, object);
    case json_type_array:
    case json_type_object: return container_from_object(bridge, object);
    }
    return NULL;
}

bool
ocp_json_from_object(struct json_object *object, const char *name, OcpReport *report,
                     OcpDocument **ret)
{
    const OcpLimits limits = OCP_LIMITS_DEFAULT;
    g_autoptr(OcpDocument) document = ocp_document_new(name);
    g_autoptr(GString) pointer = g_string_new(NULL);
    Bridge bridge = {
        .to = document, .report = report, .pointer = pointer, .limit = limits.depth};
    document->root = value_from_object(&bridge, object);
    if (document->root == NULL)
        return false;
    *ret = g_steal_pointer(&document);
    return true;
}
