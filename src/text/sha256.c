/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SHA-256 by the processor's own instructions where it has them (on large inputs GLib's
 * costs more than all the rest of a conversion), else by GLib.
 */
#include <string.h>

#include "text/canonical.h"

#if defined(__x86_64__) && defined(__has_include)
#if __has_include(<sys/platform/x86.h>)
#define HAS_SHA_CODE 1
#include <immintrin.h>
#include <sys/platform/x86.h>
#endif
#endif

enum { BLOCK = 64, DIGEST = 32 };

#ifdef HAS_SHA_CODE

static const guint32 constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
    0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
    0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
    0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
    0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
    0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
    0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2};

/* The instructions want the state as two halves, ABEF and CDGH. */
typedef struct {
    __m128i abef;
    __m128i cdgh;
} State;

/* As the C library found out when it started: asking the processor again costs tens of
 * microseconds in a virtual machine. */
static bool
has_sha(void)
{
    return CPU_FEATURE_ACTIVE(SHA) && CPU_FEATURE_ACTIVE(SSE4_1);
}

/* Four rounds with four words of the schedule. */
__attribute__((target("sha,sse4.1"))) static inline void
rounds(State *state, __m128i words, gsize round)
{
    __m128i sum = _mm_add_epi32(
        words, _mm_loadu_si128((const __m128i *)(const void *)&constants[round]));
    state->cdgh = _mm_sha256rnds2_epu32(state->cdgh, state->abef, sum);
    state->abef =
        _mm_sha256rnds2_epu32(state->abef, state->cdgh, _mm_shuffle_epi32(sum, 0x0E));
}

__attribute__((target("sha,sse4.1"))) static void
add_blocks(State *state, const guint8 *bytes, gsize blocks)
{
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    for (; blocks > 0; blocks--, bytes += BLOCK) {
        State before = *state;
        __m128i w[4];
        for (gsize i = 0; i < 4; i++) {
            w[i] = _mm_shuffle_epi8(
                _mm_loadu_si128((const __m128i *)(const void *)(bytes + 16 * i)), swap);
            rounds(state, w[i], 4 * i);
        }
        for (gsize round = 16; round < 64; round += 4) {
            __m128i next = _mm_add_epi32(_mm_sha256msg1_epu32(w[0], w[1]),
                                         _mm_alignr_epi8(w[3], w[2], 4));
            next = _mm_sha256msg2_epu32(next, w[3]);
            w[0] = w[1];
            w[1] = w[2];
            w[2] = w[3];
            w[3] = next;
            rounds(state, next, round);
        }
        state->abef = _mm_add_epi32(state->abef, before.abef);
        state->cdgh = _mm_add_epi32(state->cdgh, before.cdgh);
    }
}

static guint8 *
put_big_endian(guint8 *out, guint64 number, gsize size)
{
    for (gsize i = size; i-- > 0; number >>= 8)
        out[i] = (guint8)number;
    return out + size;
}

__attribute__((target("sha,sse4.1"))) static void
digest_by_instructions(const guint8 *bytes, gsize length, guint8 *ret)
{
    State state = {_mm_set_epi32(0x6a09e667, (int)0xbb67ae85, 0x510e527f, (int)0x9b05688c),
                   _mm_set_epi32(0x3c6ef372, (int)0xa54ff53a, 0x1f83d9ab, 0x5be0cd19)};
    guint8 tail[2 * BLOCK] = {0};
    gsize rest = length % BLOCK;
    gsize padded = rest + 9 <= BLOCK ? BLOCK : 2 * BLOCK;
    add_blocks(&state, bytes, length / BLOCK);
    if (rest > 0)
        memcpy(tail, bytes + length - rest, rest);
    tail[rest] = 0x80;
    put_big_endian(tail + padded - 8, (guint64)length * 8, 8);
    add_blocks(&state, tail, padded / BLOCK);
    guint32 abef[4], cdgh[4]; /* from F, E, B, A and H, G, D, C */
    _mm_storeu_si128((__m128i *)(void *)abef, state.abef);
    _mm_storeu_si128((__m128i *)(void *)cdgh, state.cdgh);
    const guint32 words[8] = {abef[3], abef[2], cdgh[3], cdgh[2],
                              abef[1], abef[0], cdgh[1], cdgh[0]};
    for (gsize i = 0; i < 8; i++)
        ret = put_big_endian(ret, words[i], 4);
}

#endif

static void
digest_by_glib(const guint8 *bytes, gsize length, guint8 *ret)
{
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    gsize size = DIGEST;
    for (gsize some; length > 0; bytes += some, length -= some) {
        some = MIN(length, (gsize)1 << 30); /* a call takes less than a gsize holds */
        g_checksum_update(sum, bytes, (gssize)some);
    }
    g_checksum_get_digest(sum, ret, &size);
}

void
ocp_sha256_bytes(const void *bytes, gsize length, guint8 *ret)
{
#ifdef HAS_SHA_CODE
    if (has_sha()) {
        digest_by_instructions(bytes, length, ret);
        return;
    }
#endif
    digest_by_glib(bytes, length, ret);
}

char *
ocp_sha256(const void *bytes, gsize length)
{
    static const char digits[] = "0123456789abcdef";
    guint8 digest[DIGEST];
    ocp_sha256_bytes(bytes, length, digest);
    char *text = g_malloc(2 * DIGEST + 1);
    for (gsize i = 0; i < DIGEST; i++) {
        text[2 * i] = digits[digest[i] >> 4];
        text[2 * i + 1] = digits[digest[i] & 15];
    }
    text[(gsize)2 * DIGEST] = '\0';
    return text;
}
