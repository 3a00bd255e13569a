/*
 * sd_touched: what the loads of a graph touch, or its stores.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "reach/sd_touched.h"

#include <stdlib.h>

#include "memory.h"

#define UNIT 8 /* bytes */

void sd_touched_fini(struct sd_touched *t)
{
    free(t->units);
    *t = (struct sd_touched){.units = NULL};
}

/* The unit that holds a byte of an access. */
static struct sd_sum unit(const struct sd_event *e, uint32_t byte)
{
    uint64_t offset = (uint64_t)e->place.offset + byte;

    return (struct sd_sum){(int64_t)(offset / UNIT), e->place.base};
}

static uint32_t next_byte(const struct sd_event *e, uint32_t byte)
{
    return byte + UNIT - (uint32_t)(((uint64_t)e->place.offset + byte) % UNIT);
}

void sd_touched_find(struct sd_touched *t, const struct sd_flow_graph *g,
                     bool are_stores)
{
    t->n = 0;
    for (size_t i = 0; i < g->n_events; i++) {
        const struct sd_event *e = &g->events[i];

        for (uint32_t k = 0; e->is_store == are_stores && k < e->size;
             k = next_byte(e, k)) {
            t->units = memory_grow(t->units, &t->room, t->n, sizeof *t->units);
            t->units[t->n++] = unit(e, k);
        }
    }
    if (t->n > 1)
        qsort(t->units, t->n, sizeof *t->units, sd_sum_compare);
}

bool sd_touched_has(const struct sd_touched *t, const struct sd_event *e)
{
    for (uint32_t k = 0; t->n > 0 && k < e->size; k = next_byte(e, k)) {
        struct sd_sum key = unit(e, k);

        if (bsearch(&key, t->units, t->n, sizeof *t->units, sd_sum_compare) !=
            NULL)
            return true;
    }
    return false;
}
