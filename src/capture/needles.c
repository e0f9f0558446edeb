/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/needles.h"

#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define WIDE 1
#include <immintrin.h>
#endif

/* ---- making patterns ----------------------------------------------------- */

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
add_pattern(OcpNeedles *needles, OcpSign sign, guint name, const char *text,
            gsize length)
{
    if (needles->count == OCP_PATTERNS_MOST || length < 3)
        return;
    OcpPattern *pattern = &needles->patterns[needles->count++];
    pattern->text = g_strndup(text, length);
    pattern->length = (guint)length;
    pattern->sign = sign;
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
    guint8 group = (guint8)(1 << (needles->count % 8));
    for (guint i = 0; i < 2; i++) {
        guchar byte = (guchar)text[pattern->pair + i];
        needles->low[i][byte & 15] |= group;
        needles->high[i][byte >> 4] |= group;
    }
}

/* Base64 of a name at each of its three alignments, without the characters that depend
 * on what stands around it. */
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
        add_pattern(needles, OCP_SIGN_BASE64, name, code + from, to - from);
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
        add_pattern(needles, OCP_SIGN_NUMBERS, name, numbers->str, numbers->len);
    }
}

OcpNeedles *
ocp_needles_new(void)
{
    static const char *const escapes[] = {"\\u006", "\\u007", "\\u005f", "\\u005F"};
    OcpNeedles *needles = g_new0(OcpNeedles, 1);
    for (gsize i = 0; i < G_N_ELEMENTS(escapes); i++)
        add_pattern(needles, OCP_SIGN_ESCAPE, 0, escapes[i], strlen(escapes[i]));
    add_pattern(needles, OCP_SIGN_GZIP, 0, "H4sIA", 5);
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
    add_pattern(needles, OCP_SIGN_NAME, index, name, strlen(name));
    if (hidden) {
        add_base64(needles, index, name);
        add_numbers(needles, index, name);
    }
    return (int)index;
}

/* ---- searching ----------------------------------------------------------- */

/* The pattern whose pair stands at at, whole within start to end. */
static const OcpPattern *
match(const OcpNeedles *needles, const char *at, const char *start, const char *end,
      const char **ret)
{
    for (guint i = 0; i < needles->count; i++) {
        const OcpPattern *pattern = &needles->patterns[i];
        if (*at != pattern->text[pattern->pair] || (gsize)(at - start) < pattern->pair)
            continue;
        const char *from = at - pattern->pair;
        if ((gsize)(end - from) >= pattern->length &&
            at[1] == pattern->text[pattern->pair + 1] &&
            memcmp(from, pattern->text, pattern->length) == 0) {
            *ret = from;
            return pattern;
        }
    }
    return NULL;
}

#ifdef WIDE
/* Where both bytes of some group's pair may stand, as bits: a look-up of four halves of
 * bytes finds every place of a pair, and few others. */
__attribute__((target("avx2"))) static inline guint
places(const __m256i *tables, const char *at)
{
    const __m256i half = _mm256_set1_epi8(0x0F);
    __m256i here = _mm256_loadu_si256((const __m256i *)(const void *)at);
    __m256i next = _mm256_loadu_si256((const __m256i *)(const void *)(at + 1));
    __m256i low =
        _mm256_and_si256(_mm256_shuffle_epi8(tables[0], _mm256_and_si256(here, half)),
                         _mm256_shuffle_epi8(tables[1], _mm256_and_si256(next, half)));
    here = _mm256_and_si256(_mm256_srli_epi16(here, 4), half);
    next = _mm256_and_si256(_mm256_srli_epi16(next, 4), half);
    __m256i high = _mm256_and_si256(_mm256_shuffle_epi8(tables[2], here),
                                    _mm256_shuffle_epi8(tables[3], next));
    __m256i none =
        _mm256_cmpeq_epi8(_mm256_and_si256(low, high), _mm256_setzero_si256());
    return ~(guint)_mm256_movemask_epi8(none);
}

__attribute__((target("avx2"))) static inline __m256i
spread(const guint8 *table)
{
    return _mm256_broadcastsi128_si256(
        _mm_loadu_si128((const __m128i *)(const void *)table));
}

/* How many of the next 32 bytes are line feeds. */
__attribute__((target("avx2"))) static inline guint
feeds(const char *at, __m256i feed)
{
    __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)at);
    return (guint)__builtin_popcount(
        (guint)_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, feed)));
}

/* The next 32 bytes with a place where a pair may stand, and which, or what is left
 * that is shorter; counts the line feeds before. Calls nothing, so that all it needs
 * stays in registers. */
__attribute__((target("avx2"), noinline)) static const char *
skip_wide(const OcpNeedles *needles, const char *at, const char *end, guint *ret_bits,
          gsize *lines)
{
    const __m256i tables[] = {spread(needles->low[0]), spread(needles->low[1]),
                              spread(needles->high[0]), spread(needles->high[1])};
    const __m256i feed = _mm256_set1_epi8('\n');
    gsize count = 0;
    guint bits = 0;
    for (; end - at >= 33; at += 32) {
        bits = places(tables, at);
        if (bits != 0)
            break;
        count += feeds(at, feed);
    }
    *ret_bits = bits;
    *lines += count;
    return at;
}

/* Moves *from to what it has not searched, and counts the line feeds before. */
__attribute__((target("avx2"))) static const char *
find_wide(const OcpNeedles *needles, const char **from, const char *start,
          const char *end, const OcpPattern **ret, gsize *ret_lines)
{
    const char *place = NULL;
    guint bits = 0;
    gsize lines = 0;
    const char *at = skip_wide(needles, *from, end, &bits, &lines);
    while (bits != 0) {
        for (; bits != 0 && place == NULL; bits &= bits - 1)
            *ret = match(needles, at + __builtin_ctz(bits), start, end, &place);
        if (place != NULL)
            break;
        lines += feeds(at, _mm256_set1_epi8('\n'));
        at = skip_wide(needles, at + 32, end, &bits, &lines);
    }
    *from = at;
    *ret_lines = lines;
    return place;
}

__attribute__((target("avx2"))) static gsize
count_wide(const char **from, const char *end)
{
    const __m256i feed = _mm256_set1_epi8('\n');
    gsize count = 0;
    const char *at = *from;
    for (; end - at >= 32; at += 32)
        count += feeds(at, feed);
    *from = at;
    return count;
}
#endif

gsize
ocp_count_lines(const char *at, const char *end)
{
    gsize count = 0;
#ifdef WIDE
    if (__builtin_cpu_supports("avx2"))
        count = count_wide(&at, end);
#endif
    while (at < end)
        count += *at++ == '\n';
    return count;
}

/* Also counts the line feeds before *ret_searched. */
static const char *
find(const OcpNeedles *needles, const char *at, const char *end, const OcpPattern **ret,
     const char **ret_searched, gsize *ret_lines)
{
    const OcpPattern *pattern = NULL;
    const char *start = at;
    const char *place = NULL;
    *ret_lines = 0;
#ifdef WIDE
    if (__builtin_cpu_supports("avx2"))
        place = find_wide(needles, &at, start, end, &pattern, ret_lines);
#endif
    *ret_searched = at;
    for (; place == NULL && at < end; at++)
        if (needles->first[(guchar)*at])
            pattern = match(needles, at, start, end, &place);
    if (place != NULL && ret != NULL)
        *ret = pattern;
    return place;
}

const char *
ocp_needles_find(const OcpNeedles *needles, const char *at, const char *end,
                 const OcpPattern **ret)
{
    const char *searched;
    gsize lines;
    return find(needles, at, end, ret, &searched, &lines);
}

const char *
ocp_needles_skim(const OcpNeedles *needles, const char *at, const char *end,
                 gsize *ret_lines)
{
    const char *searched;
    const char *place = find(needles, at, end, NULL, &searched, ret_lines);
    *ret_lines += ocp_count_lines(searched, end);
    return place;
}
