/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/needles.h"

#include <string.h>

#if defined(__SSE2__) && defined(__GNUC__)
#define WIDE 1
#include <emmintrin.h>
#endif

/* ---- making patterns ----------------------------------------------------------------- */

/* How common a byte is in logs, roughly: what is compared first decides the speed. */
static guint
commonness(char byte)
{
    static const char common[] = "etaonirsl \"0123,:";
    if (strchr(common, byte) != NULL && byte != '\0')
        return 12;
    if (g_ascii_islower(byte) || g_ascii_isdigit(byte))
        return strchr("jqxzkvwybpg", byte) != NULL ? 4 : 8;
    return byte == '_' || byte == '\\' ? 2 : 3;
}

static void
add_pattern(OcpNeedles *needles, OcpTrace trace, guint name, const char *text,
            gsize length)
{
    if (needles->count == OCP_PATTERNS_MOST || length < 3)
        return;
    OcpPattern *pattern = &needles->patterns[needles->count++];
    pattern->text = g_strndup(text, length);
    pattern->length = (guint)length;
    pattern->trace = trace;
    pattern->name = name;
    guint best = G_MAXUINT;
    for (guint i = 0; i + 1 < pattern->length; i++) {
        guint rank = commonness(text[i]) * commonness(text[i + 1]);
        if (rank < best) {
            best = rank;
            pattern->pair = i;
        }
    }
    needles->first[(guchar)text[pattern->pair]] = 1;
}

/* Base64 of a name at each of its three alignments, without the characters that depend on
 * what stands around it. */
static void
add_base64(OcpNeedles *needles, guint name, const char *text)
{
    gsize length = strlen(text);
    for (gsize shift = 0; shift < 3; shift++) {
        g_autofree guchar *bytes = g_malloc0(length + shift);
        memcpy(bytes + shift, text, length);
        g_autofree char *code = g_base64_encode(bytes, length + shift);
        gsize from = shift == 0 ? 0 : shift + 1;
        gsize to = (length + shift) * 8 / 6;
        add_pattern(needles, OCP_TRACE_BASE64, name, code + from, to - from);
    }
}

/* The first bytes of a name as numbers, with and without a blank behind the comma. */
static void
add_numbers(OcpNeedles *needles, guint name, const char *text)
{
    static const char *const joins[] = {",", ", "};
    for (gsize j = 0; j < G_N_ELEMENTS(joins); j++) {
        g_autoptr(GString) numbers = g_string_new(NULL);
        for (gsize i = 0; i < 6 && text[i] != '\0'; i++)
            g_string_append_printf(numbers, "%s%u", i > 0 ? joins[j] : "",
                                   (guint)(guchar)text[i]);
        add_pattern(needles, OCP_TRACE_NUMBERS, name, numbers->str, numbers->len);
    }
}

OcpNeedles *
ocp_needles_new(void)
{
    static const char *const escapes[] = {"\\u006", "\\u007", "\\u005f", "\\u005F"};
    OcpNeedles *needles = g_new0(OcpNeedles, 1);
    for (gsize i = 0; i < G_N_ELEMENTS(escapes); i++)
        add_pattern(needles, OCP_TRACE_ESCAPE, 0, escapes[i], strlen(escapes[i]));
    add_pattern(needles, OCP_TRACE_GZIP, 0, "H4sIA", 5);
    return needles;
}

void
ocp_needles_free(OcpNeedles *needles)
{
    if (needles == NULL)
        return;
    for (guint i = 0; i < needles->name_count; i++)
        g_free(needles->names[i]);
    for (guint i = 0; i < needles->count; i++)
        g_free(needles->patterns[i].text);
    g_free(needles);
}

int
ocp_needles_index(const OcpNeedles *needles, const char *text, gsize length)
{
    for (guint i = 0; i < needles->name_count; i++)
        if (strlen(needles->names[i]) == length &&
            memcmp(needles->names[i], text, length) == 0)
            return (int)i;
    return -1;
}

int
ocp_needles_add(OcpNeedles *needles, const char *name, bool hidden)
{
    int known = ocp_needles_index(needles, name, strlen(name));
    if (known >= 0)
        return known;
    if (needles->name_count == OCP_NEEDLES_MOST || strlen(name) < 3)
        return -1;
    guint index = needles->name_count++;
    needles->names[index] = g_strdup(name);
    add_pattern(needles, OCP_TRACE_NAME, index, name, strlen(name));
    if (hidden) {
        add_base64(needles, index, name);
        add_numbers(needles, index, name);
    }
    return (int)index;
}

/* ---- searching ------------------------------------------------------------------------- */

/* The pattern whose pair stands at at, whole within start to end. */
static const OcpPattern *
match(const OcpNeedles *needles, const char *at, const char *start, const char *end,
      const char **ret)
{
    for (guint i = 0; i < needles->count; i++) {
        const OcpPattern *pattern = &needles->patterns[i];
        if (*at != pattern->text[pattern->pair] ||
            (gsize)(at - start) < pattern->pair)
            continue;
        const char *from = at - pattern->pair;
        if ((gsize)(end - from) >= pattern->length &&
            memcmp(from, pattern->text, pattern->length) == 0) {
            *ret = from;
            return pattern;
        }
    }
    return NULL;
}

#ifdef WIDE
static inline __m128i
load(const char *at)
{
    return _mm_loadu_si128((const __m128i *)(const void *)at);
}

/* The distinct pairs, each byte spread over a register. */
typedef struct {
    __m128i first[OCP_PATTERNS_MOST];
    __m128i second[OCP_PATTERNS_MOST];
    guint count;
} Pairs;

static void
spread(const OcpNeedles *needles, Pairs *pairs)
{
    pairs->count = 0;
    for (guint i = 0; i < needles->count; i++) {
        const char *pair = needles->patterns[i].text + needles->patterns[i].pair;
        bool known = false;
        for (guint k = 0; k < i && !known; k++) {
            const OcpPattern *other = &needles->patterns[k];
            known = memcmp(other->text + other->pair, pair, 2) == 0;
        }
        if (known)
            continue;
        pairs->first[pairs->count] = _mm_set1_epi8(pair[0]);
        pairs->second[pairs->count++] = _mm_set1_epi8(pair[1]);
    }
}

static const char *
find_wide(const OcpNeedles *needles, const char **from, const char *start,
          const char *end, const OcpPattern **ret)
{
    Pairs pairs;
    spread(needles, &pairs);
    const char *at = *from;
    for (; end - at >= 17; at += 16) {
        __m128i here = load(at);
        __m128i next = load(at + 1);
        __m128i found = _mm_setzero_si128();
        for (guint i = 0; i < pairs.count; i++)
            found = _mm_or_si128(found,
                                 _mm_and_si128(_mm_cmpeq_epi8(here, pairs.first[i]),
                                               _mm_cmpeq_epi8(next, pairs.second[i])));
        for (guint bits = (guint)_mm_movemask_epi8(found); bits != 0; bits &= bits - 1) {
            const char *place;
            *ret = match(needles, at + __builtin_ctz(bits), start, end, &place);
            if (*ret != NULL)
                return place;
        }
    }
    *from = at;
    return NULL;
}
#endif

const char *
ocp_needles_find(const OcpNeedles *needles, const char *at, const char *end,
                 const OcpPattern **ret)
{
    const OcpPattern *pattern = NULL;
    const char *start = at;
    const char *place = NULL;
#ifdef WIDE
    place = find_wide(needles, &at, start, end, &pattern);
#endif
    for (; place == NULL && at < end; at++)
        if (needles->first[(guchar)*at])
            pattern = match(needles, at, start, end, &place);
    if (place != NULL && ret != NULL)
        *ret = pattern;
    return place;
}
