/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A document in each of the shapes in which logs wrap one: it is found, once, where it
 * begins. In a shape "$" stands for the document as it is, and "~" for it with the
 * escapes of a string.
 */
#include <zlib.h>
#include <zstd.h>

#include "logs.h"

static char *
escaped(const char *text)
{
    g_autoptr(GString) out = g_string_new(NULL);
    ocp_json_write_string(text, strlen(text), out);
    return g_strndup(out->str + 1, out->len - 2);
}

/* Puts the document into a shape; *ret_offset gets where. */
static GString *
shaped(const char *shape, guint64 *ret_offset)
{
    g_autofree char *string = escaped(PULSE);
    GString *log = g_string_new(NULL);
    for (const char *at = shape; *at != '\0'; at++) {
        if (*at != '$' && *at != '~') {
            g_string_append_c(log, *at);
            continue;
        }
        *ret_offset = log->len;
        g_string_append(log, *at == '$' ? PULSE : string);
    }
    return log;
}

static const Seen *
only_find(const Logs *logs, const char *name)
{
    if (logs->found->len == 1)
        return logs->found->pdata[0];
    ocp_test_fail("%s: found %u documents, not one", name, logs->found->len);
    for (guint i = 0; i < logs->remarks->len; i++) {
        const Seen *seen = logs->remarks->pdata[i];
        printf("  line %u: %s\n", (guint)seen->line, seen->what);
    }
    return NULL;
}

static void
check_find(const char *name, const char *bytes, gsize size, guint64 offset)
{
    Logs logs;
    logs_open(&logs);
    CU_ASSERT(logs_read_bytes(&logs, bytes, size, name));
    const Seen *seen = only_find(&logs, name);
    if (seen != NULL && seen->offset != offset)
        ocp_test_fail("%s: found at %u, not %u", name, (guint)seen->offset,
                      (guint)offset);
    logs_close(&logs);
}

static void
a_document_on_one_line_is_found_in_every_shape(void)
{
    static const char *const shapes[][2] = {
        {"bare", "tick\n$\ntock\n"},
        {"no line end", "$"},
        {"return and line end", "tick\r\n$\r\n"},
        {"byte order mark", "\xEF\xBB\xBF$\n"},
        {"prefix", "2026-06-01 INFO caop_pulse -> $ took=12ms\n"},
        {"label", "{app=\"caop\"} $\n"},
        {"behind a line cut in a string", "{\"pulse_timestamp\":\"20\nm=\"~\"\n"},
        {"behind a line cut elsewhere", "{\"pulse_timestamp\":\"20\",\nm=\"~\"\n"},
        {"behind an array that opens", "pulse_timestamp [\n$\n"},
        {"broken object before", "{broken: $\n"},
        {"broken string before", "{\"a\": \"$\n"},
        {"string", "{\"msg\":\"~\"}\n"},
        {"logfmt", "level=info msg=\"~\" n=1\n"},
        {"python text", "result={'text': '$'}\n"},
        {"docker", "{\"log\":\"~\\n\",\"stream\":\"stdout\",\"time\":\"x\"}\n"},
        {"journald", "{\"MESSAGE\":\"~\",\"__REALTIME_TIMESTAMP\":\"1\"}\n"},
        {"journald export", "__CURSOR=x\nMESSAGE=$\n_PID=1\n\n"},
        {"json-seq", "\x1E{\"MESSAGE\":\"~\"}\n"},
        {"cri", "2026-06-01T08:00:00.1Z stdout F $\n"},
        {"syslog", "Jun  1 08:00:00 host caop[7]: @cee: $\n"},
        {"syslog 5424", "<13>1 2026-06-01T08:00:00Z h a - - [x@1 k=\"\\\"]\"] $\n"},
        {"sse", "event: message\ndata: $\n\n"},
        {"compose", "kernel-1  | $\n"},
        {"stern", "kernel-7d9f5c6b8-x2x7q kernel $\n"},
        {"kubectl", "[pod/kernel-0/kernel] $\n"},
        {"colour", "\x1B[32mINFO\x1B[0m $\x1B[0m\n"},
        {"open telemetry", "{\"body\":{\"stringValue\":\"~\"}}\n"},
        {"code fence", "{\"text\":\"Here:\\n```json\\n~\\n```\\nDone.\"}\n"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(shapes); i++) {
        guint64 offset = 0;
        g_autoptr(GString) log = shaped(shapes[i][1], &offset);
        check_find(shapes[i][0], log->str, log->len, offset);
    }
}

/* The document over several lines, each with a prefix. */
static GString *
over_lines(const char *prefix, const char *first, guint64 *ret_offset)
{
    g_autoptr(GBytes) bytes = g_bytes_new_static(PULSE, strlen(PULSE));
    g_autoptr(OcpReport) report = ocp_report_new();
    g_autoptr(OcpDocument) document = NULL;
    g_autoptr(GString) pretty = g_string_new(NULL);
    ocp_json_read(bytes, NULL, NULL, report, &document);
    ocp_json_write(document->root, false, pretty);
    g_auto(GStrv) lines = g_strsplit(pretty->str, "\n", -1);
    GString *log = g_string_new("tick\n");
    g_string_append(log, first);
    for (guint i = 0; lines[i] != NULL; i++) {
        g_string_append(log, i == 0 && *first != '\0' ? "" : prefix);
        if (i == 0)
            *ret_offset = log->len;
        g_string_append_printf(log, "%s\n", lines[i]);
    }
    g_string_append(log, "tock\n");
    return log;
}

static void
a_document_over_several_lines_is_found_in_every_frame(void)
{
    static const char *const prefixes[][3] = {
        {"plain", "", ""},
        {"behind a prefix", "", "2026-06-01T08:00:00Z INFO pulse: "},
        {"behind what looks like syslog", "", "2026-06-01T08:00:00Z INFO caop: "},
        {"time", "2026-06-01T08:00:00.123Z ", ""},
        {"cri", "2026-06-01T08:00:00.1Z stdout F ", ""},
        {"syslog", "Jun  1 08:00:00 host caop[7]: ", ""},
        {"compose", "kernel-1  | ", ""},
        {"stern", "kernel-7d9f5c6b8-x2x7q kernel ", ""},
        {"kubectl", "[pod/kernel-0/kernel] ", ""},
        {"sse", "data: ", ""},
        {"colour", "\x1B[1;39m", ""},
        {"json-seq", "", "\x1E"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(prefixes); i++) {
        guint64 offset = 0;
        g_autoptr(GString) log = over_lines(prefixes[i][1], prefixes[i][2], &offset);
        check_find(prefixes[i][0], log->str, log->len, offset);
    }
}

static void
pieces_of_a_line_are_joined_though_others_come_between(void)
{
    g_autofree char *string = escaped(PULSE);
    const char *pulse = PULSE;
    const int cut = 10; /* inside the first key */
    g_autoptr(GString) cri = g_string_new(NULL);
    g_string_append_printf(cri, "2026-06-01T08:00:00Z stdout P %.*s\n", cut, pulse);
    g_string_append(cri, "2026-06-01T08:00:00Z stderr F tick\n");
    g_string_append_printf(cri, "2026-06-01T08:00:00Z stdout F %s\n", pulse + cut);
    check_find("cri", cri->str, cri->len, 30);

    g_autoptr(GString) docker = g_string_new(NULL);
    for (gsize at = 0; at < strlen(string); at += 90) {
        gsize end = MIN(at + 90, strlen(string));
        while (end < strlen(string) && string[end - 1] == '\\')
            end++;
        g_string_append_printf(docker,
                               "{\"log\":\"%.*s%s\",\"stream\":\"stdout\","
                               "\"time\":\"x\"}\n",
                               (int)(end - at), string + at,
                               end == strlen(string) ? "\\n" : "");
        g_string_append(docker, "{\"log\":\"tick\\n\",\"stream\":\"stderr\","
                                "\"time\":\"x\"}\n");
        at = end - 90;
    }
    check_find("docker", docker->str, docker->len, 8);
}

static void
encodings_without_the_name_in_sight_are_found(void)
{
    gsize size = strlen(PULSE);
    g_autofree char *code = g_base64_encode((const guchar *)PULSE, size);
    g_autofree char *base64 = g_strdup_printf("{\"data\":\"%s\"}\n", code);
    check_find("base64", base64, strlen(base64), 8);

    g_autoptr(GString) numbers = g_string_new("{\"type\":\"Buffer\",\"data\":[");
    guint64 offset = numbers->len;
    for (gsize i = 0; i < size; i++)
        g_string_append_printf(numbers, "%s%u", i > 0 ? "," : "", (guchar)PULSE[i]);
    g_string_append(numbers, "]}\n");
    check_find("numbers", numbers->str, numbers->len, offset);

    g_autoptr(GString) keys = g_string_new("x " PULSE "\n");
    g_string_replace(keys, "\"p", "\"\\u0070", 0);
    g_string_replace(keys, "\"r", "\"\\u0072", 0);
    check_find("escaped keys", keys->str, keys->len, 2);

    g_autoptr(GString) hex = g_string_new("1.2.3.4 - \"");
    offset = hex->len;
    g_string_append(hex, PULSE "\"\n");
    g_string_replace(hex, "\"", "\\x22", 0);
    check_find("hex", hex->str, hex->len, offset + 3);
}

static void
utf16_keeps_the_offsets_of_its_own_bytes(void)
{
    static const char *const marks[] = {"\xFF\xFE", "\xFE\xFF", ""};
    const char *text = "Pr\xC3\xBC\xF0\x9F\x94\xA7\n" PULSE "\n";
    for (gsize i = 0; i < G_N_ELEMENTS(marks); i++) {
        gsize size = 0;
        g_autofree char *units = g_convert(text, -1, i == 1 ? "UTF-16BE" : "UTF-16LE",
                                           "UTF-8", NULL, &size, NULL);
        g_autoptr(GString) log = g_string_new(marks[i]);
        guint64 offset = log->len + 2 * 6; /* the tool is a pair */
        g_string_append_len(log, units, (gssize)size);
        check_find(i == 1 ? "big" : "little", log->str, log->len, offset);
    }
}

static void
add_gzip(const char *text, GString *out)
{
    gsize room = strlen(text) * 2 + 100;
    g_autofree char *packed = g_malloc(room);
    z_stream stream = {.next_in = (Bytef *)text,
                       .avail_in = (uInt)strlen(text),
                       .next_out = (Bytef *)packed,
                       .avail_out = (uInt)room};
    deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    deflate(&stream, Z_FINISH);
    g_string_append_len(out, packed, (gssize)stream.total_out);
    deflateEnd(&stream);
}

static void
add_zstd(const char *text, GString *out)
{
    gsize room = ZSTD_compressBound(strlen(text));
    g_autofree char *packed = g_malloc(room);
    gsize size = ZSTD_compress(packed, room, text, strlen(text), 3);
    g_string_append_len(out, packed, (gssize)size);
}

static void
packed_logs_are_read_member_by_member(void)
{
    g_autoptr(GString) gzip = g_string_new(NULL);
    add_gzip("tick\n", gzip);
    add_gzip("x " PULSE "\n", gzip);
    check_find("gzip", gzip->str, gzip->len, 7);
    g_autoptr(GString) zstd = g_string_new(NULL);
    add_zstd("tick\n", zstd);
    add_zstd("x " PULSE "\n", zstd);
    check_find("zstd", zstd->str, zstd->len, 7);
}

static void
a_cut_archive_gives_what_came_before(void)
{
    Logs logs;
    logs_open(&logs);
    g_autoptr(GString) log = g_string_new(NULL);
    add_gzip("x " PULSE "\n", log);
    add_gzip("y " PULSE "\n", log);
    CU_ASSERT(logs_read_bytes(&logs, log->str, log->len - 9, "cut"));
    CU_ASSERT(logs.found->len >= 1);
    CU_ASSERT_EQUAL(logs.remarks->len, 1);
    CU_ASSERT_STRING_EQUAL(((Seen *)logs.remarks->pdata[0])->what, "truncated-gzip");
    logs_close(&logs);

    logs_open(&logs);
    CU_ASSERT(logs_read_bytes(&logs, "BZh91AY&SY", 10, "bzip2"));
    CU_ASSERT_STRING_EQUAL(((Seen *)logs.remarks->pdata[0])->what,
                           "unsupported-compression");
    CU_ASSERT_STRING_EQUAL(((Seen *)logs.remarks->pdata[0])->detail, "bzip2");
    logs_close(&logs);
}

static void
strings_in_strings_are_followed_eight_deep(void)
{
    g_autofree char *text = g_strdup(PULSE);
    for (guint layer = 1; layer <= 9; layer++) {
        g_autofree char *string = escaped(text);
        g_free(text);
        text = g_strdup_printf("{\"m\":\"%s\"}", string);
        Logs logs;
        logs_open(&logs);
        CU_ASSERT(logs_read_bytes(&logs, text, strlen(text), "layers"));
        CU_ASSERT_EQUAL(logs.found->len, layer <= 8 ? 1 : 0);
        logs_close(&logs);
    }
}

static void
a_document_inside_a_document_is_part_of_it(void)
{
    g_autofree char *string = escaped(PULSE);
    g_autofree char *brief = g_strdup_printf(
        "{\"pulse_timestamp\":\"2026-06-01T09:00:00Z\","
        "\"workspace_stage_profile\":\"CAOP-STAGE-1\",\"resume_brief\":" BRIEF
        ",\"capability_stubs\":[{\"capability_id\":\"a\","
        "\"summary\":\"%s\"}]}\n",
        string);
    check_find("inside", brief, strlen(brief), 0);
}

static void
the_same_value_counts_once_however_it_is_written(void)
{
    Logs logs;
    logs_open(&logs);
    g_autoptr(GString) log = g_string_new(NULL);
    const char *const counts[] = {"1", "1.0", "10e-1", "2"};
    for (gsize i = 0; i < G_N_ELEMENTS(counts); i++) {
        g_autoptr(GString) line = g_string_new(PULSE "\n");
        g_autofree char *actions =
            g_strdup_printf("\"ranked_next_actions\":[{\"rank\":%s,\"work_id\":\"w\","
                            "\"action_type\":\"a\"}]",
                            counts[i]);
        g_string_replace(line, "\"ranked_next_actions\":[]", actions, 0);
        g_string_append(log, line->str);
    }
    CU_ASSERT(logs_read_bytes(&logs, log->str, log->len, "values"));
    CU_ASSERT_EQUAL_FATAL(logs.found->len, 4);
    CU_ASSERT_EQUAL(((Seen *)logs.found->pdata[2])->number, 1);
    CU_ASSERT_EQUAL(((Seen *)logs.found->pdata[3])->number, 2);
    logs_close(&logs);
}

static void
what_the_log_knows_comes_along(void)
{
    Logs logs;
    logs_open(&logs);
    g_autofree char *string = escaped(PULSE);
    g_autofree char *log = g_strdup_printf(
        "2026-06-01T08:00:01.5Z stdout F {\"result\":{\"content\":[{\"text\":\"%s\"}]},"
        "\"jsonrpc\":\"2.0\",\"id\":\"a-7\"}\n",
        string);
    CU_ASSERT(logs_read_bytes(&logs, log, strlen(log), "k.log"));
    const Seen *seen = only_find(&logs, "context");
    if (seen != NULL) {
        CU_ASSERT_STRING_EQUAL(seen->stream, "stdout");
        CU_ASSERT_STRING_EQUAL(seen->stamp, "2026-06-01T08:00:01.5Z");
        CU_ASSERT_STRING_EQUAL(seen->rpc_id, "\"a-7\"");
        CU_ASSERT_STRING_EQUAL(seen->detail, "cri>json:result.content[0].text");
        CU_ASSERT_STRING_EQUAL(seen->what, PULSE);
    }
    logs_close(&logs);
}

OCP_TEST_MAIN("capture-shapes",
              {"a document on one line is found in every shape",
               a_document_on_one_line_is_found_in_every_shape},
              {"a document over several lines is found in every frame",
               a_document_over_several_lines_is_found_in_every_frame},
              {"pieces of a line are joined, though others come between",
               pieces_of_a_line_are_joined_though_others_come_between},
              {"encodings without the name in sight are found",
               encodings_without_the_name_in_sight_are_found},
              {"UTF-16 keeps the offsets of its own bytes",
               utf16_keeps_the_offsets_of_its_own_bytes},
              {"packed logs are read member by member",
               packed_logs_are_read_member_by_member},
              {"a cut archive gives what came before",
               a_cut_archive_gives_what_came_before},
              {"strings in strings are followed eight deep",
               strings_in_strings_are_followed_eight_deep},
              {"a document inside a document is part of it",
               a_document_inside_a_document_is_part_of_it},
              {"the same value counts once, however it is written",
               the_same_value_counts_once_however_it_is_written},
              {"what the log knows comes along", what_the_log_knows_comes_along})
