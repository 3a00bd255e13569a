/*
 * sd_touched: what the loads of a graph touch, or its stores.
 *
 * Most stores are of what no load reads; there is no need to follow them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_TOUCHED_H
#define SD_TOUCHED_H

#include "reach/sd_flow_graph.h"

struct sd_touched {
    struct sd_sum *units; /* of 8 bytes; sorted */
    size_t n, room;
};

void sd_touched_fini(struct sd_touched *touched);

/* Of all stores, or of all loads. */
void sd_touched_find(struct sd_touched *touched,
                     const struct sd_flow_graph *graph, bool are_stores);

/* Is one of the units that an event touches among them? */
bool sd_touched_has(const struct sd_touched *touched,
                    const struct sd_event *event);

#endif
