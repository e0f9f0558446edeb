/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Leaves that both decide something in a rule and come back from the carry: the danger
 * of a patch. Each is in steers-allowed.tsv, with the reason why it is harmless; a new
 * one fails. And the danger itself: deleting an operation from the model never leaves a
 * document that still brings it.
 */
#include "pipe.h"

/* ---- documents ------------------------------------------------------------------- */

static const char *const folders[] = {"corpus/examples/caop-pulse/valid",
                                      "corpus/examples/caop-resume-brief/valid",
                                      "corpus/examples/specrail/valid",
                                      "corpus/specrail/v1",
                                      "corpus/specrail/v2",
                                      "corpus/specrail/v3",
                                      "corpus/specrail/v4",
                                      "corpus/specrail/milestone-cv1",
                                      "corpus/specrail/real",
                                      "corpus/examples/session-checkpoint-v1/valid",
                                      "corpus/examples/session-checkpoint-v2/valid",
                                      "corpus/session-checkpoint/v1",
                                      "corpus/session-checkpoint/v2"};

static GPtrArray *
all_files(void)
{
    GPtrArray *files = g_ptr_array_new_with_free_func(g_free);
    for (gsize i = 0; i < G_N_ELEMENTS(folders); i++) {
        g_autofree char *path = ocp_test_shared(folders[i]);
        if (path == NULL || !g_file_test(path, G_FILE_TEST_IS_DIR))
            continue;
        g_autoptr(GPtrArray) found = ocp_test_list(path, NULL);
        for (guint n = 0; n < found->len; n++) {
            const char *file = found->pdata[n];
            if (g_str_has_suffix(file, ".json") || g_str_has_suffix(file, ".yaml"))
                g_ptr_array_add(files, g_strdup(file));
        }
    }
    return files;
}

/* The model of a file, or NULL where it is none of ours (bad examples). */
static Pipe *
model_of(const char *path)
{
    g_autoptr(GBytes) bytes = ocp_test_read(path);
    g_autofree char *name = g_path_get_basename(path);
    Pipe *pipe = pipe_run(bytes, name, "opencheckpoint", NULL);
    if (pipe->ok && pipe->outcome->read != NULL)
        return pipe;
    pipe_free(pipe);
    return NULL;
}

/* ---- what steers and is carried -------------------------------------------------- */

typedef struct {
    char *dialect;
    char *pattern; /* of pointers; "*" stands for anything */
    bool seen;
} Allowed;

static void
free_allowed(gpointer pointer)
{
    Allowed *allowed = pointer;
    g_free(allowed->dialect);
    g_free(allowed->pattern);
    g_free(allowed);
}

static GPtrArray *
read_allowed(void)
{
    GPtrArray *list = g_ptr_array_new_with_free_func(free_allowed);
    g_autofree char *path = ocp_test_source("tests/convert/steers-allowed.tsv");
    g_autoptr(GBytes) bytes = ocp_test_read(path);
    g_autofree char *text =
        g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        if (**line == '\0' || **line == '#')
            continue;
        g_auto(GStrv) row = g_strsplit(*line, "\t", -1);
        CU_ASSERT_EQUAL_FATAL(g_strv_length(row), 3);
        CU_ASSERT(strlen(row[2]) > 10); /* a reason */
        Allowed *allowed = g_new0(Allowed, 1);
        allowed->dialect = g_strdup(row[0]);
        allowed->pattern = g_strdup(row[1]);
        g_ptr_array_add(list, allowed);
    }
    return list;
}

static bool
is_allowed(GPtrArray *list, const char *dialect, const char *pattern)
{
    for (guint i = 0; i < list->len; i++) {
        Allowed *allowed = list->pdata[i];
        if (strcmp(allowed->dialect, dialect) != 0 ||
            !g_pattern_match_simple(allowed->pattern, pattern))
            continue;
        allowed->seen = true;
        return true;
    }
    return false;
}

static void
check_steers(const Pipe *pipe, const char *path, GPtrArray *allowed, GHashTable *told)
{
    g_auto(GStrv) label = g_strsplit(pipe->outcome->from, "@", 2);
    for (guint i = 0; i < pipe->outcome->read->fates->len; i++) {
        const OcpLeaf *leaf = pipe->outcome->read->fates->pdata[i];
        bool carried = leaf->fate == OCP_FATE_KEPT || leaf->fate == OCP_FATE_CARRIED;
        if (!leaf->steers || !carried)
            continue;
        g_autofree char *pattern = ocp_account_pattern(leaf->pointer);
        if (is_allowed(allowed, label[0], pattern))
            continue;
        char *line = g_strconcat(label[0], "\t", pattern, NULL);
        if (g_hash_table_add(told, line))
            ocp_test_fail("not in steers-allowed.tsv: %s (%s, %s)", line,
                          ocp_fate_name(leaf->fate), path);
    }
}

static void
what_steers_and_is_carried_is_listed_with_its_reason(void)
{
    g_autoptr(GPtrArray) files = all_files();
    g_autoptr(GPtrArray) allowed = read_allowed();
    g_autoptr(GHashTable) told =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    guint models = 0;
    for (guint i = 0; i < files->len; i++) {
        g_autoptr(Pipe) pipe = model_of(files->pdata[i]);
        if (pipe == NULL)
            continue;
        check_steers(pipe, files->pdata[i], allowed, told);
        models++;
    }
    for (guint i = 0; files->len > 0 && i < allowed->len; i++) {
        const Allowed *row = allowed->pdata[i];
        if (!row->seen)
            printf("note: nothing needs the row %s %s\n", row->dialect, row->pattern);
    }
    printf("%u models, %u rows allowed\n", models, allowed->len);
}

/* ---- deleting an operation ------------------------------------------------------- */

/* The text of a model without one operation and without references to it. Recursion: as
 * deep as the model, which a reader has bounded. */
static const OcpNode *
without(OcpDocument *made, const OcpNode *node, const OcpNode *operation,
        const char *id)
{
    OcpIter iter = ocp_iter(node);
    const OcpNode *key, *value;
    if (!ocp_is_container(node))
        return node;
    OcpBuilder build = ocp_build(made, node->kind == OCP_ARRAY ? ocp_make_array(made)
                                                               : ocp_make_object(made));
    while (node->kind == OCP_ARRAY && (value = ocp_iter_element(&iter)) != NULL) {
        bool refers = value == operation || ocp_text_is(value, id) ||
                      ocp_text_is(ocp_member(value, "operation"), id);
        if (!refers)
            ocp_build_element(&build, without(made, value, operation, id));
    }
    while (node->kind == OCP_OBJECT && ocp_iter_member(&iter, &key, &value)) {
        const OcpNode *kept = ocp_text_is(key, "extensions")
                                  ? value
                                  : without(made, value, operation, id);
        if (!ocp_is_container(value) || value->size == 0 || kept->size > 0)
            ocp_build_member(&build, key, kept);
    }
    return build.container;
}

static GBytes *
text_without(const Pipe *model, const OcpNode *operation, const char *id)
{
    g_autoptr(OcpDocument) made = ocp_document_new(NULL);
    ocp_document_borrow(made, model->result);
    const OcpNode *root = without(made, model->result->root, operation, id);
    GString *text = g_string_new(NULL);
    ocp_json_write(root, false, text);
    return g_string_free_to_bytes(text);
}

/* What an operation is, whatever its id: kind, description, call, and whether it is
 * under way or may start. */
static char *
portrait(const OcpNode *operation)
{
    g_autofree char *kind = pipe_json(ocp_member(operation, "kind"));
    g_autofree char *said = pipe_json(ocp_member(operation, "description"));
    g_autofree char *call = pipe_json(ocp_member(operation, "call"));
    return g_strjoin(" ", kind, said, call, NULL);
}

static guint
count_like(const OcpNode *operations, const char *wanted)
{
    guint count = 0;
    OcpIter iter = ocp_iter(operations);
    for (const OcpNode *operation; (operation = ocp_iter_element(&iter)) != NULL;) {
        g_autofree char *found = portrait(operation);
        count += strcmp(found, wanted) == 0;
    }
    return count;
}

/* Writes the model without the operation and reads that again: it must not be back. */
static void
check_gone(const Pipe *model, const OcpNode *operation, const char *path)
{
    g_autofree char *id = ocp_text_dup(ocp_member(operation, "id"));
    g_autofree char *wanted = portrait(operation);
    const OcpNode *before = ocp_member(model->result->root, "operations");
    g_autoptr(GBytes) edited = text_without(model, operation, id);
    g_autoptr(Pipe) target =
        pipe_run(edited, "edited.json", model->outcome->from, NULL);
    if (!target->ok) {
        ocp_test_fail("%s without %s: not written", path, id);
        return;
    }
    g_autoptr(Pipe) again =
        pipe_run(target->outcome->text, "again.json", "opencheckpoint", NULL);
    if (!again->ok) {
        ocp_test_fail("%s without %s: not read again", path, id);
        return;
    }
    const OcpNode *after = ocp_member(again->result->root, "operations");
    if (count_like(after, wanted) >= count_like(before, wanted))
        ocp_test_fail("%s: %s was deleted and is back: %s", path, id, wanted);
}

static void
a_deleted_operation_never_comes_back(void)
{
    g_autoptr(GPtrArray) files = all_files();
    guint deleted = 0;
    for (guint i = 0; i < files->len; i++) {
        g_autoptr(Pipe) model = model_of(files->pdata[i]);
        if (model == NULL)
            continue;
        OcpIter iter = ocp_iter(ocp_member(model->result->root, "operations"));
        for (const OcpNode *operation; (operation = ocp_iter_element(&iter)) != NULL;) {
            check_gone(model, operation, files->pdata[i]);
            deleted++;
        }
    }
    printf("%u operations deleted\n", deleted);
}

/* ---- deleting them all ----------------------------------------------------------- */

static const struct {
    const char *dialect, *pointer, *left;
} idle[] = {
    {"caop-pulse", "/resume_brief/unassigned_blockers", "[]"},
    {"caop-resume-brief", "/unassigned_blockers", "[]"},
    {"session-checkpoint@1", "/kernel/q/parallel_tool_batch", "[]"},
    {"session-checkpoint@2", "/kernel/q/parallel_tool_batch", "[]"},
};

static const struct {
    const char *dialect, *list, *member, *never;
} started[] = {
    {"caop-pulse", "/resume_brief/unsettled_leases/%u", "sub_state",
     "EXECUTE_DISPATCHED"},
    {"caop-pulse", "/resume_brief/unsettled_leases/%u", "sub_state", "EXECUTE_EXPIRED"},
    {"caop-pulse", "/resume_brief/unsettled_leases/%u", "sub_state", "EXECUTE_PENDING"},
    {"caop-resume-brief", "/unsettled_leases/%u", "sub_state", "EXECUTE_DISPATCHED"},
    {"caop-resume-brief", "/unsettled_leases/%u", "sub_state", "EXECUTE_EXPIRED"},
    {"caop-resume-brief", "/unsettled_leases/%u", "sub_state", "EXECUTE_PENDING"},
    {"session-checkpoint@1", "/kernel/q", "dp", "EGRESS_PENDING"},
    {"session-checkpoint@1", "/kernel/q", "dp", "AWAITING_HITL"},
    {"session-checkpoint@2", "/kernel/q", "dp", "EGRESS_PENDING"},
    {"session-checkpoint@2", "/kernel/q", "dp", "AWAITING_HITL"},
};

static void
check_idle(const Pipe *target, const char *dialect, const char *path)
{
    for (gsize i = 0; i < G_N_ELEMENTS(idle); i++) {
        const OcpNode *found = ocp_pointer_find(target->result->root, idle[i].pointer);
        if (strcmp(idle[i].dialect, dialect) != 0 || found == NULL || found->size == 0)
            continue;
        g_autofree char *text = pipe_json(found);
        ocp_test_fail("%s: %s is left: %s", path, idle[i].pointer, text);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(started); i++) {
        if (strcmp(started[i].dialect, dialect) != 0)
            continue;
        for (guint n = 0; n < 16; n++) {
            g_auto(GStrv) pieces = g_strsplit(started[i].list, "%u", 2);
            g_autofree char *number = g_strdup_printf("%u", n);
            g_autofree char *pointer =
                g_strconcat(pieces[0], pieces[1] != NULL ? number : "", NULL);
            const OcpNode *row = ocp_pointer_find(target->result->root, pointer);
            if (ocp_text_is(ocp_member(row, started[i].member), started[i].never))
                ocp_test_fail("%s: %s is left at %s", path, started[i].never, pointer);
        }
    }
}

/* The model without any operation. */
static Pipe *
emptied(const Pipe *model)
{
    static const char *const names[] = {"operations"};
    g_autoptr(GBytes) text = g_bytes_ref(model->outcome->text);
    Pipe *edited = NULL;
    const OcpNode *operations = ocp_member(model->result->root, names[0]);
    OcpIter iter = ocp_iter(operations);
    for (const OcpNode *operation; (operation = ocp_iter_element(&iter)) != NULL;) {
        g_autofree char *id = ocp_text_dup(ocp_member(operation, "id"));
        Pipe *now = pipe_run(text, "edited.json", "opencheckpoint", NULL);
        const OcpNode *victim =
            pipe_element(ocp_member(now->result->root, names[0]), "id", id);
        g_bytes_unref(g_steal_pointer(&text));
        text = text_without(now, victim, id);
        pipe_free(now);
    }
    edited = pipe_run(text, "edited.json", model->outcome->from, NULL);
    return edited;
}

static void
without_operations_nothing_is_under_way(void)
{
    g_autoptr(GPtrArray) files = all_files();
    guint emptied_models = 0;
    for (guint i = 0; i < files->len; i++) {
        g_autoptr(Pipe) model = model_of(files->pdata[i]);
        if (model == NULL || ocp_member(model->result->root, "operations") == NULL)
            continue;
        g_autoptr(Pipe) target = emptied(model);
        if (target->ok)
            check_idle(target, model->outcome->from, files->pdata[i]);
        else
            ocp_test_fail("%s without operations: not written",
                          (char *)files->pdata[i]);
        emptied_models++;
    }
    printf("%u models emptied\n", emptied_models);
}

OCP_TEST_MAIN("steers",
              {"without operations nothing is under way",
               without_operations_nothing_is_under_way},
              {"what steers and is carried is listed with its reason",
               what_steers_and_is_carried_is_listed_with_its_reason},
              {"a deleted operation never comes back",
               a_deleted_operation_never_comes_back})
