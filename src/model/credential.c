/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What looks like a credential. One pass over the text; every detector looks at a
 * bounded piece or at a run that no later start looks at again, so the whole is linear.
 */
#include <string.h>

#include "model/model.h"

/* A piece of text from `at` to `end`; `start` is where the whole begins. */
typedef struct {
    const char *start;
    const char *at;
    const char *end;
} Cursor;

enum { LOOK = 256 }; /* a key is told by this many bytes */

static bool
starts(const char *at, const char *end, const char *word)
{
    if (at == end || *at != *word)
        return false;
    gsize length = strlen(word);
    return (gsize)(end - at) >= length && memcmp(at, word, length) == 0;
}

static bool
starts_any_case(const char *at, const char *end, const char *word)
{
    gsize length = strlen(word);
    return (gsize)(end - at) >= length && g_ascii_strncasecmp(at, word, length) == 0;
}

static bool
is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

/* Bytes from at that are alphanumeric or in set, at most `most`. */
static gsize
run_of(const char *at, const char *end, const char *set, gsize most)
{
    gsize length = 0;
    while (at + length < end && length < most &&
           (g_ascii_isalnum(at[length]) || is_one_of(at[length], set)))
        length++;
    return length;
}

static bool
has_digit(const char *at, gsize length)
{
    for (gsize i = 0; i < length; i++)
        if (g_ascii_isdigit(at[i]))
            return true;
    return false;
}

/* The character before the cursor, or a blank at the start. */
static char
before(const Cursor *cursor)
{
    return cursor->at > cursor->start ? cursor->at[-1] : ' ';
}

/* ---- keys known by a prefix ------------------------------------------------ */

typedef struct {
    const char *prefix;
    const char *more; /* characters besides letters and digits */
    guint least;      /* of them behind the prefix */
    bool digit;       /* ... with a digit among them */
} KeyShape;

static const KeyShape key_shapes[] = {
    {"ghp_", "_", 16, false},    {"gho_", "_", 16, false},
    {"ghu_", "_", 16, false},    {"ghs_", "_", 16, false},
    {"ghr_", "_", 16, false},    {"github_pat_", "_", 16, false},
    {"glpat-", "_-", 16, false}, {"sk_live_", "", 16, false},
    {"sk_test_", "", 16, false}, {"rk_live_", "", 16, false},
    {"xoxb-", "-", 10, true},    {"xoxp-", "-", 10, true},
    {"xoxa-", "-", 10, true},    {"xoxr-", "-", 10, true},
    {"xoxs-", "-", 10, true},    {"AIza", "_-", 30, false},
    {"ya29.", "_-", 16, false},  {"npm_", "", 30, true},
    {"hf_", "", 30, false},      {"pypi-AgE", "_-", 16, false},
    {"dop_v1_", "", 32, true},
};

static bool
is_shaped_key(const Cursor *cursor)
{
    for (gsize i = 0; i < G_N_ELEMENTS(key_shapes); i++) {
        const KeyShape *shape = &key_shapes[i];
        if (!starts(cursor->at, cursor->end, shape->prefix))
            continue;
        const char *body = cursor->at + strlen(shape->prefix);
        gsize length = run_of(body, cursor->end, shape->more, LOOK);
        return length >= shape->least && (!shape->digit || has_digit(body, length));
    }
    return false;
}

/* AKIA or ASIA and just 16 capitals and digits. */
static bool
is_access_key_id(const Cursor *cursor)
{
    enum { PREFIX = 4, BODY = 16 };
    if (!starts(cursor->at, cursor->end, "AKIA") &&
        !starts(cursor->at, cursor->end, "ASIA"))
        return false;
    if (run_of(cursor->at, cursor->end, "_", PREFIX + BODY + 1) != PREFIX + BODY)
        return false;
    for (gsize i = PREFIX; i < PREFIX + BODY; i++)
        if (g_ascii_islower(cursor->at[i]) || cursor->at[i] == '_')
            return false;
    return true;
}

/* "sk-" is also how a name may begin ("sk-learn-notes-2024"): a key has a part of 16 or
 * more letters and digits, with a digit. */
static bool
is_sk_key(const Cursor *cursor)
{
    enum { PART = 16 };
    if (!starts(cursor->at, cursor->end, "sk-") || is_one_of(before(cursor), "-_"))
        return false;
    const char *at = cursor->at + 3;
    const char *end = MIN(cursor->end, at + MIN(LOOK, cursor->end - at));
    while (at < end) {
        gsize length = run_of(at, end, "_", LOOK);
        if (length >= PART && has_digit(at, length))
            return true;
        if (at + length >= end || at[length] != '-')
            return false;
        at += length + 1;
    }
    return false;
}

/* eyJ….eyJ….sig. Only where a run of its characters begins, so that runs are read once.
 */
static bool
is_web_token(const Cursor *cursor)
{
    if (!starts(cursor->at, cursor->end, "eyJ") || is_one_of(before(cursor), "_-."))
        return false;
    const char *at = cursor->at;
    gsize header = run_of(at, cursor->end, "_-", G_MAXSIZE);
    at += header;
    if (header < 8 || at == cursor->end || *at != '.' ||
        !starts(at + 1, cursor->end, "eyJ"))
        return false;
    at++;
    gsize payload = run_of(at, cursor->end, "_-", G_MAXSIZE);
    at += payload;
    return payload >= 6 && at < cursor->end && *at == '.';
}

/* ---- authorization headers ------------------------------------------------- */

/* True where a header's or member's value may begin: at the start, or behind ":" or
 * "=", quotes and blanks aside. */
static bool
is_value_start(const Cursor *cursor)
{
    const char *at = cursor->at;
    while (at > cursor->start && is_one_of(at[-1], " '\"") && cursor->at - at < LOOK)
        at--;
    return at == cursor->start || is_one_of(at[-1], ":=");
}

/* "Bearer" and a token. As a whole value ("header: Bearer abc12345") a short token
 * counts; in prose ("bearer authentication") it must be long and have a digit. */
static bool
is_bearer(const Cursor *cursor)
{
    enum { SHORT = 8, LONG = 16 };
    if (!starts_any_case(cursor->at, cursor->end, "bearer "))
        return false;
    bool is_value = is_value_start(cursor);
    const char *token = cursor->at + strlen("bearer ");
    while (token < cursor->end && *token == ' ' && token - cursor->at < LOOK)
        token++;
    gsize length = run_of(token, cursor->end, "-._~+/=", LOOK);
    if (length >= LONG && has_digit(token, length))
        return true;
    const char *behind = token + length;
    if (!is_value || length < SHORT ||
        (behind != cursor->end && !is_one_of(*behind, "\r\n\"'")))
        return false;
    if (length >= LONG || has_digit(token, length))
        return true;
    for (gsize i = 0; i < length; i++)
        if (is_one_of(token[i], "._~+/=") || (i > 0 && g_ascii_isupper(token[i])))
            return true;
    return false;
}

/* True if base64 decodes to printable text with a colon inside: name:password. */
static bool
decodes_to_pair(const char *base64, gsize length)
{
    if (length < 4 || length % 4 == 1 || length >= LOOK)
        return false;
    gsize missing = (4 - length % 4) % 4;
    g_autofree char *padded =
        g_strdup_printf("%.*s%s", (int)length, base64, &"==="[3 - missing]);
    gsize size = 0;
    g_autofree guchar *bytes = g_base64_decode(padded, &size);
    bool colon = false;
    for (gsize i = 0; i < size; i++) {
        if (bytes[i] < 0x20 || bytes[i] >= 0x7F)
            return false;
        colon = colon || (bytes[i] == ':' && i + 1 < size);
    }
    return colon;
}

static bool
is_basic(const Cursor *cursor)
{
    if (!starts_any_case(cursor->at, cursor->end, "basic "))
        return false;
    const char *token = cursor->at + strlen("basic ");
    gsize length = run_of(token, cursor->end, "+/=", LOOK);
    return decodes_to_pair(token, length);
}

/* ---- private keys and URLs ------------------------------------------------- */

static bool
is_private_key(const Cursor *cursor)
{
    enum { LABEL = 48 };
    if (!starts(cursor->at, cursor->end, "-----BEGIN "))
        return false;
    const char *label = cursor->at + strlen("-----BEGIN ");
    gsize length = run_of(label, cursor->end, " ", LABEL);
    const char *const ends[] = {"PRIVATE KEY", "PRIVATE KEY BLOCK"};
    for (gsize i = 0; i < G_N_ELEMENTS(ends); i++) {
        gsize tail = strlen(ends[i]);
        if (length >= tail && memcmp(label + length - tail, ends[i], tail) == 0 &&
            starts(label + length, cursor->end, "-----"))
            return true;
    }
    return false;
}

/* A password that stands for one: "***", "<password>", "${PASS}", "$PASS", "%s". */
static bool
is_placeholder(const char *text, gsize length)
{
    if (length == 0)
        return true;
    if (is_one_of(text[0], "<$[{%") && !(text[0] == '%' && length > 2))
        return true;
    for (gsize i = 0; i < length; i++)
        if (text[i] != text[0] || !is_one_of(text[i], "*xX."))
            return false;
    return true;
}

/* "://user:password@host" at the cursor. "image:tag@sha256:…" is no such thing. */
static bool
is_url_with_password(const Cursor *cursor)
{
    if (!starts(cursor->at, cursor->end, "://") || !g_ascii_isalnum(before(cursor)))
        return false;
    const char *authority = cursor->at + 3;
    const char *end = authority;
    const char *colon = NULL;
    const char *at_sign = NULL;
    for (; end < cursor->end && (guchar)*end > 0x20 && !is_one_of(*end, "/?#\"'<>\\`");
         end++) {
        if (*end == '@')
            at_sign = end; /* the last one: a password may hold one itself */
        if (*end == ':' && colon == NULL)
            colon = end;
    }
    if (colon == NULL || at_sign == NULL || colon > at_sign)
        return false;
    const char *password = colon + 1;
    const char *host = at_sign + 1;
    return host < end && !starts(host, end, "sha256:") &&
           !starts(host, end, "sha512:") &&
           !is_placeholder(password, (gsize)(at_sign - password));
}

/* ---- the pass -------------------------------------------------------------- */

/* The first two bytes of whatever may be a credential, as classes that both must have:
 * a quick no for nearly all of a text. */
enum {
    DASHES = 1 << 0,       /* a private key */
    COLON = 1 << 1,        /* a URL */
    HEADER = 1 << 2,       /* bearer, basic */
    TOKEN = 1 << 3,        /* eyJ */
    KEY = 1 << 4,          /* sk-, rk_ */
    ACCESS = 1 << 5,       /* AKIA, ASIA, AIza */
    FORGE = 1 << 6,        /* gh*_, github_, glpat- */
    HUB = 1 << 7,          /* hf_ */
    PACKAGE = 1 << 8,      /* npm_ */
    INDEX = 1 << 9,        /* pypi- */
    CHAT = 1 << 10,        /* xox*-, dop_ */
    ACCOUNT = 1 << 11,     /* ya29. */
    ALONE = DASHES | COLON /* may follow on a word */
};

static const guint16 begins[256] = {
    ['-'] = DASHES,  [':'] = COLON, ['B'] = HEADER, ['b'] = HEADER, ['e'] = TOKEN,
    ['s'] = KEY,     ['r'] = KEY,   ['A'] = ACCESS, ['g'] = FORGE,  ['h'] = HUB,
    ['n'] = PACKAGE, ['p'] = INDEX, ['x'] = CHAT,   ['d'] = CHAT,   ['y'] = ACCOUNT,
};

static const guint16 goes_on[256] = {
    ['-'] = DASHES,        ['/'] = COLON,  ['A'] = HEADER, ['E'] = HEADER,
    ['I'] = ACCESS,        ['K'] = ACCESS, ['S'] = ACCESS, ['a'] = HEADER | ACCOUNT,
    ['e'] = HEADER,        ['f'] = HUB,    ['h'] = FORGE,  ['i'] = FORGE,
    ['k'] = KEY,           ['l'] = FORGE,  ['o'] = CHAT,   ['p'] = PACKAGE,
    ['y'] = TOKEN | INDEX,
};

/* Called where one of the classes says that it may begin. */
static bool
is_credential_at(const Cursor *cursor)
{
    switch (*cursor->at) {
    case '-': return is_private_key(cursor);
    case ':': return is_url_with_password(cursor);
    case 'b':
    case 'B': return is_bearer(cursor) || is_basic(cursor);
    case 'e': return is_web_token(cursor);
    case 's': return is_sk_key(cursor) || is_shaped_key(cursor);
    case 'A': return is_access_key_id(cursor) || is_shaped_key(cursor);
    default: return is_shaped_key(cursor);
    }
}

static bool
follows_on_word(const Cursor *cursor)
{
    char last = before(cursor);
    return g_ascii_isalnum(last) || last == '_';
}

bool
ocp_model_is_credential(const char *text, gsize length)
{
    const char *end = text + length;
    while (end > text && g_ascii_isspace(end[-1]))
        end--; /* a token may end in a newline */
    for (const char *at = text; end - at > 1; at++) {
        guint class = begins[(guchar)at[0]] & goes_on[(guchar)at[1]];
        if (class == 0)
            continue;
        Cursor cursor = {text, at, end};
        if (((class & ALONE) != 0 || !follows_on_word(&cursor)) &&
            is_credential_at(&cursor))
            return true;
    }
    return false;
}
