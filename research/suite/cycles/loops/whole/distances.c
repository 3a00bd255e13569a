/* Distances: data decide which earlier store a load reads, or whether it reads
   one at all. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "whole.h"

/* Histograms of values in different orders: */

#define COUNT(bin)                       \
    do {                                 \
        volatile int *bins = SLOT(0);    \
                                         \
        for (int i = 0; i < 2000; i++) { \
            int at = bin;                \
                                         \
            bins[at] = bins[at] + 1;     \
        }                                \
    } while (0)

WHOLE(bins_two)
{
    COUNT(INTS[i] & 1);
}

WHOLE(bins_four)
{
    COUNT(INTS[i] >> 6);
}

WHOLE(bins_sixteen)
{
    COUNT(INTS[i] & 15);
}

WHOLE(bins_many)
{
    COUNT(INTS[i] * 4 + (i & 3));
}

WHOLE(bins_in_runs_of_six)
{
    COUNT(FRESH(i / 6));
}

WHOLE(bins_in_long_runs)
{
    COUNT(i / 100 * 7);
}

WHOLE(bins_by_turns)
{
    COUNT(i % 3);
}

WHOLE(bins_mostly_one)
{
    COUNT(INTS[i] < 200 ? 0 : INTS[i]);
}

/* The histogram of data that differ in each turn. */
WHOLE(bins_never_alike)
{
    volatile int *bins = SLOT(0);
    uint32_t state = (uint32_t)turn * 104729;

    for (int i = 0; i < 1500; i++) {
        uint32_t at = next_random(&state) >> 29;

        bins[at] = bins[at] + 1;
    }
}

/* The permutation of a stream cipher, RC4, is swapped while it is read: the
   place of the second store is known late, and rarely that of a later load. */
WHOLE(bytes_swapped)
{
    volatile uint8_t *state = SLOT(0), *out = SLOT(1);
    uint8_t j = 0;

    for (int i = 0; i < 256; i++)
        state[i] = (uint8_t)FRESH(i);
    for (int i = 1; i < 1500; i++) {
        uint8_t a = state[i & 255], b = state[j = (uint8_t)(j + a)];

        state[i & 255] = b;
        state[j] = a;
        out[i] = state[(uint8_t)(a + b)];
    }
}

WHOLE(weights_per_bin)
{
    double *bins = SLOT(0), *weights = SLOT(1);
    int *in = INTS;

    for (int i = 0; i < 1000; i++)
        bins[in[i] & 7] = 0.5 * bins[in[i] & 7] + weights[i];
}

/* Hash tables: */

WHOLE(hash_counts)
{
    unsigned *counts = SLOT(0);

    for (int i = 0; i < 1500; i++) {
        uint32_t h = (uint32_t)FRESH(i) * 2654435761U;

        counts[h >> 25] += h & 7;
    }
}

WHOLE(hash_of_hashes)
{
    uint32_t *table = SLOT(0), h = (uint32_t)turn;

    for (int i = 0; i < 800; i++) {
        uint32_t *cell = &table[h >> 28];

        h = (h ^ *cell) * 16777619 + 1;
        *cell = h ^ (uint32_t)i;
    }
}

struct cached {
    int key, value;
};

WHOLE(results_cached)
{
    struct cached *cache = SLOT(0);
    long sum = 0;

    for (int i = 0; i < 700; i++) {
        int key = FRESH(i) & 63;
        struct cached *c = &cache[key & 31];

        if (c->key != key) {
            c->key = key;
            c->value = key * key % 97;
        }
        sum += c->value;
    }
    USE(sum);
}

WHOLE(bit_set)
{
    uint64_t *bits = SLOT(0);
    int *in = INTS;

    for (int i = 0; i < 1500; i++)
        bits[in[i] >> 6] ^= 1UL << (in[i] & 63);
}

/* Copies whose source is what was copied just before: */

WHOLE(copies_of_bytes)
{
    volatile unsigned char *out = SLOT(0);
    int at = 256;

    for (int i = 0; i < 120; i++) {
        int distance = 1 + (FRESH(i) & 31), length = 4 + (FRESH(i + 200) & 15);

        for (int k = 0; k < length; k++, at++)
            out[at] = out[at - distance];
    }
}

WHOLE(copies_near)
{
    volatile unsigned char *out = SLOT(0);
    int at = 16;

    for (int i = 0; i < 150; i++) {
        int distance = 1 + (FRESH(i) & 3);

        for (int k = 0; k < 10; k++, at++)
            out[at] = out[at - distance];
    }
}

/* Copies eight bytes at a time: a load can straddle two stores. */
WHOLE(copies_of_words)
{
    unsigned char *out = SLOT(0);
    int at = 256;

    for (int i = 0; i < 150; i++) {
        int distance = 8 + (FRESH(i) & 31), length = 8 + (FRESH(i + 200) & 31);

        for (int k = 0; k < length; k += 8)
            *(volatile uint64_t *)&out[at + k] =
                *(volatile uint64_t *)&out[at + k - distance];
        at += length;
    }
}

WHOLE(bytes_then_words)
{
    unsigned char *bytes = SLOT(0);
    int *in = INTS;
    uint32_t sum = 0;

    for (int i = 0; i < 600; i++) {
        *(volatile unsigned char *)&bytes[in[i] & 31] =
            (unsigned char)(i + (int)(sum & 1));
        sum += *(volatile uint32_t *)&bytes[in[i + 1] & 28];
    }
    USE(sum);
}

/* Accesses through an index: */

WHOLE(sums_through_an_index)
{
    unsigned long *a = SLOT(0);
    int *index = INTS;

    for (int i = 1; i < 1200; i++)
        a[index[i]] += a[index[i - 1]];
}

WHOLE(sums_along_a_lag)
{
    double *x = SLOT(0);
    int *lags = INTS;

    for (int i = 16; i < 1000; i++)
        x[i] = 0.4 * x[i - 1 - (lags[i] & 15)] + 0.3;
}

WHOLE(lag_of_one_or_eight)
{
    volatile unsigned long *x = SLOT(0);

    for (int i = 8; i < 1000; i++)
        x[i] = x[i - (FRESH(i) & 1 ? 1 : 8)] * 5 + 1;
}

WHOLE(scattered_along_edges)
{
    double *y = SLOT(0), *x = SLOT(1);
    int *edges = INTS;

    for (int i = 0; i < 1000; i++)
        y[edges[i] & 31] += 0.1 * x[edges[i + 1000]];
}

WHOLE(forces_of_pairs)
{
    double *f = SLOT(0), *x = SLOT(1);
    int *pairs = INTS;

    for (int i = 0; i < 500; i++) {
        int a = pairs[2 * i] & 15, b = pairs[2 * i + 1] & 15;
        double d = 0.01 * (x[a] - x[b]);

        f[a] += d;
        f[b] -= d;
    }
}

WHOLE(permutation_followed)
{
    int *next = SLOT(0), *in = INTS, at = 0;

    for (int i = 0; i < 256; i++)
        next[i] = in[i];
    for (int i = 0; i < 900; i++) {
        int to = next[at];

        next[at] = (to * 5 + i) & 255;
        at = to;
    }
}

WHOLE(elements_swapped)
{
    int *a = SLOT(0);

    for (int i = 0; i < 64; i++)
        a[i] = i;
    for (int i = 0; i < 900; i++) {
        int j = FRESH(i) & 63, k = FRESH(i + 1) & 63, x = a[j];

        a[j] = a[k];
        a[k] = x;
    }
}

/* Fields of structures: */

WHOLE(places_counted_out)
{
    int *in = INTS, *place = SLOT(0), *out = SLOT(1);

    for (int i = 0; i < 8; i++)
        place[i] = 200 * i;
    for (int i = 0; i < 900; i++)
        out[place[in[i] >> 5]++] = in[i];
}

WHOLE(binary_indexed_sums)
{
    unsigned long *tree = SLOT(0), sum = 0;
    int *keys = INTS;

    for (int i = 0; i < 200; i++) {
        for (int at = keys[i] + 1; at <= 256; at += at & -at)
            tree[at] += (unsigned)i;
        for (int at = keys[i + 1] + 1; at > 0; at -= at & -at)
            sum += tree[at];
    }
    USE(sum);
}

WHOLE(sets_united)
{
    int *parent = SLOT(0);

    for (int i = 0; i < 256; i++)
        parent[i] = i;
    for (int i = 0; i < 300; i++) {
        int a = FRESH(2 * i), b = FRESH(2 * i + 1);

        while (parent[a] != a)
            a = parent[a] = parent[parent[a]];
        while (parent[b] != b)
            b = parent[b] = parent[parent[b]];
        parent[a] = b;
    }
}

WHOLE(moved_to_front)
{
    unsigned char *list = SLOT(0), *out = SLOT(1);

    for (int i = 0; i < 16; i++)
        list[i] = (unsigned char)i;
    for (int i = 0; i < 300; i++) {
        unsigned char x = (unsigned char)(FRESH(i) & FRESH(i + 1) & 15);
        int at = 0;

        while (list[at] != x)
            at++;
        out[i] = (unsigned char)at;
        for (; at > 0; at--)
            list[at] = list[at - 1];
        list[0] = x;
    }
}

WHOLE(stack_up_and_down)
{
    volatile long *cells = SLOT(0);
    int top = 32;
    long x = 1;

    for (int i = 0; i < 1200; i++) {
        int up = FRESH(i) & 1;

        top = (top + 2 * up - 1) & 63;
        x = x * up + i;
        cells[top + up] = cells[top] + x;
    }
}

WHOLE(queue_of_a_set_length)
{
    unsigned long *cells = SLOT(0), x = 1;
    int *lengths = SLOT(1);

    for (int i = 0; i < 8; i++)
        lengths[i] = 1 + (i * 5 & 15);
    for (int i = 0; i < 1200; i++) {
        cells[i & 31] = x;
        x += cells[(i - lengths[i >> 4 & 7]) & 31] ^ (unsigned)i;
    }
    USE(x);
}
