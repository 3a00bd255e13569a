/*
 * internal: the parts of cy_operands, by architecture.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_STEP_INTERNAL_H
#define CY_STEP_INTERNAL_H

#include "step/cy_step.h"

void cy_operands_a64(struct cy_operands *operands,
                     const struct cy_code_insn *insn);

#endif
