/*
 * sd_reach: which stores may reach which loads, along the ways of a graph.
 *
 * Reaching definitions (Kildall, A Unified Approach to Global Program
 * Optimization, POPL 1973; Aho, Lam, Sethi, Ullman, Compilers, 2nd edition,
 * 9.2.4), one store at a time: from it on, ways are followed in the order of
 * their lengths (Dijkstra, A Note on Two Problems in Connexion with Graphs,
 * 1959), until another store covers its place, or the way is too long.  So each
 * load is found over the shortest way to it.  A store that others cover in part
 * is followed in pieces, none of which is.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_REACH_H
#define SD_REACH_H

#include "reach/sd_touched.h"

/* Is told of a pair: two events, and how many instructions lie between them.
   Without a load: of a way from the store to a return. */
typedef void sd_reach_found(void *argument, const struct sd_event *store,
                            const struct sd_event *load, uint32_t distance);

struct sd_reaching {
    const struct sd_flow_graph *graph;
    sd_reach_found *found;
    void *argument;
    const struct sd_event *store; /* the current one, */
    struct sd_sum place;          /* the piece of it that is followed, */
    uint32_t size;                /* of so many bytes, */
    uint64_t bases;               /* and which bases matter to it */
    uint32_t most_insns;          /* between the two */
    bool sees_returns;            /* they are told of */
    bool follows_all;             /* stores that no load of the graph reads */
    uint64_t left;                /* blocks that may still be looked at */
    uint64_t n_looks;             /* at events so far */
    struct sd_reached *queue;     /* blocks to be looked at */
    uint32_t *heads;              /* by distance: the first of them, plus 1 */
    size_t n_queue, queue_room;
    size_t n_waiting; /* of them, those not looked at yet */
    uint32_t *seen;   /* by block: the number of the store */
    size_t seen_room;
    uint32_t n_stores;
    struct sd_touched loaded;
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
