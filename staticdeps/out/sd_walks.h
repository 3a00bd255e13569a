/*
 * sd_walks: walks functions in worker processes (sd_pool), and collects pairs
 * and their support.
 *
 * The results of a function's walks depend only on the function and the seed,
 * and are collected in the order of functions; so the number of workers changes
 * nothing.
 *
 * Memory: about 3 bytes for each walk and block that it visited, 43 to 85 for
 * each pair of all functions, 40 more if it may have a vector, and 2 for each
 * instruction; in a worker, the lifted code that sd_chunk keeps.  Memory and
 * time grow with the code and the effort.  In a hostile file, walks of the
 * first functions may reach a limit; the other functions are then left out, and
 * counted.  The limit is 1.5 times what the largest program tried needs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "program/sd_program.h"
#include "link/sd_link.h"
#include "out/sd_db.h"
#include "out/sd_pool.h"
#include "out/sd_report.h"
#include "walk/sd_explore.h"
#include "walk/sd_support.h"

/* The walks from one routine as a root. */
struct sd_walked {
    uint64_t n_walks, n_insns; /* n_insns: executed in all walks */
};

struct sd_walks {
    struct sd_support support;
    struct sd_pairs flows; /* pairs that no walk of their function shows */
    struct sd_agreements vectors;
    struct sd_walked *walked; /* indexed by routine */
    uint16_t *access_notes;   /* indexed by site */
    uint64_t n_insns;         /* instructions executed in all walks */
    size_t n_added;           /* routines that were not left out */
    uint64_t n_cut;           /* routines whose data flow was cut short */
};

/* Walks from n routines, in at most `jobs` workers.  If a worker ran out of
   memory, it has reported that itself, and *d is empty.  The caller calls
   sd_walks_fini(), also after a failure. */
int sd_walks_run(struct sd_walks *walks, const struct sd_program *program,
                 const uint32_t *routines, size_t n,
                 const struct sd_effort *effort, uint64_t seed, unsigned jobs,
                 struct sd_progress *progress, struct diag *d);
void sd_walks_fini(struct sd_walks *walks);

/* The input of sd_found_each(); all of it belongs to the caller. */
struct sd_finding {
    const struct sd_link *link;
    const struct sd_program *program;
    struct sd_walks *walks;
    const int64_t *block_ids; /* by block: the number in the database */
    bool is_narrow;           /* only pairs within one function */
};

/* Takes a pair; it and its levels are valid only during the call. */
typedef int sd_found_take(void *context, const struct sd_predicted *pair,
                          struct diag *d);

/* Calls `take` with each pair that has support and both ends in wanted blocks,
   sorted by the store's block and address, then the load's.  The first result
   of `take` other than 0 ends the calls, and is returned. */
int sd_found_each(const struct sd_finding *finding, sd_found_take *take,
                  void *context, struct diag *d);
