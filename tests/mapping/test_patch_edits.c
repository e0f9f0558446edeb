/* SPDX-License-Identifier: Apache-2.0 */
#include "patch_cases.h"

/*
 * The edit wins, what it does not touch comes back, and carried data stays with its
 * element: over lists of things made at random.
 */

/* A list of things: each has a tag that only s knows and a member that both know. */
typedef struct {
    GPtrArray *s; /* elements */
    GPtrArray *w;
    GPtrArray *partner; /* by w element: of s, or NULL */
    bool lonely;        /* there are elements that only one of them has */
} Things;

static const OcpNode *
make_thing(Case *c, guint tag)
{
    OcpBuilder build = ocp_build(c->document, ocp_make_object(c->document));
    ocp_build_named(&build, "tag", ocp_make_integer(c->document, tag));
    for (guint i = 0; i < 4; i++)
        if (chance(c, 70))
            ocp_build_named(&build, names[i], make_value(c, 2));
    return build.container;
}

static const OcpNode *
make_view(Case *c, const OcpNode *thing)
{
    OcpBuilder build = ocp_build(c->document, ocp_make_object(c->document));
    for (guint i = 0; i < 4; i++) {
        const OcpNode *value = ocp_member(thing, names[i]);
        if (value != NULL && chance(c, 75))
            ocp_build_named(&build, names[i], chance(c, 70) ? value : make_value(c, 2));
        else if (value == NULL && chance(c, 20))
            ocp_build_named(&build, names[i], make_value(c, 2));
    }
    if (thing == NULL)
        ocp_build_named(&build, "default", ocp_make_boolean(c->document, true));
    return build.container;
}

static Things
make_things(Case *c)
{
    Things things = {g_ptr_array_new(), g_ptr_array_new(), g_ptr_array_new(), false};
    guint count = pick(c, 8);
    g_autoptr(GPtrArray) seen = g_ptr_array_new();
    for (guint i = 0; i < count; i++) {
        const OcpNode *thing = make_thing(c, i);
        g_ptr_array_add(things.s, (gpointer)thing);
        g_ptr_array_add(seen, chance(c, 75) ? (gpointer)thing : NULL);
    }
    if (chance(c, 40))
        shuffle(c, seen);
    for (guint i = 0; i < count; i++) {
        if (seen->pdata[i] == NULL && chance(c, 60))
            continue; /* only s has it */
        const OcpNode *view = make_view(c, seen->pdata[i]);
        name_view(c, view, seen->pdata[i]);
        g_ptr_array_add(things.w, (gpointer)view);
        g_ptr_array_add(things.partner, seen->pdata[i]);
    }
    return things;
}

static void
free_things(Things *things)
{
    g_ptr_array_unref(things->s);
    g_ptr_array_unref(things->w);
    g_ptr_array_unref(things->partner);
}

static const OcpNode *
list_of(Case *c, const GPtrArray *elements)
{
    OcpBuilder root = ocp_build(c->document, ocp_make_object(c->document));
    OcpBuilder build = ocp_build(c->document, ocp_make_array(c->document));
    for (guint i = 0; i < elements->len; i++)
        ocp_build_element(&build, elements->pdata[i]);
    ocp_build_named(&root, "things", build.container);
    return root.container;
}

/* The result of the patch of things for an edited list. */
static const OcpNode *
merge_edited(Case *c, const Things *things, const GPtrArray *edited, OcpNode **patch)
{
    OcpPatchKeys keys = keys_of(c);
    *patch = ocp_patch_diff(c->made, list_of(c, things->w), list_of(c, things->s),
                            &keys, NULL, NULL);
    return ocp_patch_apply(c->made, list_of(c, edited), *patch, &keys, count_notices,
                           c);
}

static bool
deleting_elements_takes_just_them(Case *c)
{
    Things things = make_things(c);
    g_autoptr(GPtrArray) left = g_ptr_array_new();
    g_autoptr(GPtrArray) wanted = g_ptr_array_new();
    for (guint i = 0; i < things.s->len; i++)
        g_ptr_array_add(wanted, things.s->pdata[i]);
    for (guint i = 0; i < things.w->len; i++) {
        if (chance(c, 60))
            g_ptr_array_add(left, things.w->pdata[i]);
        else if (things.partner->pdata[i] != NULL)
            g_ptr_array_remove(wanted, things.partner->pdata[i]);
    }
    OcpNode *patch;
    const OcpNode *result = merge_edited(c, &things, left, &patch);
    /* each that is gone had its tag in the patch */
    bool held = ocp_equal(result, list_of(c, wanted)) && c->yielded == 0 &&
                (c->orphaned > 0) == (wanted->len < things.s->len);
    if (!held)
        fail(c, "deleting", list_of(c, things.w), list_of(c, things.s), patch, result);
    free_things(&things);
    return held;
}

static void
deletions(void)
{
    over_seeds(deleting_elements_takes_just_them, 5000);
}

static bool
inserting_moves_nothing(Case *c)
{
    Things things = make_things(c);
    g_autoptr(GPtrArray) edited = g_ptr_array_new();
    for (guint i = 0; i < things.w->len; i++)
        g_ptr_array_add(edited, things.w->pdata[i]);
    OcpBuilder build = ocp_build(c->document, ocp_make_object(c->document));
    ocp_build_named(&build, "mine", ocp_make_boolean(c->document, true));
    name_view(c, build.container, NULL);
    guint at = pick(c, edited->len + 1);
    g_ptr_array_insert(edited, (gint)at, build.container);

    OcpNode *patch;
    const OcpNode *result = merge_edited(c, &things, edited, &patch);
    g_autoptr(GPtrArray) others = g_ptr_array_new();
    const OcpNode *element;
    const OcpNode *before = NULL; /* the last of w's before it in the result */
    bool found = false;
    for (OcpIter iter = ocp_iter(ocp_member(result, "things"));
         (element = ocp_iter_element(&iter)) != NULL;) {
        if (ocp_member(element, "mine") != NULL) {
            found = true;
            continue;
        }
        g_ptr_array_add(others, (gpointer)element);
        for (guint i = 0; !found && i < things.w->len; i++)
            if (things.partner->pdata[i] != NULL &&
                ocp_equal(things.partner->pdata[i], element))
                before = element;
    }
    const OcpNode *wanted = NULL;
    for (guint i = 0; i < at; i++)
        if (things.partner->pdata[i] != NULL)
            wanted = things.partner->pdata[i];
    bool held = found && ocp_equal(list_of(c, others), list_of(c, things.s)) &&
                ocp_equal(before, wanted) && c->yielded + c->orphaned == 0;
    if (!held)
        fail(c, "inserting", list_of(c, edited), list_of(c, things.s), patch, result);
    free_things(&things);
    return held;
}

static void
insertions(void)
{
    over_seeds(inserting_moves_nothing, 5000);
}

/* The order of the tags of those that w has too. */
static void
append_tags(GString *out, const Things *things, const OcpNode *list)
{
    const OcpNode *element;
    for (OcpIter iter = ocp_iter(list); (element = ocp_iter_element(&iter)) != NULL;)
        for (guint i = 0; i < things->w->len; i++)
            if (things->partner->pdata[i] != NULL &&
                ocp_equal(things->partner->pdata[i], element))
                g_string_append_printf(out, "%u ", i);
}

static bool
moving_elements_moves_their_data(Case *c)
{
    Things things = make_things(c);
    g_autoptr(GPtrArray) edited = g_ptr_array_new();
    g_autoptr(GString) wanted = g_string_new(NULL);
    g_autoptr(GString) before = g_string_new(NULL);
    for (guint i = 0; i < things.w->len; i++) {
        g_ptr_array_add(edited, things.w->pdata[i]);
        if (things.partner->pdata[i] != NULL)
            g_string_append_printf(before, "%u ", i);
    }
    shuffle(c, edited);
    for (guint i = 0; i < edited->len; i++) {
        guint at = 0;
        g_ptr_array_find(things.w, edited->pdata[i], &at);
        if (things.partner->pdata[at] != NULL)
            g_string_append_printf(wanted, "%u ", at);
    }
    OcpNode *patch;
    const OcpNode *result = merge_edited(c, &things, edited, &patch);
    g_autoptr(GString) found = g_string_new(NULL);
    append_tags(found, &things, ocp_member(result, "things"));
    if (strcmp(wanted->str, before->str) == 0) {
        g_string_truncate(wanted, 0);
        append_tags(wanted, &things, ocp_member(list_of(c, things.s), "things"));
    }
    bool held = ocp_member(result, "things")->size == things.s->len &&
                strcmp(found->str, wanted->str) == 0 && c->yielded + c->orphaned == 0;
    if (!held)
        fail(c, "moving", list_of(c, edited), list_of(c, things.s), patch, result);
    free_things(&things);
    return held;
}

static void
moves(void)
{
    over_seeds(moving_elements_moves_their_data, 5000);
}

/* view or thing with one member changed: to value, or dropped if that is NULL. */
static OcpNode *
with_member(Case *c, const OcpNode *object, const char *name, const OcpNode *value)
{
    OcpBuilder build = ocp_build(c->document, ocp_make_object(c->document));
    const OcpNode *key;
    const OcpNode *old;
    for (OcpIter iter = ocp_iter(object); ocp_iter_member(&iter, &key, &old);)
        if (!ocp_text_is(key, name))
            ocp_build_member(&build, key, old);
    if (value != NULL)
        ocp_build_named(&build, name, value);
    return build.container;
}

static bool
changing_a_member_changes_just_it(Case *c)
{
    Things things = make_things(c);
    bool held = true;
    guint at = things.w->len > 0 ? pick(c, things.w->len) : 0;
    if (things.w->len > 0 && things.partner->pdata[at] != NULL) {
        const char *name = names[pick(c, 4)];
        const OcpNode *view = things.w->pdata[at];
        const OcpNode *thing = things.partner->pdata[at];
        const OcpNode *base = ocp_member(view, name);
        const OcpNode *theirs = ocp_member(thing, name);
        const OcpNode *mine =
            base != NULL && chance(c, 30) ? NULL : ocp_make_text(c->document, "edited");
        OcpNode *edit = with_member(c, view, name, mine);
        g_hash_table_insert(c->keys, edit, g_hash_table_lookup(c->keys, view));
        g_autoptr(GPtrArray) edited = g_ptr_array_new();
        g_autoptr(GPtrArray) wanted = g_ptr_array_new();
        for (guint i = 0; i < things.w->len; i++)
            g_ptr_array_add(edited, i == at ? (gpointer)edit : things.w->pdata[i]);
        for (guint i = 0; i < things.s->len; i++)
            g_ptr_array_add(wanted, things.s->pdata[i] == thing
                                        ? (gpointer)with_member(c, thing, name, mine)
                                        : things.s->pdata[i]);
        OcpNode *patch;
        const OcpNode *result = merge_edited(c, &things, edited, &patch);
        bool lost = theirs != NULL && (base == NULL || !ocp_equal(base, theirs));
        /* a deeper site may keep parts of what is no longer made */
        bool deep =
            mine == NULL && ocp_is_container(base) && ocp_is(theirs, base->kind);
        held = deep || (ocp_equal(result, list_of(c, wanted)) &&
                        (!lost || c->yielded + c->orphaned > 0));
        if (!held)
            fail(c, "changing", list_of(c, edited), list_of(c, things.s), patch,
                 result);
    }
    free_things(&things);
    return held;
}

static void
changes(void)
{
    over_seeds(changing_a_member_changes_just_it, 5000);
}

OCP_TEST_MAIN("mapping-patch-edits", {"deleting elements takes just them", deletions},
              {"inserting moves nothing", insertions},
              {"moving elements moves their data", moves},
              {"changing a member changes just it", changes})
