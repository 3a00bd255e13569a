/*
 * sd_irop: translates VEX's operations into flat ones.
 *
 * This file has integer arithmetic of up to 128 bits; sd_vecops has operations
 * on vectors.  Floating point gives bottom.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "lift/sd_flat.h"

#include <assert.h>

#include "config.h"

/* The operations that correspond to one flat operation. */
struct simple {
    uint8_t code;
    uint8_t width;
    uint8_t imm;
    bool known; /* is there an entry? */
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
#if HAVE_DECL_IOP_CLZ64 /* else there are only those below */
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

/* How the other operations are made of flat ones, `code` and maybe `second`. */
enum how {
    SIGNED,    /* code, of sign-extended operands of `from` bits */
    TWO_WORDS, /* the result of `second` is the upper word */
    PACKED,    /* the result of `second` is the upper half of a word */
    WIDE,      /* TWO_WORDS; the first operand has two words, too */
    JOIN       /* the first operand becomes the upper half */
};

static const struct {
    IROp op;
    uint8_t how, code, second;
    uint8_t width; /* of a result */
    uint8_t from;  /* of an operand to be sign-extended; 0: none */
} composed[] = {
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
};

static struct sd_vec compose(struct sd_flat *f, size_t i,
                             const struct sd_vec *args)
{
    enum sd_opcode code = composed[i].code, second = composed[i].second;
    unsigned width = composed[i].width, from = composed[i].from;
    uint32_t a = args[0].part[0], b = args[1].part[0], high, low;

    if (from != 0)
        a = widen(f, from, a);
    switch ((enum how)composed[i].how) {
    case JOIN:
        return one(sd_flat_deposit(f, width, width, b, a));
    case SIGNED: /* SD_DIVS extends its divisor itself */
        if (code == SD_MUL)
            b = widen(f, from, b);
        return one(sd_flat_pure(f, code, width, a, b));
    case WIDE:
        high = args[0].part[1];
        low = sd_insn_pure(f->out, code, width, high, a, b);
        return two(low, sd_insn_pure(f->out, second, width, high, a, b));
    default:
        low = sd_flat_pure(f, code, width, a, b);
        high = sd_flat_pure(f, second, width, a, b);
        return composed[i].how == PACKED
                   ? one(sd_flat_deposit(f, width, width, low, high))
                   : two(low, high);
    }
}

static bool compositions(struct sd_flat *f, IROp op, const struct sd_vec *args,
                         struct sd_vec *r)
{
    for (size_t i = 0; i < sizeof composed / sizeof composed[0]; i++)
        if (composed[i].op == op) {
            *r = compose(f, i, args);
            return true;
        }
    return false;
}

_Static_assert(Iop_LAST - Iop_INVALID < SD_N_OPERATIONS,
               "each operation can be counted");

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
        return one(sd_flat_opaque(f, sd_flat_selects(op), n_args, values));
    }
    if (!sd_flat_vector(f, op, args, &r) && !compositions(f, op, args, &r))
        sd_insn_unsupported(f->out, (uint16_t)number);
    return r;
}
