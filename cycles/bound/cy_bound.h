/*
 * cy_bound: what one round of a loop takes at least, and why.
 *
 * The nodes of the graph are values: what a load gives, what an instruction
 * computes or moves, what a store puts into memory.  An edge is a wait: for a
 * register, for an address, or through memory from a store to a load.  The
 * critical cycle with the edges through registers alone, and with those through
 * memory, gives two bounds; what the units need is the third.  The load of an
 * instruction that also computes is a node of its own, so that its other
 * operands only wait for the computation.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_BOUND_H
#define CY_BOUND_H

#include "bound/cy_operands.h"
#include "mca/cy_mca.h"

/* What is known of an instruction of the loop. */
struct cy_step {
    const struct cy_code_insn *insn;
    struct cy_operands operands;
    struct cy_mca_insn mca;
};

/* A dependency through memory: the load reads what the store wrote `rounds`
   rounds before. */
struct cy_memory_edge {
    uint32_t store, load; /* steps */
    uint32_t rounds;
    double support;   /* of the prediction; observed: 1 */
    bool is_in_run;   /* the store is always one of the same run of the loop */
    bool is_observed; /* how its bytes lie was observed: */
    enum cy_relation relation;
};

/* What no machine file says: latencies of loads, in cycles. */
struct cy_load_latency {
    double general, vector;       /* of a load alone */
    double general_in, vector_in; /* of one in an arithmetic instruction */
    double rewrite; /* of load and store of an instruction that does both */
};

enum cy_wait {
    CY_WAIT_REGISTER, /* an instruction for an operand */
    CY_WAIT_ADDRESS,  /* a load for its address */
    CY_WAIT_MEMORY,   /* a load for a store */
    CY_WAIT_DATA      /* a store for what it stores */
};

/* An edge of the critical cycle. */
struct cy_link {
    uint32_t from, to; /* steps */
    enum cy_wait wait;
    uint32_t rounds;
    double cycles;
    enum cy_how how; /* through memory */
    double support;  /* of that dependency */
    struct cy_forward {
        enum cy_relation relation;
        bool is_observed; /* else predicted by the operands */
        bool is_in_run;   /* as the edge has it */
        uint32_t store;   /* that has the bytes */
        uint32_t rounds;  /* from the store to the load */
    } forward; /* through memory: how the bytes lie.  If it fails, `from` may be
                  an earlier load instead of the store. */
};

/* A forward that fails. */
struct cy_failed {
    uint32_t store, load, rounds;
    double cycles, support;
    struct cy_forward forward;
};

struct cy_chain {
    double cycles; /* for each round */
    struct cy_link *links;
    size_t n;
};

struct cy_bound {
    struct cy_chain registers; /* without edges through memory */
    struct cy_chain memory;    /* with them */
    struct cy_link *all;       /* all waits, on these chains or not */
    size_t n_all;
    unsigned n_unknown_flow; /* instructions that VEX does not know, or whose
                                flow is cut */
    unsigned n_unknown_cost; /* instructions whose latency is guessed */
    struct cy_failed *failed;
    unsigned n_failed;
};

/* Bounds of a loop of n steps.  `machine` may be NULL. */
void cy_bound_of(struct cy_bound *bound, const struct cy_step *steps,
                 uint32_t n, const struct cy_memory_edge *edges, size_t n_edges,
                 const struct cy_machine *machine,
                 const struct cy_load_latency *loads);
void cy_bound_fini(struct cy_bound *bound);

#endif
