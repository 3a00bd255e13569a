/*
 * sd_shadow: the values of a block's memory, and the last writer of each byte.
 *
 * Each byte has a value or is bottom, and has a last writer or none.  Bytes
 * that were never written are random, and take no memory.
 *
 * A writer is a site and the time of its store.  Both share 32 bits, so that a
 * granule with its eight writers fits one cache line: the lower bits are the
 * site, as many as the largest site needs (sd_site_bits).
 *
 * An access looks up one granule, or two if it straddles their border.
 *
 * A large access, of a rep instruction, only visits the granules in the table.
 * A large store adds a fill: granules that are not in the table have the value
 * and the writer of the last fill that contains them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_SHADOW_H
#define SD_SHADOW_H

#include <assert.h>
#include <stddef.h>

#include "lift/sd_value.h"
#include "random/sd_keys.h"

#define SD_NO_WRITER 0u /* sites count from 1 */

/* The number of bits that sites up to `last` need. */
static inline unsigned sd_site_bits(uint32_t last)
{
    return last == 0 ? 0 : 32 - (unsigned)__builtin_clz(last);
}

static inline uint32_t sd_writer(unsigned site_bits, uint32_t site,
                                 uint32_t time)
{
    assert(site != 0 && site >> site_bits == 0);
    return time << site_bits | site;
}

static inline uint32_t sd_writer_site(unsigned site_bits, uint32_t writer)
{
    return writer & ((UINT32_C(1) << site_bits) - 1);
}

static inline uint32_t sd_writer_time(unsigned site_bits, uint32_t writer)
{
    return writer >> site_bits;
}

/* 8 bytes at an address that is a multiple of 8. */
struct sd_granule {
    struct sd_value value;
    uint32_t writers[8];
};

/* Whole granules that one store wrote. */
struct sd_fill {
    uint64_t first, n;
    uint32_t writer;
};

/* BHive's number (Chen et al., IISWC 2019), and the key of memory that is full
   of it. */
#define SD_SAME     UINT64_C(0x2324000)
#define SD_SAME_KEY 0

#define SD_MAX_FILLS 64 /* of a run; further ones go to each granule */

/* Is empty if it is zeroed. */
struct sd_shadow {
    struct sd_keys numbers;      /* of granules: their addresses / 8 */
    struct sd_granule *granules; /* by number of the key */
    size_t granules_room;
    struct sd_fill fills[SD_MAX_FILLS];
    size_t n_fills;
    uint64_t key; /* of the bytes that were never written */
};

void sd_shadow_fini(struct sd_shadow *shadow);

/* Forgets everything; `key` chooses the new random contents, if it is not
   SD_SAME_KEY. */
void sd_shadow_clear(struct sd_shadow *shadow, uint64_t key);

/* Loads `size` bytes, 1 to 8, the lowest first.  The last writer of each is
   stored to writers[]. */
struct sd_value sd_shadow_load(const struct sd_shadow *shadow, uint64_t address,
                               unsigned size, uint32_t writers[8]);
/* The writers of a load, without a copy: a part of a granule, SD_UNWRITTEN if
   the whole granule has no writers, or NULL if one look-up does not suffice. */
extern const uint32_t SD_UNWRITTEN[8];
const uint32_t *sd_shadow_peek(const struct sd_shadow *shadow, uint64_t address,
                               unsigned size, struct sd_value *value);
void sd_shadow_store(struct sd_shadow *shadow, uint64_t address, unsigned size,
                     struct sd_value value, uint32_t writer);

/* Stores bottom to any number of bytes. */
void sd_shadow_fill(struct sd_shadow *shadow, uint64_t address, uint64_t size,
                    uint32_t writer);

/* Shows the last writers of any number of bytes to `see`, up to 8 bytes at a
   time, in no order.  Granules with the same writers may be shown once. */
void sd_shadow_writers(const struct sd_shadow *shadow, uint64_t address,
                       uint64_t size,
                       void (*see)(void *context, const uint32_t *writers,
                                   unsigned n),
                       void *context);

#endif
