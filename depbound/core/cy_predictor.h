/*
 * cy_predictor: which branch an instruction is, and a predictor as processors
 * have it.
 *
 * Conditional branches go by TAGE (Seznec and Michaud, "A case for (partially)
 * tagged geometric history length branch prediction", JILP 2006): tables of
 * counters, each with a tag and a longer history of branches than the one
 * before; the longest history that is known predicts.  Loops with a steady
 * number of rounds have a table of their own (Seznec's loop predictor).  Other
 * targets go by the last one after the longest history that is known (as in
 * Seznec's ITTAGE, 2011).  Returns are taken for predicted: processors have a
 * stack for them.
 *
 * Limits: it sees the branches of windows alone, so a branch that is seldom
 * executed is learnt late.  Sizes are those of no certain processor.  A return
 * to elsewhere than its call costs nothing, nor one from deeper than the stack.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_PREDICTOR_H
#define CY_PREDICTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "code/cy_code.h"

enum cy_branch {
    CY_NO_BRANCH,
    CY_JUMP, /* always to one place */
    CY_CONDITIONAL,
    CY_INDIRECT,
    CY_DIRECT_CALL,
    CY_INDIRECT_CALL,
    CY_RETURN
};

/* Which branch an instruction is, by its code.  AArch64's ERET counts as none;
   programs do not execute it. */
enum cy_branch cy_branch_of(const struct cy_code_insn *insn);

/* Does the kernel run instead? */
bool cy_is_system_call(const struct cy_code_insn *insn);

struct cy_predictor;

/* `longest`: the most rounds of a loop whose exit is predicted, if it always
   has as many. */
struct cy_predictor *cy_predictor_new(unsigned longest);
void cy_predictor_free(struct cy_predictor *p);

/* What was executed before is not known. */
void cy_predictor_restart(struct cy_predictor *p);

/* A branch at `address` went to `to`; what follows it in the code is at `next`.
   Is that as predicted?  Learns it. */
bool cy_predictor_branch(struct cy_predictor *p, enum cy_branch kind,
                         uint64_t address, uint64_t next, uint64_t to);

#endif
