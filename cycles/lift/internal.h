/*
 * internal: what an expression of VEX's IR is made of, and VEX's guests.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_LIFT_INTERNAL_H
#define CY_LIFT_INTERNAL_H

#include <limits.h>

#include "lift/cy_flow.h"
#include "vexfront.h"

/* cy_guest: VEX's guest of an architecture.  Offsets are those of its state. */
#define CY_NO_OFFSET UINT_MAX
struct cy_guest {
    VexArch vex;
    unsigned first_flag, last_flag; /* the operands of what set the flags */
    unsigned unread[6]; /* what no chain waits for; CY_NO_OFFSET ends them */
    unsigned stack_pointer, thread_pointer;
    unsigned system_result; /* what a system call gives */
    bool keeps_halves; /* writing half of a word keeps the other at no cost */
    bool relocates_jumps; /* a jump to itself is one of an object file, whose
                             target only a relocation has */
    bool moves_bases; /* an access may move the register of its address, which
                         then has a pair or a structure's accesses apart */
    bool (*is_jump)(const uint8_t *code, unsigned length);    /* directly */
    bool (*is_no_call)(const uint8_t *code, unsigned length); /* says VEX */
    bool (*spills)(const uint8_t *code, unsigned length); /* its accesses are
                                                             VEX's own */
};

const struct cy_guest *cy_guest_of(enum arch arch);

/* Is a part of the state one that no chain waits for? */
bool cy_guest_is_unread(const struct cy_guest *guest, unsigned offset);

/* What is known about a temporary. */
struct cy_temporary {
    struct cy_sources from;
    bool is_const; /* with no source: its value is `value` */
    bool is_old;   /* flags from before, by a helper that keeps one of them */
    bool is_mixed; /* flags from before with new ones, made of `fresh` */
    struct cy_sources fresh;
    uint64_t value;
    struct cy_sum sum;
};

struct cy_lifting {
    struct cy_flow *flow;
    const struct cy_guest *guest;
    const uint8_t *code;
    const IRTypeEnv *types;
    struct cy_temporary *temps;
    bool has_exit; /* what follows may not happen, or happen again */
};

/* Adds registers, by their place in the guest state, in bytes. */
void cy_sources_add(struct cy_sources *s, int offset, unsigned size);

uint64_t cy_const_value(const IRConst *c);

/* The value of an atom: a temporary or a constant. */
struct cy_temporary cy_value_of(const struct cy_lifting *b, const IRExpr *e);

/* The size of an expression, in bytes. */
unsigned cy_size_of(const struct cy_lifting *b, const IRExpr *e);

/* Adds a load, under a guard unless that is NULL; returns its number. */
unsigned cy_add_load(struct cy_lifting *b, const IRExpr *address, unsigned size,
                     const IRExpr *guard);

struct cy_temporary cy_eval(struct cy_lifting *b, const IRExpr *e);

#endif
