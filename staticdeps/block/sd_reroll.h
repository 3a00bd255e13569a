/*
 * sd_reroll: turns the pairs of an unrolled block into dependencies: (src, dst,
 * delta_k, support).
 *
 * A pair found in iteration k of its reader counts once for that iteration.
 * The support of a pair is its count, divided by the number of iterations in
 * which both ends exist: K - delta_k of K iterations.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "interpret/sd_memory.h"

/* Instructions are numbered from 0 within their block. */
struct sd_dep {
    uint32_t src, dst;
    uint32_t delta_k;
    double support; /* in [0, 1] */
    struct sd_overlap overlap;
};

struct sd_pair {
    uint32_t src, dst, delta_k;
    uint32_t count; /* iterations of dst that show the pair */
    uint32_t last;  /* the last iteration of dst that shows the pair */
    struct sd_overlap overlap;
};

/* A structure of zeros is empty. */
struct sd_reroll {
    struct keys keys;      /* keys of the pairs of the current run */
    struct sd_pair *pairs; /* indexed by the number of the key */
    size_t room;
    struct sd_dep *deps; /* dependencies that all runs up to now keep */
    size_t n_deps, deps_room;
    bool is_later; /* a run has ended */
};

void sd_reroll_fini(struct sd_reroll *reroll);

/* Begins a block: removes the dependencies of the last one. */
void sd_reroll_begin(struct sd_reroll *reroll);

/* Adds that iteration `k` of dst read what iteration k - delta_k of src wrote.
   Within a run, the iterations of a dst must come in order. */
void sd_reroll_add(struct sd_reroll *reroll, uint32_t src, uint32_t dst,
                   uint32_t delta_k, uint32_t k, struct sd_overlap overlap);

/* Counts the pairs of iteration `last` also for all later iterations up to
   `n_iterations`. */
void sd_reroll_repeat(struct sd_reroll *reroll, uint32_t last,
                      uint32_t n_iterations);

/* Ends a run of `n_iterations`: keeps the dependencies whose support reaches
   the threshold in this run and all before.  The support of a dependency is its
   smallest in all runs, and its overlap joins those of all runs.  The
   dependencies are sorted by src, dst and delta_k. */
void sd_reroll_end_run(struct sd_reroll *reroll, uint32_t n_iterations,
                       double threshold);
