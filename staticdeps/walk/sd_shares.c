/*
 * sd_shares: the support of pairs: the share of walks that show a pair, of
 * those that came to the blocks of both its ends.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "walk/sd_shares.h"

#include <assert.h>
#include <stdlib.h>

#include "memory.h"

#define MOST_BYTES ((size_t)16 << 20) /* of sets */
#define MOST_SETS  ((size_t)4096)

/* The walks that came to a block. */
struct sd_attendance {
    const struct sd_visits *list; /* NULL: of no block yet */
    uint64_t *walks;              /* a bit for each */
};

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

/* Twice the same list leaves the set as it was. */
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

/* How many walks came to both. */
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
