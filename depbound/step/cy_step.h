/*
 * cy_step: an instruction of a program, and what each of its parts costs.
 *
 * The parts are those of struct flow: loads, the result, what is put into
 * registers, stores.  The machine file says what a part costs; what it does not
 * say is llvm-mca's, and what neither knows is guessed, and the caller told.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_STEP_H
#define CY_STEP_H

#include "code/cy_code.h"
#include "machine/cy_machine.h"
#include "mca/cy_mca.h"

/* An instruction as a machine file describes it. */
struct cy_operands {
    struct cy_insn insn; /* its texts are `form` and the instruction's name */
    char form[16];
    bool is_same;         /* it reads one register as both of its operands */
    bool is_locked;       /* by a prefix, or as an exchange with memory; of
                             AArch64, atomic or exclusive */
    bool is_fence;        /* or of AArch64 an access that is one, too */
    bool moves_stack;     /* push, pop, call, ret, leave: the pointer costs
                             nothing */
    int64_t displacement; /* of its memory operand */
    unsigned n_sum, sum;  /* words of the register that it adds a product to,
                             and the first of them */
    struct cy_access load, store; /* of the first access of each kind */
};

void cy_operands_of(struct cy_operands *operands,
                    const struct cy_code_insn *insn);

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

/* An instruction, and what is known about it. */
struct cy_step {
    const struct cy_code_insn *insn;
    struct cy_operands operands;
    const struct cy_mca_insn *mca;
    struct flow_sources overwritten; /* registers, by what a call enters */
};

/* Latencies of loads by llvm-mca, or guesses, in cycles. */
struct cy_load_latency {
    double general, vector;       /* of a load alone */
    double general_in, vector_in; /* of one in an arithmetic instruction */
    double rewrite; /* of load and store of an instruction that does both */
};

/* The processor, as the machine file and llvm-mca know it. */
struct cy_model {
    const struct cy_machine *machine;
    struct cy_load_latency loads;
    double mca_width; /* of llvm-mca's dispatch; 0: unknown */
    uint64_t adders;  /* its units that add general registers; 0: unknown */
};

/* Asks llvm-mca about loads and the dispatch.  Either of `machine` and `mca`
   may be NULL; without `mca`, latencies of loads are guessed. */
int cy_model_of(struct cy_model *model, const struct cy_machine *machine,
                enum arch arch, struct cy_mca *mca, struct diag *d);

/* Places in the dispatch of a cycle. */
double cy_model_width(const struct cy_model *model);

/* Is the result a constant that does not depend on the operands? */
bool cy_step_is_idiom(const struct cy_step *step,
                      const struct cy_machine *machine);

/* Cycles from an operand to the result, without the load of the instruction.
   `from` made the operand, unless it is NULL.  False: they are guessed. */
bool cy_step_cycles(const struct cy_step *step, const struct cy_step *from,
                    const struct cy_model *model, double *cycles);

/* Cycles from the address of the step's load to its value. */
double cy_step_load_cycles(const struct cy_step *step,
                           const struct cy_model *model);

/* Is the step atomic, or a fence?  No two of these overlap. */
static inline bool cy_step_orders(const struct cy_step *step)
{
    return step->operands.is_locked || step->operands.is_fence;
}

/* Cycles that each of many steps that order takes; NAN: not known. */
double cy_step_order(const struct cy_step *step,
                     const struct cy_machine *machine);

/* Does everything after the step wait for everything before it, and *cycles
   more?  Then its order is known. */
bool cy_step_serializes(const struct cy_step *step,
                        const struct cy_machine *machine, double *cycles);

/* Cycles for which a locked step may already take its turn while steps before
   it retire.  (Zen 5: 24 to 100 instructions between two of them cost as
   much less than their places in the retirement.) */
#define CY_ORDER_EARLY 3.0

/* Work for units that the machine file knows better than llvm-mca: those of one
   group, of which an instruction of this kind needs one of the first. */
struct cy_work {
    bool is_vector; /* the group */
    unsigned units; /* at most CY_MOST_OWN_UNITS */
    double cycles;  /* for which it needs the unit */
};
#define CY_MOST_OWN_UNITS 8

/* Cycles that llvm-mca's units, either for memory or others, give each of many
   such instructions. */
double cy_uses_cycles(const struct cy_mca_uses *uses, bool for_memory);

/* `uses` is llvm-mca's answer about the step's instruction.  False: the file
   says nothing of it, or about the same, and llvm-mca's units are better, since
   they tell which kinds share them. */
bool cy_step_work(const struct cy_step *step, const struct cy_mca_uses *uses,
                  const struct cy_machine *machine, struct cy_work *work);

/* Does the instruction compute with what it loads? */
bool cy_flow_computes_with_load(const struct flow *flow);

/* Do the registers have what the step puts into them once it is over?  After a
   call they have what its callee left: other than in `overwritten`, what they
   had before. */
static inline bool cy_step_puts(const struct cy_step *step)
{
    return step->insn->flow.leave != FLOW_CALL;
}

#endif
