/*
 * sd_splice: appends the back path of a block to its trace.
 *
 * Registers become unknown if a callee may change them, or if a loop on the
 * path writes them, because its number of iterations is unknown.  Only the last
 * iteration of such a loop is run, as far as it is on the path; the stack
 * pointer is assumed to be the same after each iteration.
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
    enum arch arch;
    const struct sd_initial *initial;
    struct sd_abi abi;
    uint32_t limit; /* the most instructions of a path */
};

void sd_splice_init(struct sd_splice *splice, enum arch arch, uint32_t limit);
void sd_splice_fini(struct sd_splice *splice);

/* Appends the back path to the trace of a whole block: nothing if the block can
   follow itself, or else the shortest path.  If there is none, or it cannot be
   run, all registers become unknown. */
void sd_splice_add(struct sd_splice *splice, struct sd_trace *trace,
                   struct sd_node *node);

#endif
