/*
 * cy_operands: an instruction as a machine file describes it: its operands, and
 * how it addresses memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_OPERANDS_H
#define CY_OPERANDS_H

#include "code/cy_code.h"
#include "machine/cy_machine.h"

struct cy_operands {
    struct cy_insn insn; /* its texts belong to this or to the instruction */
    char form[16];
    bool is_same;         /* it reads one register as both of its operands */
    bool moves_stack;     /* push, pop, call, ret, leave: the pointer costs
                             nothing */
    int64_t displacement; /* of its memory operand */
    struct cy_access load, store; /* of the first access of each kind */
};

void cy_operands_of(struct cy_operands *operands,
                    const struct cy_code_insn *insn);

#endif
