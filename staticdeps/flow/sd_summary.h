/*
 * sd_summary: what a block or a loop writes as a whole.
 *
 * A summary is computed on its first use, and kept as long as the graph.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_SUMMARY_H
#define SD_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lift/sd_lift.h"

struct sd_loops;
struct sd_node;

struct sd_summary {
    bool is_known;    /* the other fields are set */
    bool is_liftable; /* all its instructions can be lifted */
    struct sd_regset writes;
};

/* The summaries of a graph. */
struct sd_summaries {
    enum sd_arch arch;
    struct sd_abi abi;
    struct sd_summary *blocks; /* by node */
    struct sd_summary *loops;
    size_t n_blocks, n_loops;
};

void sd_summaries_init(struct sd_summaries *summaries, enum sd_arch arch,
                       size_t n_blocks, size_t n_loops);
void sd_summaries_fini(struct sd_summaries *summaries);

/* A block may write what its instructions do and, if it ends with a call, what
   the callee may. */
const struct sd_summary *
sd_summary_of_block(const struct sd_summaries *summaries,
                    const struct sd_node *node);

/* A loop may write what its blocks do.  The stack pointer is assumed to be the
   same in each iteration. */
const struct sd_summary *
sd_summary_of_loop(const struct sd_summaries *summaries,
                   const struct sd_loops *loops, uint32_t number);

#endif
