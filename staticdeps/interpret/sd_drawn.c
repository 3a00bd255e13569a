/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "interpret/sd_drawn.h"

#define NEAR_64 (UINT64_C(1) << 24)
#define NEAR_32 (UINT64_C(1) << 12)

/* Is a number so far above or below zero that it may be a base? */
static bool is_base(uint64_t bits, unsigned width, uint64_t small)
{
    return ((bits + small) & sd_mask(width)) >= 2 * small;
}

/* Do two numbers of `width` bits have the same base? */
static bool are_related(struct sd_value a, struct sd_value b, unsigned width)
{
    uint64_t near = width == 64 ? NEAR_64 : NEAR_32;

    if (width < 32 || a.bottom == 0 || b.bottom == 0)
        return false;
    return ((a.bits - b.bits + near) & sd_mask(width)) <= 2 * near &&
           is_base(a.bits, width, near << 8) &&
           is_base(b.bits, width, near << 8);
}

/* The bits of a sum that are drawn: all, if any bits of the operands are. */
static uint64_t all(const struct sd_op *op, struct sd_value a,
                    struct sd_value b)
{
    return (a.bottom | b.bottom) != 0 ? sd_mask(op->width) : 0;
}

/* Do the known bits alone decide a comparison, because these bits differ or
   tell which operand is less? */
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
                             bool have_one_base)
{
    uint64_t mask = sd_mask(op->width);

    switch ((enum sd_opcode)op->code) {
    case SD_SUB:
        return have_one_base ? 0 : all(op, a, b);
    case SD_AND: /* a bit that is 0 decides */
        return (a.bottom | b.bottom) & (a.bits | a.bottom) &
               (b.bits | b.bottom) & mask;
    case SD_OR: /* a bit that is 1 decides */
        return (a.bottom | b.bottom) & (~a.bits | a.bottom) &
               (~b.bits | b.bottom) & mask;
    case SD_XOR:
        if (a.bits == b.bits && have_one_base)
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
        return have_one_base || is_decided(op, a, b) ? 0 : 1;
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
        r.bits,
        unknown_bits(op, a, b, c, relates && are_related(a, b, op->width))};
}

/* Handles two frequent operations itself, and leaves the others to eval(). */
struct sd_value sd_drawn_eval(const struct sd_op *op, struct sd_value a,
                              struct sd_value b, struct sd_value c,
                              bool relates)
{
    uint64_t mask = sd_mask(op->width);

    switch (op->code) {
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

#define LARGEST_RANGE 4096 /* the most cases of a switch */

__extension__ typedef __int128 int128;

/* VEX numbers each operation four times, for 8, 16, 32 and 64 bits, from 1
   on. */
enum { ADD, SUB, ADC, SBB, LOGIC, INC, DEC, SHL, SHR };

/* VEX numbers conditions in pairs: each condition, then its negation. */
enum { OVERFLOW, BELOW, ZERO, BELOW_OR_ZERO, SIGN, PARITY, LESS, LESS_OR_ZERO };

bool sd_flags_is_condition(const struct sd_call *call)
{
    return call->takes_cc && call->cc_arg == 1 && call->n_args >= 4;
}

bool sd_flags_test(uint64_t cond, uint64_t op, struct sd_flags_test *test)
{
    /* After a subtraction, the flags compare the two operands. */
    static const uint8_t of_operands[8] = {[BELOW] = SD_CMPLTU,
                                           [ZERO] = SD_CMPEQ,
                                           [BELOW_OR_ZERO] = SD_CMPLEU,
                                           [LESS] = SD_CMPLTS,
                                           [LESS_OR_ZERO] = SD_CMPLES};
    /* After other operations, the flags compare the result with zero, unless
       the operation overflows, which is rare. */
    static const uint8_t of_result[8] = {[ZERO] = SD_CMPEQ,
                                         [SIGN] = SD_CMPLTS,
                                         [LESS] = SD_CMPLTS,
                                         [LESS_OR_ZERO] = SD_CMPLES};
    unsigned pair = (unsigned)cond / 2, family = (unsigned)(op - 1) / 4;

    if (cond > 15 || op == 0 || family > SHR || family == ADC || family == SBB)
        return false;
    *test = (struct sd_flags_test){.code = family == SUB ? of_operands[pair]
                                                         : of_result[pair],
                                   .width = (uint8_t)(8 << (op - 1) % 4),
                                   .is_negated = cond % 2 == 1,
                                   .operands = family == SUB   ? SD_TEST_PAIR
                                               : family == ADD ? SD_TEST_SUM
                                                               : SD_TEST_FIRST};
    if (family == ADD && pair == BELOW) {
        test->code = SD_CMPLTU;
        test->operands = SD_TEST_CARRY;
    }
    if (family == LOGIC && pair == BELOW_OR_ZERO) /* they never carry */
        test->code = SD_CMPEQ;
    return test->code != 0;
}

static int64_t as_signed(uint64_t bits, unsigned width)
{
    return (int64_t)(bits << (64 - width)) >> (64 - width);
}

static bool is_signed(const struct sd_comparison *c)
{
    return c->code == SD_CMPLTS || c->code == SD_CMPLES;
}

static int128 number(const struct sd_comparison *c, unsigned operand)
{
    uint64_t bits = c->operand[operand].bits & sd_mask(c->width);

    return is_signed(c) ? as_signed(bits, c->width) : (int128)bits;
}

bool sd_comparison_holds(const struct sd_comparison *c)
{
    struct sd_op op = {.code = c->code, .width = c->width};

    return sd_op_eval(&op, sd_known(c->operand[0].bits),
                      sd_known(c->operand[1].bits), sd_known(0))
               .bits != 0;
}

uint32_t sd_rounds_drawn(uint64_t random)
{
    if (random % 16 == 0)
        return 16 + (uint32_t)(random >> 8) % 64;
    return 1 + (uint32_t)(random >> 8) % 4;
}

/* The number `from` + `away`, or the nearest number that the bits can hold. */
static uint64_t beside(const struct sd_comparison *c, int128 from, int128 away)
{
    uint64_t mask = sd_mask(c->width);
    int128 least = is_signed(c) ? -(int128)(mask / 2) - 1 : 0;
    int128 most = is_signed(c) ? (int128)(mask / 2) : (int128)mask;
    int128 to = from + away;

    to = to < least ? least : to > most ? most : to;
    return (uint64_t)to & mask;
}

/* Makes the operands equal, if equal operands give the wanted result. */
static bool decide_equal(const struct sd_comparison *c, bool holds, unsigned *i,
                         struct sd_value *n)
{
    bool are_equal = (c->code == SD_CMPEQ) == holds;

    if (!are_equal)
        return false;
    *i = c->operand[0].bottom != 0 ? 0 : 1;
    assert(c->operand[*i].bottom != 0);
    *n = c->operand[1 - *i];
    return true;
}

/* Is a comparison a range check: an unsigned one of a drawn number with a small
   constant? */
static bool is_range_check(const struct sd_comparison *c)
{
    return c->is_const && !is_signed(c) && c->operand[1].bottom == 0 &&
           c->operand[1].bits <= LARGEST_RANGE;
}

bool sd_decide(const struct sd_comparison *c, bool holds, uint64_t random,
               unsigned *operand, struct sd_value *n)
{
    bool strict = c->code == SD_CMPLTU || c->code == SD_CMPLTS;
    int128 away = (int128)sd_rounds_drawn(random) - 1;

    assert((c->operand[0].bottom | c->operand[1].bottom) != 0);
    if (c->code == SD_CMPEQ || c->code == SD_CMPNE)
        return decide_equal(c, holds, operand, n);
    unsigned i = *operand = c->operand[1].bottom != 0 ? 1 : 0;
    if (is_range_check(c)) {
        uint64_t end = c->operand[1].bits + !strict;

        assert(i == 0);
        if (!holds || end == 0)
            return false;
        *n = (struct sd_value){(random >> 8) % end, sd_mask(c->width)};
        return true;
    }
    /* The operands must differ if a strict comparison has to hold, or if a
       comparison that is not strict has to fail. */
    if (strict == holds)
        away++;
    if ((i == 0) == holds) /* the operand is the lower one */
        away = -away;
    n->bits = beside(c, number(c, 1 - i), away);
    n->bottom = c->is_const && c->operand[1].bits != 0 ? sd_mask(c->width) : 0;
    return true;
}

uint64_t sd_rounds_left(const struct sd_comparison *c, const uint64_t steps[2])
{
    bool holds = sd_comparison_holds(c);
    bool strict = c->code == SD_CMPLTU || c->code == SD_CMPLTS;
    int128 distance = number(c, 1) - number(c, 0);
    int128 step =
        (int128)as_signed(steps[0], c->width) - as_signed(steps[1], c->width);

    if (step == 0)
        return UINT64_MAX;
    if (c->code == SD_CMPEQ || c->code == SD_CMPNE) {
        if ((c->code == SD_CMPEQ) == holds)
            return 1;
        /* The operands may become equal after wrapping around. */
        distance = as_signed(c->operand[1].bits - c->operand[0].bits, c->width);
        return distance % step == 0 && distance / step > 0
                   ? (uint64_t)(distance / step)
                   : UINT64_MAX;
    }
    /* A strict comparison holds as long as the distance is positive, another
       comparison as long as the distance is not negative. */
    if (holds != (step > 0))
        return UINT64_MAX;
    if (strict != holds) /* one step after the operands are equal */
        distance += holds ? 1 : -1;
    if (distance == 0)
        return 1;
    if (distance < 0) {
        distance = -distance;
        step = -step;
    }
    return (uint64_t)((distance + step - 1) / step);
}

#define LARGE   64u /* indices are large from here on, and below -64 */
#define SMALL   16u
#define DEEPEST 4 /* the deepest nesting of sums that is searched */
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
    size_t *made_by; /* by temporary: its operation; NONE: a constant */
};

/* `other`, a part of an address, if it is computed before operation `op`;
   otherwise SD_BOTTOM. */
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

/* Marks the scaling operations in a part of an address; `other` is the rest of
   the address.  Returns false if nothing is scaled. */
static bool mark_scaled(const struct marking *m, uint32_t temp, uint32_t other,
                        unsigned depth)
{
    struct sd_op *op = maker(m, temp);

    if (depth == DEEPEST || op == NULL)
        return false;
    if ((op->code == SD_SHL || op->code == SD_MUL) &&
        m->made_by[op->b] == NONE) {
        op->imm = 1 + (uint64_t)known_by_then(m, other, op);
        mark_scaled(m, op->a, other, depth + 1); /* by 3 * 8, for instance */
        return true;
    }
    if (op->code != SD_ADD)
        return false;
    bool is_in_a = mark_scaled(m, op->a, other, depth + 1);
    bool is_in_b = mark_scaled(m, op->b, other, depth + 1);
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

/* Marks the operations that make an address from indices. */
static void mark(const struct marking *m, uint32_t address)
{
    struct sd_op *op = maker(m, address);

    if (mark_difference(m, address) || op == NULL || op->code != SD_ADD)
        return;
    bool is_in_a = mark_difference(m, op->a) || mark_scaled(m, op->a, op->b, 0);
    bool is_in_b = mark_difference(m, op->b) || mark_scaled(m, op->b, op->a, 0);
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
        if (sd_op_is(&ops[i], SD_HAS_RESULT)) {
            assert(ops[i].dst < n_temps);
            m.made_by[ops[i].dst] = i;
        }
        if (sd_op_is(&ops[i], SD_LOADS | SD_STORES))
            mark(&m, ops[i].a);
    }
    free(m.made_by);
}
