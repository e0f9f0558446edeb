/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "schema/format.h"
#include "support.h"

static void
expect(bool (*check)(const char *, gsize), bool good, const char *const *texts,
       gsize count)
{
    for (gsize i = 0; i < count; i++) {
        if (check(texts[i], strlen(texts[i])) != good)
            ocp_test_fail("\"%s\" was %s", texts[i], good ? "refused" : "accepted");
        else
            CU_PASS("as expected");
    }
}

static void
real_times_are_accepted(void)
{
    static const char *const times[] = {
        "1963-06-19T08:30:06.283185Z", "1990-12-31T15:59:50.123-08:00",
        "2024-02-29T00:00:00Z",        "2000-02-29T00:00:00z",
        "1998-12-31t23:59:60Z",        "1998-12-31T15:59:60.123-08:00",
        "0000-01-01T00:00:00+00:00",   "2020-01-01T00:00:00.00000000000000000000001Z",
        "1999-01-01T05:29:60+05:30",   "2016-12-31T23:59:60-00:00",
    };
    expect(ocp_format_date_time, true, times, G_N_ELEMENTS(times));
}

static void
unreal_times_are_refused(void)
{
    static const char *const times[] = {
        "",
        "2023-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z",
        "2021-13-01T00:00:00Z",
        "2021-00-01T00:00:00Z",
        "2021-04-31T00:00:00Z",
        "2021-04-00T00:00:00Z",
        "1998-12-31T23:59:61Z",
        "1998-12-31T23:58:60Z",
        "1998-12-31T22:59:60Z",
        "1998-12-31T23:59:60+01:00",
        "2021-01-01T24:00:00Z",
        "2021-01-01T00:60:00Z",
        "2021-01-01T00:00:00",
        "2021-01-01T00:00:00+24:00",
        "2021-01-01T00:00:00+00:60",
        "2021-01-01T00:00:00+0000",
        "2021-01-01T00:00Z",
        "2021-01-01 00:00:00Z",
        "2021-01-01T00:00:00.Z",
        "2021-1-01T00:00:00Z",
        "2021-01-01T00:00:00Z\n",
        " 2021-01-01T00:00:00Z",
        "202\u0661-01-01T00:00:00Z",
        "2013-350T01:01:01",
    };
    expect(ocp_format_date_time, false, times, G_N_ELEMENTS(times));
    CU_ASSERT_FALSE(ocp_format_date_time("2021-01-01T00:00:00Z\0", 21));
}

static void
times_compare_as_instants(void)
{
    static const struct {
        const char *a;
        const char *b;
        int order;
    } cases[] = {
        {"2021-01-01T00:00:00Z", "2021-01-01t01:00:00+01:00", 0},
        {"2021-01-01T00:00:00.1Z", "2021-01-01T00:00:00.1000Z", 0},
        {"2021-01-01T00:00:00.10000000000000000001Z", "2021-01-01T00:00:00.1Z", 1},
        {"2020-12-31T23:59:59.9Z", "2021-01-01T00:00:00Z", -1},
        {"2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z", -1},
        {"2016-12-31T23:59:60Z", "2016-12-31T23:59:59.999Z", 1},
        {"2021-03-01T00:30:00+01:00", "2021-02-28T23:30:00Z", 0},
        {"0000-01-01T00:00:00+23:59", "0000-01-01T00:00:00Z", -1},
        {"9999-12-31T23:59:59-23:59", "9999-12-31T23:59:59Z", 1},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        const char *a = cases[i].a;
        const char *b = cases[i].b;
        int there = ocp_format_compare_times(a, strlen(a), b, strlen(b));
        int back = ocp_format_compare_times(b, strlen(b), a, strlen(a));
        if (CLAMP(there, -1, 1) != cases[i].order ||
            CLAMP(back, -1, 1) != -cases[i].order)
            ocp_test_fail("%s against %s: %d, %d", a, b, there, back);
        else
            CU_PASS("as expected");
    }
}

static void
uris_are_accepted(void)
{
    static const char *const uris[] = {
        "http://foo.bar/?baz=qux#quux",
        "ftp://ftp.is.co.za/rfc/rfc1808.txt",
        "ldap://[2001:db8::7]/c=GB?objectClass?one",
        "mailto:John.Doe@example.com",
        "news:comp.infosystems.www.servers.unix",
        "tel:+1-816-555-1212",
        "urn:oasis:names:specification:docbook:dtd:xml:4.1.2",
        "http://-.~_!$&'()*+,;=:%40:80%2f::::::@example.com",
        "file:///etc/passwd",
        "http://[::ffff:192.0.2.1]:80/",
        "http://[v1.fe:80]/",
        "http://[::]",
        "http://[1:2:3:4:5:6:7:8]",
        "http://[1::8]",
        "a:",
        "http://h:/",
        "http://",
        "urn:uuid:6ba7b810-9dad-11d1-80b4-00c04fd430c8",
    };
    expect(ocp_format_uri, true, uris, G_N_ELEMENTS(uris));
}

static void
what_is_no_uri_is_refused(void)
{
    static const char *const uris[] = {
        "",
        "//foo.bar/?baz=qux#quux",
        "/abc",
        "\\\\WINDOWS\\fileshare",
        "abc",
        "http:// shouldfail.com",
        ":// should fail",
        "bar,baz:foo",
        "http://example.com/a b",
        "http://example.com/é",
        "http://example.com/%",
        "http://example.com/%1",
        "http://example.com/%zz",
        "http://example.com/<x>",
        "http://example.com/\"x\"",
        "http://example.com/{x}",
        "http://example.com/a|b",
        "http://example.com/^",
        "http://example.com/`",
        "http://a#b#c",
        "http://[::1",
        "http://[1:2:3:4:5:6:7]",
        "http://[1:2:3:4:5:6:7:8:9]",
        "http://[1::2::3]",
        "http://[12345::]",
        "http://[::1]x",
        "http://[fe80::1%25en0]",
        "http://a:8a/",
        "http://a@b@c/",
        "1http://a",
        "http://a\n",
        "http://[1:2:3:4:5:6:7::8:9]",
        "http://a/[b]",
    };
    expect(ocp_format_uri, false, uris, G_N_ELEMENTS(uris));
    CU_ASSERT_FALSE(ocp_format_uri("a:b\0c", 5));
}

OCP_TEST_MAIN("schema-formats", {"real times are accepted", real_times_are_accepted},
              {"unreal times are refused", unreal_times_are_refused},
              {"times compare as instants", times_compare_as_instants},
              {"URIs are accepted", uris_are_accepted},
              {"what is no URI is refused", what_is_no_uri_is_refused})
