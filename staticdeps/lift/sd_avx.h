/*
 * sd_avx: which vector instruction writes what, and how much memory it
 * accesses.  Private to sd_vector.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_AVX_H
#define SD_AVX_H

#include <stdbool.h>
#include <stdint.h>

enum sd_avx_kind {
    SD_AVX_LOAD,       /* writes vector or opmask register `reg` */
    SD_AVX_STORE,      /* writes memory or vector register `rm` */
    SD_AVX_STORE_PART, /* writes memory or general register `rm` */
    SD_AVX_GROUP,      /* writes the register of the prefix */
    SD_AVX_GATHER,     /* SD_AVX_LOAD, at addresses made with a vector */
    SD_AVX_SCATTER,
    SD_AVX_MASK,       /* opmask registers alone, or a load of one */
    SD_AVX_MASK_STORE, /* an opmask to memory */
    SD_AVX_MASK_TO_GENERAL,
    SD_AVX_FLAGS /* an opmask's, into the flags */
};

/* Sizes of accesses: so many bytes, or one of these. */
enum {
    SD_AVX_FULL = 100, /* the vector, or one element to be broadcast */
    SD_AVX_HALF,
    SD_AVX_QUARTER,
    SD_AVX_EIGHTH,
    SD_AVX_WORD,   /* 8 bytes or 4, by W */
    SD_AVX_OPMASK, /* by pp and W */
    SD_AVX_NONE
};

struct sd_avx_entry {
    uint8_t encoding, map, pp;
    uint8_t first, last; /* opcodes */
    uint8_t kind, size;
};

/* The entry for an opcode of a map, under a prefix; NULL if there is none. */
const struct sd_avx_entry *sd_avx_find(bool is_evex, unsigned map, unsigned pp,
                                       unsigned opcode);

#endif
