/*
 * sd_index: numbers that choose an element of an array.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "random/sd_index.h"

#include <stdlib.h>

#include "memory.h"

#define LARGE   64u /* indices are large from here on, and below -64 */
#define SMALL   16u
#define DEEPEST 4 /* sums in sums */
#define NONE    SIZE_MAX

bool sd_index_is_one(struct sd_value v)
{
    return v.bottom != 0 &&
           (v.bits <= UINT32_MAX || v.bits >= -(UINT64_C(1) << 31));
}

bool sd_index_fold(struct sd_value index, struct sd_value *small)
{
    if (index.bottom == 0 || index.bits + LARGE < 2 * (uint64_t)LARGE)
        return false;
    *small = (struct sd_value){index.bits % SMALL, index.bottom};
    return true;
}

struct marking {
    struct sd_op *ops;
    size_t *made_by; /* by temporary: an operation; NONE: a constant */
};

static bool is_scaled(const struct marking *m, const struct sd_op *op)
{
    return (op->code == SD_SHL || op->code == SD_MUL) &&
           m->made_by[op->b] == NONE;
}

/* The other part of an address, if operation `op` comes after the one that
   computes it; else SD_BOTTOM. */
static uint32_t known_by_then(const struct marking *m, uint32_t other,
                              const struct sd_op *op)
{
    size_t by = m->made_by[other];

    return by == NONE || &m->ops[by] < op ? other : SD_BOTTOM;
}

static struct sd_op *maker(const struct marking *m, uint32_t temp)
{
    struct sd_op *op =
        m->made_by[temp] == NONE ? NULL : &m->ops[m->made_by[temp]];

    return op != NULL && op->width == 64 ? op : NULL;
}

/* Marks what is scaled in a part of an address; `other` is the rest of the
   address.  Returns false if nothing is scaled. */
static bool mark_scaled(const struct marking *m, uint32_t temp, uint32_t other,
                        unsigned depth)
{
    struct sd_op *op = maker(m, temp);
    bool is_in_a, is_in_b;

    if (depth == DEEPEST || op == NULL)
        return false;
    if (is_scaled(m, op)) {
        op->imm = 1 + (uint64_t)known_by_then(m, other, op);
        mark_scaled(m, op->a, other, depth + 1); /* by 3, for instance */
        return true;
    }
    if (op->code != SD_ADD)
        return false;
    is_in_a = mark_scaled(m, op->a, other, depth + 1);
    is_in_b = mark_scaled(m, op->b, other, depth + 1);
    return is_in_a || is_in_b;
}

/* Marks a difference, which may subtract an index.  Returns false if `temp` is
   no difference. */
static bool mark_difference(const struct marking *m, uint32_t temp)
{
    struct sd_op *op = maker(m, temp);

    if (op == NULL || op->code != SD_SUB)
        return false;
    op->imm = SD_INDEX_UNSCALED;
    return true;
}

/* Marks the operations that make an address. */
static void mark(const struct marking *m, uint32_t address)
{
    struct sd_op *op = maker(m, address);
    bool is_in_a, is_in_b;

    if (mark_difference(m, address) || op == NULL || op->code != SD_ADD)
        return;
    is_in_a = mark_difference(m, op->a) || mark_scaled(m, op->a, op->b, 0);
    is_in_b = mark_difference(m, op->b) || mark_scaled(m, op->b, op->a, 0);
    if (!is_in_a && !is_in_b)
        op->imm = SD_INDEX_UNSCALED;
}

void sd_index_mark(struct sd_op *ops, size_t n, size_t n_temps)
{
    struct marking m = {ops, memory_new(n_temps + 1, sizeof *m.made_by)};

    for (size_t i = 0; i < n_temps; i++)
        m.made_by[i] = NONE;
    for (size_t i = 0; i < n; i++) {
        if (ops[i].code == SD_SHL || ops[i].code == SD_MUL ||
            ops[i].code == SD_ADD || ops[i].code == SD_SUB)
            ops[i].imm = 0;
        if (sd_op_is(&ops[i], SD_HAS_RESULT))
            m.made_by[ops[i].dst] = i;
        if (sd_op_is(&ops[i], SD_LOADS | SD_STORES))
            mark(&m, ops[i].a);
    }
    free(m.made_by);
}
