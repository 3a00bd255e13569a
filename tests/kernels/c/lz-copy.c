/*
 * lz-copy: expands what a compressor of Lempel and Ziv's kind left of N bytes:
 * alternately some new bytes, and a copy from `distance` bytes before.
 *
 * Copied byte by byte, a stretch longer than its distance repeats itself: it
 * overlaps its source.  The check copies each stretch from the `distance`
 * bytes before it, over and over.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N        SIZE_OR(40000)
#define SHORTEST 4 /* the shortest copy, except the last */
#define FARTHEST 4000
#define TOKENS   (N / (1 + SHORTEST) + 1)

struct token {
    uint16_t n_fresh, n_copied;
    uint32_t distance;
};

HOT static void expand(uint8_t *out, const struct token *token, int n_tokens,
                       const uint8_t *fresh)
{
    int at = 0;

    for (int t = 0; t < n_tokens; t++) {
        for (int i = 0; i < token[t].n_fresh; i++)
            out[at++] = *fresh++;
        for (int i = 0; i < token[t].n_copied; i++, at++)
            out[at] = out[at - (int)token[t].distance];
    }
}

static uint8_t out[N], fresh[N], expected[N];
static struct token tokens[TOKENS];
static int n_tokens;

static uint16_t at_most(double wanted, int left)
{
    return (uint16_t)(wanted < left ? wanted : left);
}

/* Number n of a sequence from 0 up to 1 that looks random. */
static double chance(unsigned n)
{
    return kernel_sample(n * n);
}

/* Makes tokens of 1 to 8 new bytes and up to 31 copies, mostly from near. */
static void fill(void)
{
    unsigned n = 0;

    n_tokens = 0;
    for (int at = 0; at < N;) {
        struct token *token = &tokens[n_tokens++];
        int farthest;

        token->n_fresh = at_most(1 + 8 * chance(n++), N - at);
        at += token->n_fresh;
        farthest = at < FARTHEST ? at : FARTHEST;
        token->distance = 1 + (uint32_t)(farthest * pow(chance(n++), 6));
        token->n_copied = at_most(SHORTEST + 28 * chance(n++), N - at);
        at += token->n_copied;
    }
    for (unsigned i = 0; i < N; i++)
        fresh[i] = (uint8_t)(256 * kernel_sample(i));
}

static void check(void)
{
    int at = 0, n_fresh = 0;

    for (int t = 0; t < n_tokens; t++) {
        int distance = (int)tokens[t].distance;

        memcpy(expected + at, fresh + n_fresh, tokens[t].n_fresh);
        n_fresh += tokens[t].n_fresh;
        at += tokens[t].n_fresh;
        for (int i = 0; i < tokens[t].n_copied; i++)
            expected[at + i] = expected[at - distance + i % distance];
        at += tokens[t].n_copied;
    }
    kernel_require(at == N && memcmp(out, expected, N) == 0);
}

KERNEL("lz-copy", fill(),
       expand(kernel_any(out), kernel_any(tokens), n_tokens, kernel_any(fresh)))
