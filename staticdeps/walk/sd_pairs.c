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
        if (2 * ++pairs->n > (size_t)1 << pairs->bits) {
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

/* Of all functions. */

void sd_support_init(struct sd_support *s, size_t n_blocks)
{
    *s = (struct sd_support){.blocks =
                                 memory_new(n_blocks + 1, sizeof *s->blocks),
                             .n_blocks = n_blocks};
    sd_pairs_init(&s->pairs);
}

void sd_support_fini(struct sd_support *s)
{
    for (size_t i = 0; i < s->n_blocks; i++)
        free(s->blocks[i].comings);
    free(s->blocks);
    sd_pairs_fini(&s->pairs);
    *s = (struct sd_support){0};
}

/* A program has a million of these lists, most of them short: they grow by an
   eighth, as twice the room would mostly be empty. */
static void add_coming(struct sd_walk_list *list, struct sd_coming coming)
{
    if (list->n == list->room) {
        list->room += list->room / 8 + 4;
        list->comings =
            reallocarray(list->comings, list->room, sizeof *list->comings);
        if (list->comings == NULL)
            memory_exhausted();
    }
    list->comings[list->n++] = coming;
}

void sd_support_add(struct sd_support *s, const struct sd_coming *walks,
                    size_t size, const struct sd_walk_pair *pairs,
                    size_t n_pairs)
{
    s->n_roots++;
    for (size_t i = 0; i < size; i += 1 + walks[i].number) {
        s->n_walks++;
        for (uint32_t k = 1; k <= walks[i].number; k++) {
            struct sd_coming coming = walks[i + k];
            uint32_t block = coming.number;

            assert(block < s->n_blocks);
            coming.number = s->n_walks;
            add_coming(&s->blocks[block], coming);
            s->n_numbers++;
        }
    }
    for (size_t i = 0; i < n_pairs; i++) {
        struct sd_walk_pair pair = pairs[i];

        pair.last = s->n_roots;
        sd_pairs_add(&s->pairs, &pair);
    }
}

/* `in_order`: only those that came to `a` before. */
static uint32_t in_both(const struct sd_walk_list *a,
                        const struct sd_walk_list *b, bool in_order)
{
    uint32_t i = 0, k = 0, n = 0;

    while (i < a->n && k < b->n) {
        const struct sd_coming *to_a = &a->comings[i], *to_b = &b->comings[k];

        if (to_a->number == to_b->number &&
            (!in_order || to_a->first < to_b->last))
            n++;
        i += to_a->number <= to_b->number;
        k += to_a->number >= to_b->number;
    }
    return n;
}

uint32_t sd_support_together(const struct sd_support *s, uint32_t a, uint32_t b)
{
    return a == b ? s->blocks[a].n
                  : in_both(&s->blocks[a], &s->blocks[b], false);
}

uint32_t sd_support_after(const struct sd_support *s, uint32_t a, uint32_t b,
                          bool is_round)
{
    const struct sd_walk_list *list = &s->blocks[a];
    uint32_t n = 0;

    if (a != b || is_round)
        return in_both(list, &s->blocks[b], true);
    for (uint32_t i = 0; i < list->n; i++)
        n += list->comings[i].first < UINT16_MAX;
    return n;
}

double sd_support_of(const struct sd_support *s,
                     const struct sd_walk_pair *pair, uint32_t src_block,
                     uint32_t dst_block)
{
    uint32_t n = sd_support_together(s, src_block, dst_block);

    assert(pair->n_walks >= 1 && pair->n_walks <= n);
    return (double)pair->n_walks / n;
}
