/* SPDX-License-Identifier: Apache-2.0 */
#include "mapping/patch.h"
#include "support.h"
#include "text/json.h"
#include "value/equal.h"
#include "value/pointer.h"

#include <string.h>

/*
 * In these tests an element of w has the id that stands in its member "k" (or, a
 * string, that it is, if it begins with "k"), and reading made that id of the element
 * of s that says the same.
 */

static OcpDocument *
parse(const char *text)
{
    g_autoptr(GBytes) bytes = g_bytes_new(text, strlen(text));
    g_autoptr(OcpReport) report = ocp_report_new();
    OcpLimits limits = OCP_LIMITS_DEFAULT;
    OcpDocument *document = NULL;
    if (!ocp_json_read(bytes, "test", &limits, report, &document))
        g_error("bad JSON in a test: %s", text);
    return document;
}

/* Ids live as long as the program: they are few and interned. */
static const char *
id_of(const OcpNode *element, gpointer data)
{
    (void)data;
    const OcpNode *id =
        element->kind == OCP_STRING ? element : ocp_member(element, "k");
    if (!ocp_is(id, OCP_STRING) || id->size == 0 ||
        (id == element && id->as.text[0] != 'k'))
        return NULL;
    g_autofree char *text = ocp_text_dup(id);
    return g_intern_string(text);
}

static const char *
made_of(const OcpNode *element, guint n, gpointer data)
{
    return n == 0 ? id_of(element, data) : NULL;
}

static bool
is_secret(const OcpNode *node, gpointer data)
{
    (void)data;
    return ocp_text_is(node, "secret");
}

static const OcpPatchKeys by_k = {.key = id_of, .made = made_of, .skip = is_secret};
static const OcpPatchKeys in_order = {
    .key = id_of, .made = made_of, .skip = is_secret, .member_order = true};

static char *
text_of(const OcpNode *node)
{
    GString *text = g_string_new(NULL);
    ocp_json_write(node, true, text);
    for (gsize i = 0; i < text->len; i++)
        if (text->str[i] == '"')
            text->str[i] = '\'';
    return g_string_free(text, FALSE);
}

static void
expect_text(const char *what, const OcpNode *node, const char *expected)
{
    g_autofree char *text = text_of(node);
    CU_ASSERT_STRING_EQUAL(text, expected);
    if (strcmp(text, expected) != 0)
        ocp_test_fail("%s:\n  %s\ninstead of\n  %s", what, text, expected);
}

static char *
quoted(const char *text)
{
    return g_strdelimit(g_strdup(text), "'", '"');
}

static OcpDocument *
parse_quoted(const char *text)
{
    g_autofree char *json = quoted(text);
    return parse(json);
}

static void
hear(OcpPatchFate fate, const char *site, const char *member, const OcpNode *value,
     gpointer data)
{
    static const char *const names[] = {"restored", "yielded", "orphaned"};
    if (fate == OCP_PATCH_RESTORED)
        return;
    g_autofree char *text = value != NULL ? text_of(value) : g_strdup("-");
    g_string_append_printf(data, "%s %s %s %s; ", names[fate], site,
                           member != NULL ? member : "-", text);
}

/* The patch of w and s as text, checked to take w to s and to be a patch after a trip
 * through text. */
static OcpDocument *
patch_of(const OcpPatchKeys *keys, const char *w_text, const char *s_text)
{
    g_autoptr(OcpDocument) w = parse_quoted(w_text);
    g_autoptr(OcpDocument) s = parse_quoted(s_text);
    g_autoptr(OcpDocument) made = ocp_document_new(NULL);
    OcpNode *patch = ocp_patch_diff(made, w->root, s->root, keys, NULL, NULL);
    CU_ASSERT(ocp_patch_valid(patch));
    g_autofree char *text = text_of(patch);
    return parse_quoted(text);
}

static void
expect_patch(const OcpPatchKeys *keys, const char *w, const char *s,
             const char *expected)
{
    g_autoptr(OcpDocument) patch = patch_of(keys, w, s);
    expect_text("patch", patch->root, expected);
}

/* What the patch of w and s makes of w2, and what it says about it. */
static void
expect_merge(const OcpPatchKeys *keys, const char *w, const char *s, const char *w2,
             const char *expected, const char *heard)
{
    g_autoptr(OcpDocument) patch = patch_of(keys, w, s);
    g_autoptr(OcpDocument) mine = parse_quoted(w2);
    g_autoptr(OcpDocument) made = ocp_document_new(NULL);
    g_autoptr(GString) said = g_string_new(NULL);
    OcpNode *merged = ocp_patch_apply(made, mine->root, patch->root, keys, hear, said);
    expect_text("merge", merged, expected);
    CU_ASSERT_STRING_EQUAL(said->str, heard);
    if (strcmp(said->str, heard) != 0)
        ocp_test_fail("said: %s", said->str);
    g_autoptr(OcpDocument) same = parse_quoted(w);
    expect_text("back",
                ocp_patch_apply(made, same->root, patch->root, keys, NULL, NULL), s);
}

/* ---- the form -------------------------------------------------------------- */

static void
equal_values_need_no_patch(void)
{
    expect_patch(&by_k, "{'a':[1,{'b':null}],'c':{}}", "{'c':{},'a':[1,{'b':null}]}",
                 "[]");
    expect_patch(&by_k, "1.0", "1.0", "[]");
}

static void
objects_say_what_is_more_other_and_less(void)
{
    expect_patch(&by_k, "{'a':1,'b':2,'c':{'d':1}}",
                 "{'a':1,'b':3,'c':{'d':1,'e':[]},'f':0}",
                 "[{'at':'','rest':{'f':0},'was':{'b':[2,3]}},"
                 "{'at':'/c','rest':{'e':[]}}]");
    expect_patch(&by_k, "{'a':1}", "{}", "[{'at':'','absent':{'a':1}}]");
}

static void
numbers_differ_by_their_text(void)
{
    expect_patch(&by_k, "{'a':1}", "{'a':1.0}", "[{'at':'','was':{'a':[1,1.0]}}]");
}

static void
a_long_base_is_a_digest(void)
{
    expect_patch(
        &by_k,
        "{'a':'0123456789012345678901234567890123456789012345678901234567890123'}",
        "{'a':0}",
        "[{'at':'','was':{'a':[{'sha-256':"
        "'48d3e05bbc7b77d3b8f43e2a2c9a8a79b7ac9b72d20b3a9c0e8e56c54e3d7b6f'},0]}}]");
}

static void
containers_of_other_kinds_are_replaced_whole(void)
{
    expect_patch(&by_k, "{'a':[]}", "{'a':{}}", "[{'at':'','was':{'a':[[],{}]}}]");
    expect_patch(&by_k, "[1]", "{'a':1}", "[{'at':'','root':[[1],{'a':1}]}]");
    expect_merge(&by_k, "[1]", "{'a':1}", "[2]", "[2]", "yielded  - {'a':1}; ");
}

static void
elements_are_known_by_keys(void)
{
    expect_patch(&by_k, "[{'k':'a'},{'k':'b'}]", "[{'k':'b','x':1},7,{'k':'a'}]",
                 "[{'at':'','new':[{'after':'b','value':7}],"
                 "'order':[['a','b'],[1,0]]},{'at':'/#b','rest':{'x':1}}]");
    expect_patch(&by_k, "['k1','k1','k1']", "['k1',0,'k1']",
                 "[{'at':'','new':[{'after':'k1','value':0}],'gone':{'k1#3':'k1'},"
                 "'order':[['k1']]}]");
}

static void
elements_without_ids_are_known_by_value_then_place(void)
{
    expect_patch(&by_k, "[1,2,3]", "[0,1,3,2]",
                 "[{'at':'','new':[{'after':null,'value':0}],"
                 "'order':[['#1','#2','#3'],[0,2,1]]}]");
    expect_patch(&by_k, "[{'x':1},{'x':2}]", "[{'x':1,'y':1},{'x':2,'y':2}]",
                 "[{'at':'/##1','rest':{'y':1}},{'at':'/##2','rest':{'y':2}}]");
    expect_patch(
        &by_k, "[1,'a']", "[1,'b','c']",
        "[{'at':'','was':{'#2':['a','b']},'new':[{'after':'#2','value':'c'}]}]");
}

static const char *
made_b_and_a(const OcpNode *element, guint n, gpointer data)
{
    (void)data;
    static const char *const ids[] = {"b", "a", "zz"};
    return element->kind == OCP_NUMBER && n < G_N_ELEMENTS(ids) ? ids[n] : NULL;
}

static void
an_element_of_several_ids_takes_the_first_there_is(void)
{
    OcpPatchKeys keys = by_k;
    keys.made = made_b_and_a;
    expect_patch(&keys, "[{'k':'c'},{'k':'a'},{'k':'b'}]", "[1,2,3]",
                 "[{'at':'','was':{'a':[{'k':'a'},1],'b':[{'k':'b'},2]},"
                 "'new':[{'after':'b','value':3}],'gone':{'c':{'k':'c'}},"
                 "'order':[['a','b']]}]");
}

static void
odd_names_do_not_look_like_keys(void)
{
    expect_patch(&by_k, "{'#3':{},'a/b~':{}}", "{'#3':{'#':1},'a/b~':{'':2}}",
                 "[{'at':'/~23','rest':{'#':1}},{'at':'/a~1b~0','rest':{'':2}}]");
    expect_merge(&by_k, "{'#3':{},'a/b~':{}}", "{'#3':{'#':1},'a/b~':{'':2}}",
                 "{'a/b~':{'x':1}}", "{'a/b~':{'x':1,'':2},'#3':{'#':1}}", "");
    expect_patch(&by_k, "[{'k':'#2'},{'k':'x y'},{'k':'.z'}]",
                 "[{'k':'#2','a':1},{'k':'x y'},{'k':'.z'}]",
                 "[{'at':'/##1','rest':{'a':1}}]");
}

static void
member_order_is_kept_if_asked_for(void)
{
    expect_patch(&by_k, "{'a':1,'b':2}", "{'b':2,'c':3,'a':1}",
                 "[{'at':'','rest':{'c':3}}]");
    expect_patch(&in_order, "{'a':1,'b':2}", "{'b':2,'c':3,'a':1}",
                 "[{'at':'','rest':{'c':3},'members':['b','c','a']}]");
    expect_patch(&in_order, "{'a':1,'b':2}", "{'a':1,'b':2,'c':3}",
                 "[{'at':'','rest':{'c':3}}]");
    expect_patch(&in_order, "[{'a':1,'b':2}]", "[{'b':2,'a':1}]",
                 "[{'at':'/##1','members':['b','a']}]");
    expect_merge(&in_order, "{'a':1,'b':2}", "{'b':2,'c':3,'a':1}",
                 "{'a':1,'n':0,'b':5}", "{'b':5,'c':3,'a':1,'n':0}", "");
    expect_merge(&in_order, "{'a':1,'b':2}", "{'b':2,'c':3,'a':1}", "{'n':0,'b':2}",
                 "{'n':0,'b':2,'c':3}", "");
}

static void
skipped_leaves_stay_out(void)
{
    g_autoptr(OcpDocument) patch =
        patch_of(&by_k, "{'a':'hidden','l':[1]}",
                 "{'a':'secret','b':'secret','c':{'d':'secret','e':[1,'secret',2]},"
                 "'l':['secret',1]}");
    expect_text("patch", patch->root, "[{'at':'','rest':{'c':{'e':[1,2]}}}]");
    expect_patch(&by_k, "['b']", "['secret','c']",
                 "[{'at':'','was':{'#1':['b','c']}}]");
}

/* ---- edits ----------------------------------------------------------------- */

static void
an_edit_wins_and_the_rest_comes_back(void)
{
    expect_merge(&by_k, "{'a':1,'b':2,'c':3}", "{'a':'A','b':'B','d':4}",
                 "{'a':1,'b':9,'c':3}", "{'a':'A','b':9,'d':4}", "yielded  b 'B'; ");
    expect_merge(&by_k, "{'a':1}", "{'d':4}", "{'a':2,'d':5}", "{'a':2,'d':5}",
                 "yielded  a -; yielded  d 4; ");
    expect_merge(&by_k, "{'a':1}", "{'a':2}", "{}", "{}", "yielded  a 2; ");
    expect_merge(&by_k, "{'a':1}", "{'a':2}", "{'a':2}", "{'a':2}", "");
}

static void
carried_data_stays_with_its_element(void)
{
    const char *w = "[{'k':'a'},{'k':'b'},{'k':'c'}]";
    const char *s = "[{'k':'c','x':3},{'k':'b','x':2},{'k':'a','x':1}]";
    expect_merge(&by_k, w, s, "[{'k':'a'},{'k':'c'}]",
                 "[{'k':'c','x':3},{'k':'a','x':1}]", "orphaned /#b x 2; ");
    expect_merge(&by_k, w, s, "[{'k':'c'},{'k':'a'},{'k':'b'}]",
                 "[{'k':'c','x':3},{'k':'a','x':1},{'k':'b','x':2}]", "");
    expect_merge(&by_k, w, s, "[{'k':'a'},{'k':'n'},{'k':'b'},{'k':'c'}]",
                 "[{'k':'c','x':3},{'k':'b','x':2},{'k':'a','x':1},{'k':'n'}]", "");
    expect_merge(&by_k, w, s, "[{'k':'n'},{'k':'a'},{'k':'b'},{'k':'c','x':0}]",
                 "[{'k':'n'},{'k':'c','x':0},{'k':'b','x':2},{'k':'a','x':1}]",
                 "yielded /#c x 3; ");
}

static void
a_new_element_finds_its_neighbour_or_the_one_before(void)
{
    const char *w = "['ka','kb','kc','kd']";
    const char *s = "['ka','kb','kc',1,2,'kd']";
    expect_merge(&by_k, w, s, "['ka','kb','kd']", "['ka','kb',1,2,'kd']", "");
    expect_merge(&by_k, w, s, "['ka','kd']", "['ka',1,2,'kd']", "");
    expect_merge(&by_k, w, s, "['kd']", "[1,2,'kd']", "");
    expect_merge(&by_k, w, s, "['ka','kb','kc','kn','kd']",
                 "['ka','kb','kc',1,2,'kn','kd']", "");
    expect_merge(&by_k, "['ka','kb']", "['kb',0,'ka']", "['ka']", "[0,'ka']", "");
    expect_merge(&by_k, "[1,2,3]", "[1,2,3,4]", "[1,2]", "[1,2,4]", "");
}

static void
an_element_that_is_gone_stays_gone_unless_edited(void)
{
    expect_merge(&by_k, "[{'k':'a'},{'k':'b','v':1}]", "[{'k':'a'}]",
                 "[{'k':'a'},{'k':'b','v':2}]", "[{'k':'a'},{'k':'b','v':2}]",
                 "yielded  b -; ");
    expect_merge(&by_k, "[{'k':'a'},{'k':'b'}]", "[{'k':'a'}]", "[{'k':'b'},{'k':'c'}]",
                 "[{'k':'c'}]", "");
}

static void
a_member_no_longer_made_is_made_of_what_is_carried(void)
{
    expect_merge(&by_k, "{'q':{'p':1},'z':0}", "{'q':{'p':1,'tools':{'t':1}},'z':0}",
                 "{'z':0}", "{'z':0,'q':{'tools':{'t':1}}}", "");
    expect_merge(&by_k, "{'q':{'l':[{'k':'a'}]}}", "{'q':{'l':[{'k':'a','x':1},5]}}",
                 "{}", "{'q':{'l':[5]}}", "orphaned /q/l/#a x 1; ");
    expect_merge(&by_k, "{'l':[{'k':'a','o':{}}]}", "{'l':[{'k':'a','o':{'x':1}}]}",
                 "{}", "{}", "orphaned /l/#a/o x 1; ");
    expect_merge(&by_k, "{'l':[{'k':'a','o':{}}]}", "{'l':[{'k':'a','o':{'x':1}}]}",
                 "{'l':[{'k':'a'}]}", "{'l':[{'k':'a','o':{'x':1}}]}", "");
    expect_merge(&by_k, "{'q':{'p':1}}", "{'q':{'p':2}}", "{}", "{}",
                 "yielded /q p 2; ");
}

static void
another_kind_of_container_is_an_edit(void)
{
    expect_merge(&by_k, "{'q':{'l':[1]}}", "{'q':{'l':[1,2],'x':1}}",
                 "{'q':[{'l':[1]}]}", "{'q':[{'l':[1]}]}",
                 "yielded /q x 1; orphaned /q/l #1 2; ");
}

/* ---- what is carried ------------------------------------------------------- */

static void
collect(const OcpNode *node, const char *pointer, gpointer data)
{
    g_autofree char *text = text_of(node);
    g_string_append_printf(data, "%s %s; ", pointer, text);
}

static void
what_is_carried_is_told_by_largest_subtrees(void)
{
    g_autoptr(OcpDocument) w =
        parse_quoted("{'a':1,'b':{},'l':[{'k':'x'},2],'e':[1],'s':{'t':1}}");
    g_autoptr(OcpDocument) s = parse_quoted(
        "{'a':2,'b':{'c':{'d':[1,2]}},'l':[{'k':'x','y':'secret'},3,4],'e':[],"
        "'r':{'p':'secret','q':[[1],['secret',[2]]]},'s':{'t':1}}");
    g_autoptr(OcpDocument) made = ocp_document_new(NULL);
    g_autoptr(GString) heard = g_string_new(NULL);
    OcpNode *patch = ocp_patch_diff(made, w->root, s->root, &by_k, collect, heard);
    CU_ASSERT_STRING_EQUAL(heard->str,
                           "/0/was/a/1 2; /0/rest/r/q/0 [1]; /0/rest/r/q/1/0 [2]; "
                           "/1/rest/c {'d':[1,2]}; /2/new/0/value 3; /2/new/1/value 4; "
                           "/3 []; ");
    expect_text("told", ocp_pointer_find(patch, "/0/rest/r/q/1/0"), "[2]");
}

/* ---- hostile patches ------------------------------------------------------- */

static void
only_a_patch_is_valid(void)
{
    static const char *const bad[] = {
        "{}",
        "[1]",
        "[{}]",
        "[{'at':''}]",
        "[{'rest':{'a':1}}]",
        "[{'at':1,'rest':{'a':1}}]",
        "[{'at':'a','rest':{'a':1}}]",
        "[{'at':'/~3','rest':{'a':1}}]",
        "[{'at':'','rest':{}}]",
        "[{'at':'','rest':[1]}]",
        "[{'at':'','was':{'a':1}}]",
        "[{'at':'','was':{'a':[1]}}]",
        "[{'at':'','rest':{'a':1},'gone':{'b':1}}]",
        "[{'at':'','order':[]}]",
        "[{'at':'','order':[['a'],[1]]}]",
        "[{'at':'','order':[['a','b'],[0,0]]}]",
        "[{'at':'','order':[['a','a'],[0,1]]}]",
        "[{'at':'','order':[['a'],[0],[0]]}]",
        "[{'at':'','order':[['a','b'],[0]]}]",
        "[{'at':'','new':[{'after':1,'value':1}]}]",
        "[{'at':'','new':[{'value':1}]}]",
        "[{'at':'','new':[1]}]",
        "[{'at':'','new':[{'after':null,'value':1,'x':1}]}]",
        "[{'at':'','members':['a','a']}]",
        "[{'at':'','members':[1]}]",
        "[{'at':'','rest':{'a':1}},{'at':'','rest':{'b':1}}]",
        "[{'at':'/a','root':[1,2]}]",
        "[{'at':'','root':[1]}]",
        "[{'at':'','other':1}]",
        "[{'at':'','root':[1,2]},{'at':'/a','rest':{'a':1}}]",
        "[{'at':'','root':[1,2],'rest':{'a':1}}]",
        "[{'at':'','copy':{'a':'/b'}}]",
        "[{'at':'','copy':{'/a':1}}]"};
    for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(OcpDocument) patch = parse_quoted(bad[i]);
        CU_ASSERT(!ocp_patch_valid(patch->root));
        if (ocp_patch_valid(patch->root))
            ocp_test_fail("taken for a patch: %s", bad[i]);
        g_autoptr(OcpDocument) made = ocp_document_new(NULL);
        g_autoptr(GString) said = g_string_new(NULL);
        CU_ASSERT_PTR_EQUAL(
            ocp_patch_apply(made, patch->root, patch->root, &by_k, hear, said),
            patch->root);
        CU_ASSERT(g_str_has_prefix(said->str, "orphaned  - "));
    }
    CU_ASSERT(!ocp_patch_valid(NULL));
}

static void
expect_foreign(const char *w_text, const char *patch_text, const char *expected,
               const char *heard)
{
    g_autoptr(OcpDocument) w = parse_quoted(w_text);
    g_autoptr(OcpDocument) patch = parse_quoted(patch_text);
    g_autoptr(OcpDocument) made = ocp_document_new(NULL);
    g_autoptr(GString) said = g_string_new(NULL);
    CU_ASSERT(ocp_patch_valid(patch->root));
    expect_text("merge", ocp_patch_apply(made, w->root, patch->root, &by_k, hear, said),
                expected);
    CU_ASSERT_STRING_EQUAL(said->str, heard);
    if (strcmp(said->str, heard) != 0)
        ocp_test_fail("said: %s", said->str);
}

static void
a_patch_of_something_else_does_no_harm(void)
{
    expect_foreign("{'a':1}",
                   "[{'at':'/a/b','rest':{'x':1}},{'at':'/#a','absent':{'x':1}}]",
                   "{'a':1}", "orphaned /a/b x 1; orphaned /#a - -; ");
    expect_foreign("{'a':{'b':1}}",
                   "[{'at':'','rest':{'c':1},'absent':{'a':{'b':1}}},"
                   "{'at':'/a','rest':{'x':1}},{'at':'/c','rest':{'y':1}}]",
                   "{'c':1}", "orphaned /a x 1; orphaned /c y 1; ");
    expect_foreign("{}", "[{'at':'/#','rest':{'y':1}},{'at':'/~2','rest':{'y':1}}]",
                   "{'#':{'y':1}}", "orphaned /# y 1; ");
    expect_foreign("{'a#':{}}",
                   "[{'at':'/a#','rest':{'x':1}},{'at':'/a~2','rest':{'y':1}}]",
                   "{'a#':{'x':1}}", "orphaned  y 1; ");
    expect_foreign(
        "[1,2]",
        "[{'at':'','new':[{'after':'zz','value':0},{'after':'#99','value':9},"
        "{'after':'#99999999999','value':8}],'order':[['#2','q','#1'],[2,0,1]]}]",
        "[0,8,1,2,9]", "");
    expect_foreign("[1,2]",
                   "[{'at':'','new':[{'after':'#2','value':9}],'gone':{'#2':2}}]",
                   "[1,9]", "");
    expect_foreign("1", "[{'at':'','rest':{'x':1}}]", "1", "yielded  x 1; ");
}

static void
what_is_not_touched_is_its_own_node(void)
{
    g_autoptr(OcpDocument) w = parse_quoted("{'a':{'x':1},'l':[{'k':'a'},{'k':'b'}]}");
    g_autoptr(OcpDocument) patch =
        parse_quoted("[{'at':'/l/#a','rest':{'y':1}},{'at':'/a','was':{'q':[1,2]}}]");
    g_autoptr(OcpDocument) made = ocp_document_new(NULL);
    OcpNode *merged = ocp_patch_apply(made, w->root, patch->root, &by_k, NULL, NULL);
    CU_ASSERT_PTR_EQUAL(ocp_member(merged, "a"), ocp_member(w->root, "a"));
    CU_ASSERT_PTR_EQUAL(ocp_pointer_find(merged, "/l/1"),
                        ocp_pointer_find(w->root, "/l/1"));
    CU_ASSERT_PTR_NOT_EQUAL(ocp_pointer_find(merged, "/l/0"),
                            ocp_pointer_find(w->root, "/l/0"));
}

OCP_TEST_MAIN(
    "mapping-patch", {"equal values need no patch", equal_values_need_no_patch},
    {"objects say what is more, other and less",
     objects_say_what_is_more_other_and_less},
    {"numbers differ by their text", numbers_differ_by_their_text},
    {"a long base is a digest", a_long_base_is_a_digest},
    {"containers of other kinds are replaced whole",
     containers_of_other_kinds_are_replaced_whole},
    {"elements are known by keys", elements_are_known_by_keys},
    {"elements without ids are known by value, then place",
     elements_without_ids_are_known_by_value_then_place},
    {"an element of several ids takes the first there is",
     an_element_of_several_ids_takes_the_first_there_is},
    {"odd names do not look like keys", odd_names_do_not_look_like_keys},
    {"member order is kept if asked for", member_order_is_kept_if_asked_for},
    {"skipped leaves stay out", skipped_leaves_stay_out},
    {"an edit wins and the rest comes back", an_edit_wins_and_the_rest_comes_back},
    {"carried data stays with its element", carried_data_stays_with_its_element},
    {"a new element finds its neighbour or the one before",
     a_new_element_finds_its_neighbour_or_the_one_before},
    {"an element that is gone stays gone unless edited",
     an_element_that_is_gone_stays_gone_unless_edited},
    {"a member no longer made is made of what is carried",
     a_member_no_longer_made_is_made_of_what_is_carried},
    {"another kind of container is an edit", another_kind_of_container_is_an_edit},
    {"what is carried is told by largest subtrees",
     what_is_carried_is_told_by_largest_subtrees},
    {"only a patch is valid", only_a_patch_is_valid},
    {"a patch of something else does no harm", a_patch_of_something_else_does_no_harm},
    {"what is not touched is its own node", what_is_not_touched_is_its_own_node})
