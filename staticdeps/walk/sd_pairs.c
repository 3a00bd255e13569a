/*
 * sd_pairs: the pairs that walks show.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "walk/sd_pairs.h"

#include <assert.h>
#include <stdlib.h>

#include "array.h"

void sd_pairs_fini(struct sd_pairs *pairs)
{
    free(pairs->list);
    sd_keys_fini(&pairs->keys);
    *pairs = (struct sd_pairs){.n = 0};
}

void sd_pairs_clear(struct sd_pairs *pairs)
{
    sd_keys_clear(&pairs->keys);
    pairs->n = 0;
}

void sd_pairs_add(struct sd_pairs *pairs, const struct sd_walk_pair *pair)
{
    uint32_t i = sd_keys_add(&pairs->keys, sd_keys_pair(pair->src, pair->dst));
    struct sd_walk_pair *p;

    assert(pair->src != 0 && pair->dst != 0);
    if (i == pairs->n) {
        array_push(pairs->list, pairs->n, pairs->room, *pair);
        return;
    }
    p = &pairs->list[i];
    if (p->last != pair->last)
        p->n_walks += pair->n_walks;
    p->last = pair->last;
    if (pair->distance < p->distance) {
        p->distance = pair->distance;
        p->header = pair->header;
    }
    p->is_again &= pair->is_again;
    p->is_uneven |= pair->is_uneven;
    if (!sd_overlap_is(p->overlap, pair->overlap))
        p->overlap = sd_overlap_join(p->overlap, pair->overlap);
    if (pair->delta_k != p->delta_k)
        p->delta_k = SD_ANY_DELTA;
}

void sd_pairs_uneven(struct sd_pairs *pairs, uint32_t src, uint32_t dst)
{
    uint32_t i = sd_keys_find(&pairs->keys, sd_keys_pair(src, dst));

    assert(i != SD_NO_KEY);
    pairs->list[i].is_uneven = 1;
}

int sd_pairs_compare(const void *x, const void *y)
{
    const struct sd_walk_pair *a = x, *b = y;

    return array_order(a->src, b->src) ?: array_order(a->dst, b->dst);
}

const struct sd_walk_pair *sd_pairs_list(struct sd_pairs *pairs)
{
    array_sort(pairs->list, pairs->n, sd_pairs_compare);
    return pairs->list;
}
