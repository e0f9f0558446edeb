/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Eight threads share one frozen converter: what they make is, byte for byte and
 * message for message, what one thread makes. Under the thread sanitizer this is also
 * the test that they race for nothing. OCP_DOCUMENTS is how many documents; 10,000 in
 * the long run.
 */
#include <string.h>

#include "library/ocp.h"
#include "support.h"

enum { THREADS = 8, ORDINARY = 400 };

static const char *const targets[] = {"opencheckpoint", "specrail",
                                      "session-checkpoint", "caop-pulse",
                                      "caop-resume-brief"};

typedef struct {
    OcpConverter *converter;
    GPtrArray *inputs; /* GBytes */
    guint count;
    char **digests; /* of the outputs, by number */
    gint next;      /* atomic */
    gint converted; /* atomic */
} Work;

static void
add_texts(GChecksum *sum, const OcpReport *report)
{
    for (size_t i = 0; i < ocp_count_messages(report); i++)
        for (int field = OCP_MESSAGE_CODE; field <= OCP_MESSAGE_EXCERPT; field++) {
            const char *text = ocp_message_text(report, i, (OcpMessageField)field);
            if (text != NULL)
                g_checksum_update(sum, (const guchar *)text, (gssize)strlen(text) + 1);
        }
}

/* Number i is one input to one target with one time: no two are alike. */
static void
convert_one(Work *work, guint number)
{
    GBytes *input = work->inputs->pdata[number % work->inputs->len];
    guint round = number / work->inputs->len;
    g_autofree char *time =
        g_strdup_printf("2026-01-01T%02u:%02u:%02uZ", number / 3600 % 24,
                        number / 60 % 60, number % 60);
    OcpSettings settings = OCP_SETTINGS_DEFAULT;
    settings.to = targets[round % G_N_ELEMENTS(targets)];
    settings.created_at = time;
    settings.carry_none = round % 3 == 2;
    settings.syntax = number % 7 == 0 ? OCP_WRITE_YAML : OCP_WRITE_JSON;
    gsize size;
    const char *bytes = g_bytes_get_data(input, &size);
    OcpReport *report = ocp_new_report();
    OcpDocument **documents = NULL;
    OcpConversion *conversion = NULL;
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    if (ocp_read_documents(work->converter, bytes, size, "input", OCP_READ_AUTO, report,
                           &documents) &&
        ocp_convert_document(work->converter, documents[0], &settings, report,
                             &conversion)) {
        size_t length;
        const char *text = ocp_conversion_text(conversion, &length);
        g_checksum_update(sum, (const guchar *)text, (gssize)length);
        g_atomic_int_inc(&work->converted);
    }
    add_texts(sum, report);
    work->digests[number] = g_strdup(g_checksum_get_string(sum));
    ocp_free_conversion(conversion);
    ocp_free_documents(documents);
    ocp_free_report(report);
}

static gpointer
convert_all(gpointer data)
{
    Work *work = data;
    for (;;) {
        guint number = (guint)g_atomic_int_add(&work->next, 1);
        if (number >= work->count)
            return NULL;
        convert_one(work, number);
    }
}

/* A new converter each time, so that threads also meet where it compiles on first use.
 */
static char **
run(GPtrArray *inputs, guint count, guint threads, gint *ret_converted)
{
    Work work = {.converter = ocp_new_converter(), .inputs = inputs, .count = count};
    GThread *running[THREADS];
    work.digests = g_new0(char *, (gsize)count + 1);
    CU_ASSERT_TRUE_FATAL(ocp_freeze_converter(work.converter, NULL));
    for (guint i = 0; i < threads; i++)
        running[i] = g_thread_new("converts", convert_all, &work);
    for (guint i = 0; i < threads; i++)
        g_thread_join(running[i]);
    ocp_free_converter(work.converter);
    *ret_converted = work.converted;
    return work.digests;
}

static void
add_inputs(const char *folder, GPtrArray *inputs)
{
    g_autoptr(GPtrArray) entries = ocp_test_list(folder, NULL);
    for (guint i = 0; i < entries->len; i++) {
        const char *path = entries->pdata[i];
        if (g_file_test(path, G_FILE_TEST_IS_DIR))
            add_inputs(path, inputs);
        else if (strstr(path, "/input.") != NULL)
            g_ptr_array_add(inputs, ocp_test_read(path));
    }
}

static void
threads_make_what_one_makes(void)
{
    const char *asked = g_getenv("OCP_DOCUMENTS");
    guint count = asked != NULL ? (guint)g_ascii_strtoull(asked, NULL, 10) : ORDINARY;
    g_autofree char *fixtures = ocp_test_source("fixtures");
    g_autoptr(GPtrArray) inputs =
        g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
    add_inputs(fixtures, inputs);
    CU_ASSERT_TRUE_FATAL(inputs->len > 10);
    gint converted_together = 0;
    gint converted_alone = 0;
    g_auto(GStrv) together = run(inputs, count, THREADS, &converted_together);
    g_auto(GStrv) alone = run(inputs, count, 1, &converted_alone);
    guint same = 0;
    for (guint i = 0; i < count; i++)
        same += strcmp(together[i], alone[i]) == 0;
    ocp_test_count("documents of eight threads as of one", same, count);
    CU_ASSERT_EQUAL(same, count);
    CU_ASSERT_EQUAL(converted_together, converted_alone);
    CU_ASSERT_TRUE((guint)converted_alone > count / 2);
}

OCP_TEST_MAIN("library-threads",
              {"threads make what one makes", threads_make_what_one_makes})
