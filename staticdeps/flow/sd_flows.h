/*
 * sd_flows: finds pairs of a function that no walk shows, but that its data
 * flow allows.
 *
 * Walks take few of the paths through a function.  A walk that came to the
 * store and later to the load, and did not show the pair, makes the pair
 * unlikely; a walk that came to the load first says nothing about the pair.
 * sd_support_after() decides this from all walks.  Pairs that the first walks
 * of the function make unlikely are left out here, or a long block would have a
 * pair for any two of its accesses.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "flow/sd_places.h"
#include "walk/sd_explore.h"

/* The support of a pair that no walk shows, and no walk makes unlikely:
   Laplace's rule of succession, (0 + 1) / (0 + 2). */
#define SD_FLOW_SUPPORT 0.5

#define SD_FLOW_DEPTH 2 /* levels of calls whose accesses are found */

/* The impacts of all functions, each found at the first request for it.

   Impacts are summaries of what functions may do (Sharir, Pnueli, Two
   Approaches to Interprocedural Data Flow Analysis, 1981: the functional
   approach).  A summary includes those of the callees if their table is known,
   so calls are followed to a fixed depth, and recursion needs no fixpoint.

   If only pairs within one function are wanted, pairs of a callee lie between
   two of its calls, so only what the callee both stores and loads matters.

   Impacts have places that the caller can name: constant addresses, distances
   from registers at the entry, and from what memory holds at such places.

   Limits: of a function with many accesses, only the nearest are kept. */
struct sd_impact_table {
    struct sd_places places;
    struct sd_reaching reach;
    struct sd_touched stored; /* if is_narrow: the current function's stores */
    struct sd_impacts *impacts; /* indexed by routine */
    bool is_narrow;             /* only what is both stored and loaded counts */
};

void sd_impacts_init(struct sd_impact_table *table,
                     const struct sd_program *program, struct sd_chunks *chunks,
                     bool is_narrow);
void sd_impacts_fini(struct sd_impact_table *table);

/* The impacts of a routine; the argument is a struct sd_impact_table. */
sd_find_impacts sd_impacts_of;

struct sd_flows {
    struct sd_walk_pair *list; /* pairs of the latest function; sorted */
    size_t n, room;
    bool is_complete; /* false: the function was too large to find all pairs */

    struct sd_impact_table impacts[SD_FLOW_DEPTH]; /* by depth of calls below */
    struct sd_places places;
    struct sd_reaching reach;
    struct sd_pairs pairs;          /* pairs of the current function */
    struct sd_first_visits *visits; /* by block: the first walks there */
    uint32_t src;                   /* the site of the store asked for last */
    uint32_t src_block;             /* the block of src */
};

/* Prepares for pairs within a function and its callees or, if the effort is
   narrow, pairs within the function, and between two calls of one callee. */
void sd_flows_init(struct sd_flows *flows, const struct sd_explorer *e);
void sd_flows_fini(struct sd_flows *flows);

/* Finds the pairs of the routine that *e has walked last, with its parts. */
void sd_flows_of(struct sd_flows *flows, uint32_t routine,
                 const struct sd_explorer *e);
