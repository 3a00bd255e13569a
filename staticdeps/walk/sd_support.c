/*
 * sd_support: what the walks of all functions show together, and the support
 * of pairs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "walk/sd_support.h"

#include <assert.h>
#include <stdlib.h>

#include "memory.h"

#define MOST_BYTES ((size_t)16 << 20) /* of sets of walks */
#define MOST_SETS  ((size_t)4096)

/* The walks that visited a block. */
struct sd_attendance {
    const struct sd_visits *list; /* NULL: of no block yet */
    uint64_t *walks;              /* a bit for each */
};

void sd_support_init(struct sd_support *s, size_t n_blocks)
{
    *s = (struct sd_support){.blocks =
                                 memory_new(n_blocks + 1, sizeof *s->blocks),
                             .n_blocks = n_blocks};
}

void sd_support_fini(struct sd_support *s)
{
    for (size_t i = 0; i < s->n_blocks; i++)
        free(s->blocks[i]);
    free(s->blocks);
    sd_pairs_fini(&s->pairs);
    *s = (struct sd_support){0};
}

void sd_support_add(struct sd_support *s, const struct sd_visit *walks,
                    size_t size, const struct sd_walk_pair *pairs,
                    size_t n_pairs)
{
    s->n_roots++;
    for (size_t i = 0; i < size; i += 1 + walks[i].number) {
        s->n_walks++;
        for (uint32_t k = 1; k <= walks[i].number; k++) {
            struct sd_visit visit = walks[i + k];
            uint32_t block = visit.number;

            assert(block < s->n_blocks);
            visit.number = s->n_walks;
            sd_visits_add(&s->blocks[block], &visit);
            s->n_numbers++;
        }
    }
    for (size_t i = 0; i < n_pairs; i++) {
        struct sd_walk_pair pair = pairs[i];

        pair.last = s->n_roots;
        sd_pairs_add(&s->pairs, &pair);
    }
}

/* The number of walks that visited the first block, and later the second. */
static uint32_t in_order(const struct sd_visits *a, const struct sd_visits *b)
{
    struct sd_visits_reader x = sd_visits_read(a), y = sd_visits_read(b);
    bool both = sd_visits_next(&x) && sd_visits_next(&y);
    uint32_t n = 0;

    while (both) {
        uint32_t number = x.visit.number;

        if (number < y.visit.number) {
            both = sd_visits_seek(&x, y.visit.number);
        } else if (number > y.visit.number) {
            both = sd_visits_seek(&y, number);
        } else {
            n += x.visit.first < y.visit.last;
            both = sd_visits_next(&x) && sd_visits_next(&y);
        }
    }
    return n;
}

uint32_t sd_support_after(const struct sd_support *s, uint32_t a, uint32_t b,
                          bool is_round)
{
    struct sd_visits_reader r = sd_visits_read(s->blocks[a]);
    uint32_t n = 0;

    if (a != b || is_round)
        return in_order(s->blocks[a], s->blocks[b]);
    while (sd_visits_next(&r))
        n += r.visit.first < UINT16_MAX;
    return n;
}

/* Support. */

void sd_shares_init(struct sd_shares *shares, const struct sd_support *support)
{
    size_t n = MOST_BYTES / (support->n_walks / 8 + 1);

    *shares = (struct sd_shares){.support = support,
                                 .n_sets = n < 1           ? 1
                                           : n > MOST_SETS ? MOST_SETS
                                                           : n};
    shares->sets = memory_new(shares->n_sets, sizeof *shares->sets);
}

void sd_shares_fini(struct sd_shares *shares)
{
    for (size_t i = 0; i < shares->n_sets; i++)
        free(shares->sets[i].walks);
    free(shares->sets);
    *shares = (struct sd_shares){.support = NULL};
}

/* Adds the walks of a list to a set, or removes them if they are there. */
static void flip(struct sd_attendance *set, const struct sd_visits *list)
{
    struct sd_visits_reader r = sd_visits_read(list);

    while (sd_visits_next(&r))
        set->walks[r.visit.number / 64] ^= (uint64_t)1 << r.visit.number % 64;
}

static const struct sd_attendance *set_of(struct sd_shares *shares,
                                          uint32_t block)
{
    const struct sd_visits *list = shares->support->blocks[block];
    struct sd_attendance *set = &shares->sets[block % shares->n_sets];

    if (set->list == list)
        return set;
    if (set->walks == NULL) /* walks are numbered from 1 */
        set->walks =
            memory_new(shares->support->n_walks / 64 + 1, sizeof *set->walks);
    flip(set, set->list);
    flip(set, list);
    set->list = list;
    return set;
}

/* The number of walks that visited both blocks. */
static uint32_t count(struct sd_shares *shares, uint32_t a, uint32_t b)
{
    struct sd_visits *const *blocks = shares->support->blocks;
    bool a_is_longer = sd_visits_n(blocks[a]) > sd_visits_n(blocks[b]);
    const struct sd_attendance *set = set_of(shares, a_is_longer ? a : b);
    struct sd_visits_reader r = sd_visits_read(blocks[a_is_longer ? b : a]);
    uint32_t n = 0;

    while (sd_visits_next(&r))
        n += set->walks[r.visit.number / 64] >> r.visit.number % 64 & 1;
    return n;
}

double sd_shares_of(struct sd_shares *shares, const struct sd_walk_pair *pair,
                    uint32_t src_block, uint32_t dst_block)
{
    uint32_t n = src_block == dst_block
                     ? sd_visits_n(shares->support->blocks[src_block])
                     : count(shares, src_block, dst_block);

    assert(pair->n_walks >= 1 && pair->n_walks <= n);
    return (double)pair->n_walks / n;
}
