/*
 * sd_reach: which stores may reach which loads, along the ways of a graph.
 *
 * Reaching definitions (Kildall, A Unified Approach to Global Program
 * Optimization, POPL 1973; Aho, Lam, Sethi, Ullman, Compilers, 2nd edition,
 * 9.2.4), one store at a time: from it on, ways are followed in the order of
 * their lengths (Dijkstra, A Note on Two Problems in Connexion with Graphs,
 * 1959), until another store covers its place, or the way is too long.  So each
 * load is found over the shortest way to it.
 *
 * A place is a base and an offset.  A base is some number that the program has,
 * and it is born again where that number may become another one; what was
 * stored there is lost then.  Places of two bases never meet.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_REACH_H
#define SD_REACH_H

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
};

void sd_flow_graph_fini(struct sd_flow_graph *graph);

/* The graph is whole: notes which bases matter in which blocks. */
void sd_flow_graph_end(struct sd_flow_graph *graph);

/* Is told of a pair: two events, and how many instructions lie between them.
   Without a load: of a way from the store to a return. */
typedef void sd_reach_found(void *argument, const struct sd_event *store,
                            const struct sd_event *load, uint32_t distance);

struct sd_reaching {
    const struct sd_flow_graph *graph;
    sd_reach_found *found;
    void *argument;
    const struct sd_event *store; /* the current one, */
    uint64_t bases;               /* and which bases matter to it */
    uint32_t most_insns;          /* between the two */
    bool sees_returns;            /* they are told of */
    uint64_t left;                /* blocks that may still be looked at */
    uint64_t n_looks;             /* at events so far */
    struct sd_reached *queue;     /* blocks to be looked at */
    uint32_t *heads;              /* by distance: the first of them, plus 1 */
    size_t n_queue, queue_room;
    uint32_t *seen; /* by block: the number of the store */
    size_t seen_room;
    uint32_t n_stores;
    struct sd_sum *loaded; /* units of 8 bytes; sorted */
    size_t n_loaded, loaded_room;
};

void sd_reach_init(struct sd_reaching *reach, uint32_t most_insns);
void sd_reach_fini(struct sd_reaching *reach);

/* Looks at all stores.  False: `most_blocks`, to look at, were too few. */
bool sd_reach_run(struct sd_reaching *reach, const struct sd_flow_graph *graph,
                  uint64_t most_blocks, sd_reach_found *found, void *argument);

/* The same, for what lies at an event's place when the function is entered; or
   for nothing at all, to which no store comes. */
bool sd_reach_enter(struct sd_reaching *reach,
                    const struct sd_flow_graph *graph, uint64_t most_blocks,
                    const struct sd_event *event, sd_reach_found *found,
                    void *argument);

#endif
