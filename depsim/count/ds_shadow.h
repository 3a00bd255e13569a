/*
 * ds_shadow: which store wrote each guest byte last, and when.
 *
 * An entry is the writer above DS_TIME_BITS bits of time (ds_clock); 0: none.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_SHADOW_H
#define DS_SHADOW_H

#include "base/ds_valgrind.h"

#define DS_TIME_BITS  40
#define DS_TIME_MASK  (((ULong)1 << DS_TIME_BITS) - 1)
#define DS_WRITER_MAX (((ULong)1 << (64 - DS_TIME_BITS)) - 4)

/* Times use half of the bits, so that the difference of two entries is a time
   only if they have the same writer. */
#define DS_TIME_LAST (DS_TIME_MASK >> 1)

/* Numbers above all writers: a store from before the epoch, bytes with entries
   of their own, and a number that no entry has. */
#define DS_WRITER_FAR   (DS_WRITER_MAX + 1)
#define DS_WRITER_BYTES (DS_WRITER_MAX + 2)
#define DS_WRITER_NONE  (DS_WRITER_MAX + 3)

#define DS_GRANULE     ((SizeT)4)
#define DS_WORD        ((SizeT)8)
#define DS_READ_MAX    1024 /* the widest read, in bytes */
#define DS_LINEAR_BITS 37
#define DS_LINEAR_END  ((Addr)1 << DS_LINEAR_BITS)

/* The entries of the granules, from address 0; fixed by ds_shadow_init.  A few
   more follow DS_LINEAR_END, for accesses across it.  Translated code does not
   record these exactly, because Valgrind maps nothing there. */
extern ULong *ds_shadow_granules;

/* The entries of the bytes below DS_LINEAR_END, from address 0.  They count
   where the granule's entry says so, which is this. */
extern ULong *ds_shadow_bytes;
#define DS_SHADOW_SINGLE ds_shadow_entry(DS_WRITER_BYTES, 0)

/* Decides where shadow memory is.  Call it first. */
void ds_shadow_init(void);

/* From now on the n bytes at a have no writer. */
void ds_shadow_clear(Addr a, SizeT n);

/* Bytes of memory that it takes, in O(shadow memory). */
SizeT ds_shadow_size(void);

/* The entry that the store of a writer makes, and its parts. */
static inline ULong ds_shadow_entry(ULong writer, ULong time)
{
    return writer << DS_TIME_BITS | time;
}

static inline ULong ds_shadow_writer(ULong entry)
{
    return entry >> DS_TIME_BITS;
}

static inline ULong ds_shadow_time(ULong entry)
{
    return entry & DS_TIME_MASK;
}

/* ds_arena: records that translated code reaches from one register.  `size`
   zeroed bytes, aligned to 16, for the rest of the run.  Call it after
   ds_shadow_init.  Out of memory ends the run with a message. */
void *ds_arena_new(SizeT size);

/* The offset of a record, or a field of one: how many bytes in front of the
   granules it begins.  It has 31 bits, and is never 0. */
ULong ds_arena_offset(const void *field);

/* The record or field at an offset. */
static inline void *ds_arena_at(ULong offset)
{
    return (UChar *)ds_shadow_granules - offset;
}

#endif
