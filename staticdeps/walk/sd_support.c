/*
 * sd_support: what the walks of all functions show, together.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "walk/sd_support.h"

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
        sd_visits_free(s->blocks[i]);
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

/* How many came to the first, and later to the second. */
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
