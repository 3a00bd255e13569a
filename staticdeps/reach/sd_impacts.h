/*
 * sd_impacts: what a function loads that it finds, and what it stores that it
 * leaves, in terms of what its caller hands over.
 *
 * Summaries of functions (Sharir, Pnueli, Two Approaches to Interprocedural
 * Data Flow Analysis, 1981: the functional approach), of what they may do.
 * What their callees do is part of it, if the table of the callees' summaries
 * is known; so calls are followed to a depth, and recursion needs no fixpoint.
 *
 * If only pairs within one function are wanted, they are of two calls of it, so
 * only what it both stores and loads is of interest.
 *
 * Places are those that the caller can name: constant addresses, distances from
 * registers at the entry, and what lies there.  A function with many accesses
 * has only the nearest.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_IMPACTS_H
#define SD_IMPACTS_H

#include "reach/sd_places.h"

#define SD_MOST_STEPS 4

/* A load of what was there at the entry, or a store that is there at a return.
   Its place: from the root, offset[0] is added; then so often what lies there
   is loaded, and the next offset added. */
struct sd_impact {
    int64_t offsets[SD_MOST_STEPS];
    uint32_t
        root; /* SD_ABSOLUTE, or SD_FIRST_ENTRY and a register's variable */
    uint32_t n_steps;
    uint32_t site, size;
    uint32_t n_insns; /* from the entry to it, or from it to the return */
    bool is_store;
};

struct sd_impacts {
    struct sd_impact *list; /* loads, then stores; the nearest first */
    uint32_t n;
    uint32_t n_insns;      /* on the shortest way through the function */
    bool is_known, is_cut; /* it is too large, or does too much, for all */
};

/* Of all functions, found when they are first asked for. */
struct sd_impact_table {
    struct sd_places places;
    struct sd_reaching reach;
    struct sd_touched stored;   /* by the current function, if it matters */
    struct sd_impacts *impacts; /* by routine */
    bool is_narrow; /* only of what a function both stores and loads */
};

void sd_impacts_init(struct sd_impact_table *table,
                     const struct sd_program *program, struct sd_chunks *chunks,
                     bool is_narrow);
void sd_impacts_fini(struct sd_impact_table *table);

const struct sd_impacts *sd_impacts_of(struct sd_impact_table *table,
                                       uint32_t routine);

#endif
