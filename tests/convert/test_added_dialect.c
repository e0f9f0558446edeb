/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A dialect that is added by one schema and one mapping, without a line of C: detected,
 * read, written, and in between the model of any other dialect goes into it.
 */
#include "pipe.h"
#include "value/equal.h"

static GBytes *
file_of(const char *name)
{
    g_autofree char *folder = ocp_test_source("fixtures/added-dialect");
    g_autofree char *path = g_build_filename(folder, name, NULL);
    return ocp_test_read(path);
}

/* Converts in a context that has the added dialect. */
static Pipe *
run(GBytes *bytes, const char *to)
{
    g_autoptr(GBytes) schema = file_of("garden-list.schema.json");
    g_autoptr(GBytes) mapping = file_of("garden-list.yaml");
    Pipe *pipe = g_new0(Pipe, 1);
    pipe->context = ocp_context_new();
    pipe->report = ocp_report_new();
    ocp_context_add_schema(pipe->context, "garden-list.schema.json", schema);
    ocp_context_add_mapping(pipe->context, "garden-list.yaml", mapping);
    pipe->source = pipe_read(bytes, "document.json", pipe->report);
    CU_ASSERT_PTR_NOT_NULL_FATAL(pipe->source);
    OcpOrigin origin = pipe_origin("document.json");
    OcpConvertOptions options = {.to = to};
    pipe->ok = ocp_convert(pipe->context, pipe->source, &origin, &options, pipe->report,
                           &pipe->outcome);
    if (pipe->ok)
        pipe->result = pipe_read(pipe->outcome->text, "result.json", pipe->report);
    for (guint i = 0; i < pipe->report->diagnostics->len; i++) {
        const OcpDiagnostic *said = pipe->report->diagnostics->pdata[i];
        if (said->severity >= OCP_WARNING)
            ocp_test_fail("%s: %s", said->pointer, said->message);
    }
    CU_ASSERT_FATAL(pipe->ok && pipe->result != NULL);
    return pipe;
}

static void
it_is_listed(void)
{
    g_autoptr(GBytes) bytes = file_of("document.json");
    g_autoptr(Pipe) p = run(bytes, "opencheckpoint");
    g_autoptr(GPtrArray) dialects = NULL;
    CU_ASSERT_FATAL(ocp_context_list(p->context, p->report, &dialects));
    bool found = false;
    for (guint i = 0; i < dialects->len; i++) {
        const OcpDialectInfo *info = dialects->pdata[i];
        found = found || strcmp(info->name, "garden-list") == 0;
    }
    CU_ASSERT(found);
}

static void
its_documents_are_found_and_read(void)
{
    g_autoptr(GBytes) bytes = file_of("document.json");
    g_autoptr(Pipe) p = run(bytes, "opencheckpoint");
    CU_ASSERT_STRING_EQUAL(p->outcome->from, "garden-list");
    CU_ASSERT(ocp_account_closes(p->outcome->read));
    pipe_has(p, "/created_at", "'2026-09-27T06:40:00+02:00'");
    pipe_has(p, "/progress/completed",
             "[{'id':'chore-2','description':'mow the lawn'}]");
    pipe_has(p, "/progress/next/1/blocked_by", "['cause-3']");
    CU_ASSERT_EQUAL(pipe_leaf(p->outcome->read, "/weather/rain")->fate,
                    OCP_FATE_CARRIED);
    pipe_check(p->context, p->outcome->text, "model.json", OCP_WARNING);
}

static void
they_come_back_whole(void)
{
    g_autoptr(GBytes) bytes = file_of("document.json");
    g_autoptr(Pipe) there = run(bytes, "opencheckpoint");
    g_autoptr(Pipe) back = run(there->outcome->text, "garden-list");
    CU_ASSERT(ocp_equal(back->result->root, there->source->root));
}

static void
another_dialect_goes_into_it(void)
{
    g_autofree char *path = ocp_test_source("fixtures/specrail/blocked/input.json");
    g_autoptr(GBytes) bytes = ocp_test_read(path);
    g_autoptr(Pipe) p = run(bytes, "garden-list");
    CU_ASSERT_STRING_EQUAL(p->outcome->from, "specrail@1");
    pipe_has(p, "/garden", "'2026-09-19-billing-t03'");
    pipe_has(
        p, "/entries/2",
        "{'chore':'wait for the answer on #12','done':false,'waits_for':'depends on "
        "#12'}");
    /* It has no open place: what does not fit is reported as lost. */
    CU_ASSERT(p->outcome->write->counts[OCP_FATE_OMITTED] > 0);
}

#define TEST(name)                                                                     \
    {                                                                                  \
#name, name                                                                    \
    }
OCP_TEST_MAIN("added dialect", TEST(it_is_listed),
              TEST(its_documents_are_found_and_read), TEST(they_come_back_whole),
              TEST(another_dialect_goes_into_it))
