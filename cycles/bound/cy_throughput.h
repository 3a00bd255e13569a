/*
 * cy_throughput: what the units and the dispatch need for a round of a loop.
 *
 * llvm-mca's models of some processors allow too few loads and stores at once,
 * and few know which instructions fuse with the jump after them.  If its answer
 * comes from units for memory, or from the dispatch, measured figures replace
 * it; all other units are llvm-mca's.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_THROUGHPUT_H
#define CY_THROUGHPUT_H

#include "bound/cy_bound.h"

/* In cycles.  Without a machine, or if its file does not know how many accesses
   of the loop's kinds go at once, it is llvm-mca's own. */
double cy_throughput(const struct cy_mca_region *region,
                     const struct cy_step *steps, uint32_t n,
                     const struct cy_machine *machine);

#endif
