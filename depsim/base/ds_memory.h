/* ds_memory: the tool's own memory. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/ds_valgrind.h"

/* `size` zeroed bytes, aligned to a word, or to a line if they fill some. */
void *ds_memory_new(SizeT size);

/* Frees such bytes, if any; more than so many are not used again. */
#define DS_MEMORY_FREED 4096
void ds_memory_free(void *piece, SizeT size);

/* Makes room in an array for element number n (from 0) of `size` bytes.
   Returns the array, which may have moved; new elements are not initialised. */
void *ds_memory_grow(void *array, SizeT *room, SizeT n, SizeT size);

/* The bytes mapped so far for all pieces. */
SizeT ds_memory_total(void);

/* ds_limits: lifts the limits of memory that the program has set, and puts them
   back.  Calls nest: a pair of calls between the two does nothing. */
void ds_limits_lift(void);
void ds_limits_restore(void);

/* ds_reserve: a large range of addresses, memory only where it is used. */

/* The size of a slab, in bytes.  It is so large that half of the slabs of 257
   GiB, which granules of words need at most (ds_shadow), are fewer mappings
   than the kernel allows (vm.max_map_count). */
#define DS_RESERVE_SLAB ((SizeT)4 << 20)

/* The start of the range, and of its first slab. */
#define DS_RESERVE_START ((Addr)1 << 45)

/* The kernel's page: 4, 16 or 64 KiB. */
#define DS_RESERVE_PAGE ((SizeT)VKI_PAGE_SIZE)

/* For each slab: is it mapped?  Only for ds_reserve_is_open. */
extern UChar ds_reserve_opened[];

/* Sets the size in bytes, up to 2 TiB; returns the start.  Call it first. */
void *ds_reserve_init(SizeT size);

/* Is an address in the range mapped, so that no access faults?  If not, its
   memory counts as 0. */
static inline Bool ds_reserve_is_open(const void *p)
{
    return ds_reserve_opened[((Addr)p - DS_RESERVE_START) / DS_RESERVE_SLAB];
}

/* Maps the slab of an address, zeroed.  False if it is mapped already, or the
   address is not in the range.  Out of memory ends the run with a message. */
Bool ds_reserve_open(Addr a);

/* Zeroes whole pages.  They take no memory then, unless they are locked. */
void ds_reserve_clear(void *p, SizeT size);

/* Zeroes words, wherever they lie; whole pages as ds_reserve_clear does.
   Touches no page that is zero. */
void ds_reserve_zero(ULong *words, SizeT size);

/* Visits each page in the range that may hold something but zeros.  O(open
   pages). */
void ds_reserve_visit(void *p, SizeT size, void (*visit)(void *page));

/* How many bytes of the range are in memory.  O(open pages). */
SizeT ds_reserve_resident(void *p, SizeT size);

/* ds_table: from a key of three words to a record that stays where it is.

   Open addressing with linear probing, at most three quarters full, so that a
   hit costs one hash and, as a rule, one to three comparisons.  Records are
   never removed.
 */

struct ds_key {
    ULong word[3];
};

/* A table of zeros is an empty one.  Each record begins with its key. */
struct ds_table {
    void *(*allocate)(SizeT size); /* of a record; NULL: ds_memory_new */
    struct ds_key **slot;
    SizeT n_slots; /* places for records; a power of two */
    SizeT n_used;
};

/* The record of a key.  A new one has `size` bytes, zero after the key. */
void *ds_table_obtain(struct ds_table *t, struct ds_key key, SizeT size);

/* The next record, in no order; *cursor starts as 0.  NULL after the last. */
void *ds_table_next(const struct ds_table *t, SizeT *cursor);
