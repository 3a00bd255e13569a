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
 * Limits: x87 is one register, since earlier instructions decide which one is
 * meant: two independent chains count as a single one, which is too long.  If
 * an instruction writes some of the flags, the others are forgotten.  A string
 * instruction with a rep prefix counts as one of its elements.  Nothing is
 * known of instructions that VEX does not know, such as AArch64's SVE.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "lift/guest.h"

#define FLOW_WORDS       128 /* words of the guest state */
#define FLOW_MOST_LOADS  4
#define FLOW_MOST_STORES 4
#define FLOW_LARGEST     64 /* bytes of a load that VEX made of several */
#define FLOW_MOST_PUTS   32 /* vzeroupper clears the upper parts of 16 */

#define FLOW_NOWHERE UINT64_MAX /* not 0, where object files have code */

/* What a value is made of. */
struct flow_sources {
    uint64_t words[FLOW_WORDS / 64]; /* registers, as a set of words */
    uint8_t loads;                   /* a set: bit i is load number i */
    bool is_computed;                /* the value is computed, not only moved */
};

/* A number as a constant and a few registers, each times a factor. */
#define FLOW_MOST_TERMS 3
struct flow_sum {
    bool is_known; /* false: the value is no such sum */
    uint8_t n;     /* terms; their registers differ, no factor is 0 */
    uint8_t words[FLOW_MOST_TERMS];
    int8_t factors[FLOW_MOST_TERMS];
    uint64_t constant;
};

struct flow_access {
    struct flow_sources address, data; /* `data` is that of a store */
    struct flow_sum place;             /* the address as a sum */
    uint8_t size;                      /* in bytes */
};

/* A register that is written. */
struct flow_put {
    uint8_t word;
    bool is_free;    /* the value is kept, which costs nothing */
    bool is_base;    /* the register of an access's address, which the access
                        moves by a constant (AArch64's writeback) */
    bool keeps_rest; /* only a part is written, without a read of the rest */
    struct flow_sources value;
    struct flow_sum sum; /* the new value, if the whole word is written */
};

/* Where control goes after an instruction. */
enum flow_leave {
    FLOW_GOES_ON, /* to the next instruction, or to `taken` */
    FLOW_CALL,
    FLOW_TO_CALLER, /* control returns to the caller */
    FLOW_AWAY       /* an indirect jump or a trap */
};

struct flow {
    bool is_known; /* false: VEX does not know the instruction */
    uint8_t length;
    uint8_t n_loads, n_stores, n_puts;
    bool is_cut;    /* the instruction has more accesses or writes than fit */
    bool has_parts; /* each access is of a register of its own (AArch64's pairs
                       and structures) */
    struct flow_access loads[FLOW_MOST_LOADS], stores[FLOW_MOST_STORES];
    struct flow_put puts[FLOW_MOST_PUTS];
    enum flow_leave leave;
    bool falls_through;      /* control may go on to the next instruction */
    struct flow_sources way; /* what decides where control goes */
    uint64_t taken;          /* the target of a direct jump, or FLOW_NOWHERE */
    uint64_t called;         /* the target of a direct call, or FLOW_NOWHERE */
};

/* Finds how values flow through an instruction of at most 15 bytes at
   `address`. */
void flow_of_insn(struct flow *flow, enum arch arch, const uint8_t *code,
                  unsigned length, uint64_t address);

/* The write of a register; NULL: the instruction does not write it. */
struct flow_put *flow_put_of(struct flow *flow, unsigned word);

/* Adds the sources in `more` to those in `s`. */
void flow_sources_join(struct flow_sources *s, const struct flow_sources *more);

struct flow_sum flow_sum_of_constant(uint64_t constant);
struct flow_sum flow_sum_of_word(unsigned word);

/* The sum a + factor * b, modulo 2^64. */
struct flow_sum flow_sum_add(const struct flow_sum *a, const struct flow_sum *b,
                             int64_t factor);

static inline bool flow_sources_has(const struct flow_sources *s, unsigned word)
{
    return (s->words[word / 64] >> word % 64 & 1) != 0;
}
