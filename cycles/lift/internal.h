/*
 * internal: what an expression of VEX's IR is made of.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_LIFT_INTERNAL_H
#define CY_LIFT_INTERNAL_H

#include "lift/cy_flow.h"
#include "lift/guest.h"
#include "lift/vexfront.h"

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
    const struct guest *guest;
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
