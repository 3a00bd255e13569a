/*
 * sd_support: what the walks of all functions show, together.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "run/sd_support.h"

#include <assert.h>
#include <stdlib.h>

#include "memory.h"

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
        free(s->blocks[i].numbers);
    free(s->blocks);
    sd_pairs_fini(&s->pairs);
    *s = (struct sd_support){0};
}

void sd_support_add(struct sd_support *s, const uint32_t *walks, size_t size,
                    const struct sd_walk_pair *pairs, size_t n_pairs)
{
    s->n_roots++;
    for (size_t i = 0; i < size; i += 1 + walks[i]) {
        s->n_walks++;
        for (uint32_t k = 1; k <= walks[i]; k++) {
            struct sd_walk_list *list = &s->blocks[walks[i + k]];

            assert(walks[i + k] < s->n_blocks);
            list->numbers = memory_grow(list->numbers, &list->room, list->n,
                                        sizeof *list->numbers);
            list->numbers[list->n++] = s->n_walks;
        }
    }
    for (size_t i = 0; i < n_pairs; i++) {
        struct sd_walk_pair pair = pairs[i];

        pair.last = s->n_roots;
        sd_pairs_add(&s->pairs, &pair);
    }
}

static uint32_t in_both(const struct sd_walk_list *a,
                        const struct sd_walk_list *b)
{
    uint32_t i = 0, k = 0, n = 0;

    while (i < a->n && k < b->n) {
        if (a->numbers[i] == b->numbers[k])
            n++;
        if (a->numbers[i] < b->numbers[k])
            i++;
        else
            k += 1, i += a->numbers[i] == b->numbers[k - 1];
    }
    return n;
}

double sd_support_of(const struct sd_support *s,
                     const struct sd_walk_pair *pair, uint32_t src_block,
                     uint32_t dst_block)
{
    uint32_t n = src_block == dst_block
                     ? s->blocks[src_block].n
                     : in_both(&s->blocks[src_block], &s->blocks[dst_block]);

    assert(pair->n_walks >= 1 && pair->n_walks <= n);
    return (double)pair->n_walks / n;
}
