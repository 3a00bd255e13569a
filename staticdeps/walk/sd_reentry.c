/*
 * sd_reentry: which loop was re-entered between two times of a walk.
 *
 * For each loop it is known when control came to it from outside, and when it
 * last came to a header.  A loop holds the way from a store to a load if it was
 * entered before the store.  Only the innermost loop around the load that does
 * so can have been re-entered in between: to re-enter another around it,
 * control would have left it.
 *
 * Limits: if a function calls itself, only the last of its calls that came to a
 * loop is known.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "walk/sd_rounds.h"

#include <assert.h>
#include <stdlib.h>

#include "memory.h"

void sd_reentries_init(struct sd_reentries *r, const struct loops *loops,
                       const struct sd_node *nodes)
{
    *r = (struct sd_reentries){loops, nodes,
                               memory_new(loops->n + 1, sizeof *r->list)};
}

void sd_reentries_fini(struct sd_reentries *r)
{
    free(r->list);
    *r = (struct sd_reentries){0};
}

void sd_reentries_arrive(struct sd_reentries *r, uint32_t walk, uint32_t frame,
                         uint32_t header, uint32_t from, uint64_t time)
{
    uint32_t loop = r->nodes[header].loop;
    struct sd_reentry *e = &r->list[loop];

    assert(r->nodes[header].is_header && loop != 0);
    if (e->walk != walk || e->frame != frame || from == UINT32_MAX ||
        !loops_hold(r->loops, loop, from))
        *e = (struct sd_reentry){.walk = walk, .frame = frame, .entered = time};
    e->header = header;
    e->last = time;
}

uint32_t sd_reentries_since(const struct sd_reentries *r, uint32_t walk,
                            uint32_t frame, uint32_t block, uint64_t time)
{
    for (uint32_t i = r->nodes[block].loop; i != 0;
         i = r->loops->list[i].parent) {
        const struct sd_reentry *e = &r->list[i];

        if (e->walk == walk && e->frame == frame && e->entered <= time)
            return e->last > time ? e->header + 1 : 0;
    }
    return 0;
}
