/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "mapping/template_private.h"

static void
clear_binding(gpointer pointer)
{
    OcpBinding *binding = pointer;
    ocp_expr_free(binding->expr);
    ocp_template_free(binding->value);
}

static void
clear_member(gpointer pointer)
{
    OcpTemplateMember *member = pointer;
    if (member->computed != NULL)
        g_array_unref(member->computed);
    ocp_template_free(member->value);
}

static GArray *
array_of(guint size, GDestroyNotify clear)
{
    GArray *array = g_array_new(FALSE, TRUE, size);
    g_array_set_clear_func(array, clear);
    return array;
}

static void
unref_array(GArray *array)
{
    if (array != NULL)
        g_array_unref(array);
}

void
ocp_template_free(OcpTemplate *template)
{
    if (template == NULL)
        return;
    ocp_shape_free(template->shape);
    ocp_expr_free(template->expr);
    ocp_expr_free(template->when);
    ocp_template_free(template->make);
    unref_array(template->parts);
    unref_array(template->loop);
    unref_array(template->lets);
    unref_array(template->members);
    if (template->entries != NULL)
        g_ptr_array_unref(template->entries);
    if (template->needs != NULL)
        g_ptr_array_unref(template->needs);
    g_free(template);
}

static void
free_template(gpointer template)
{
    ocp_template_free(template);
}

static bool fail(OcpTemplateLoad *load, const OcpNode *node, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

static bool
fail(OcpTemplateLoad *load, const OcpNode *node, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    return ocp_fail_at(load->report, load->document, node->place, "mapping.template",
                       "%s", message);
}

/* ---- rules -------------------------------------------------------------------- */

static const OcpRule *
rule_at(const OcpTemplateLoad *load, guint rule)
{
    return load->rules->pdata[rule];
}

static guint
add_rule(OcpTemplateLoad *load, guint group, const char *why)
{
    OcpRule *rule = g_new0(OcpRule, 1);
    rule->label = g_strconcat(load->direction, ":", load->path->str, NULL);
    rule->group = group == 0 ? load->rules->len : group;
    rule->why = g_strdup(why != NULL || group == 0 ? why : rule_at(load, group)->why);
    g_ptr_array_add(load->rules, rule);
    return load->rules->len - 1;
}

static OcpTemplate *
template_new(OcpTemplateLoad *load, OcpTemplateKind kind, const OcpNode *node,
             const OcpShape *shape)
{
    OcpTemplate *template = g_new0(OcpTemplate, 1);
    template->kind = kind;
    template->node = node;
    if (shape != NULL && !ocp_shape_is_empty(shape))
        template->shape = ocp_shape_copy(shape);
    (void)load;
    return template;
}

/* ---- templates ---------------------------------------------------------------- */

static bool load_template(OcpTemplateLoad *load, const OcpNode *node,
                          const OcpShape *shape, guint group, OcpTemplate **ret);

static bool
load_string(OcpTemplateLoad *load, const OcpNode *node, OcpTemplate *template)
{
    if (node->size > 0 && node->as.text[0] == '=') {
        template->kind = OCP_TEMPLATE_EXPR;
        return ocp_template_load_expr(load, node, &template->expr);
    }
    if (!ocp_template_has_brace(node))
        return true; /* a constant */
    template->kind = OCP_TEMPLATE_TEXT;
    return ocp_template_load_parts(load, node, &template->parts);
}

static void
path_push(OcpTemplateLoad *load, const char *name, gsize length, const char *model_name)
{
    if (load->path->len > 0)
        g_string_append_c(load->path, '/');
    g_string_append_len(load->path, name, (gssize)length);
    g_ptr_array_add(load->model_path, g_strdup(model_name));
}

static void
path_pop(OcpTemplateLoad *load, gsize length)
{
    g_string_truncate(load->path, length);
    g_ptr_array_set_size(load->model_path, (gint)load->model_path->len - 1);
}

static bool
load_list(OcpTemplateLoad *load, const OcpNode *node, const OcpShape *shape,
          guint group, OcpTemplate *template)
{
    template->entries = g_ptr_array_new_with_free_func(free_template);
    g_autoptr(OcpShape) element = shape != NULL ? ocp_shape_element(shape) : NULL;
    OcpIter iter = ocp_iter(node);
    gsize index = 0;
    for (const OcpNode *entry; (entry = ocp_iter_element(&iter)) != NULL; index++) {
        gsize length = load->path->len;
        g_autofree char *number = g_strdup_printf("%" G_GSIZE_FORMAT, index);
        path_push(load, number, strlen(number), "*");
        OcpTemplate *made = NULL;
        guint own = ocp_is(entry, OCP_OBJECT) ? 0 : group;
        bool ok = load_template(load, entry, element, own, &made);
        path_pop(load, length);
        if (!ok)
            return false;
        g_ptr_array_add(template->entries, made);
    }
    return true;
}

static bool
load_loop(OcpTemplateLoad *load, const OcpNode *node, OcpTemplate *template)
{
    template->loop = array_of(sizeof(OcpBinding), clear_binding);
    if (ocp_is(node, OCP_STRING)) {
        OcpBinding binding = {.slot = G_MAXUINT, .type = OCP_ONE};
        if (!ocp_template_load_expr(load, node, &binding.expr))
            return false;
        g_array_append_val(template->loop, binding);
        return true;
    }
    if (!ocp_is(node, OCP_OBJECT) || node->size == 0)
        return fail(load, node,
                    "for: expected an expression, or names with expressions");
    OcpIter iter = ocp_iter(node);
    for (const OcpNode *name, *value; ocp_iter_member(&iter, &name, &value);) {
        OcpBinding binding = {.type = OCP_ONE};
        if (!ocp_template_load_expr(load, value, &binding.expr))
            return false;
        binding.slot = ocp_template_name(load, name, OCP_ONE);
        g_array_append_val(template->loop, binding);
    }
    return true;
}

static bool
load_let(OcpTemplateLoad *load, const OcpNode *name, const OcpNode *value,
         OcpTemplate *template)
{
    OcpBinding binding = {.type = OCP_ONE};
    bool expr =
        ocp_is(value, OCP_STRING) && value->size > 0 && value->as.text[0] == '=';
    if (expr) {
        if (!ocp_template_load_expr(load, value, &binding.expr))
            return false;
        binding.type = ocp_expr_type(binding.expr);
    } else {
        gsize length = load->path->len;
        g_autofree char *label = ocp_text_dup(name);
        g_autofree char *marked = g_strconcat("$", label, NULL);
        path_push(load, marked, strlen(marked), "$");
        bool ok = load_template(load, value, NULL, 0, &binding.value);
        path_pop(load, length);
        if (!ok)
            return false;
    }
    bool sequence = binding.type == OCP_MANY || ocp_is(value, OCP_ARRAY);
    binding.slot = ocp_template_name(load, name, sequence ? OCP_MANY : binding.type);
    g_array_append_val(template->lets, binding);
    return true;
}

static bool
load_lets(OcpTemplateLoad *load, const OcpNode *node, OcpTemplate *template)
{
    if (!ocp_is(node, OCP_OBJECT))
        return fail(load, node, "let: expected names with values");
    template->lets = array_of(sizeof(OcpBinding), clear_binding);
    OcpIter iter = ocp_iter(node);
    for (const OcpNode *name, *value; ocp_iter_member(&iter, &name, &value);)
        if (!load_let(load, name, value, template))
            return false;
    return true;
}

static bool
is_reserved(const OcpNode *key)
{
    static const char *const names[] = {"for", "when", "let", "make", "why", "insert"};
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
        if (ocp_text_is(key, names[i]))
            return true;
    return false;
}

/* The name without the backslash that makes a reserved name a literal one. */
static const OcpNode *
literal_name(OcpTemplateLoad *load, const OcpNode *key)
{
    if (key->size == 0 || key->as.text[0] != '\\')
        return key;
    OcpNode *name = ocp_make_string(load->document, key->as.text + 1, key->size - 1);
    name->place = key->place;
    name->flags |= OCP_NODE_PLACED; /* it stands in the mapping: results link to it */
    return name;
}

static bool
load_member(OcpTemplateLoad *load, const OcpNode *key, const OcpNode *value,
            const OcpShape *shape, OcpTemplate *template)
{
    OcpTemplateMember member = {0};
    gsize length = load->path->len;
    g_autofree char *name = NULL;
    bool ok = true;
    if (ocp_template_has_brace(key)) {
        name = g_strdup("{}");
        g_autoptr(OcpShape) other = shape != NULL ? ocp_shape_other(shape) : NULL;
        path_push(load, name, 2, "*");
        /* The loop's names are in scope for the computed name: the value binds them. */
        guint depth = load->scope->len;
        ok = load_template(load, value, other, template->rule, &member.value);
        ok = ok && ocp_template_load_parts(load, key, &member.computed);
        ocp_template_unname(load, depth);
    } else {
        member.name = literal_name(load, key);
        name = ocp_text_dup(member.name);
        g_autoptr(OcpShape) place =
            shape != NULL ? ocp_shape_member(shape, name, strlen(name)) : NULL;
        path_push(load, name, strlen(name), name);
        if (load->to_model)
            member.is_reference =
                ocp_model_is_reference((const char *const *)load->model_path->pdata,
                                       load->model_path->len - 1, name);
        /* Raw ids are made valid later, by the engine: the place admits any text. */
        bool raw = member.is_reference || (template->has_id && strcmp(name, "id") == 0);
        ok = load_template(load, value, raw ? NULL : place, template->rule,
                           &member.value);
        if (ok && shape != NULL)
            member.value->required = ocp_shape_requires(shape, name, strlen(name));
    }
    path_pop(load, length);
    g_array_append_val(template->members, member);
    return ok;
}

static bool
load_object_head(OcpTemplateLoad *load, const OcpNode *node, OcpTemplate *template)
{
    const OcpNode *loop = ocp_member(node, "for");
    const OcpNode *lets = ocp_member(node, "let");
    const OcpNode *when = ocp_member(node, "when");
    return (loop == NULL || load_loop(load, loop, template)) &&
           (lets == NULL || load_lets(load, lets, template)) &&
           (when == NULL || ocp_template_load_condition(load, when, &template->when));
}

/* What an object of the model cannot be without. The root is the engine's to complete.
 */
static void
note_needs(const OcpTemplateLoad *load, const OcpShape *shape, OcpTemplate *template)
{
    if (!load->to_model || shape == NULL || load->model_path->len == 0)
        return;
    template->needs = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) names = ocp_shape_properties(shape);
    for (guint i = 0; i < names->len; i++) {
        const char *name = names->pdata[i];
        if (ocp_shape_requires(shape, name, strlen(name)))
            g_ptr_array_add(template->needs, g_strdup(name));
    }
}

static bool
load_object(OcpTemplateLoad *load, const OcpNode *node, const OcpShape *shape,
            OcpTemplate *template)
{
    template->members = array_of(sizeof(OcpTemplateMember), clear_member);
    if (!load_object_head(load, node, template))
        return false;
    const OcpNode *make = ocp_member(node, "make");
    if (make != NULL)
        return load_template(load, make, shape, template->rule, &template->make);
    note_needs(load, shape, template);
    if (load->to_model)
        template->has_id = ocp_model_has_id(
            (const char *const *)load->model_path->pdata, load->model_path->len);
    OcpIter iter = ocp_iter(node);
    for (const OcpNode *key, *value; ocp_iter_member(&iter, &key, &value);)
        if (!is_reserved(key) && !load_member(load, key, value, shape, template))
            return false;
    return true;
}

/* {insert: NAME} stands for the part of that name; a part inserts no other. */
static bool
load_insert(OcpTemplateLoad *load, const OcpNode *name, const OcpShape *shape,
            guint group, OcpTemplate **ret)
{
    g_autofree char *text = ocp_is(name, OCP_STRING) ? ocp_text_dup(name) : NULL;
    const OcpNode *part = text != NULL ? ocp_member(load->parts, text) : NULL;
    if (part == NULL)
        return fail(load, name, "insert: there is no part of that name under parts:");
    if (load->in_part)
        return fail(load, name, "insert: a part cannot insert another one");
    OcpDocument *document = load->document;
    load->document = load->parts_document;
    load->in_part = true;
    bool ok = load_template(load, part, shape, group, ret);
    load->document = document;
    load->in_part = false;
    return ok;
}

/* Where the names of an object stay in scope for its computed name (see load_member)
 * the caller pops them; elsewhere they go with the object. */
static bool
load_template(OcpTemplateLoad *load, const OcpNode *node, const OcpShape *shape,
              guint group, OcpTemplate **ret)
{
    const OcpNode *insert = ocp_member(node, "insert");
    if (insert != NULL)
        return load_insert(load, insert, shape, group, ret);
    OcpTemplate *template = template_new(load, OCP_TEMPLATE_CONSTANT, node, shape);
    guint depth = load->scope->len;
    bool computed = load->path->len >= 2 &&
                    strcmp(load->path->str + load->path->len - 2, "{}") == 0;
    const OcpNode *why = ocp_member(node, "why");
    g_autofree char *reason = why != NULL ? ocp_text_dup(why) : NULL;
    bool ok = true;
    template->rule = add_rule(load, group, reason);
    if (ocp_is(node, OCP_STRING)) {
        ok = load_string(load, node, template);
    } else if (ocp_is(node, OCP_ARRAY)) {
        template->kind = OCP_TEMPLATE_LIST;
        ok = load_list(load, node, shape, template->rule, template);
    } else if (ocp_is(node, OCP_OBJECT)) {
        template->kind = OCP_TEMPLATE_OBJECT;
        ok = load_object(load, node, shape, template);
    }
    if (!computed)
        ocp_template_unname(load, depth);
    if (!ok) {
        ocp_template_free(template);
        return false;
    }
    *ret = template;
    return true;
}

bool
ocp_template_load(OcpTemplateLoad *load, const OcpNode *node, const OcpShape *shape,
                  OcpTemplate **ret)
{
    load->scope = ocp_template_scope_new();
    load->path = g_string_new(NULL);
    load->model_path = g_ptr_array_new_with_free_func(g_free);
    bool ok = load_template(load, node, shape, 0, ret);
    ocp_template_unname(load, 0);
    g_array_unref(load->scope);
    g_string_free(load->path, TRUE);
    g_ptr_array_unref(load->model_path);
    load->scope = NULL;
    load->path = NULL;
    load->model_path = NULL;
    return ok;
}
