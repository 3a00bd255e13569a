/*
 * sd_flow_graph: the accesses of a function whose places are known, and the
 * ways between them.
 *
 * A place is a base and an offset.  A base is some number that the program has,
 * and it is born again where that number may become another one; what was
 * stored there is lost then.  Places of two bases never meet.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_FLOW_GRAPH_H
#define SD_FLOW_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SD_NO_BASE  0u /* nothing is known, or nothing yet */
#define SD_ABSOLUTE 1u /* the offset is an address */

/* A number: a base and what is added to it. */
struct sd_sum {
    int64_t offset;
    uint32_t base;
};

/* Addresses end where they begin. */
static inline struct sd_sum sd_sum_add(struct sd_sum s, int64_t n)
{
    s.offset = (int64_t)((uint64_t)s.offset + (uint64_t)n);
    return s;
}

/* Do `size` bytes at one offset and `other_size` at another meet? */
static inline bool sd_offsets_meet(int64_t offset, uint32_t size, int64_t other,
                                   uint32_t other_size)
{
    uint64_t distance = (uint64_t)other - (uint64_t)offset;

    return distance < size || 0 - distance < other_size;
}

/* An access whose place is known. */
struct sd_event {
    struct sd_sum place;
    uint32_t size; /* in bytes */
    uint32_t
        insn; /* in its block, from 1 on; of a callee: as if it were there */
    uint32_t site;
    uint32_t contents; /* of a store: the base that is what the place holds; or
                          SD_NO_BASE */
    bool is_store;
    bool is_certain; /* it always happens */
};

/* Where a base is born: before the event of that number in a block, counted
   from 0, or on all ways to the block. */
#define SD_BORN_NEVER  UINT32_MAX /* as a block */
#define SD_BORN_BEFORE UINT32_MAX /* as an event */

struct sd_birth {
    uint32_t block, event;
    uint32_t parent; /* the base of the place that holds it; or SD_NO_BASE */
};

struct sd_way {
    uint32_t to;
    struct sd_sum bottom; /* what lies below it is lost; or SD_NO_BASE */
};

struct sd_stretch {
    uint32_t n_insns;  /* of a call: those of the callee, too, */
    uint32_t n_inside; /* which are so many */
    bool returns;
    uint32_t first, n; /* of its events, in their order */
    uint32_t first_way, n_ways;
    uint64_t bases; /* sd_flow_graph_end: whose events and births are there */
};

struct sd_flow_graph {
    struct sd_stretch *blocks;
    struct sd_event *events;
    struct sd_way *ways;
    struct sd_birth *births; /* by base */
    size_t n_blocks, n_events, n_ways, n_bases;
    size_t blocks_room, events_room, ways_room, births_room;
    struct sd_sum *ends; /* of certain stores, and where they begin; sorted */
    size_t n_ends, ends_room;
};

void sd_flow_graph_fini(struct sd_flow_graph *graph);

/* The graph is whole: notes which bases matter in which blocks, and which bytes
   certain stores cover. */
void sd_flow_graph_end(struct sd_flow_graph *graph);

/* The bits of a base, and of what holds it, in sd_stretch.bases. */
uint64_t sd_flow_graph_bits(const struct sd_flow_graph *graph, uint32_t base);

/* By base, then by offset. */
int sd_sum_compare(const void *x, const void *y);

/* How many bytes of an access, from byte number `byte` on, each certain store
   of the graph covers either all or none of. */
uint32_t sd_flow_graph_piece(const struct sd_flow_graph *graph,
                             const struct sd_event *event, uint32_t byte);

#endif
