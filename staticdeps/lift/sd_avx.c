/*
 * sd_avx: which vector instruction writes what, and how much memory it
 * accesses (Intel SDM volume 2, the pages of the instructions).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "lift/sd_avx.h"

#include <stddef.h>

enum { VEX = 0, EVEX = 1 };
enum { ANY = 0xf, P0 = 1, P66 = 2, PF3 = 4, PF2 = 8 }; /* of the prefixes */

/* The names of this file's header, short. */
#define LOAD            SD_AVX_LOAD
#define STORE           SD_AVX_STORE
#define STORE_PART      SD_AVX_STORE_PART
#define GROUP           SD_AVX_GROUP
#define GATHER          SD_AVX_GATHER
#define SCATTER         SD_AVX_SCATTER
#define MASK            SD_AVX_MASK
#define MASK_STORE      SD_AVX_MASK_STORE
#define MASK_TO_GENERAL SD_AVX_MASK_TO_GENERAL
#define FLAGS           SD_AVX_FLAGS
#define FULL            SD_AVX_FULL
#define HALF            SD_AVX_HALF
#define QUARTER         SD_AVX_QUARTER
#define EIGHTH          SD_AVX_EIGHTH
#define WORD            SD_AVX_WORD
#define OPMASK          SD_AVX_OPMASK
#define NONE            SD_AVX_NONE

static const struct sd_avx_entry table[] = {
    {VEX, 1, ANY, 0x41, 0x4b, MASK, NONE},
    {VEX, 1, ANY, 0x90, 0x90, MASK, OPMASK},
    {VEX, 1, ANY, 0x91, 0x91, MASK_STORE, OPMASK},
    {VEX, 1, ANY, 0x92, 0x92, MASK, NONE},
    {VEX, 1, ANY, 0x93, 0x93, MASK_TO_GENERAL, NONE},
    {VEX, 1, ANY, 0x98, 0x99, FLAGS, NONE},
    {VEX, 2, ANY, 0x50, 0x53, LOAD, FULL},
    {VEX, 2, P66, 0xb4, 0xb5, LOAD, FULL},
    {VEX, 2, P66, 0xcf, 0xcf, LOAD, FULL},
    {VEX, 2, P66, 0xdc, 0xdf, LOAD, FULL},
    {VEX, 3, P66, 0x30, 0x33, MASK, NONE},
    {VEX, 3, P66, 0x44, 0x44, LOAD, FULL},
    {VEX, 3, P66, 0xce, 0xcf, LOAD, FULL},
    {EVEX, 1, P0 | P66, 0x10, 0x10, LOAD, FULL},
    {EVEX, 1, P0 | P66, 0x11, 0x11, STORE, FULL},
    {EVEX, 1, P0 | P66, 0x12, 0x12, LOAD, 8},
    {EVEX, 1, P0 | P66, 0x13, 0x13, STORE, 8},
    {EVEX, 1, P0 | P66, 0x14, 0x15, LOAD, FULL},
    {EVEX, 1, P0 | P66, 0x16, 0x16, LOAD, 8},
    {EVEX, 1, P0 | P66, 0x17, 0x17, STORE, 8},
    {EVEX, 1, P0 | P66, 0x54, 0x57, LOAD, FULL},
    {EVEX, 1, P66, 0x60, 0x6d, LOAD, FULL},
    {EVEX, 1, P66, 0x6e, 0x6e, LOAD, WORD},
    {EVEX, 1, ANY, 0x6f, 0x70, LOAD, FULL},
    {EVEX, 1, P66, 0x71, 0x73, GROUP, FULL},
    {EVEX, 1, P66, 0x74, 0x76, LOAD, FULL},
    {EVEX, 1, ANY, 0x7f, 0x7f, STORE, FULL},
    {EVEX, 1, P0 | P66, 0xc2, 0xc2, LOAD, FULL},
    {EVEX, 1, P66, 0xc4, 0xc4, LOAD, 2},
    {EVEX, 1, P0 | P66, 0xc6, 0xc6, LOAD, FULL},
    {EVEX, 1, P66, 0xd1, 0xd3, LOAD, 16}, /* a number of bits to shift by */
    {EVEX, 1, P66, 0xd4, 0xd5, LOAD, FULL},
    {EVEX, 1, P66, 0xd8, 0xe0, LOAD, FULL},
    {EVEX, 1, P66, 0xe1, 0xe2, LOAD, 16},
    {EVEX, 1, P66, 0xe3, 0xe5, LOAD, FULL},
    {EVEX, 1, P66, 0xe7, 0xe7, STORE, FULL},
    {EVEX, 1, P66, 0xe8, 0xef, LOAD, FULL},
    {EVEX, 1, P66, 0xf1, 0xf3, LOAD, 16},
    {EVEX, 1, P66, 0xf4, 0xfe, LOAD, FULL},
    {EVEX, 2, P66, 0x00, 0x0d, LOAD, FULL},
    {EVEX, 2, PF3, 0x10, 0x10, STORE, HALF}, /* narrow the elements */
    {EVEX, 2, PF3, 0x11, 0x11, STORE, QUARTER},
    {EVEX, 2, PF3, 0x12, 0x12, STORE, EIGHTH},
    {EVEX, 2, PF3, 0x13, 0x13, STORE, HALF},
    {EVEX, 2, PF3, 0x14, 0x14, STORE, QUARTER},
    {EVEX, 2, PF3, 0x15, 0x15, STORE, HALF},
    {EVEX, 2, P66, 0x10, 0x12, LOAD, FULL}, /* shift by vectors */
    {EVEX, 2, P66, 0x16, 0x16, LOAD, FULL},
    {EVEX, 2, P66, 0x18, 0x18, LOAD, 4}, /* broadcast */
    {EVEX, 2, P66, 0x19, 0x19, LOAD, 8},
    {EVEX, 2, P66, 0x1a, 0x1a, LOAD, 16},
    {EVEX, 2, P66, 0x1b, 0x1b, LOAD, 32},
    {EVEX, 2, P66, 0x1c, 0x1f, LOAD, FULL},
    {EVEX, 2, P66, 0x20, 0x20, LOAD, HALF}, /* widen the elements */
    {EVEX, 2, P66, 0x21, 0x21, LOAD, QUARTER},
    {EVEX, 2, P66, 0x22, 0x22, LOAD, EIGHTH},
    {EVEX, 2, P66, 0x23, 0x23, LOAD, HALF},
    {EVEX, 2, P66, 0x24, 0x24, LOAD, QUARTER},
    {EVEX, 2, P66, 0x25, 0x25, LOAD, HALF},
    {EVEX, 2, PF3, 0x20, 0x20, STORE, HALF},
    {EVEX, 2, PF3, 0x21, 0x21, STORE, QUARTER},
    {EVEX, 2, PF3, 0x22, 0x22, STORE, EIGHTH},
    {EVEX, 2, PF3, 0x23, 0x23, STORE, HALF},
    {EVEX, 2, PF3, 0x24, 0x24, STORE, QUARTER},
    {EVEX, 2, PF3, 0x25, 0x25, STORE, HALF},
    {EVEX, 2, P66 | PF3, 0x26, 0x29, LOAD, FULL},
    {EVEX, 2, P66, 0x2a, 0x2b, LOAD, FULL},
    {EVEX, 2, P66, 0x30, 0x30, LOAD, HALF},
    {EVEX, 2, P66, 0x31, 0x31, LOAD, QUARTER},
    {EVEX, 2, P66, 0x32, 0x32, LOAD, EIGHTH},
    {EVEX, 2, P66, 0x33, 0x33, LOAD, HALF},
    {EVEX, 2, P66, 0x34, 0x34, LOAD, QUARTER},
    {EVEX, 2, P66, 0x35, 0x35, LOAD, HALF},
    {EVEX, 2, PF3, 0x30, 0x30, STORE, HALF},
    {EVEX, 2, PF3, 0x31, 0x31, STORE, QUARTER},
    {EVEX, 2, PF3, 0x32, 0x32, STORE, EIGHTH},
    {EVEX, 2, PF3, 0x33, 0x33, STORE, HALF},
    {EVEX, 2, PF3, 0x34, 0x34, STORE, QUARTER},
    {EVEX, 2, PF3, 0x35, 0x35, STORE, HALF},
    {EVEX, 2, P66, 0x36, 0x40, LOAD, FULL},
    {EVEX, 2, PF3, 0x38, 0x39, LOAD, FULL},
    {EVEX, 2, P66, 0x44, 0x47, LOAD, FULL},
    {EVEX, 2, P66, 0x50, 0x55, LOAD, FULL},
    {EVEX, 2, P66, 0x58, 0x58, LOAD, 4}, /* broadcast */
    {EVEX, 2, P66, 0x59, 0x59, LOAD, 8},
    {EVEX, 2, P66, 0x5a, 0x5a, LOAD, 16},
    {EVEX, 2, P66, 0x5b, 0x5b, LOAD, 32},
    {EVEX, 2, P66, 0x64, 0x66, LOAD, FULL},
    {EVEX, 2, P66, 0x70, 0x73, LOAD, FULL},
    {EVEX, 2, P66, 0x75, 0x77, LOAD, FULL},
    {EVEX, 2, P66, 0x78, 0x78, LOAD, 1},
    {EVEX, 2, P66, 0x79, 0x79, LOAD, 2},
    {EVEX, 2, P66, 0x7d, 0x7f, LOAD, FULL},
    {EVEX, 2, P66, 0x83, 0x83, LOAD, FULL},
    {EVEX, 2, P66, 0x8d, 0x8d, LOAD, FULL},
    {EVEX, 2, P66, 0x8f, 0x8f, LOAD, FULL},
    {EVEX, 2, P66, 0x90, 0x93, GATHER, WORD},
    {EVEX, 2, P66, 0xa0, 0xa3, SCATTER, WORD},
    {EVEX, 2, P66, 0xb4, 0xb5, LOAD, FULL},
    {EVEX, 2, P66, 0xc4, 0xc4, LOAD, FULL},
    {EVEX, 2, P66, 0xcf, 0xcf, LOAD, FULL},
    {EVEX, 2, P66, 0xdc, 0xdf, LOAD, FULL},
    {EVEX, 3, P66, 0x00, 0x01, LOAD, FULL},
    {EVEX, 3, P66, 0x03, 0x05, LOAD, FULL},
    {EVEX, 3, P66, 0x0f, 0x0f, LOAD, FULL},
    {EVEX, 3, P66, 0x14, 0x14, STORE_PART, 1},
    {EVEX, 3, P66, 0x15, 0x15, STORE_PART, 2},
    {EVEX, 3, P66, 0x16, 0x16, STORE_PART, WORD},
    {EVEX, 3, P66, 0x17, 0x17, STORE_PART, 4},
    {EVEX, 3, P66, 0x18, 0x18, LOAD, 16},
    {EVEX, 3, P66, 0x19, 0x19, STORE, 16},
    {EVEX, 3, P66, 0x1a, 0x1a, LOAD, 32},
    {EVEX, 3, P66, 0x1b, 0x1b, STORE, 32},
    {EVEX, 3, P66, 0x1e, 0x1f, LOAD, FULL},
    {EVEX, 3, P66, 0x20, 0x20, LOAD, 1},
    {EVEX, 3, P66, 0x21, 0x21, LOAD, 4},
    {EVEX, 3, P66, 0x22, 0x22, LOAD, WORD},
    {EVEX, 3, P66, 0x23, 0x23, LOAD, FULL},
    {EVEX, 3, P66, 0x25, 0x25, LOAD, FULL},
    {EVEX, 3, P66, 0x38, 0x38, LOAD, 16},
    {EVEX, 3, P66, 0x39, 0x39, STORE, 16},
    {EVEX, 3, P66, 0x3a, 0x3a, LOAD, 32},
    {EVEX, 3, P66, 0x3b, 0x3b, STORE, 32},
    {EVEX, 3, P66, 0x3e, 0x3f, LOAD, FULL},
    {EVEX, 3, P66, 0x42, 0x44, LOAD, FULL},
    {EVEX, 3, P66, 0x70, 0x73, LOAD, FULL},
    {EVEX, 3, P66, 0xce, 0xcf, LOAD, FULL},
};

const struct sd_avx_entry *sd_avx_find(bool is_evex, unsigned map, unsigned pp,
                                       unsigned opcode)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].encoding == (is_evex ? EVEX : VEX) &&
            table[i].map == map && (table[i].pp >> pp & 1) != 0 &&
            opcode >= table[i].first && opcode <= table[i].last)
            return &table[i];
    return NULL;
}
