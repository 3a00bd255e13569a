/*
 * sd_op: what the pure operations compute.
 *
 * If an operand of arithmetic is undecided, so is the whole result; bitwise
 * operations and moves decide each bit on its own.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "lift/sd_op.h"

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

#define UNARY   (SD_IS_PURE | SD_HAS_RESULT | SD_READS_A)
#define BINARY  (UNARY | SD_READS_B)
#define TERNARY (BINARY | SD_READS_C)

const uint16_t sd_op_info[SD_N_OPS] = {
    [SD_ADD... SD_XOR] = BINARY,
    [SD_NOT] = UNARY,
    [SD_SHL... SD_SAR] = BINARY,
    [SD_CMPEQ... SD_CMPLES] = BINARY | SD_ONE_BIT,
    [SD_DIVU... SD_MODS] = BINARY,
    [SD_DIVU128... SD_MODS128] = TERNARY,
    [SD_CLZ... SD_EXTRACT] = UNARY,
    [SD_DEPOSIT] = BINARY,
    [SD_SEXT] = UNARY,
    [SD_ITE] = TERNARY,
    [SD_CONST... SD_CONST_PAGE] = SD_IS_CONST | SD_HAS_RESULT,
    [SD_CALL] = SD_HAS_RESULT, /* it also reads its arguments */
    [SD_FRESH] = SD_HAS_RESULT,
    [SD_GET] = SD_HAS_RESULT | SD_GETS,
    [SD_PUT] = SD_READS_A | SD_PUTS,
    [SD_GETI] = SD_HAS_RESULT | SD_READS_A | SD_GETS | SD_IS_INDEXED,
    [SD_PUTI] = SD_READS_A | SD_READS_DST | SD_PUTS | SD_IS_INDEXED,
    [SD_LOAD] = SD_HAS_RESULT | SD_READS_A | SD_LOADS,
    [SD_LOADIF] = SD_HAS_RESULT | SD_READS_A | SD_READS_B | SD_LOADS,
    [SD_STORE] = SD_READS_A | SD_READS_B | SD_STORES | SD_STORES_B,
    [SD_STOREIF] =
        SD_READS_A | SD_READS_B | SD_READS_C | SD_STORES | SD_STORES_B,
    [SD_READ] = SD_READS_A | SD_READS_B | SD_LOADS,
    [SD_WRITE] = SD_READS_A | SD_READS_B | SD_STORES,
    [SD_LOOP] = SD_IS_CONTROL,
    [SD_LEAVE] = SD_READS_A | SD_READS_B | SD_IS_CONTROL,
    [SD_AGAIN] = SD_READS_A | SD_IS_CONTROL,
    [SD_OPAQUE] = SD_HAS_RESULT | SD_READS_A | SD_READS_B,
};

static int64_t sign_extend(uint64_t bits, unsigned width)
{
    unsigned unused = 64 - width;

    return (int64_t)(bits << unused) >> unused;
}

static struct sd_value bitwise(const struct sd_op *op, struct sd_value a,
                               struct sd_value b)
{
    uint64_t mask = sd_mask(op->width), either = a.bottom | b.bottom;

    switch (op->code) {
    case SD_AND: /* a zero decides a bit */
        either &= (a.bits | a.bottom) & (b.bits | b.bottom);
        return (struct sd_value){a.bits & b.bits & ~either, either & mask};
    case SD_OR: /* a one decides a bit */
        either &= ~(a.bits | b.bits);
        return (struct sd_value){(a.bits | b.bits) & ~either, either & mask};
    case SD_XOR:
        return (struct sd_value){(a.bits ^ b.bits) & ~either, either & mask};
    default:
        return (struct sd_value){~a.bits & ~a.bottom & mask, a.bottom & mask};
    }
}

/* Divides a 64-bit dividend; false where the processor would trap. */
static bool divide(const struct sd_op *op, uint64_t a, uint64_t b,
                   uint64_t *result)
{
    bool is_signed = op->code == SD_DIVS || op->code == SD_MODS;
    bool is_div = op->code == SD_DIVU || op->code == SD_DIVS;
    int64_t n = (int64_t)a, by = sign_extend(b, op->width), quotient;

    if (b == 0)
        return false;
    if (!is_signed) {
        *result = is_div ? a / b : a % b;
        return a / b <= sd_mask(op->width);
    }
    if (n == INT64_MIN && by == -1)
        return false;
    quotient = n / by;
    *result = (uint64_t)(is_div ? quotient : n % by) & sd_mask(op->width);
    return quotient == sign_extend((uint64_t)quotient, op->width);
}

/* Divides hi:lo by a 64-bit divisor; false where the processor would trap. */
static bool divide_wide(unsigned code, uint64_t hi, uint64_t lo, uint64_t by,
                        uint64_t *result)
{
    uint128 n = (uint128)hi << 64 | lo;
    int128 sn = (int128)n, sby = (int64_t)by;

    if (by == 0)
        return false;
    if (code == SD_DIVU128 || code == SD_MODU128) {
        *result = (uint64_t)(code == SD_DIVU128 ? n / by : n % by);
        return hi < by;
    }
    if (lo == 0 && hi == UINT64_C(1) << 63 && sby == -1)
        return false;
    *result = (uint64_t)(code == SD_DIVS128 ? sn / sby : sn % sby);
    return sn / sby == (int64_t)(sn / sby);
}

static uint64_t compare(unsigned code, unsigned width, uint64_t a, uint64_t b)
{
    int64_t sa = sign_extend(a, width), sb = sign_extend(b, width);

    switch (code) {
    case SD_CMPEQ:
        return a == b;
    case SD_CMPNE:
        return a != b;
    case SD_CMPLTU:
        return a < b;
    case SD_CMPLTS:
        return sa < sb;
    case SD_CMPLEU:
        return a <= b;
    default:
        return sa <= sb;
    }
}

/* Shifts by `width` or more are allowed, because VEX's rotations use them. */
static uint64_t shift(unsigned code, unsigned width, uint64_t a, uint64_t by)
{
    if (code == SD_SAR)
        return (uint64_t)(sign_extend(a, width) >>
                          (by < width ? by : width - 1));
    if (by >= width)
        return 0;
    return code == SD_SHL ? a << by : a >> by;
}

/* The operations with one operand. */
static uint64_t unary(const struct sd_op *op, uint64_t a)
{
    unsigned width = op->width;

    switch (op->code) {
    case SD_CLZ:
        return a == 0 ? width : (uint64_t)__builtin_clzll(a) - (64 - width);
    case SD_CTZ:
        return a == 0 ? width : (uint64_t)__builtin_ctzll(a);
    case SD_POPCOUNT:
        return (uint64_t)__builtin_popcountll(a);
    case SD_BSWAP:
        return __builtin_bswap64(a) >> (64 - width);
    default:
        assert(op->code == SD_SEXT && op->imm >= 1 && op->imm <= width);
        return (uint64_t)sign_extend(a, (unsigned)op->imm);
    }
}

static bool arithmetic(const struct sd_op *op, uint64_t a, uint64_t b,
                       uint64_t c, uint64_t *r)
{
    switch ((enum sd_opcode)op->code) {
    case SD_ADD:
        *r = a + b;
        return true;
    case SD_SUB:
        *r = a - b;
        return true;
    case SD_MUL:
        *r = a * b;
        return true;
    case SD_MULHU:
        *r = (uint64_t)((uint128)a * b >> 64);
        return true;
    case SD_MULHS:
        *r = (uint64_t)((int128)(int64_t)a * (int64_t)b >> 64);
        return true;
    case SD_SHL:
    case SD_SHR:
    case SD_SAR:
        *r = shift(op->code, op->width, a, b);
        return true;
    case SD_CMPEQ ... SD_CMPLES:
        *r = compare(op->code, op->width, a, b);
        return true;
    case SD_DIVU ... SD_MODS:
        return divide(op, a, b, r);
    case SD_DIVU128 ... SD_MODS128:
        return divide_wide(op->code, a, b, c, r);
    default:
        *r = unary(op, a);
        return true;
    }
}

struct sd_value sd_op_eval(const struct sd_op *op, struct sd_value a,
                           struct sd_value b, struct sd_value c)
{
    uint64_t r = 0;

    assert(op->width - 1u < 64);
    assert(((a.bits & a.bottom) | (b.bits & b.bottom)) == 0);

    switch (op->code) {
    case SD_EXTRACT:
        assert(op->imm + op->width <= 64);
        return sd_op_extract(op, a);
    case SD_DEPOSIT:
        assert(op->imm + op->width <= 64);
        return sd_op_deposit(op, a, b);
    case SD_AND:
    case SD_OR:
    case SD_XOR:
    case SD_NOT:
        return bitwise(op, a, b);
    case SD_ITE:
        if (!sd_is_known(a))
            return sd_bottom(op->width);
        return a.bits != 0 ? b : c;
    }
    if ((a.bottom | b.bottom | c.bottom) != 0 ||
        !arithmetic(op, a.bits, b.bits, c.bits, &r))
        return sd_bottom(op->width);
    return sd_known(r & sd_mask(op->width));
}

unsigned sd_op_words(const struct sd_op *op, unsigned *first)
{
    assert(sd_op_is(op, SD_GETS | SD_PUTS));
    if (!sd_op_is(op, SD_IS_INDEXED)) {
        *first = (unsigned)op->imm / 8;
        return *first + 1;
    }
    *first = op->b / 8;
    return (op->b + op->c * ((op->width + 7u) / 8) + 7) / 8;
}

/* Is n a valid condition-code operation, with one of 16 conditions if the call
   has one? */
static bool is_cc(const struct sd_call *call, uint64_t n)
{
    return call->has_condition ? n < 16 * 16 && n % 16 < call->n_cc
                               : n < call->n_cc;
}

struct sd_value sd_call_eval(const struct sd_call *call,
                             const struct sd_value *temps)
{
    typedef uint64_t helper(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                            uint64_t);
    uint64_t arg[SD_CALL_ARGS] = {0};
    helper *function = (helper *)call->function;

    assert(call->n_args <= SD_CALL_ARGS && call->function);
    assert(!call->takes_cc || call->cc_arg < call->n_args);

    for (unsigned i = 0; i < call->n_args; i++) {
        struct sd_value v = temps[call->args[i]];

        if (!sd_is_known(v))
            return sd_bottom(call->width);
        arg[i] = v.bits;
    }
    if (call->takes_cc && !is_cc(call, arg[call->cc_arg]))
        return sd_bottom(call->width);
    /* In this ABI a function ignores arguments that it does not take. */
    return sd_known(function(arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]) &
                    sd_mask(call->width));
}
