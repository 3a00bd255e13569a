/*
 * sd_between: what happens between two iterations of a block -> its code.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_BETWEEN_H
#define SD_BETWEEN_H

#include "sd_lift.h"
#include "sd_way.h"

struct sd_between {
    struct sd_way way;
    enum sd_arch arch;
    const struct sd_initial *initial;
    struct sd_abi abi;
    uint32_t limit; /* instructions that a way may have */
};

void sd_between_init(struct sd_between *between, enum sd_arch arch,
                     uint32_t limit);
void sd_between_fini(struct sd_between *between);

/* Appends it to the code of the block, whose own instructions are all there:
   nothing, if the block can follow itself; the shortest way back to it; or, if
   there is none or it cannot be run, that all registers hold something else. */
void sd_between_add(struct sd_between *between, struct sd_code *code,
                    struct sd_node *node);

#endif
