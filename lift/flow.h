/*
 * flow: how values flow through one instruction: which registers and loads
 * each of its results depends on.
 *
 * VEX's IR knows what an instruction reads and writes; a disassembler also
 * lists registers that have no effect.  Registers are words of 8 bytes of VEX's
 * guest state, so that the two halves of a vector are apart.
 *
 * Sums in 32 bits count as sums in 64 bits, as if none exceeded them.
 *
 * Limits: x87 is one register, since which one is meant depends on earlier
 * instructions: two chains side by side count as one, which is too long.  If an
 * instruction writes some of the flags, the others are forgotten.  A string
 * instruction with a rep prefix counts as one of its elements.  Instructions
 * that VEX does not know, such as AArch64's SVE, are not known.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef LIFT_FLOW_H
#define LIFT_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "lift/guest.h"

#define CY_WORDS       128 /* of the guest state */
#define CY_MOST_LOADS  4
#define CY_MOST_STORES 4
#define CY_MOST_PUTS   32 /* vzeroupper clears the upper parts of 16 */

#define CY_NOWHERE UINT64_MAX /* object files have code at 0 */

/* What a value is made of. */
struct cy_sources {
    uint64_t words[CY_WORDS / 64]; /* registers */
    uint8_t loads;                 /* bit i: load number i */
    bool is_computed;              /* not only moved */
};

/* A number as a constant and a few registers, each times a factor. */
#define CY_MOST_TERMS 3
struct cy_sum {
    bool is_known; /* false: it is no such sum */
    uint8_t n;     /* terms; registers differ, factors are not 0 */
    uint8_t words[CY_MOST_TERMS];
    int8_t factors[CY_MOST_TERMS];
    uint64_t constant;
};

struct cy_flow_access {
    struct cy_sources address, data; /* data: of a store */
    struct cy_sum place;             /* the address */
    uint8_t size;                    /* in bytes */
};

/* A register that is written. */
struct cy_put {
    uint8_t word;
    bool is_free;    /* the value is kept, which costs nothing */
    bool is_base;    /* the register of an access's address, which the access
                        moves by a constant (AArch64's writeback) */
    bool keeps_rest; /* a part is written, by what does not read the rest */
    struct cy_sources value;
    struct cy_sum sum; /* the value, if the whole word is written */
};

/* Where control goes after an instruction. */
enum cy_leave {
    CY_GOES_ON, /* to the next instruction, or to `taken` */
    CY_CALL,
    CY_TO_CALLER, /* returns */
    CY_AWAY       /* indirect jumps, traps */
};

struct cy_flow {
    bool is_known; /* false: VEX does not know the instruction */
    uint8_t length;
    uint8_t n_loads, n_stores, n_puts;
    bool is_cut;    /* it has more accesses or writes than there is room for */
    bool has_parts; /* each access is of a register of its own (AArch64's pairs
                       and structures) */
    struct cy_flow_access loads[CY_MOST_LOADS], stores[CY_MOST_STORES];
    struct cy_put puts[CY_MOST_PUTS];
    enum cy_leave leave;
    bool falls_through;    /* control may go on after it */
    struct cy_sources way; /* what decides where control goes */
    uint64_t taken;        /* the target of a direct jump, or CY_NOWHERE */
    uint64_t called;       /* that of a direct call, or CY_NOWHERE */
};

/* Finds how values flow through an instruction of at most 15 bytes at
   `address`. */
void cy_flow_of(struct cy_flow *flow, enum arch arch, const uint8_t *code,
                unsigned length, uint64_t address);

/* The write of a register; NULL: it is not written. */
struct cy_put *cy_put_of(struct cy_flow *flow, unsigned word);

/* Adds what is in the second to the first. */
void cy_sources_join(struct cy_sources *s, const struct cy_sources *more);

struct cy_sum cy_sum_of_constant(uint64_t constant);
struct cy_sum cy_sum_of_word(unsigned word);

/* a + factor * b, in 64 bits. */
struct cy_sum cy_sum_add(const struct cy_sum *a, const struct cy_sum *b,
                         int64_t factor);

static inline bool cy_sources_has(const struct cy_sources *s, unsigned word)
{
    return (s->words[word / 64] >> word % 64 & 1) != 0;
}

#endif
