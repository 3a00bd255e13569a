/*
 * sd_walks: the walks of functions, in worker processes (sd_pool) -> pairs with
 * their support.
 *
 * What a function's walks show depends on the function and the seed alone, and
 * the results are put together in the functions' order; so the number of
 * workers changes nothing.
 *
 * Memory: 3 bytes or so for each walk and block that it came to, 43 to 85 for
 * each pair, of all functions, 40 for one that may have a vector, and 2 for
 * each instruction; in a worker, the lifted code that sd_chunk keeps.  That and
 * the time grow with the code and the effort: for a file of many functions that
 * are made to last, the walks of the first are enough, and the others are left
 * out, and counted. The limit is half as much again as the largest of our
 * programs took.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_WALKS_H
#define SD_WALKS_H

#include "diag.h"
#include "flow/sd_program.h"
#include "out/sd_progress.h"
#include "walk/sd_explore.h"
#include "walk/sd_support.h"

/* What was walked from one routine as a root. */
struct sd_walked {
    uint64_t n_walks, n_insns; /* in all of them */
};

struct sd_walks {
    struct sd_support support;
    struct sd_pairs flows; /* that no walk of their function shows */
    struct sd_agreements vectors;
    struct sd_walked *walked; /* by routine */
    uint16_t *marks;          /* by site */
    uint64_t n_insns;         /* in all walks */
    size_t n_added;           /* routines whose walks were not left out */
    uint64_t n_cut;           /* whose flow was not followed to its end */
};

/* Walks from n routines, in at most `jobs` workers.  If a worker ran out of
   memory, it has said so itself, and *d is empty.  The caller ends *walks,
   whatever is returned. */
int sd_walks_run(struct sd_walks *walks, const struct sd_program *program,
                 const uint32_t *routines, size_t n,
                 const struct sd_effort *effort, uint64_t seed, unsigned jobs,
                 struct sd_progress *progress, struct diag *d);
void sd_walks_fini(struct sd_walks *walks);

#endif
