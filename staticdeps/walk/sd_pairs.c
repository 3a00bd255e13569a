/*
 * sd_pairs: the pairs that walks show.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "walk/sd_pairs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "memory.h"

#define FIRST_BITS 10
#define MOST_KEPT  12 /* bits of a table that is cleared, and not made anew */

void sd_pairs_init(struct sd_pairs *pairs)
{
    *pairs = (struct sd_pairs){.bits = FIRST_BITS};
    pairs->table = memory_new((size_t)1 << FIRST_BITS, sizeof *pairs->table);
}

void sd_pairs_fini(struct sd_pairs *pairs)
{
    free(pairs->table);
    *pairs = (struct sd_pairs){0};
}

void sd_pairs_clear(struct sd_pairs *pairs)
{
    if (pairs->bits > MOST_KEPT) { /* few functions have so many */
        sd_pairs_fini(pairs);
        sd_pairs_init(pairs);
        return;
    }
    memset(pairs->table, 0, ((size_t)1 << pairs->bits) * sizeof *pairs->table);
    pairs->n = 0;
}

static struct sd_walk_pair *place(const struct sd_pairs *pairs, uint32_t src,
                                  uint32_t dst)
{
    size_t mask = ((size_t)1 << pairs->bits) - 1;
    size_t i = hash_place_of_two(src, dst, pairs->bits);

    while (pairs->table[i].src != 0 &&
           (pairs->table[i].src != src || pairs->table[i].dst != dst))
        i = (i + 1) & mask;
    return &pairs->table[i];
}

static void grow(struct sd_pairs *pairs)
{
    struct sd_walk_pair *old = pairs->table;
    size_t n = (size_t)1 << pairs->bits++;

    pairs->table = memory_new(2 * n, sizeof *pairs->table);
    for (size_t i = 0; i < n; i++)
        if (old[i].src != 0)
            *place(pairs, old[i].src, old[i].dst) = old[i];
    free(old);
}

void sd_pairs_add(struct sd_pairs *pairs, const struct sd_walk_pair *pair)
{
    struct sd_walk_pair *p = place(pairs, pair->src, pair->dst);

    assert(pair->src != 0 && pair->dst != 0);
    if (p->src == 0) {
        if (++pairs->n > ((size_t)3 << pairs->bits) / 4) {
            grow(pairs);
            p = place(pairs, pair->src, pair->dst);
        }
        *p = *pair;
        return;
    }
    if (p->last != pair->last)
        p->n_walks += pair->n_walks;
    p->last = pair->last;
    if (pair->distance < p->distance) {
        p->distance = pair->distance;
        p->header = pair->header;
    }
    p->is_again &= pair->is_again;
    p->is_uneven |= pair->is_uneven;
    if (pair->delta_k != p->delta_k)
        p->delta_k = SD_ANY_DELTA;
}

void sd_pairs_uneven(struct sd_pairs *pairs, uint32_t src, uint32_t dst)
{
    struct sd_walk_pair *p = place(pairs, src, dst);

    assert(p->src != 0);
    p->is_uneven = 1;
}

int sd_pairs_compare(const void *x, const void *y)
{
    const struct sd_walk_pair *a = x, *b = y;

    if (a->src != b->src)
        return a->src < b->src ? -1 : 1;
    return a->dst < b->dst ? -1 : a->dst > b->dst;
}

const struct sd_walk_pair *sd_pairs_list(struct sd_pairs *pairs)
{
    size_t n = 0;

    for (size_t i = 0; i < (size_t)1 << pairs->bits; i++)
        if (pairs->table[i].src != 0)
            pairs->table[n++] = pairs->table[i];
    assert(n == pairs->n);
    if (n > 1)
        qsort(pairs->table, n, sizeof *pairs->table, sd_pairs_compare);
    return pairs->table;
}
