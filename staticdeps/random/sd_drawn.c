/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "random/sd_drawn.h"

#include <assert.h>

#define NEAR_64 (UINT64_C(1) << 24)
#define NEAR_32 (UINT64_C(1) << 12)

/* Is a number so far above or below zero that it may be a base? */
static bool is_base(uint64_t bits, unsigned width, uint64_t small)
{
    return ((bits + small) & sd_mask(width)) >= 2 * small;
}

bool sd_drawn_related(struct sd_value a, struct sd_value b, unsigned width)
{
    uint64_t near = width == 64 ? NEAR_64 : NEAR_32;

    if (width < 32 || a.bottom == 0 || b.bottom == 0)
        return false;
    return ((a.bits - b.bits + near) & sd_mask(width)) <= 2 * near &&
           is_base(a.bits, width, near << 8) &&
           is_base(b.bits, width, near << 8);
}

/* The bits of a sum that are drawn: all, if any of the operands are. */
static uint64_t all(const struct sd_op *op, struct sd_value a,
                    struct sd_value b)
{
    return (a.bottom | b.bottom) != 0 ? sd_mask(op->width) : 0;
}

/* Do the known bits alone decide a comparison, because they differ or tell
   which operand is less? */
static bool is_decided(const struct sd_op *op, struct sd_value a,
                       struct sd_value b)
{
    uint64_t mask = sd_mask(op->width), drawn = a.bottom | b.bottom;

    switch (op->code) {
    case SD_CMPEQ:
    case SD_CMPNE:
        return ((a.bits ^ b.bits) & ~drawn & mask) != 0;
    case SD_CMPLTU:
    case SD_CMPLEU:
        return (a.bits | a.bottom) < (b.bits & ~b.bottom) ||
               (b.bits | b.bottom) < (a.bits & ~a.bottom);
    default:
        return false;
    }
}

static uint64_t sign_bits(const struct sd_op *op, uint64_t drawn)
{
    uint64_t low = drawn & sd_mask((unsigned)op->imm);

    return low >> (op->imm - 1) != 0
               ? low | (sd_mask(op->width) & ~sd_mask((unsigned)op->imm))
               : low;
}

static uint64_t shifted(const struct sd_op *op, struct sd_value a,
                        struct sd_value b)
{
    if (b.bottom != 0 || b.bits >= op->width || op->code == SD_SAR)
        return all(op, a, b);
    return (op->code == SD_SHL ? a.bottom << b.bits : a.bottom >> b.bits) &
           sd_mask(op->width);
}

/* The bits of a result that are drawn. */
static uint64_t unknown_bits(const struct sd_op *op, struct sd_value a,
                             struct sd_value b, struct sd_value c,
                             bool are_related)
{
    uint64_t mask = sd_mask(op->width);

    switch ((enum sd_opcode)op->code) {
    case SD_SUB:
        return are_related ? 0 : all(op, a, b);
    case SD_AND: /* a zero decides */
        return (a.bottom | b.bottom) & (a.bits | a.bottom) &
               (b.bits | b.bottom) & mask;
    case SD_OR: /* a one decides */
        return (a.bottom | b.bottom) & (~a.bits | a.bottom) &
               (~b.bits | b.bottom) & mask;
    case SD_XOR:
        if (a.bits == b.bits && are_related)
            return 0;
        return (a.bottom | b.bottom) & mask;
    case SD_NOT:
        return a.bottom & mask;
    case SD_SHL:
    case SD_SHR:
    case SD_SAR:
        return shifted(op, a, b);
    case SD_EXTRACT:
        return a.bottom >> op->imm & mask;
    case SD_DEPOSIT:
        return (a.bottom & ~(mask << op->imm)) | (b.bottom & mask) << op->imm;
    case SD_SEXT:
        return sign_bits(op, a.bottom);
    case SD_CMPEQ ... SD_CMPLES:
        return are_related || is_decided(op, a, b) ? 0 : 1;
    case SD_ITE:
        if (a.bottom != 0)
            return mask;
        return a.bits != 0 ? b.bottom : c.bottom;
    default:
        return (a.bottom | b.bottom | c.bottom) != 0 ? mask : 0;
    }
}

static struct sd_value eval(const struct sd_op *op, struct sd_value a,
                            struct sd_value b, struct sd_value c, bool relates)
{
    struct sd_value r =
        sd_op_eval(op, sd_known(a.bits), sd_known(b.bits), sd_known(c.bits));

    if (r.bottom != 0)
        return (struct sd_value){sd_random(a.bits, b.bits) & sd_mask(op->width),
                                 sd_mask(op->width)};
    if ((a.bottom | b.bottom | c.bottom) == 0)
        return sd_known(r.bits);
    return (struct sd_value){
        r.bits, unknown_bits(op, a, b, c,
                             relates && sd_drawn_related(a, b, op->width))};
}

/* Handles the three most frequent operations here, and others in eval(). */
struct sd_value sd_drawn_eval(const struct sd_op *op, struct sd_value a,
                              struct sd_value b, struct sd_value c,
                              bool relates)
{
    uint64_t mask = sd_mask(op->width);

    switch (op->code) {
    case SD_EXTRACT:
        return (struct sd_value){a.bits >> op->imm & mask,
                                 a.bottom >> op->imm & mask};
    case SD_AND:
        return (struct sd_value){a.bits & b.bits,
                                 unknown_bits(op, a, b, c, false)};
    case SD_SUB:
        if ((a.bottom | b.bottom) == 0)
            return sd_known((a.bits - b.bits) & mask);
        break;
    }
    return eval(op, a, b, c, relates);
}
