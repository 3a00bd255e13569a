/*
 * sd_splice: what happens between two iterations of a block -> its code.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_SPLICE_H
#define SD_SPLICE_H

#include "lift/sd_lift.h"
#include "run/sd_trace.h"
#include "flow/sd_path.h"

struct sd_splice {
    struct sd_path way;
    enum sd_arch arch;
    const struct sd_initial *initial;
    struct sd_abi abi;
    uint32_t limit; /* instructions that a way may have */
};

void sd_splice_init(struct sd_splice *between, enum sd_arch arch,
                    uint32_t limit);
void sd_splice_fini(struct sd_splice *between);

/* Appends it to the code of the block, whose own instructions are all there:
   nothing, if the block can follow itself; the shortest way back to it; or, if
   there is none or it cannot be run, that all registers hold something else. */
void sd_splice_add(struct sd_splice *between, struct sd_trace *code,
                   struct sd_node *node);

#endif
