/*
 * How stores leave the store buffer: in order, after they have retired.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "core/cy_pipeline.h"

#include <assert.h>

/* Bytes of a block: two stores leave together if all their bytes are in one.
   (Found on Zen 3 with eight stores at many places.) */
#define BLOCK 32

/* Cycles from when the store before leaves to when this one does.  A store to
   two lines takes as long as two stores, and one that leaves together with the
   store before takes none.  (Measured on Zen 3.) */
static double leave_cycles(struct cy_leaving *l, const struct cy_recipe *r,
                           const struct cy_stored *s)
{
    uint64_t block = s->address / BLOCK + 1;
    bool is_within = s->size > 0 && !cy_crosses(s->address, s->size, BLOCK),
         is_second = is_within && r->is_paired && l->block == block;

    l->block = is_within && r->is_paired && !is_second ? block : 0;
    if (is_second)
        return 0;
    return s->size > 0 && cy_crosses(s->address, s->size, CY_LINE)
               ? 2 * r->leave_cycles
               : r->leave_cycles;
}

void cy_pipeline_leave(struct cy_pipeline *c, const struct cy_recipe *r)
{
    assert(c->n_stores >= r->n_stores);
    if (r->order == CY_ORDER_STORES) {
        if (c->retired.time > c->left.time)
            c->left = c->retired;
        c->left = cy_pipeline_event(c, c->left.time + r->order_cycles, c->left,
                                    CY_CAUSE_ORDER, 0);
    }
    for (unsigned s = 0; s < r->n_stores; s++) {
        struct cy_stored *store = &c->stores[c->n_stores - r->n_stores + s];
        double cycles = leave_cycles(&c->leaving, r, store),
               left =
                   c->left.time + (r->order == CY_ORDER_RETIRES ? 0 : cycles);
        struct cy_moment line;

        if (left > c->retired.time)
            c->left =
                cy_pipeline_event(c, left, c->left, CY_CAUSE_RETIREMENT, 0);
        else
            c->left = c->retired;
        line =
            cy_pipeline_line(c, CY_MISSING_STORE, r->stores[s].access,
                             store->address != 0 ? store->address : CY_NOT_DONE,
                             store->origin, c->retired.time, c->retired);
        if (line.time > c->left.time)
            c->left = line;
        store->left = c->left;
        cy_queue_add(&c->buffers.list[CY_STORE_BUFFER], 1, c->left.time,
                     c->left.event);
    }
}
