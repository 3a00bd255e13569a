/*
 * ds_shadow: which store wrote each guest byte last, and when.
 *
 * An entry is the writer above DS_TIME_BITS bits of time (ds_clock); 0: none.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "base/ds_valgrind.h"

#include "occurrence.h"

#define DS_TIME_BITS  40
#define DS_TIME_MASK  (((ULong)1 << DS_TIME_BITS) - 1)
#define DS_WRITER_MAX (((ULong)1 << (63 - DS_TIME_BITS)) - 4)

/* Times use half of the bits, so that the difference of two entries is a time
   only if they have the same writer. */
#define DS_TIME_LAST (DS_TIME_MASK >> 1)

/* Numbers above all writers: a store from before the epoch, bytes whose entries
   are elsewhere, and a number that no entry has. */
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
   where the granule's entry is DS_SHADOW_SINGLE. */
extern ULong *ds_shadow_bytes;
#define DS_SHADOW_SINGLE ds_shadow_entry(DS_WRITER_BYTES, 0)

/* Of a granule whose bytes are a run: consecutive executions of one store wrote
   them.  With this bit its entry is that of its first byte; those of the others
   are one more each.  A run that has not filled its granule yet is kept apart;
   the granule's entry is DS_SHADOW_BEGUN. */
#define DS_SHADOW_RUN   ((ULong)1 << 63)
#define DS_SHADOW_BEGUN ds_shadow_entry(DS_WRITER_BYTES, 1)

/* Gives the bytes of a run that has not filled its granule entries. */
void ds_shadow_end_run(void);

/* Words of 64 bits for each line of 64 bytes below DS_LINEAR_END, all 0 at
   first: two tables for ds_lines, from address 0, and two for ds_reuse, which
   end where that of address 0 does, and whose words of data end right in front
   of the arena: so translated code finds them from there.  DS_SHADOW_LINES: the
   bytes of each table. */
extern ULong *ds_shadow_lines[2], *ds_shadow_touches[2];
#define DS_SHADOW_LINES (DS_LINEAR_END / FORWARD_LINE * sizeof(ULong))

/* The word of the line of an address, or of its low bits. */
static inline ULong *ds_shadow_touch(UInt table, Addr a)
{
    return ds_shadow_touches[table] - 1 -
           (a & (DS_LINEAR_END - 1)) / FORWARD_LINE;
}

/* Decides where shadow memory is.  Call it first. */
void ds_shadow_init(void);

/* From now on the n bytes at a have no writer. */
void ds_shadow_clear(Addr a, SizeT n);

/* Bytes of memory that shadow memory takes.  O(shadow memory). */
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

/* Bytes in front of the granules for the arena. */
#define DS_SHADOW_FRONT ((SizeT)1 << 30)

/* Any store, and that of a byte; ds_shadow_write has a fast path. */
void ds_shadow_write_any(Addr a, SizeT n, ULong entry);
void ds_shadow_write_byte(Addr a, ULong entry);

/* The entry of a byte from DS_LINEAR_END on. */
ULong ds_shadow_after(Addr a);

/* What entries say to a read: a writer, or 0, and how long ago it stored, last
   and before that.  All stores by one execution of a writer are one. */
struct ds_write {
    UInt writer, n; /* bytes of the read that its last store wrote */
    ULong distance, second;
};

/* The writers of the n bytes at a. */
UInt ds_shadow_read_any(Addr a, SizeT n, ULong now,
                        struct ds_write found[DS_READ_MAX]);

/* What one entry says. */
struct ds_write ds_shadow_far(ULong entry, ULong now);

static inline struct ds_write ds_shadow_decode(ULong entry, ULong now)
{
    ULong writer = ds_shadow_writer(entry);

    if (UNLIKELY(writer > DS_WRITER_MAX))
        return ds_shadow_far(entry, now);
    return (struct ds_write){(UInt)writer, 0, now - ds_shadow_time(entry),
                             ~(ULong)0};
}

/* Moves the epoch when `now` comes close to DS_TIME_LAST.  Returns by how much,
   mostly 0; the caller subtracts it from `now`.  To be called at least once in
   2^37 instructions.  O(shadow memory) when it moves. */
ULong ds_shadow_advance(ULong now);

/* The entry of the granule at an address below DS_LINEAR_END. */
static inline ULong *ds_shadow_granule(Addr a)
{
    return ds_shadow_granules + a / DS_GRANULE;
}

/* Are the n bytes at a whole granules below DS_LINEAR_END? */
static inline Bool ds_shadow_is_whole(Addr a, SizeT n)
{
    return ((a | n) & (DS_GRANULE - 1)) == 0 && a <= DS_LINEAR_END - n;
}

/* Records a store of n bytes. */
static inline void ds_shadow_write(Addr a, SizeT n, ULong entry)
{
    if (LIKELY(ds_shadow_is_whole(a, n)))
        for (SizeT i = 0; i < n / DS_GRANULE; i++)
            ds_shadow_granule(a)[i] = entry;
    else if (n == 1)
        ds_shadow_write_byte(a, entry);
    else
        ds_shadow_write_any(a, n, entry);
}

/* The entry of the byte at a.  Returns the first address after those that are
   known to have the same. */
static inline Addr ds_shadow_next(Addr a, ULong *entry)
{
    if (LIKELY(a < DS_LINEAR_END)) {
        *entry = *ds_shadow_granule(a);
        if (*entry < DS_SHADOW_SINGLE)
            return (a | (DS_GRANULE - 1)) + 1;
        if (UNLIKELY(*entry == DS_SHADOW_BEGUN))
            ds_shadow_end_run();
        *entry = *entry >= DS_SHADOW_RUN
                     ? *entry - DS_SHADOW_RUN + a % DS_GRANULE
                     : ds_shadow_bytes[a];
    } else {
        *entry = ds_shadow_after(a);
    }
    return a + 1;
}

/* The entry of the last of the n bytes at a if these are more than one, of one
   run; or else 0.  Those of the bytes before are one less each. */
static inline ULong ds_shadow_run_end(Addr a, SizeT n)
{
    const ULong *g = ds_shadow_granule(a), *last = ds_shadow_granule(a + n - 1);

    if (n == 1 || a > DS_LINEAR_END - n ||
        *g - DS_SHADOW_RUN >= ds_shadow_entry(DS_WRITER_FAR, 0))
        return 0;
    while (g < last && g[1] == g[0] + DS_GRANULE)
        g++;
    return g < last ? 0 : *g - DS_SHADOW_RUN + (a + n - 1) % DS_GRANULE;
}

/* The entries of a read's bytes: of one store, or of several by one writer, or
   0 if they have no writer. */
struct ds_entries {
    ULong latest, oldest;
};

Bool ds_shadow_read_parts(Addr a, SizeT n, struct ds_entries *);

/* The entries of the n bytes at a.  False if these have several writers, or
   stores from before the epoch; only ds_shadow_read_any can tell which. */
static inline Bool ds_shadow_read(Addr a, SizeT n, struct ds_entries *found)
{
    const ULong *first = ds_shadow_granule(a);
    const ULong *last = ds_shadow_granule(a + n - 1);

    if (UNLIKELY(a > DS_LINEAR_END - n || last > first + 1 || *first != *last ||
                 ds_shadow_writer(*first) > DS_WRITER_MAX))
        return ds_shadow_read_parts(a, n, found);
    *found = (struct ds_entries){*first, *first};
    return True;
}
