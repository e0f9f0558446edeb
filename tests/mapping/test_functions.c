/* SPDX-License-Identifier: Apache-2.0 */
#include "evaluate.h"

static const char choices[] =
    "{'a': 'x', 'empty': '', 'nil': null, 'no': false, 'zero': 0, 'many': [null, '', "
    "'m'],"
    " 'map': {'up': 'on', 'down': 'off', 'left': 'on', 'deep': {'k': [1]}, '7': "
    "'seven'},"
    " 'list': ['up', 7, null], 'seq': ['a', 'x', 1.0], 'word': 'up', 'seven': 7}";

static void
choosing(void)
{
    g_autoptr(Bench) b = bench_new(choices);
    static const char *const rows[][2] = {
        {"first($.nothing, $.nil, $.empty, $.a)", "'x'"},
        {"first($.nothing, \"\")", "''"},
        {"first($.nil, null)", "null"},
        {"first($.many[*])", "'m'"},
        {"first($.nothing)", "-"},
        {"first($.no, $.a)", "false"},
        {"if($.a == \"x\", 1, 2)", "1"},
        {"if($.a == \"y\", 1)", "-"},
        {"if($.nothing, 1, $.many[*])", "null; ''; 'm'"},
        {"if($.a, $.a == \"x\", present($.nil))", "true"},
        {"if($.nothing, $.a == \"x\")", "false"},
        {"present($.a)", "true"},
        {"present($.nil)", "false"},
        {"present($.empty)", "false"},
        {"present($.no)", "true"},
        {"present($.nothing)", "false"},
        {"present($.many[*])", "false"},
        {"not($.nothing)", "true"},
        {"not($.no)", "false"},
        {"foreign()", "false"},
        {NULL, NULL},
    };
    bench_table(b, rows);
    b->eval.foreign = true;
    CU_ASSERT_STRING_EQUAL(bench_ask(b, "foreign() && $.a"), "true");
}

static void
tables(void)
{
    g_autoptr(Bench) b = bench_new(choices);
    static const char *const rows[][2] = {
        {"lookup(\"map\", $.word)", "'on'"},
        {"lookup('map', 'deep')", "{'k':[1]}"},
        {"lookup('map', 'deep').k[0]", "1"},
        {"lookup('map', $.seven)", "'seven'"},
        {"lookup('map', $.a)", "-"},
        {"lookup('map', $.nothing)", "-"},
        {"reverse('map', 'on')", "'up'"},
        {"reverse('map', 'none')", "-"},
        {"in($.word, 'list')", "true"},
        {"in($.seven, 'list')", "true"},
        {"in($.nil, 'list')", "true"},
        {"in('7', 'list')", "false"},
        {"in($.nothing, 'list')", "false"},
        {"in($.a, $.seq)", "true"},
        {"in($.a, $.seq[*])", "true"},
        {"in(1, $.seq[*])", "false"},
        {"in(1.0, list($.seq[*], 'b'))", "true"},
        {"in($.a, $.a)", "true"},
        {"in($.a, $.nothing)", "false"},
        {NULL, NULL},
    };
    bench_table(b, rows);
}

static void
sequences(void)
{
    g_autoptr(Bench) b = bench_new("{'n': [{'r': 3, 'k': 'c'}, {'r': 1.5, 'k': 'a'}, "
                                   "{'k': 'z'}, {'r': 1.5e0, 'k': 'b'}],"
                                   " 'less': [{'k': 'z'}, {'k': 'q'}, {'r': 9}], 't': "
                                   "['p', null, 5, {}, '', 'q']}");
    static const char *const rows[][2] = {
        {"list($.t[0], $.t[2], 'lit', $.nothing)", "'p'; 5; 'lit'"},
        {"last($.t[*], $.nothing)", "'q'"},
        {"last($.n[*]).k", "'b'"},
        {"after($.n[*], $.n[1])[*]", "'z'; 1.5e0; 'b'"},
        {"after($.n[*], $.n[1]).k", "'z'; 'b'"},
        {"after($.n[*], $.nothing)", "-"},
        {"after($.n[*], $.t[0])", "-"},
        {"minus($.n[*], $.less[*], 'k').k", "'c'; 'a'; 'b'"},
        {"minus(list($.less[*], $.less[*]), $.less[*], 'k')",
         "{'r':9}; {'k':'z'}; {'k':'q'}; {'r':9}"},
        {"sorted($.n[*], 'r').k", "'a'; 'b'; 'c'; 'z'"},
        {"sorted($.n[*], 'r')",
         "{'r':1.5,'k':'a'}; {'r':1.5e0,'k':'b'}; {'r':3,'k':'c'}; "
         "{'k':'z'}"},
        {"join('-', $.t[*])", "'p-5--q'"},
        {"join('-', $.t[0], $.nothing, $.t[5])", "'p-q'"},
        {"join('-', $.nothing)", "-"},
        {"count($.t[*])", "6"},
        {"count($.nothing)", "0"},
        {"position()", "3"},
        {"value($.t[0])", "'p'"},
        {"value($.t[*])", "-"},
        {"length($.t)", "6"},
        {"length($.n[0])", "2"},
        {"length('a\\u00e9\\ud83d\\ude00')", "3"},
        {"length(5)", "-"},
        {"ascending($.n[*].r)", "false"},
        {"ascending($.n[1].r, $.n[3].r, $.n[0].r)", "true"},
        {"ascending($.n[0].r, $.t[0], $.n[1].r)", "false"},
        {"ascending($.nothing)", "true"},
        {"unique($.t[*])", "true"},
        {"unique($.n[*].r)", "true"},
        {"unique($.t[*], 'q')", "false"},
        {"unique($.nothing)", "true"},
        {NULL, NULL},
    };
    bench_table(b, rows);
}

static void
nodes(void)
{
    g_autoptr(Bench) b = bench_new(
        "{'a': {'b': ['x', 'y']}, 'key': 'b', 'num': {'5': 'five'}, 'five': 5,"
        " 'resources': [{'id': 'r1', 'locator': {'key': 'K'}}, {'id': 'r2'}],"
        " 'refs': ['r2', 'none', 'r1', 5]}");
    static const char *const rows[][2] = {
        {"index($.a.b[1])", "2"},
        {"index($)", "-"},
        {"key($.a.b)", "'b'"},
        {"key($.a.b[0])", "-"},
        {"index(5)", "-"},
        {"next($.a.b[0])", "'y'"},
        {"next($.a.b[1])", "-"},
        {"next($.a.b)", "-"},
        {"next($)", "-"},
        {"next($.nothing)", "-"},
        {"next(5)", "-"},
        {"next($.resources[0]).id", "'r2'"},
        {"member($.a, $.key)", "['x','y']"},
        {"member($.num, $.five)", "'five'"},
        {"member($.a.b, $.key)", "-"},
        {"member($.a, $.nothing)", "-"},
        {"by_id($.refs[2]).locator.key", "'K'"},
        {"by_id($.refs[*]).id", "'r2'; 'r1'"},
        {"by_id($.refs[1])", "-"},
        {"only('string', $.key)", "'b'"},
        {"only('object', $.key)", "-"},
        {"only('boolean', true)", "true"},
        {"only('number', $.nothing)", "-"},
        {NULL, NULL},
    };
    bench_table(b, rows);
    b->eval.model = NULL;
    CU_ASSERT_STRING_EQUAL(bench_ask(b, "by_id($.refs[2])"), "-");
}

static void
text(void)
{
    g_autoptr(Bench) b =
        bench_new("{'s': 'AbC\\u00c9', 'low': 'abc', 'blank': ' \\t\\u00a0', 'pad': ' "
                  "x y\\n', 'n': 5,"
                  " 'lines': 'one\\ntwo\\nthree', 'p': 'a.c', 'bad': '(', 'big': "
                  "'12345678901234567890',"
                  " 'esc': 'q\\u0022\\ud83d\\ude00', 'nul': 'a\\u0000b', 'no': '01'}");
    static const char *const rows[][2] = {
        {"match($.low, 'a.c')", "true"},
        {"match($.low, 'b')", "false"},
        {"search($.low, 'b')", "true"},
        {"match($.low, $.p)", "true"},
        {"match($.low, $.bad)", "false"},
        {"match($.n, '5')", "false"},
        {"match($.nothing, '.*')", "false"},
        {"match($.lines, '.*')", "false"},
        {"capture($.lines, '([^\\n]*)\\n(.*)', 1)", "'one'"},
        {"capture($.lines, '([^\\n]*)\\n(.*)', 2)", "'two\\nthree'"},
        {"capture($.lines, '.*', 0)", "'one\\ntwo\\nthree'"},
        {"capture($.lines, 'x(.*)', 1)", "-"},
        {"capture($.low, '(a)|(b)', 1)", "-"},
        {"capture($.low, '(abc)|(b)', 2)", "-"},
        {"capture($.low, '(abc)', 7)", "-"},
        {"capture($.esc, 'q\"(.)', 1)", "'\xF0\x9F\x98\x80'"},
        {"lower($.s)", "'abc\xC3\xA9'"},
        {"lower($.n)", "-"},
        {"lower($.nul)", "'a\\u0000b'"},
        {"trim($.pad)", "'x y'"},
        {"trim($.blank)", "-"},
        {"trim($.low)", "'abc'"},
        {"trim('')", "-"},
        {"excerpt($.s, 2)", "'Ab'"},
        {"excerpt($.s, 4)", "'AbC\xC3\x89'"},
        {"excerpt($.esc, 2)", "'q\\\"'"},
        {"excerpt($.s, 0)", "''"},
        {"number($.big)", "12345678901234567890"},
        {"number('-1.50e3')", "-1.50e3"},
        {"number($.no)", "-"},
        {"number($.n)", "5"},
        {"number(' 1')", "-"},
        {"add($.n, 2)", "7"},
        {"add(1e3, -1)", "999"},
        {"add(9223372036854775807, 1)", "-"},
        {"add(-9223372036854775808, -1)", "-"},
        {"add(-9223372036854775808, 9223372036854775807)", "-1"},
        {"add($.low, 1)", "-"},
        {"add($.nothing, 1)", "-"},
        {NULL, NULL},
    };
    bench_table(b, rows);
}

static void
time_and_encodings(void)
{
    g_autoptr(Bench) b =
        bench_new("{'t': '2024-05-06T07:08:09Z', 'small': '2024-05-06t07:08:09.5z', "
                  "'none': '2024-05-06',"
                  " 'east': '2024-05-06T09:08:09+03:00', 'feb': '2023-02-29T00:00:00Z',"
                  " 'all': ['x', '2020-01-01T00:00:00Z', '2021-01-01t00:00:00z', null],"
                  " 'json': '{\\u0022b\\u0022: [1.0, null, \\u0022\\\\u0041\\u0022], "
                  "\\u0022a\\u0022: 2}',"
                  " 'o': {'b': 1.50, 'a': [1e2, 'x']}, 'path': '/a b/\\u00e9?#%'}");
    static const char *const rows[][2] = {
        {"rfc3339($.t)", "'2024-05-06T07:08:09Z'"},
        {"rfc3339($.small)", "'2024-05-06T07:08:09.5Z'"},
        {"rfc3339($.none)", "-"},
        {"rfc3339($.feb)", "-"},
        {"newest($.all[*], $.nothing)", "'2021-01-01T00:00:00Z'"},
        {"newest($.t, $.east, $.small)", "'2024-05-06T07:08:09.5Z'"},
        {"newest($.none)", "-"},
        {"before($.east, $.t)", "true"},
        {"before($.t, $.t)", "false"},
        {"before($.t, $.small)", "true"},
        {"before($.none, $.t)", "false"},
        {"before($.nothing, $.t)", "false"},
        {"parse_json($.json).b[*]", "1.0; null; 'A'"},
        {"parse_json('{}')", "{}"},
        {"parse_json('[]')", "[]"},
        {"parse_json('{\"a\":1,\"a\":2}')", "-"},
        {"parse_json($.t)", "-"},
        {"parse_json($.o)", "-"},
        {"canonical($.o, 'text')", "'{\\'a\\':[1e2,\\'x\\'],\\'b\\':1.50}'"},
        {"canonical($.o, 'python')", "'{\\'a\\':[100.0,\\'x\\'],\\'b\\':1.5}'"},
        {"canonical($.o, 'value')", "'{\\'a\\':[1e2,\\'x\\'],\\'b\\':15e-1}'"},
        {"canonical($.nothing, 'text')", "-"},
        {"digest('abc')",
         "'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'"},
        {"digest($.o)", "-"},
        {"file_uri($.path)", "'file:///a%20b/%C3%A9%3F%23%25'"},
        {"file_uri('a/b')", "-"},
        {NULL, NULL},
    };
    bench_table(b, rows);
}

static void
functions_leave_marks_as_agreed(void)
{
    static const char doc[] = "{'a': ' x', 'b': 'up', 'o': {'k': 1}, 'l': [{'i': 2}, "
                              "{'i': 1}], 'map': {'up': ['on']},"
                              " 'z': '2024-05-06t07:08:09z', 't': "
                              "'2024-05-06T07:08:09Z', 'j': '{\\u0022q\\u0022:1}'}";
    bench_traced(doc, "first($.nil, $.a)", "/a=value");
    bench_traced(doc, "trim($.a)", "/a=made");
    bench_traced(doc, "trim($.b)", "/b=value");
    bench_traced(doc, "if($.a == $.b, $.b, $.o)", "/a=steer /b=steer /o=value");
    bench_traced(doc, "lookup('map', $.b)", "/b=made");
    bench_traced(doc, "lookup('map', $.b)[0]", "/b=made");
    bench_traced(doc, "reverse('map', 'on')", "");
    bench_traced(doc, "join('', $.a, $.b)", "/a=made /b=made");
    bench_traced(doc, "sorted($.l[*], 'i')",
                 "/l/0=value /l/1=value /l/0/i=steer /l/1/i=steer");
    bench_traced(doc, "count($.l[*])", "/l/0=steer /l/1=steer");
    bench_traced(doc, "member($.o, 'k')", "/o/k=value");
    bench_traced(doc, "rfc3339($.t)", "/t=value");
    bench_traced(doc, "rfc3339($.z)", "/z=made");
    bench_traced(doc, "index($.l[1])", "");
    bench_traced(doc, "next($.l[0]).i", "/l/1/i=value");
    bench_traced(doc, "parse_json($.j).q", "/j=made");
    bench_traced(doc, "match($.b, 'u.')", "/b=steer");
    bench_traced(doc, "in($.b, $.o)", "/b=steer /o=steer");
    bench_traced(doc, "present($.b) && not($.a)", "/a=steer /b=steer");
    bench_traced(doc, "canonical($.o, 'text')", "/o=made");
}

OCP_TEST_MAIN("mapping-functions", {"choosing", choosing}, {"tables", tables},
              {"sequences", sequences}, {"nodes", nodes}, {"text", text},
              {"time and encodings", time_and_encodings},
              {"functions leave marks as agreed", functions_leave_marks_as_agreed})
