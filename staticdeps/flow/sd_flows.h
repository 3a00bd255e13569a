/*
 * sd_flows: a function -> pairs that no walk shows, but its flow of data
 * allows.
 *
 * Walks take few of the ways through a function.  A walk that came to the store
 * and later to the load, and did not show the pair, makes the pair unlikely; a
 * walk that came to the load first says nothing about it.  sd_support_after()
 * decides that from all walks.  Pairs that the function's own first walks make
 * unlikely are left out here, or a long block would have a pair for any two of
 * its accesses.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_FLOWS_H
#define SD_FLOWS_H

#include "flow/sd_places.h"
#include "walk/sd_explore.h"
#include "walk/sd_support.h"

/* The support of a pair that no walk shows, and none makes unlikely: Laplace's
   rule of succession, (0 + 1) / (0 + 2). */
#define SD_FLOW_SUPPORT 0.5

#define SD_FLOW_DEPTH 2 /* levels of calls whose accesses are seen */

/* The impacts of all functions, each found at the first request.

   These are summaries of functions (Sharir, Pnueli, Two Approaches to
   Interprocedural Data Flow Analysis, 1981: the functional approach), of what
   they may do.  A summary includes the callees' if their table is known, so
   calls are followed to a fixed depth, and recursion needs no fixpoint.

   If only pairs within one function are wanted, they lie between two calls of
   it, so only what it both stores and loads matters.

   Places are those that the caller can name: constant addresses, distances from
   registers at the entry, and what lies there.

   Limits: of a function with many accesses, only the nearest are kept. */
struct sd_impact_table {
    struct sd_places places;
    struct sd_reaching reach;
    struct sd_touched stored;   /* by the current function, if is_narrow */
    struct sd_impacts *impacts; /* by routine */
    bool is_narrow; /* only what a function both stores and loads counts */
};

void sd_impacts_init(struct sd_impact_table *table,
                     const struct sd_program *program, struct sd_chunks *chunks,
                     bool is_narrow);
void sd_impacts_fini(struct sd_impact_table *table);

/* The impacts of a routine: an sd_find_impacts of a struct sd_impact_table. */
sd_find_impacts sd_impacts_of;

struct sd_flows {
    struct sd_walk_pair *list; /* pairs of the last function; sorted */
    size_t n, room;
    bool is_complete; /* false: the function was too large to find all */

    struct sd_impact_table impacts[SD_FLOW_DEPTH]; /* by the calls below */
    struct sd_places places;
    struct sd_reaching reach;
    struct sd_pairs pairs;          /* of the current function */
    struct sd_first_visits *visits; /* by block */
    uint32_t src;                   /* the site of the last store, */
    uint32_t src_block;             /* and its block */
};

/* Finds pairs within a function and the functions that it calls; or, if the
   effort is narrow, within it, and between two calls of one callee. */
void sd_flows_init(struct sd_flows *flows, const struct sd_explorer *e);
void sd_flows_fini(struct sd_flows *flows);

/* Finds the pairs of a routine, with its parts, that *e has walked last. */
void sd_flows_of(struct sd_flows *flows, uint32_t routine,
                 const struct sd_explorer *e);

#endif
