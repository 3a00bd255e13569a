/*
 * sd_memory: what memory holds, in the run of a block or in a walk, and the
 * last writer of each byte.
 *
 * A byte that was never written holds what the file says, or is a random
 * function of its address; it takes no memory, and has no writer.  Memory
 * consists of granules of 8 bytes: an access looks up one of them, or two if
 * it straddles their border.  The table starts small each time, so that it
 * stays in the processor's cache.
 *
 * A large access, of a rep instruction, only visits the granules in the table.
 * A large store adds a fill: granules that are not in the table have the value
 * and the writer of the last fill that contains them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_MEMORY_H
#define SD_MEMORY_H

#include <stddef.h>

#include "elf/sd_contents.h"
#include "lift/sd_value.h"
#include "random/sd_keys.h"

#define SD_NO_WRITER 0u

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

/* If it is zeroed, it is empty, and what was never written is random and
   known. */
struct sd_memory {
    const struct sd_contents *contents; /* NULL: the file says nothing */
    bool draws;                         /* do random bits count as not known? */
    struct sd_keys numbers;             /* of granules: their addresses / 8 */
    struct sd_granule *granules;        /* by number of the key */
    size_t granules_room;
    struct sd_fill fills[SD_MAX_FILLS];
    size_t n_fills;
    uint64_t key; /* of the random bits */
};

void sd_memory_fini(struct sd_memory *memory);

/* Forgets everything; `key` chooses the new random contents, if it is not
   SD_SAME_KEY. */
void sd_memory_clear(struct sd_memory *memory, uint64_t key);

/* Loads `size` bytes, 1 to 8, the lowest first.  The last writer of each is
   stored to writers[].  If the address `is_drawn`, bytes that were never
   written are not known: another address would have other contents. */
struct sd_value sd_memory_load(const struct sd_memory *memory, uint64_t address,
                               unsigned size, bool is_drawn,
                               uint32_t writers[8]);

/* Loads from a known address, but returns the writers without a copy: a part of
   a granule, SD_UNWRITTEN if the whole granule has no writers, or NULL if one
   look-up does not suffice. */
extern const uint32_t SD_UNWRITTEN[8];
const uint32_t *sd_memory_peek(const struct sd_memory *memory, uint64_t address,
                               unsigned size, struct sd_value *value);

void sd_memory_store(struct sd_memory *memory, uint64_t address, unsigned size,
                     struct sd_value value, uint32_t writer);

/* Changes the value, but not the writers. */
void sd_memory_poke(struct sd_memory *memory, uint64_t address, unsigned size,
                    struct sd_value value);

/* Stores bottom to any number of bytes. */
void sd_memory_fill(struct sd_memory *memory, uint64_t address, uint64_t size,
                    uint32_t writer);

/* Shows the last writers of any number of bytes to `see`, up to 8 bytes at a
   time, in no order.  Granules with the same writers may be shown once. */
void sd_memory_writers(const struct sd_memory *memory, uint64_t address,
                       uint64_t size,
                       void (*see)(void *context, const uint32_t *writers,
                                   unsigned n),
                       void *context);

#endif
