/*
 * cy_bound: what one round of a loop takes at least, and why.
 *
 * The nodes of a graph are values: what a load gives, what an instruction
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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/cy_machine.h"

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

#endif
