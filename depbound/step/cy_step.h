/*
 * cy_step: an instruction of a program, and what each of its parts costs.
 *
 * The parts are those of struct flow: loads, the result, what is put into
 * registers, stores.  The machine file says what a part costs; else llvm-mca
 * does, and what neither knows is guessed, and the caller told.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "code/cy_code.h"
#include "mca/cy_mca.h"

/* An instruction as a machine file describes it. */
struct cy_operands {
    struct cy_insn insn; /* points to `form` and `name` */
    char form[16], name[32];
    bool is_same;         /* both of its source operands are one register */
    bool is_locked;       /* has a lock prefix, or exchanges with memory; on
                             AArch64, atomic or exclusive */
    bool is_fence;        /* a fence; on AArch64 also ldar, stlr and the like */
    bool moves_stack;     /* push, pop, call, ret, leave: updating the stack
                             pointer costs nothing */
    int64_t displacement; /* displacement of the memory operand's address */
    unsigned n_sum, sum;  /* number of words of the register that a product is
                             added to, and the first word */
    struct cy_access load, store; /* the first access of each kind */
};

void cy_operands_of(struct cy_operands *operands,
                    const struct cy_code_insn *insn);

enum cy_branch {
    CY_NO_BRANCH,
    CY_JUMP, /* a direct jump, always taken */
    CY_CONDITIONAL,
    CY_INDIRECT,
    CY_DIRECT_CALL,
    CY_INDIRECT_CALL,
    CY_RETURN
};

/* The kind of branch that an instruction at `address` is, by its code alone,
   and where a direct one leads. */
enum cy_branch cy_branch_at(enum arch arch, const uint8_t *code,
                            unsigned length, uint64_t address, uint64_t *to);

/* The kind of branch that an instruction is, by its code.  AArch64's ERET
   counts as none, since programs do not execute it. */
enum cy_branch cy_branch_of(const struct cy_code_insn *insn);

/* Is the instruction a system call, after which the kernel runs? */
bool cy_is_system_call(const struct cy_code_insn *insn);

/* An instruction, and what is known about it. */
struct cy_step {
    const struct cy_code_insn *insn;
    struct cy_operands operands;
    const struct cy_mca_insn *mca;
    struct flow_sources overwritten; /* registers that a call's callee writes */
};

/* Latencies of loads by llvm-mca, or guesses, in cycles. */
struct cy_load_latency {
    double general, vector;       /* a load that is an instruction of its own */
    double general_in, vector_in; /* a load in an arithmetic instruction */
    double rewrite; /* load and store of one instruction together */
};

/* The processor, as the machine file and llvm-mca know it. */
struct cy_model {
    const struct cy_machine *machine;
    struct cy_load_latency loads;
    double mca_width; /* width of llvm-mca's dispatch; 0: unknown */
    uint64_t adders;  /* llvm-mca's units for additions; 0: unknown */
};

/* Asks llvm-mca about loads and the dispatch.  `machine` and `mca` may be NULL;
   without `mca`, latencies of loads are guessed. */
int cy_model_of(struct cy_model *model, const struct cy_machine *machine,
                enum arch arch, struct cy_mca *mca, struct diag *d);

/* The width of the dispatch, in places a cycle. */
double cy_model_width(const struct cy_model *model);

/* Does the result not depend on operands, as when a register is xored with
   itself? */
bool cy_step_is_idiom(const struct cy_step *step,
                      const struct cy_machine *machine);

/* Cycles from an operand to the result, without the load of the instruction.
   `from` made the operand, unless it is NULL.  False: *cycles is a guess. */
bool cy_step_cycles(const struct cy_step *step, const struct cy_step *from,
                    const struct cy_model *model, double *cycles);

/* Cycles from the address of the step's load to its value. */
double cy_step_load_cycles(const struct cy_step *step,
                           const struct cy_model *model);

/* Is the step atomic, or a fence?  No two such steps overlap. */
static inline bool cy_step_orders(const struct cy_step *step)
{
    return step->operands.is_locked || step->operands.is_fence;
}

/* Cycles of each of many atomics or fences in a row; NAN: not known. */
double cy_step_order(const struct cy_step *step,
                     const struct cy_machine *machine);

/* Does everything after the step wait for everything before it, and *cycles
   more?  If so, cy_step_order is not NAN. */
bool cy_step_serializes(const struct cy_step *step,
                        const struct cy_machine *machine, double *cycles);

/* Cycles for which a locked step may already take its turn while steps before
   it retire.  (Zen 5: 24 to 100 instructions between two of them cost as
   much less than their places in the retirement.) */
#define CY_ORDER_EARLY 3.0

/* Work that the machine file knows better than llvm-mca: the instruction needs
   one of the first `units` units of a group. */
struct cy_work {
    bool is_vector; /* the group: of vector or of general registers */
    unsigned units; /* at most CY_MOST_OWN_UNITS */
    double cycles;  /* cycles for which the instruction needs a unit */
};
#define CY_MOST_OWN_UNITS 8

/* Cycles of each of many such instructions that llvm-mca's units allow: by the
   units for memory, or by the others. */
double cy_uses_cycles(const struct cy_mca_uses *uses, bool for_memory);

/* A step's work by the machine file.  `uses` is llvm-mca's answer about it.
   False: the file says nothing, or about the same as llvm-mca, whose units tell
   more, since kinds of instructions share them. */
bool cy_step_work(const struct cy_step *step, const struct cy_mca_uses *uses,
                  const struct cy_machine *machine, struct cy_work *work);

/* Does the instruction compute with what it loads? */
bool cy_flow_computes_with_load(const struct flow *flow);

/* Do registers keep what the step puts into them?  Not after a call: then they
   have what they had before, or, in `overwritten`, what the callee wrote. */
static inline bool cy_step_puts(const struct cy_step *step)
{
    return step->insn->flow.leave != FLOW_CALL;
}
