/*
 * sd_irop: translates VEX's operations into flat operations.
 *
 * It translates integer arithmetic of up to 128 bits, and the operations on
 * vectors that programs compute addresses with: those that extract parts, join
 * them, or shuffle lanes in a fixed order; bitwise operations on whole vectors;
 * and sums, differences and shifts of lanes of 16 to 64 bits, where all lanes
 * are shifted by one number.  Floating point gives bottom.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "lift/sd_flat.h"

#include "config.h"

/* The operations that correspond to one flat operation. */
struct simple {
    uint8_t code;
    uint8_t width;
    uint8_t imm;
    bool known; /* the table has an entry for it */
};

#define ENTRY(name, code, width, imm) \
    [Iop_##name - Iop_INVALID] = {code, width, imm, true}
#define FOUR(name, code)                                      \
    ENTRY(name##8, code, 8, 0), ENTRY(name##16, code, 16, 0), \
        ENTRY(name##32, code, 32, 0), ENTRY(name##64, code, 64, 0)
#define TWO(name, code) \
    ENTRY(name##32, code, 32, 0), ENTRY(name##64, code, 64, 0)

static const struct simple simple[] = {
    FOUR(Add, SD_ADD),
    FOUR(Sub, SD_SUB),
    FOUR(Mul, SD_MUL),
    FOUR(Or, SD_OR),
    FOUR(And, SD_AND),
    FOUR(Xor, SD_XOR),
    FOUR(Shl, SD_SHL),
    FOUR(Shr, SD_SHR),
    FOUR(Sar, SD_SAR),
    FOUR(Not, SD_NOT),
    FOUR(CmpEQ, SD_CMPEQ),
    FOUR(CmpNE, SD_CMPNE),
    FOUR(CasCmpEQ, SD_CMPEQ),
    FOUR(CasCmpNE, SD_CMPNE),
    FOUR(ExpCmpNE, SD_CMPNE),
    FOUR(CmpNEZ, SD_CMPNE), /* the second operand is zero */
    ENTRY(CmpLT32S, SD_CMPLTS, 32, 0),
    ENTRY(CmpLT64S, SD_CMPLTS, 64, 0),
    ENTRY(CmpLE32S, SD_CMPLES, 32, 0),
    ENTRY(CmpLE64S, SD_CMPLES, 64, 0),
    ENTRY(CmpLT32U, SD_CMPLTU, 32, 0),
    ENTRY(CmpLT64U, SD_CMPLTU, 64, 0),
    ENTRY(CmpLE32U, SD_CMPLEU, 32, 0),
    ENTRY(CmpLE64U, SD_CMPLEU, 64, 0),
#if HAVE_DECL_IOP_CLZ64 /* else VEX has only the names below */
    TWO(Clz, SD_CLZ),
    TWO(Ctz, SD_CTZ),
#endif
    TWO(ClzNat, SD_CLZ),
    TWO(CtzNat, SD_CTZ),
    TWO(PopCount, SD_POPCOUNT),
    ENTRY(Reverse8sIn32_x1, SD_BSWAP, 32, 0),
    ENTRY(Reverse8sIn64_x1, SD_BSWAP, 64, 0),
    ENTRY(And1, SD_AND, 1, 0),
    ENTRY(Or1, SD_OR, 1, 0),
    ENTRY(Not1, SD_NOT, 1, 0),
    ENTRY(MullU8, SD_MUL, 16, 0),
    ENTRY(MullU16, SD_MUL, 32, 0),
    ENTRY(MullU32, SD_MUL, 64, 0),
    /* The upper bits of a narrow value are zero, so unsigned widening is a
       move. */
    ENTRY(8Uto16, SD_EXTRACT, 8, 0),
    ENTRY(8Uto32, SD_EXTRACT, 8, 0),
    ENTRY(8Uto64, SD_EXTRACT, 8, 0),
    ENTRY(16Uto32, SD_EXTRACT, 16, 0),
    ENTRY(16Uto64, SD_EXTRACT, 16, 0),
    ENTRY(32Uto64, SD_EXTRACT, 32, 0),
    ENTRY(1Uto8, SD_EXTRACT, 1, 0),
    ENTRY(1Uto32, SD_EXTRACT, 1, 0),
    ENTRY(1Uto64, SD_EXTRACT, 1, 0),
    ENTRY(8Sto16, SD_SEXT, 16, 8),
    ENTRY(8Sto32, SD_SEXT, 32, 8),
    ENTRY(8Sto64, SD_SEXT, 64, 8),
    ENTRY(16Sto32, SD_SEXT, 32, 16),
    ENTRY(16Sto64, SD_SEXT, 64, 16),
    ENTRY(32Sto64, SD_SEXT, 64, 32),
    ENTRY(1Sto8, SD_SEXT, 8, 1),
    ENTRY(1Sto16, SD_SEXT, 16, 1),
    ENTRY(1Sto32, SD_SEXT, 32, 1),
    ENTRY(1Sto64, SD_SEXT, 64, 1),
    ENTRY(64to1, SD_EXTRACT, 1, 0),
    ENTRY(32to1, SD_EXTRACT, 1, 0),
    ENTRY(64to8, SD_EXTRACT, 8, 0),
    ENTRY(32to8, SD_EXTRACT, 8, 0),
    ENTRY(16to8, SD_EXTRACT, 8, 0),
    ENTRY(64to16, SD_EXTRACT, 16, 0),
    ENTRY(32to16, SD_EXTRACT, 16, 0),
    ENTRY(64to32, SD_EXTRACT, 32, 0),
    ENTRY(16HIto8, SD_EXTRACT, 8, 8),
    ENTRY(32HIto16, SD_EXTRACT, 16, 16),
    ENTRY(64HIto32, SD_EXTRACT, 32, 32),
    ENTRY(V128to32, SD_EXTRACT, 32, 0),
    ENTRY(ReinterpF64asI64, SD_EXTRACT, 64, 0),
    ENTRY(ReinterpI64asF64, SD_EXTRACT, 64, 0),
    ENTRY(ReinterpF32asI32, SD_EXTRACT, 32, 0),
    ENTRY(ReinterpI32asF32, SD_EXTRACT, 32, 0),
    ENTRY(ReinterpI64asD64, SD_EXTRACT, 64, 0),
    ENTRY(ReinterpD64asI64, SD_EXTRACT, 64, 0),
    ENTRY(DivU32, SD_DIVU, 32, 0),
    ENTRY(DivU64, SD_DIVU, 64, 0),
    ENTRY(DivS64, SD_DIVS, 64, 0),
};

/* --- Parts of vectors --- */

/* Where a 64-bit part of a result comes from: part i of operand k is 4 * k + i.
 */
enum { A0, A1, A2, A3, B0, B1, C0 = 8, D0 = 12, ZERO = 16 };

/* Operations that choose whole parts.  Where VEX joins two halves, the second
   operand is the lower one.  `takes_time`: VEX uses it for instructions that
   only move parts, which take their time. */
static const struct {
    IROp op;
    uint8_t n, from[4];
    bool takes_time;
} selections[] = {
    {Iop_128to64, 1, {A0}, false},
    {Iop_128HIto64, 1, {A1}, false},
    {Iop_V128to64, 1, {A0}, false},
    {Iop_V128HIto64, 1, {A1}, false},
    {Iop_V256to64_0, 1, {A0}, false},
    {Iop_V256to64_1, 1, {A1}, false},
    {Iop_V256to64_2, 1, {A2}, false},
    {Iop_V256to64_3, 1, {A3}, false},
    {Iop_V256toV128_0, 2, {A0, A1}, false},
    {Iop_V256toV128_1, 2, {A2, A3}, false},
    {Iop_ReinterpV128asI128, 2, {A0, A1}, true},
    {Iop_ReinterpI128asV128, 2, {A0, A1}, true},
    {Iop_64HLto128, 2, {B0, A0}, false},
    {Iop_64HLtoV128, 2, {B0, A0}, false},
    {Iop_InterleaveLO64x2, 2, {B0, A0}, true},
    {Iop_InterleaveHI64x2, 2, {B1, A1}, true},
    {Iop_64UtoV128, 2, {A0, ZERO}, false},
    {Iop_32UtoV128, 2, {A0, ZERO}, false},
    {Iop_ZeroHI64ofV128, 2, {A0, ZERO}, true},
    {Iop_SetV128lo64, 2, {B0, A1}, false},
    {Iop_V128HLtoV256, 4, {B0, B1, A0, A1}, false},
    {Iop_64x4toV256, 4, {D0, C0, B0, A0}, true},
};

static bool select_parts(IROp op, const struct sd_vec *args, struct sd_vec *r)
{
    for (size_t i = 0; i < sizeof selections / sizeof selections[0]; i++) {
        if (selections[i].op != op)
            continue;
        for (unsigned k = 0; k < selections[i].n; k++) {
            unsigned from = selections[i].from[k];

            r->part[k] = from == ZERO ? SD_ZERO : args[from / 4].part[from % 4];
        }
        return true;
    }
    return false;
}

/* Does an operation only choose parts of its operands, or join them? */
static bool only_selects(IROp op)
{
    for (size_t i = 0; i < sizeof selections / sizeof selections[0]; i++)
        if (selections[i].op == op)
            return !selections[i].takes_time;
    return op == Iop_32HLto64 || op == Iop_SetV128lo32;
}

/* 64 bits from bit number `from` of an array of words. */
static uint32_t window(struct sd_flat *f, const uint32_t *words, unsigned from)
{
    const uint32_t *low = words + from / 64;
    unsigned shift = from % 64;

    if (shift == 0)
        return *low;
    return sd_flat_deposit(f, shift, 64 - shift,
                           sd_flat_extract(f, 64 - shift, shift, low[0]),
                           sd_flat_extract(f, shift, 0, low[1]));
}

/* Puts the first operand after the second, and takes as many bytes as one
   operand has, from byte number `args[2]` on. */
static bool slices(struct sd_flat *f, IROp op, const struct sd_vec *args,
                   struct sd_vec *r)
{
    unsigned n = op == Iop_SliceV128 ? 2 : 1;
    uint32_t words[5] = {SD_BOTTOM, SD_BOTTOM, SD_BOTTOM, SD_BOTTOM, SD_BOTTOM};
    uint64_t from = 0;

    if (op != Iop_SliceV128 && op != Iop_Slice64)
        return false;
    const struct sd_op *shift = sd_insn_definition(f->out, args[2].part[0]);
    if (shift != NULL && shift->code == SD_CONST)
        from = 8 * shift->imm;
    else if (args[2].part[0] != SD_ZERO)
        return true; /* bottom: VEX gives only constants as args[2] */
    for (unsigned i = 0; i < n; i++) {
        words[i] = args[1].part[i];
        words[n + i] = args[0].part[i];
    }
    for (unsigned i = 0; i < n && from <= 64 * n; i++)
        r->part[i] = window(f, words, (unsigned)from + 64 * i);
    return true;
}

/* --- Lanes --- */

/* Which lane of which operand becomes lane i of n in the result. */
enum order {
    INTERLEAVE_LOW, /* the lower halves, the second operand's lane first */
    INTERLEAVE_HIGH,
    EVEN, /* the even lanes of the second operand, then of the first */
    ODD,
    PAIRS, /* one operand's lanes, reversed in groups of 2, 4 or 8 */
    FOURS,
    EIGHTS,
    NARROW /* the even lanes of one operand */
};

static unsigned source(enum order order, unsigned i, unsigned n)
{
    switch (order) {
    case INTERLEAVE_LOW:
        return i / 2;
    case INTERLEAVE_HIGH:
        return n / 2 + i / 2;
    case EVEN:
    case NARROW:
        return 2 * i % n;
    case ODD:
        return 2 * i % n + 1;
    case PAIRS:
        return i ^ 1;
    case FOURS:
        return i ^ 3;
    default:
        return i ^ 7;
    }
}

static struct sd_vec reorder(struct sd_flat *f, enum order order,
                             unsigned width, unsigned n,
                             const struct sd_vec *args)
{
    struct sd_vec r = {{SD_ZERO, SD_ZERO}};

    for (unsigned i = 0; i < n; i++) {
        bool is_second =
            order < PAIRS && (order < EVEN ? i % 2 == 0 : i < n / 2);
        unsigned from = width * source(order, i, n), at = width * i;
        uint32_t lane = sd_flat_extract(f, width, from % 64,
                                        args[is_second].part[from / 64]);

        r.part[at / 64] =
            sd_flat_deposit(f, width, at % 64, r.part[at / 64], lane);
    }
    return r;
}

/* Applies one operation to each lane; the second operand has lanes, too, or is
   one number for all. */
static struct sd_vec each_lane(struct sd_flat *f, enum sd_opcode code,
                               unsigned width, unsigned n_parts,
                               const struct sd_vec *args)
{
    struct sd_vec r = sd_flat_bottom();
    bool is_shift = code >= SD_SHL && code <= SD_SAR;

    for (unsigned k = 0; k < n_parts; k++) {
        uint32_t b = code == SD_NOT ? SD_ZERO : args[1].part[is_shift ? 0 : k];

        if (width == 64) {
            r.part[k] = sd_flat_pure(f, code, 64, args[0].part[k], b);
            continue;
        }
        r.part[k] = SD_ZERO;
        for (unsigned at = 0; at < 64; at += width)
            r.part[k] = sd_flat_deposit(
                f, width, at, r.part[k],
                sd_flat_pure(f, code, width,
                             sd_flat_extract(f, width, at, args[0].part[k]),
                             is_shift ? b : sd_flat_extract(f, width, at, b)));
    }
    return r;
}

/* --- Other operations --- */

static struct sd_vec one(uint32_t temp)
{
    return (struct sd_vec){{temp}};
}

static struct sd_vec two(uint32_t low, uint32_t high)
{
    return (struct sd_vec){{low, high}};
}

static uint32_t widen(struct sd_flat *f, unsigned from, uint32_t a)
{
    return sd_insn_bits(f->out, SD_SEXT, 64, from, a, SD_ZERO);
}

/* How other operations are made of flat ones, `code` and maybe `second`. */
enum how {
    SIGNED,    /* `code` on operands sign-extended from `from` bits */
    TWO_WORDS, /* the result of `second` is the upper word */
    PACKED,    /* the result of `second` is the upper half of a word */
    WIDE,      /* as TWO_WORDS; the first operand has two words, too */
    JOIN,      /* the first operand becomes the upper half */
    LOWEST,    /* only the lowest bits of a vector are kept */
    EACH,      /* `code` on each lane of `from` words */
    REORDER    /* `from` lanes get the order `code` */
};

#define LANES(order, name)                            \
    {Iop_##name##8x16, REORDER, order, 0, 8, 16},     \
        {Iop_##name##16x8, REORDER, order, 0, 16, 8}, \
    {                                                 \
        Iop_##name##32x4, REORDER, order, 0, 32, 4    \
    }
#define HALVES(order, name)                        \
    {Iop_##name##8x8, REORDER, order, 0, 8, 8},    \
    {                                              \
        Iop_##name##16x4, REORDER, order, 0, 16, 4 \
    }
#define OF_128(name, op)                        \
    {Iop_##name##16x8, EACH, op, 0, 16, 2},     \
        {Iop_##name##32x4, EACH, op, 0, 32, 2}, \
    {                                           \
        Iop_##name##64x2, EACH, op, 0, 64, 2    \
    }
#define OF_256(name, op)                        \
    {Iop_##name##16x16, EACH, op, 0, 16, 4},    \
        {Iop_##name##32x8, EACH, op, 0, 32, 4}, \
    {                                           \
        Iop_##name##64x4, EACH, op, 0, 64, 4    \
    }
static const struct composed {
    IROp op;
    uint8_t how, code, second;
    uint8_t width; /* of a result, or of a lane */
    uint8_t from;  /* SIGNED, PACKED: width of an operand to sign-extend; 0:
                      none */
} composed_ops[] = {
    {Iop_MullS8, SIGNED, SD_MUL, 0, 16, 8},
    {Iop_MullS16, SIGNED, SD_MUL, 0, 32, 16},
    {Iop_MullS32, SIGNED, SD_MUL, 0, 64, 32},
    {Iop_MullU64, TWO_WORDS, SD_MUL, SD_MULHU, 64, 0},
    {Iop_MullS64, TWO_WORDS, SD_MUL, SD_MULHS, 64, 0},
    {Iop_8HLto16, JOIN, SD_DEPOSIT, 0, 8, 0},
    {Iop_16HLto32, JOIN, SD_DEPOSIT, 0, 16, 0},
    {Iop_32HLto64, JOIN, SD_DEPOSIT, 0, 32, 0},
    {Iop_DivS32, SIGNED, SD_DIVS, 0, 32, 32},
    {Iop_DivModS32to32, PACKED, SD_DIVS, SD_MODS, 32, 32},
    {Iop_DivModS64to32, PACKED, SD_DIVS, SD_MODS, 32, 0},
    {Iop_DivModU32to32, PACKED, SD_DIVU, SD_MODU, 32, 0},
    {Iop_DivModU64to32, PACKED, SD_DIVU, SD_MODU, 32, 0},
    {Iop_DivModS64to64, TWO_WORDS, SD_DIVS, SD_MODS, 64, 0},
    {Iop_DivModU64to64, TWO_WORDS, SD_DIVU, SD_MODU, 64, 0},
    {Iop_DivModS128to64, WIDE, SD_DIVS128, SD_MODS128, 64, 0},
    {Iop_DivModU128to64, WIDE, SD_DIVU128, SD_MODU128, 64, 0},
    {Iop_ZeroHI120ofV128, LOWEST, SD_EXTRACT, 0, 8, 0},
    {Iop_ZeroHI112ofV128, LOWEST, SD_EXTRACT, 0, 16, 0},
    {Iop_ZeroHI96ofV128, LOWEST, SD_EXTRACT, 0, 32, 0},
    {Iop_SetV128lo32, LOWEST, SD_DEPOSIT, 0, 32, 0},
    LANES(INTERLEAVE_LOW, InterleaveLO),
    LANES(INTERLEAVE_HIGH, InterleaveHI),
    LANES(EVEN, CatEvenLanes),
    LANES(ODD, CatOddLanes),
    HALVES(INTERLEAVE_LOW, InterleaveLO),
    HALVES(INTERLEAVE_HIGH, InterleaveHI),
    HALVES(EVEN, CatEvenLanes),
    HALVES(ODD, CatOddLanes),
    {Iop_InterleaveLO32x2, REORDER, INTERLEAVE_LOW, 0, 32, 2},
    {Iop_InterleaveHI32x2, REORDER, INTERLEAVE_HIGH, 0, 32, 2},
    {Iop_Reverse8sIn16_x8, REORDER, PAIRS, 0, 8, 16},
    {Iop_Reverse8sIn32_x4, REORDER, FOURS, 0, 8, 16},
    {Iop_Reverse8sIn64_x2, REORDER, EIGHTS, 0, 8, 16},
    {Iop_Reverse16sIn32_x4, REORDER, PAIRS, 0, 16, 8},
    {Iop_Reverse16sIn64_x2, REORDER, FOURS, 0, 16, 8},
    {Iop_Reverse32sIn64_x2, REORDER, PAIRS, 0, 32, 4},
    {Iop_NarrowUn16to8x8, REORDER, NARROW, 0, 8, 16},
    {Iop_NarrowUn32to16x4, REORDER, NARROW, 0, 16, 8},
    {Iop_NarrowUn64to32x2, REORDER, NARROW, 0, 32, 4},
    OF_128(Add, SD_ADD),
    OF_128(Sub, SD_SUB),
    OF_128(ShlN, SD_SHL),
    OF_128(ShrN, SD_SHR),
    OF_128(SarN, SD_SAR),
    OF_256(Add, SD_ADD),
    OF_256(Sub, SD_SUB),
    OF_256(ShlN, SD_SHL),
    OF_256(ShrN, SD_SHR),
    {Iop_SarN16x16, EACH, SD_SAR, 0, 16, 4},
    {Iop_SarN32x8, EACH, SD_SAR, 0, 32, 4},
    {Iop_AndV128, EACH, SD_AND, 0, 64, 2},
    {Iop_AndV256, EACH, SD_AND, 0, 64, 4},
    {Iop_OrV128, EACH, SD_OR, 0, 64, 2},
    {Iop_OrV256, EACH, SD_OR, 0, 64, 4},
    {Iop_XorV128, EACH, SD_XOR, 0, 64, 2},
    {Iop_XorV256, EACH, SD_XOR, 0, 64, 4},
    {Iop_NotV128, EACH, SD_NOT, 0, 64, 2},
    {Iop_NotV256, EACH, SD_NOT, 0, 64, 4},
};

static struct sd_vec compose(struct sd_flat *f, const struct composed *c,
                             const struct sd_vec *args)
{
    enum sd_opcode code = c->code, second = c->second;
    unsigned width = c->width, from = c->from;
    uint32_t a = args[0].part[0], b = args[1].part[0], high, low;

    switch ((enum how)c->how) {
    case JOIN:
        return one(sd_flat_deposit(f, width, width, b, a));
    case LOWEST:
        return code == SD_EXTRACT
                   ? two(sd_flat_extract(f, width, 0, a), SD_ZERO)
                   : two(sd_flat_deposit(f, width, 0, a, b), args[0].part[1]);
    case EACH:
        return each_lane(f, code, width, from, args);
    case REORDER:
        return reorder(f, (enum order)c->code, width, from, args);
    case SIGNED: /* SD_DIVS extends its divisor itself */
        a = widen(f, from, a);
        if (code == SD_MUL)
            b = widen(f, from, b);
        return one(sd_flat_pure(f, code, width, a, b));
    case WIDE:
        high = args[0].part[1];
        low = sd_insn_pure(f->out, code, width, high, a, b);
        return two(low, sd_insn_pure(f->out, second, width, high, a, b));
    default:
        if (from != 0)
            a = widen(f, from, a);
        low = sd_flat_pure(f, code, width, a, b);
        high = sd_flat_pure(f, second, width, a, b);
        return c->how == PACKED
                   ? one(sd_flat_deposit(f, width, width, low, high))
                   : two(low, high);
    }
}

_Static_assert(Iop_LAST - Iop_INVALID < SD_N_OPERATIONS,
               "each operation can be counted");

/* Translates an operation whose value matters; false: it is unknown. */
static bool translate(struct sd_flat *f, IROp op, const struct sd_vec *args,
                      struct sd_vec *r)
{
    if (select_parts(op, args, r) || slices(f, op, args, r))
        return true;
    for (size_t i = 0; i < sizeof composed_ops / sizeof composed_ops[0]; i++)
        if (composed_ops[i].op == op) {
            *r = compose(f, &composed_ops[i], args);
            return true;
        }
    return false;
}

struct sd_vec sd_flat_irop(struct sd_flat *f, IROp op,
                           const struct sd_vec *args, unsigned n_args)
{
    size_t number = (size_t)op - Iop_INVALID;
    struct sd_vec r = sd_flat_bottom();

    if (number < sizeof simple / sizeof simple[0] && simple[number].known) {
        const struct simple *s = &simple[number];
        uint32_t b = n_args > 1 ? args[1].part[0] : SD_ZERO;

        return one(sd_insn_bits(f->out, s->code, s->width, s->imm,
                                args[0].part[0], b));
    }
    if (f->is_whole) {
        uint32_t values[4];

        assert(n_args <= 4);
        for (unsigned i = 0; i < n_args; i++)
            values[i] = args[i].part[0];
        return one(sd_flat_opaque(f, only_selects(op), n_args, values));
    }
    if (!translate(f, op, args, &r))
        sd_insn_unsupported(f->out, (uint16_t)number);
    return r;
}
