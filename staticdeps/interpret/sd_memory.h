/*
 * sd_memory: what memory holds in the run of a block or in a walk, the last
 * writer of each byte, and how the bytes of a load lie to those of a store.
 *
 * A byte that was never written holds what the file says, or is a random
 * function of its address; such a byte takes no memory, and has no writer.
 * Memory consists of granules of 8 bytes: an access looks up one granule, or
 * two if it straddles their border.  The table starts small for each run or
 * walk, so that it stays in the processor's cache.
 *
 * A large access of a rep instruction visits only granules that are in the
 * table.  A large store adds a fill: granules that are not in the table have
 * the value and the writer of the last fill that contains them.
 *
 * The kinds of overlap are those that depsim records (common/occurrence.h):
 * only near stores count as writers beside each other.  The overlap of a pair
 * joins those of all its occurrences or, if the store was recent in some, of
 * these: near and, in walks, made since the innermost loop around the load was
 * entered.  Relation and offset are each unknown if they differ, with one
 * exception: `partial` and `several` are together `several`, since the first
 * rounds of a loop do not show stores of rounds before them.
 *
 * Limits: an overlap is unknown if the instruction makes several stores, or has
 * a rep prefix, or if an access has more than SD_MOST_OVERLAP bytes.  To VEX,
 * maskmovq and maskmovdqu store all bytes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "elf/sd_image.h"
#include "lift/sd_op.h"
#include "keys.h"

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

/* The number with which BHive fills memory (Chen et al., IISWC 2019), and the
   key of memory that is full of it. */
#define SD_SAME     UINT64_C(0x2324000)
#define SD_SAME_KEY 0

#define SD_MAX_FILLS 64 /* the most fills; further ones go to each granule */

/* Memory.  A structure of zeros has no granules, and all its bytes are random
   and known. */
struct sd_memory {
    const struct sd_contents *contents; /* NULL: the file says nothing */
    bool draws;                         /* do random bits count as not known? */
    struct keys numbers;                /* granules by their address / 8 */
    struct sd_granule *granules;        /* indexed by number of the key */
    size_t granules_room;
    struct sd_fill fills[SD_MAX_FILLS];
    size_t n_fills;
    uint64_t key; /* the key of the random bits */
};

void sd_memory_fini(struct sd_memory *memory);

/* Forgets everything; `key` chooses the new random contents, if it is not
   SD_SAME_KEY. */
void sd_memory_clear(struct sd_memory *memory, uint64_t key);

/* Loads `size` bytes, 1 to 8, the lowest first.  The last writer of each byte
   is stored to writers[].  If the address `is_drawn`, bytes that were never
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

/* Changes the value of 1 to 8 bytes, but not their writers. */
void sd_memory_poke(struct sd_memory *memory, uint64_t address, unsigned size,
                    struct sd_value value);

/* Stores bottom to any number of bytes, with one writer. */
void sd_memory_fill(struct sd_memory *memory, uint64_t address, uint64_t size,
                    uint32_t writer);

/* Shows the last writers of any number of bytes to `see`, up to 8 bytes at a
   time, in no order.  Granules with the same writers may be shown once. */
void sd_memory_writers(const struct sd_memory *memory, uint64_t address,
                       uint64_t size,
                       void (*see)(void *context, const uint32_t *writers,
                                   unsigned n),
                       void *context);

/* --- Overlaps: how the bytes of a load lie to those of a store --- */

#define SD_MOST_OVERLAP 64u /* the most bytes of an access with an overlap */

enum sd_relation {
    SD_UNKNOWN_RELATION,
    SD_SAME_BYTES, /* the store wrote all bytes, and no others */
    SD_CONTAINED,  /* the store wrote all bytes, and more */
    SD_PARTIAL,    /* the store wrote some bytes; the cache has the rest */
    SD_SEVERAL     /* other near stores wrote some of the rest */
};

#define SD_NO_OFFSET INT8_MIN

/* The overlap of a pair or an occurrence; all zeros if unknown. */
struct sd_overlap {
    uint8_t relation : 4; /* enum sd_relation */
    uint8_t is_old : 4;   /* the store was not recent */
    int8_t offset;        /* bytes from the store's address to the load's, or
                             SD_NO_OFFSET */
};

/* The bytes of an access. */
struct sd_bytes {
    uint64_t address;
    uint32_t size; /* 0, or more than SD_MOST_OVERLAP: not known */
};

/* The overlap of a load and a store, which wrote `n` bytes of the load last;
   `other` is the relation if n bytes are not the whole load. */
struct sd_overlap sd_overlap_of(const struct sd_bytes *load,
                                const struct sd_bytes *store, unsigned n,
                                enum sd_relation other);

static inline bool sd_overlap_is(struct sd_overlap a, struct sd_overlap b)
{
    return a.relation == b.relation && a.is_old == b.is_old &&
           a.offset == b.offset;
}

/* The overlap of all occurrences that have overlap a or b. */
struct sd_overlap sd_overlap_join(struct sd_overlap a, struct sd_overlap b);

/* Is the offset of an overlap known? */
static inline bool sd_overlap_has_offset(struct sd_overlap o)
{
    return o.relation != SD_UNKNOWN_RELATION && o.offset != SD_NO_OFFSET;
}

/* The name of a relation in the database. */
const char *sd_relation_name(struct sd_overlap overlap);
