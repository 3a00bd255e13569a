/*
 * sd_lanes: VEX's operations on vectors that programs compute addresses with:
 * bitwise operations on whole vectors; and sums, differences and shifts of
 * lanes of 16 to 64 bits, where all lanes are shifted by one number.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "lift/sd_flat.h"

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

bool sd_flat_lanes(struct sd_flat *f, IROp op, const struct sd_vec *args,
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
