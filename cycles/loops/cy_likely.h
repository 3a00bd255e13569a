/*
 * cy_likely: which way a branch in a loop goes, when nothing was executed.
 *
 * The first rule that applies decides, as in Ball and Larus: Branch prediction
 * for free, PLDI 1993.  Ways that leave the loop are not asked about here.
 *
 * Limits: what only data decide, no rule knows, and of branches both of whose
 * ways stay in a loop many are such.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_LIKELY_H
#define CY_LIKELY_H

#include "code/cy_code.h"

struct cy_likely;

struct cy_likely *cy_likely_new(const struct cy_data *data,
                                struct cy_code *code);
/* Accepts NULL. */
void cy_likely_free(struct cy_likely *likely);

/* Is the jump at the end of a block likely to be taken?  `follows` is the block
   after it, `target` that to which it leads. */
bool cy_likely_jumps(struct cy_likely *likely, uint32_t block, uint32_t follows,
                     uint32_t target);

#endif
