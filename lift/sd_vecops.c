/*
 * sd_vecops: VEX's operations on vectors that programs compute addresses with:
 * those that extract parts, join them, or shuffle lanes in a fixed order;
 * bitwise operations on whole vectors; and sums, differences and shifts of
 * lanes of 16 to 64 bits, where all lanes are shifted by one number.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "lift/sd_flat.h"

/* Where a 64-bit part of a result comes from: part i of operand k is 4 * k + i.
 */
enum { A0, A1, A2, A3, B0, B1, C0 = 8, D0 = 12, ZERO = 16 };

/* Operations that choose whole parts.  Where VEX joins two halves, the second
   operand is the lower one.  VEX has some to say that parts are moved by an
   instruction for that, which takes its time. */
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

bool sd_flat_selects(IROp op)
{
    for (size_t i = 0; i < sizeof selections / sizeof selections[0]; i++)
        if (selections[i].op == op)
            return !selections[i].takes_time;
    return op == Iop_32HLto64 || op == Iop_SetV128lo32;
}

/* Operations that keep the lowest bits of a vector, or replace them. */
static bool lowest(struct sd_flat *f, IROp op, const struct sd_vec *args,
                   struct sd_vec *r)
{
    uint32_t a = args[0].part[0], high = SD_ZERO;

    switch (op) {
    case Iop_ZeroHI120ofV128:
        a = sd_flat_extract(f, 8, 0, a);
        break;
    case Iop_ZeroHI112ofV128:
        a = sd_flat_extract(f, 16, 0, a);
        break;
    case Iop_ZeroHI96ofV128:
        a = sd_flat_extract(f, 32, 0, a);
        break;
    case Iop_SetV128lo32:
        a = sd_flat_deposit(f, 32, 0, a, args[1].part[0]);
        high = args[0].part[1];
        break;
    default:
        return false;
    }
    *r = (struct sd_vec){{a, high}};
    return true;
}

/* Which lane of which operand becomes lane i of n in the result. */
enum order {
    INTERLEAVE_LOW, /* the lower halves, the second operand's lane first */
    INTERLEAVE_HIGH,
    EVEN, /* the even lanes of the second operand, then of the first */
    ODD,
    PAIRS, /* of one operand: each two, four or eight lanes turned around */
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

static bool shuffles(struct sd_flat *f, IROp op, const struct sd_vec *args,
                     struct sd_vec *r)
{
#define LANES(order, name)                                              \
    {Iop_##name##8x16, order, 8, 16}, {Iop_##name##16x8, order, 16, 8}, \
    {                                                                   \
        Iop_##name##32x4, order, 32, 4                                  \
    }
#define HALVES(order, name)            \
    {Iop_##name##8x8, order, 8, 8},    \
    {                                  \
        Iop_##name##16x4, order, 16, 4 \
    }
    static const struct {
        IROp op;
        uint8_t order, width, n;
    } table[] = {
        LANES(INTERLEAVE_LOW, InterleaveLO),
        LANES(INTERLEAVE_HIGH, InterleaveHI),
        LANES(EVEN, CatEvenLanes),
        LANES(ODD, CatOddLanes),
        HALVES(INTERLEAVE_LOW, InterleaveLO),
        HALVES(INTERLEAVE_HIGH, InterleaveHI),
        HALVES(EVEN, CatEvenLanes),
        HALVES(ODD, CatOddLanes),
        {Iop_InterleaveLO32x2, INTERLEAVE_LOW, 32, 2},
        {Iop_InterleaveHI32x2, INTERLEAVE_HIGH, 32, 2},
        {Iop_Reverse8sIn16_x8, PAIRS, 8, 16},
        {Iop_Reverse8sIn32_x4, FOURS, 8, 16},
        {Iop_Reverse8sIn64_x2, EIGHTS, 8, 16},
        {Iop_Reverse16sIn32_x4, PAIRS, 16, 8},
        {Iop_Reverse16sIn64_x2, FOURS, 16, 8},
        {Iop_Reverse32sIn64_x2, PAIRS, 32, 4},
        {Iop_NarrowUn16to8x8, NARROW, 8, 16},
        {Iop_NarrowUn32to16x4, NARROW, 16, 8},
        {Iop_NarrowUn64to32x2, NARROW, 32, 4},
    };
#undef LANES
#undef HALVES

    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (table[i].op != op)
            continue;
        *r = reorder(f, (enum order)table[i].order, table[i].width, table[i].n,
                     args);
        return true;
    }
    return false;
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
    const struct sd_op *shift;
    uint64_t from = 0;

    if (op != Iop_SliceV128 && op != Iop_Slice64)
        return false;
    shift = sd_insn_definition(f->out, args[2].part[0]);
    if (shift != NULL && shift->code == SD_CONST)
        from = 8 * shift->imm;
    else if (args[2].part[0] != SD_ZERO)
        return true; /* bottom: VEX uses only constants here */
    for (unsigned i = 0; i < n; i++) {
        words[i] = args[1].part[i];
        words[n + i] = args[0].part[i];
    }
    for (unsigned i = 0; i < n && from <= 64 * n; i++)
        r->part[i] = window(f, words, (unsigned)from + 64 * i);
    return true;
}

/* Applies one operation to each lane; the second operand has lanes, too, or is
   one number for all. */
static void each_lane(struct sd_flat *f, enum sd_opcode code, unsigned width,
                      unsigned n_parts, const struct sd_vec *args,
                      struct sd_vec *r)
{
    bool is_shift = code >= SD_SHL && code <= SD_SAR;

    for (unsigned k = 0; k < n_parts; k++) {
        uint32_t b = code == SD_NOT ? SD_ZERO : args[1].part[is_shift ? 0 : k];

        if (width == 64) {
            r->part[k] = sd_flat_pure(f, code, 64, args[0].part[k], b);
            continue;
        }
        r->part[k] = SD_ZERO;
        for (unsigned at = 0; at < 64; at += width)
            r->part[k] = sd_flat_deposit(
                f, width, at, r->part[k],
                sd_flat_pure(f, code, width,
                             sd_flat_extract(f, width, at, args[0].part[k]),
                             is_shift ? b : sd_flat_extract(f, width, at, b)));
    }
}

static bool lanes(struct sd_flat *f, IROp op, const struct sd_vec *args,
                  struct sd_vec *r)
{
#define OF_128(name, op)                                          \
    {Iop_##name##16x8, op, 16, 2}, {Iop_##name##32x4, op, 32, 2}, \
    {                                                             \
        Iop_##name##64x2, op, 64, 2                               \
    }
#define OF_256(name, op)                                           \
    {Iop_##name##16x16, op, 16, 4}, {Iop_##name##32x8, op, 32, 4}, \
    {                                                              \
        Iop_##name##64x4, op, 64, 4                                \
    }
    static const struct {
        IROp op;
        uint8_t code, width, n_parts;
    } table[] = {
        OF_128(Add, SD_ADD),           OF_128(Sub, SD_SUB),
        OF_128(ShlN, SD_SHL),          OF_128(ShrN, SD_SHR),
        OF_128(SarN, SD_SAR),          OF_256(Add, SD_ADD),
        OF_256(Sub, SD_SUB),           OF_256(ShlN, SD_SHL),
        OF_256(ShrN, SD_SHR),          {Iop_SarN16x16, SD_SAR, 16, 4},
        {Iop_SarN32x8, SD_SAR, 32, 4}, {Iop_AndV128, SD_AND, 64, 2},
        {Iop_AndV256, SD_AND, 64, 4},  {Iop_OrV128, SD_OR, 64, 2},
        {Iop_OrV256, SD_OR, 64, 4},    {Iop_XorV128, SD_XOR, 64, 2},
        {Iop_XorV256, SD_XOR, 64, 4},  {Iop_NotV128, SD_NOT, 64, 2},
        {Iop_NotV256, SD_NOT, 64, 4},
    };
#undef OF_128
#undef OF_256

    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (table[i].op != op)
            continue;
        each_lane(f, (enum sd_opcode)table[i].code, table[i].width,
                  table[i].n_parts, args, r);
        return true;
    }
    return false;
}

bool sd_flat_vector(struct sd_flat *f, IROp op, const struct sd_vec *args,
                    struct sd_vec *r)
{
    return select_parts(op, args, r) || lowest(f, op, args, r) ||
           shuffles(f, op, args, r) || slices(f, op, args, r) ||
           lanes(f, op, args, r);
}
