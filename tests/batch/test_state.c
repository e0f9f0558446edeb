/* SPDX-License-Identifier: Apache-2.0 */
/* What the state of an output folder remembers, and what it does not believe. */
#include "batch/state.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "batch/progress.h"
#include "support.h"

static char *folder;

static void
make_folder(void)
{
    folder = g_dir_make_tmp("ocp-state-XXXXXX", NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(folder);
}

static char *
state_path(const char *name)
{
    return g_build_filename(folder, OCP_STATE_FOLDER, name, NULL);
}

static void
remove_folder(void)
{
    static const char *const names[] = {"state", "state-1-of-2", "state-2-of-2"};
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path = state_path(names[i]);
        (void)g_remove(path);
    }
    g_autofree char *inner = g_build_filename(folder, OCP_STATE_FOLDER, NULL);
    (void)g_rmdir(inner);
    CU_ASSERT_EQUAL(g_rmdir(folder), 0);
    g_clear_pointer(&folder, g_free);
}

static OcpState *
open_state(const char *shard)
{
    g_autoptr(OcpReport) report = ocp_report_new();
    OcpState *state = NULL;
    CU_ASSERT_TRUE_FATAL(ocp_state_open(folder, shard, report, &state));
    return state;
}

static OcpStateInput
input_of(const char *name, const char *text)
{
    OcpStateInput input = {.name = name,
                           .digest = ocp_digest_of(text, strlen(text)),
                           .modified = 7,
                           .options = ocp_digest_of("options", 7)};
    return input;
}

static OcpStateOutput
output_of(const char *name, const char *text)
{
    OcpStateOutput output = {name, ocp_digest_of(text, strlen(text))};
    return output;
}

static void
record(OcpState *state, const OcpStateInput *input, guint part, guint parts,
       const char *name, const char *companion)
{
    OcpStateOutput output = output_of(name, name);
    OcpStateOutput beside = output_of(companion != NULL ? companion : "", "beside");
    g_autoptr(OcpReport) report = ocp_report_new();
    CU_ASSERT_TRUE(ocp_state_record(state, input, part, parts, &output,
                                    companion != NULL ? &beside : NULL, report));
}

static guint
known(const OcpState *state, const OcpStateInput *input)
{
    g_autoptr(GPtrArray) outputs = ocp_state_outputs(state, input);
    return outputs != NULL ? outputs->len : 0;
}

static void
test_remembers(void)
{
    static const char odd[] = "sub/a\tb\nc\\d\xff.json";
    make_folder();
    OcpStateInput input = input_of(odd, "text");
    OcpState *state = open_state(NULL);
    CU_ASSERT_EQUAL(known(state, &input), 0);
    record(state, &input, 1, 1, odd, "x.ocp.json");
    ocp_state_close(state);
    state = open_state(NULL);
    CU_ASSERT_EQUAL(known(state, &input), 2);
    OcpDigest digest = ocp_digest_of(odd, strlen(odd));
    CU_ASSERT_TRUE(ocp_state_made(state, odd, &digest));
    CU_ASSERT_FALSE(ocp_state_made(state, "other", &digest));
    OcpStateInput other = input_of(odd, "other text");
    CU_ASSERT_EQUAL(known(state, &other), 0);
    other = input;
    other.modified++;
    CU_ASSERT_EQUAL(known(state, &other), 0);
    other = input;
    other.options.bytes[0] ^= 1;
    CU_ASSERT_EQUAL(known(state, &other), 0);
    ocp_state_close(state);
    remove_folder();
}

static gsize
size_of_state(void)
{
    g_autofree char *path = state_path("state");
    GStatBuf status;
    return g_stat(path, &status) == 0 ? (gsize)status.st_size : 0;
}

/* A run that makes everything again does not make the state longer, unless something is
 * different. */
static void
test_says_once(void)
{
    make_folder();
    OcpStateInput input = input_of("a", "text");
    OcpState *state = open_state(NULL);
    record(state, &input, 1, 1, "a.json", "a.ocp.json");
    ocp_state_close(state);
    gsize size = size_of_state();
    state = open_state(NULL);
    record(state, &input, 1, 1, "a.json", "a.ocp.json");
    CU_ASSERT_EQUAL(size_of_state(), size);
    record(state, &input, 1, 1, "a.json", NULL);
    CU_ASSERT_TRUE(size_of_state() > size);
    ocp_state_close(state);
    remove_folder();
}

static void
test_parts(void)
{
    make_folder();
    OcpStateInput input = input_of("a", "text");
    OcpState *state = open_state(NULL);
    record(state, &input, 1, 3, "a.1", NULL);
    record(state, &input, 2, 3, "a.2", NULL);
    ocp_state_close(state);
    state = open_state(NULL);
    CU_ASSERT_EQUAL(known(state, &input), 0);
    record(state, &input, 1, 3, "a.1", NULL);
    record(state, &input, 2, 3, "a.2", NULL);
    record(state, &input, 3, 3, "a.3", NULL);
    ocp_state_close(state);
    state = open_state(NULL);
    CU_ASSERT_EQUAL(known(state, &input), 3);
    ocp_state_close(state);
    remove_folder();
}

/* Whatever a crash leaves of the file: whole lines count, nothing else does. */
static void
test_cut_anywhere(void)
{
    make_folder();
    OcpStateInput first = input_of("a", "1");
    OcpStateInput second = input_of("b", "2");
    OcpState *state = open_state(NULL);
    record(state, &first, 1, 1, "a.json", NULL);
    record(state, &second, 1, 1, "b.json", NULL);
    ocp_state_close(state);
    g_autofree char *path = state_path("state");
    g_autofree char *text = NULL;
    gsize size;
    CU_ASSERT_TRUE_FATAL(g_file_get_contents(path, &text, &size, NULL));
    gsize line = (gsize)(strchr(text, '\n') - text) + 1;
    for (gsize cut = 0; cut <= size; cut++) {
        CU_ASSERT_TRUE(g_file_set_contents(path, text, (gssize)cut, NULL));
        state = open_state(NULL);
        CU_ASSERT_EQUAL(known(state, &first), cut >= line ? 1 : 0);
        CU_ASSERT_EQUAL(known(state, &second), cut == size ? 1 : 0);
        /* and what is appended to that is believed */
        OcpStateInput third = input_of("c", "3");
        record(state, &third, 1, 1, "c.json", NULL);
        ocp_state_close(state);
        state = open_state(NULL);
        CU_ASSERT_EQUAL(known(state, &third), 1);
        CU_ASSERT_EQUAL(known(state, &first), cut >= line - 1 ? 1 : 0);
        ocp_state_close(state);
    }
    remove_folder();
}

static void
test_changed_byte(void)
{
    make_folder();
    OcpStateInput input = input_of("a", "1");
    OcpState *state = open_state(NULL);
    record(state, &input, 1, 1, "a.json", NULL);
    ocp_state_close(state);
    g_autofree char *path = state_path("state");
    g_autofree char *text = NULL;
    gsize size;
    CU_ASSERT_TRUE_FATAL(g_file_get_contents(path, &text, &size, NULL));
    for (gsize i = 0; i < size; i++) {
        text[i] ^= 1;
        CU_ASSERT_TRUE(g_file_set_contents(path, text, (gssize)size, NULL));
        state = open_state(NULL);
        CU_ASSERT_EQUAL(known(state, &input), 0);
        ocp_state_close(state);
        text[i] ^= 1;
    }
    remove_folder();
}

static void
test_shards(void)
{
    make_folder();
    OcpStateInput first = input_of("a", "1");
    OcpStateInput second = input_of("b", "2");
    OcpState *one = open_state("1-of-2");
    OcpState *two = open_state("2-of-2");
    record(one, &first, 1, 1, "a.json", NULL);
    record(two, &second, 1, 1, "b.json", NULL);
    ocp_state_close(one);
    ocp_state_close(two);
    g_autofree char *path = state_path("state-1-of-2");
    CU_ASSERT_TRUE(g_file_test(path, G_FILE_TEST_IS_REGULAR));
    OcpState *state = open_state(NULL);
    CU_ASSERT_EQUAL(known(state, &first), 1);
    CU_ASSERT_EQUAL(known(state, &second), 1);
    ocp_state_close(state);
    remove_folder();
}

/* ---- progress -------------------------------------------------------------- */

static void
test_progress(void)
{
    static const struct {
        OcpProgress progress;
        gint64 now;
        guint columns;
        const char *text;
    } rows[] = {
        {{.total = 100, .done = 0},
         1000000,
         80,
         "[>                             ] "
         "0/100 files, 0/s"},
        {{.total = 100, .done = 50, .failed = 2},
         10000000,
         80,
         "[===============>              ] 50/100 files, 5/s, 0:11 left, 2 failed"},
        {{.total = 100, .done = 90, .skipped = 80},
         10000000,
         60,
         "[==========================>  ] 90/100 files, 9/s, 0:11 left"},
        {{.total = 100000, .done = 1},
         1000000,
         46,
         "1/100000 files, 1/s, 27:46:40 left"},
        {{.total = 4, .done = 4},
         2000000,
         80,
         "[==============================] 4/4 files, 2/s"},
        {{.done = 7}, 1000000, 80, "7 files, 7/s"},
        {{.total = 100, .done = 50}, 1000000, 8, "50/100 f"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GString) out = g_string_new(NULL);
        ocp_progress_append(&rows[i].progress, rows[i].now, rows[i].columns, out);
        if (strcmp(out->str, rows[i].text) != 0)
            ocp_test_fail("\"%s\" is not \"%s\"", out->str, rows[i].text);
        CU_ASSERT_TRUE(out->len <= rows[i].columns);
    }
}

OCP_TEST_MAIN("batch-state", {"remembers names of any bytes", test_remembers},
              {"says nothing twice", test_says_once},
              {"an input is done when all its parts are", test_parts},
              {"a file that was cut anywhere", test_cut_anywhere},
              {"a byte that changed", test_changed_byte},
              {"shards write apart and read all", test_shards},
              {"rate, failures and time left", test_progress})
