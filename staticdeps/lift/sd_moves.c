/*
 * sd_moves: VEX's operations that only move parts of vectors: they extract
 * parts, join them, or shuffle lanes in a fixed order.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "lift/sd_flat.h"

static struct sd_vec one(uint32_t temp)
{
    return (struct sd_vec){{temp}};
}

static struct sd_vec two(uint32_t low, uint32_t high)
{
    return (struct sd_vec){{low, high}};
}

/* Operations that extract a part of a vector. */
static bool selections(IROp op, const uint32_t *a, struct sd_vec *r)
{
    static const struct {
        IROp op;
        uint8_t first, n; /* of 64-bit parts */
    } parts[] = {
        {Iop_128to64, 0, 1},
        {Iop_128HIto64, 1, 1},
        {Iop_V128to64, 0, 1},
        {Iop_V128HIto64, 1, 1},
        {Iop_V256to64_0, 0, 1},
        {Iop_V256to64_1, 1, 1},
        {Iop_V256to64_2, 2, 1},
        {Iop_V256to64_3, 3, 1},
        {Iop_V256toV128_0, 0, 2},
        {Iop_V256toV128_1, 2, 2},
        {Iop_ReinterpV128asI128, 0, 2},
        {Iop_ReinterpI128asV128, 0, 2},
    };

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (parts[i].op != op)
            continue;
        *r = parts[i].n == 1 ? one(a[parts[i].first])
                             : two(a[parts[i].first], a[parts[i].first + 1]);
        return true;
    }
    return false;
}

/* Operations that join vectors. */
static bool joins(struct sd_flat *f, IROp op, const struct sd_vec *args,
                  struct sd_vec *r)
{
    const uint32_t *a = args[0].part, *b = args[1].part;

    switch (op) {
    case Iop_64HLto128:
    case Iop_64HLtoV128:
    case Iop_InterleaveLO64x2: /* the second operand's part is the lower one */
        *r = two(b[0], a[0]);
        return true;
    case Iop_InterleaveHI64x2:
        *r = two(b[1], a[1]);
        return true;
    case Iop_64UtoV128:
    case Iop_32UtoV128:
    case Iop_ZeroHI64ofV128:
        *r = two(a[0], SD_ZERO);
        return true;
    case Iop_ZeroHI120ofV128:
        *r = two(sd_flat_extract(f, 8, 0, a[0]), SD_ZERO);
        return true;
    case Iop_ZeroHI112ofV128:
        *r = two(sd_flat_extract(f, 16, 0, a[0]), SD_ZERO);
        return true;
    case Iop_ZeroHI96ofV128:
        *r = two(sd_flat_extract(f, 32, 0, a[0]), SD_ZERO);
        return true;
    case Iop_SetV128lo64:
        *r = two(b[0], a[1]);
        return true;
    case Iop_SetV128lo32:
        *r = two(sd_flat_deposit(f, 32, 0, a[0], b[0]), a[1]);
        return true;
    case Iop_V128HLtoV256:
        *r = (struct sd_vec){{b[0], b[1], a[0], a[1]}};
        return true;
    case Iop_64x4toV256:
        *r = (struct sd_vec){{args[3].part[0], args[2].part[0], b[0], a[0]}};
        return true;
    default:
        return false;
    }
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
    struct sd_vec r = two(SD_ZERO, SD_ZERO);

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

/* The bytes from number `args[2]` on, of the second operand followed by the
   first; as many as an operand has. */
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

bool sd_flat_move(struct sd_flat *f, IROp op, const struct sd_vec *args,
                  struct sd_vec *r)
{
    return selections(op, args[0].part, r) || joins(f, op, args, r) ||
           shuffles(f, op, args, r) || slices(f, op, args, r);
}
