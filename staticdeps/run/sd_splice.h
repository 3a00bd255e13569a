/*
 * sd_splice: the back path of a block -> operations at the end of its trace.
 *
 * Registers become unknown that a callee may change, or that a loop on the path
 * writes, since its number of iterations is unknown.  Of such a loop, only the
 * last iteration is run, as far as it is on the path; the stack pointer is
 * taken to be the same after each iteration.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_SPLICE_H
#define SD_SPLICE_H

#include "lift/sd_lift.h"
#include "run/sd_trace.h"
#include "flow/sd_path.h"

struct sd_splice {
    struct sd_path path;
    enum sd_arch arch;
    const struct sd_initial *initial;
    struct sd_abi abi;
    uint32_t limit; /* instructions that a path may have */
};

void sd_splice_init(struct sd_splice *splice, enum sd_arch arch,
                    uint32_t limit);
void sd_splice_fini(struct sd_splice *splice);

/* Appends the back path to the trace of a whole block: nothing, if the block
   can follow itself; the shortest path; or, if there is none or it cannot be
   run, that all registers become unknown. */
void sd_splice_add(struct sd_splice *splice, struct sd_trace *trace,
                   struct sd_node *node);

#endif
