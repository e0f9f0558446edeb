/* SPDX-License-Identifier: Apache-2.0 */
#include "patch_cases.h"

/*
 * Values of s that repeat other values of s: carried as references, which follow the
 * edits of their originals.
 */

static const char *
copy_of(const OcpNode *node, gpointer data)
{
    const Case *c = data;
    const OcpNode *original = g_hash_table_lookup(c->repeats, node);
    return original != NULL ? g_hash_table_lookup(c->places, original) : NULL;
}

static void
find_places(Case *c, const OcpNode *node, GString *pointer)
{
    g_hash_table_insert(c->places, (gpointer)node, g_strdup(pointer->str));
    gsize length = pointer->len;
    gsize index = 0;
    for (const OcpNode *at = ocp_first_child(node); at != NULL; at = at->next) {
        if (node->kind == OCP_OBJECT) {
            ocp_pointer_push_key(pointer, ocp_deref(at));
            at = at->next;
        } else {
            ocp_pointer_push_index(pointer, index++);
        }
        find_places(c, ocp_deref(at), pointer);
        g_string_truncate(pointer, length);
    }
}

/* An s with repetitions, and their places. */
static const OcpNode *
make_repeating(Case *c)
{
    g_autoptr(GPtrArray) pool = g_ptr_array_new();
    c->pool = pool;
    c->secrets = chance(c, 50) ? 10 : 0;
    const OcpNode *s = make_value(c, 5);
    c->pool = NULL;
    c->secrets = 0;
    g_autoptr(GString) pointer = g_string_new(NULL);
    find_places(c, s, pointer);
    return s;
}

static guint copies_seen;

static void
count_copies(const OcpNode *patch)
{
    const OcpNode *site;
    for (OcpIter iter = ocp_iter(patch); (site = ocp_iter_element(&iter)) != NULL;) {
        const OcpNode *copy = ocp_member(site, "copy");
        copies_seen += copy != NULL ? copy->size : 0;
    }
}

static void
hear_carried(const OcpNode *s, const char *pointer, gpointer data)
{
    g_hash_table_insert(data, g_strdup(pointer), (gpointer)s);
}

/* What is carried after all is where it was said to be. */
static bool
pointers_lead_there(GHashTable *carried, const OcpNode *patch)
{
    GHashTableIter iter;
    gpointer pointer;
    gpointer node;
    g_hash_table_iter_init(&iter, carried);
    while (g_hash_table_iter_next(&iter, &pointer, &node)) {
        bool site = strchr((char *)pointer + 1, '/') == NULL;
        if (site ? !ocp_is_leaf(node) : ocp_pointer_find(patch, pointer) != node)
            return false;
    }
    return true;
}

static bool
copies_come_back(Case *c)
{
    g_autoptr(GHashTable) told =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    const OcpNode *s = make_repeating(c);
    const OcpNode *w = strip(c, make_w(c, s));
    OcpPatchKeys keys = keys_of(c);
    keys.skip = is_skipped;
    keys.member_order = chance(c, 50);
    /* as it is without copies, which the other tests know to be right */
    OcpNode *plain = ocp_patch_diff(c->made, w, s, &keys, NULL, NULL);
    const OcpNode *rest = ocp_patch_apply(c->made, w, plain, &keys, NULL, NULL);
    keys.copy_of = copy_of;
    OcpNode *patch = ocp_patch_diff(c->made, w, s, &keys, hear_carried, told);
    count_copies(patch);
    g_autoptr(OcpDocument) read = reread(patch);
    OcpNode *result = ocp_patch_apply(c->made, w, read->root, &keys, count_notices, c);
    g_autofree char *wanted = text_of(rest);
    g_autofree char *found = text_of(result);
    bool held = ocp_patch_valid(read->root) && ocp_equal(result, rest) &&
                pointers_lead_there(told, patch) && c->yielded + c->orphaned == 0 &&
                (!keys.member_order || strcmp(wanted, found) == 0);
    if (!held)
        fail(c, "copies", w, s, patch, result);
    return held;
}

static void
get_put(void)
{
    copies_seen = 0;
    over_seeds(copies_come_back, 5000);
    g_print("%u copies\n", copies_seen);
}

static bool
spoiled_copies_do_no_harm(Case *c)
{
    const OcpNode *s = make_repeating(c);
    const OcpNode *w = make_w(c, s);
    OcpPatchKeys keys = keys_of(c);
    keys.copy_of = copy_of;
    OcpNode *patch = ocp_patch_diff(c->made, w, s, &keys, NULL, NULL);
    const OcpNode *others[] = {w, make_w(c, s), make_value(c, 4), s};
    for (guint i = 0; i < G_N_ELEMENTS(others); i++) {
        const OcpNode *spoiled = spoil(c, patch, i);
        OcpNode *result =
            ocp_patch_apply(c->made, others[i], spoiled, &keys, count_notices, c);
        g_autoptr(OcpDocument) read = reread(result);
        if (!ocp_equal(read->root, result)) {
            fail(c, "spoiled", others[i], s, spoiled, result);
            return false;
        }
    }
    return true;
}

static void
hostile(void)
{
    over_seeds(spoiled_copies_do_no_harm, 5000);
}

/* ---- by hand ---------------------------------------------------------------- */

static OcpDocument *
parse(const char *quoted)
{
    g_autofree char *text = g_strdelimit(g_strdup(quoted), "'", '"');
    g_autoptr(GBytes) bytes = g_bytes_new(text, strlen(text));
    g_autoptr(OcpReport) report = ocp_report_new();
    OcpLimits limits = OCP_LIMITS_DEFAULT;
    OcpDocument *document = NULL;
    if (!ocp_json_read(bytes, "test", &limits, report, &document))
        g_error("bad JSON in a test: %s", text);
    return document;
}

static void
expect(const OcpNode *node, const char *expected)
{
    g_autofree char *text = text_of(node);
    g_strdelimit(text, "\"", '\'');
    CU_ASSERT_STRING_EQUAL(text, expected);
    if (strcmp(text, expected) != 0)
        ocp_test_fail("%s\ninstead of\n%s", text, expected);
}

/* The id of an element stands in its member "k". */
static const char *
id_of(const OcpNode *element, gpointer data)
{
    Case *c = data;
    const OcpNode *id = ocp_member(element, "k");
    if (!ocp_is(id, OCP_STRING))
        return NULL;
    g_autofree char *text = ocp_text_dup(id);
    return g_string_chunk_insert_const(c->texts, text);
}

static const char *
id_made_of(const OcpNode *element, guint n, gpointer data)
{
    return n == 0 ? id_of(element, data) : NULL;
}

/* Every {"text": …} below "chunks" repeats the turn of that text. */
static const char *
turn_of(const OcpNode *node, gpointer data)
{
    const Case *c = data;
    return g_hash_table_lookup(c->places, node);
}

static void
find_turns(Case *c, const OcpNode *s)
{
    const OcpNode *chunk;
    for (OcpIter i = ocp_iter(ocp_member(s, "chunks"));
         (chunk = ocp_iter_element(&i));) {
        const OcpNode *turn;
        gsize index = 0;
        for (OcpIter j = ocp_iter(ocp_member(s, "turns"));
             (turn = ocp_iter_element(&j)); index++)
            if (ocp_equal(turn, ocp_member(chunk, "turn")))
                g_hash_table_insert(c->places, (gpointer)ocp_member(chunk, "turn"),
                                    g_strdup_printf("/turns/%u", (guint)index));
    }
}

static void
hear_all(OcpPatchFate fate, const char *site, const char *member, const OcpNode *value,
         gpointer data)
{
    (void)value;
    if (fate == OCP_PATCH_ORPHANED)
        g_string_append_printf(data, "%s %s; ", site, member);
}

static void
copies_follow_edits(void)
{
    g_autoptr(OcpDocument) s =
        parse("{'turns':[{'k':'a','t':'A'},{'u':1},{'k':'b','t':'B'}],"
              "'chunks':[{'turn':{'u':1}},{'turn':{'k':'b','t':'B'}},"
              "{'turn':{'k':'a','t':'A'}},{'turn':{'t':'?'}}]}");
    g_autoptr(OcpDocument) w = parse("{'turns':[{'k':'a','t':'A'},{'k':'b','t':'B'}]}");
    g_autoptr(OcpDocument) edited =
        parse("{'turns':[{'k':'b','t':'new'},{'k':'c','t':'C'}]}");
    Case c;
    begin(&c, 1);
    find_turns(&c, s->root);
    OcpPatchKeys keys = {
        .key = id_of, .made = id_made_of, .copy_of = turn_of, .data = &c};
    OcpNode *patch = ocp_patch_diff(c.made, w->root, s->root, &keys, NULL, NULL);
    expect(patch, "[{'at':'','rest':{'chunks':[{'turn':null},{'turn':null},"
                  "{'turn':null},{'turn':{'t':'?'}}]},'copy':{"
                  "'/rest/chunks/0/turn':'/turns/+0','/rest/chunks/1/turn':'/turns/#b',"
                  "'/rest/chunks/2/turn':'/turns/#a'}},"
                  "{'at':'/turns','new':[{'after':'a','value':{'u':1}}],"
                  "'order':[['a']]}]");
    g_autoptr(GString) said = g_string_new(NULL);
    expect(ocp_patch_apply(c.made, edited->root, patch, &keys, hear_all, said),
           "{'turns':[{'u':1},{'k':'b','t':'new'},{'k':'c','t':'C'}],"
           "'chunks':[{'turn':{'u':1}},{'turn':{'k':'b','t':'new'}},{},"
           "{'turn':{'t':'?'}}]}");
    CU_ASSERT_STRING_EQUAL(said->str, " /rest/chunks/2/turn; ");
    end(&c);
}

/* The place of an original in a list that may lose elements is not to be relied on. */
static void
originals_do_not_shift(void)
{
    g_autoptr(OcpDocument) s =
        parse("{'turns':[{'k':'a'}],'chunks':[{'turn':{'k':'a'}},{'turn':'other'}],"
              "'more':'other'}");
    g_autoptr(OcpDocument) w = parse("{'turns':[{'k':'a'}]}");
    Case c;
    begin(&c, 1);
    find_turns(&c, s->root);
    g_hash_table_insert(c.places, (gpointer)ocp_member(s->root, "more"),
                        g_strdup("/chunks/1/turn"));
    OcpPatchKeys keys = {
        .key = id_of, .made = id_made_of, .copy_of = turn_of, .data = &c};
    OcpNode *patch = ocp_patch_diff(c.made, w->root, s->root, &keys, NULL, NULL);
    expect(patch, "[{'at':'','rest':{'chunks':[{'turn':null},{'turn':'other'}],"
                  "'more':'other'},'copy':{'/rest/chunks/0/turn':'/turns/#a'}}]");
    end(&c);
}

static void
nothing_contains_itself(void)
{
    static const char *const patches[][2] = {
        {"[{'at':'','rest':{'a':{'b':null}},'copy':{'/rest/a/b':''}}]", "{'a':{}}"},
        {"[{'at':'','rest':{'a':{'b':null}},'copy':{'/rest/a/b':'/a'}}]", "{'a':{}}"},
        {"[{'at':'','rest':{'a':{'b':null}},'copy':{'/rest/a/b':'/a/b'}}]", "{'a':{}}"},
        {"[{'at':'','rest':{'a':null,'b':null},'copy':{'/rest/a':'/b','/rest/b':'/"
         "a'}}]",
         "{}"},
        {"[{'at':'','rest':{'a':[null],'b':[null]},"
         "'copy':{'/rest/a/0':'/b','/rest/b/0':'/a'}}]",
         "{'a':[],'b':[]}"},
        {"[{'at':'','rest':{'a':1,'b':null},'copy':{'/rest/b':'/a','/rest/a':'/b',"
         "'/rest/c':'/a','/x':'/a'}}]",
         "{'a':1,'b':1}"}};
    for (gsize i = 0; i < G_N_ELEMENTS(patches); i++) {
        g_autoptr(OcpDocument) w = parse("{}");
        g_autoptr(OcpDocument) patch = parse(patches[i][0]);
        g_autoptr(OcpDocument) made = ocp_document_new(NULL);
        CU_ASSERT(ocp_patch_valid(patch->root));
        expect(ocp_patch_apply(made, w->root, patch->root, NULL, NULL, NULL),
               patches[i][1]);
    }
}

/* A small patch cannot ask for more than a reader would give. */
static void
copies_have_a_limit(void)
{
    g_autoptr(OcpDocument) made = ocp_document_new(NULL);
    OcpBuilder w = ocp_build(made, ocp_make_object(made));
    g_autofree char *large = g_strnfill(1 << 20, 'x');
    ocp_build_named(&w, "large", ocp_make_text(made, large));
    OcpBuilder list = ocp_build(made, ocp_make_array(made));
    OcpBuilder copy = ocp_build(made, ocp_make_object(made));
    for (guint i = 0; i < 1000; i++) {
        g_autofree char *path = g_strdup_printf("/rest/list/%u", i);
        ocp_build_element(&list, ocp_make_null(made));
        ocp_build_named(&copy, path, ocp_make_text(made, "/large"));
    }
    OcpBuilder rest = ocp_build(made, ocp_make_object(made));
    ocp_build_named(&rest, "list", list.container);
    OcpBuilder site = ocp_build(made, ocp_make_object(made));
    ocp_build_named(&site, "at", ocp_make_text(made, ""));
    ocp_build_named(&site, "rest", rest.container);
    ocp_build_named(&site, "copy", copy.container);
    OcpBuilder patch = ocp_build(made, ocp_make_array(made));
    ocp_build_element(&patch, site.container);
    CU_ASSERT(ocp_patch_valid(patch.container));
    const OcpNode *result =
        ocp_patch_apply(made, w.container, patch.container, NULL, NULL, NULL);
    CU_ASSERT_EQUAL(ocp_member(result, "list")->size, 255);
}

/* Many turns, each repeated: a quadratic step would take longer than the test may. */
static void
many_copies(void)
{
    enum { MANY = 50000 };
    Case c;
    begin(&c, 1);
    OcpBuilder turns = ocp_build(c.document, ocp_make_array(c.document));
    OcpBuilder known = ocp_build(c.document, ocp_make_array(c.document));
    OcpBuilder chunks = ocp_build(c.document, ocp_make_array(c.document));
    for (guint i = 0; i < MANY; i++) {
        OcpBuilder turn = ocp_build(c.document, ocp_make_object(c.document));
        ocp_build_named(&turn, "text", ocp_make_integer(c.document, i));
        ocp_build_element(&turns, turn.container);
        if (i % 2 == 0)
            ocp_build_element(&known, turn.container);
        if (i % 4 == 0)
            name_view(&c, turn.container, turn.container);
        const OcpNode *twin = repeat(&c, turn.container);
        ocp_build_element(&chunks, twin);
        g_hash_table_insert(c.repeats, (gpointer)twin, turn.container);
        g_hash_table_insert(c.places, turn.container, g_strdup_printf("/turns/%u", i));
    }
    OcpBuilder s = ocp_build(c.document, ocp_make_object(c.document));
    OcpBuilder w = ocp_build(c.document, ocp_make_object(c.document));
    ocp_build_named(&s, "chunks", chunks.container);
    ocp_build_named(&s, "turns", turns.container);
    ocp_build_named(&w, "turns", known.container);
    OcpPatchKeys keys = keys_of(&c);
    keys.copy_of = copy_of;
    OcpNode *patch =
        ocp_patch_diff(c.made, w.container, s.container, &keys, NULL, NULL);
    copies_seen = 0;
    count_copies(patch);
    CU_ASSERT_EQUAL(copies_seen, MANY);
    OcpNode *result = ocp_patch_apply(c.made, w.container, patch, &keys, NULL, NULL);
    CU_ASSERT(ocp_equal(result, s.container));
    end(&c);
}

OCP_TEST_MAIN("mapping-patch-copies", {"the patch takes w to s", get_put},
              {"copies follow edits", copies_follow_edits},
              {"originals do not shift", originals_do_not_shift},
              {"nothing contains itself", nothing_contains_itself},
              {"copies have a limit", copies_have_a_limit},
              {"many copies", many_copies}, {"spoiled copies do no harm", hostile})
