/*
 * ds_shadow: which store wrote each guest byte last, and when.
 *
 * A sparse map from guest address to writer.  It knows nothing of IR, threads
 * or SQL, so tests/unit/shadow drives it without Valgrind.
 *
 * Guest memory is divided into pages, and each page into granules of 8, 4, 2
 * or 1 bytes: the finest store that the page has seen decides.  A granule has
 * one entry of 8 bytes, so shadow memory is 1 to 8 times the guest memory that
 * was stored to, and a store or load of an array's element touches one entry.
 *
 * An entry is the writer above DS_TIME_BITS bits of time, 0 if there is none.
 * Times count from an epoch that ds_shadow_advance moves now and then, so that
 * they fit; entries from before it are kept apart, exactly.
 *
 * Limits: addresses from 2^47 on have no writers (user space ends there), and
 * there are at most DS_WRITER_MAX writers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_SHADOW_H
#define DS_SHADOW_H

#include "pub_tool_basics.h"

#define DS_TIME_BITS  40
#define DS_TIME_MASK  (((ULong)1 << DS_TIME_BITS) - 1)
#define DS_WRITER_MAX (((ULong)1 << (64 - DS_TIME_BITS)) - 2)

#define DS_PAGE_BITS 12
#define DS_PAGE_SIZE ((SizeT)1 << DS_PAGE_BITS)
#define DS_LEAF_BITS 18 /* pages in a leaf of the page table */
#define DS_ROOT_BITS (47 - DS_LEAF_BITS - DS_PAGE_BITS)
#define DS_READ_MAX  1024 /* the widest read, in bytes */

/* What an entry says. */
struct ds_write {
    UInt writer;
    ULong distance; /* of a read at the time it was asked for */
};

/* Page table: the root's leaves hold pages.  A page is the address of its
   entries, with the granule's size, as a power of two, in its low bits. */
#define DS_SHIFT_MASK ((Addr)3)
extern Addr *ds_shadow_root[1 << DS_ROOT_BITS];

/* Any store and any read; the inline functions below take the short way. */
void ds_shadow_write_any(Addr a, SizeT n, ULong entry);
UInt ds_shadow_read_any(Addr a, SizeT n, ULong now,
                        struct ds_write found[DS_READ_MAX]);

/* From now on the n bytes at a have no writer. */
void ds_shadow_clear(Addr a, SizeT n);

/* To be called at least once in 2^39 instructions: when `now` comes close to
   its end, moves the epoch.  Returns by how much, mostly 0, and `now` must be
   lessened by it.  O(shadow memory) when it moves. */
ULong ds_shadow_advance(ULong now);

/* Bytes that the pages in use take. */
SizeT ds_shadow_size(void);

/* The entry that the store of a writer makes, and its parts.  The writer of an
   entry from before the epoch is beyond DS_WRITER_MAX. */
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

/* The page of an address, or 0 if nothing in it was stored to. */
static inline Addr ds_shadow_page(Addr a)
{
    Addr *leaf;

    if (UNLIKELY(a >> (DS_ROOT_BITS + DS_LEAF_BITS + DS_PAGE_BITS)))
        return 0;
    leaf = ds_shadow_root[a >> (DS_LEAF_BITS + DS_PAGE_BITS)];
    if (UNLIKELY(leaf == NULL))
        return 0;
    return leaf[(a >> DS_PAGE_BITS) & (((Addr)1 << DS_LEAF_BITS) - 1)];
}

static inline ULong *ds_shadow_entries(Addr page)
{
    return (ULong *)(page & ~DS_SHIFT_MASK);
}

/* A store of n bytes, a power of two: two table look-ups and one entry a
   granule, unless the page must be divided more finely or the store is not
   aligned. */
static inline void ds_shadow_write(Addr a, SizeT n, ULong entry)
{
    Addr page = ds_shadow_page(a), shift = page & DS_SHIFT_MASK;

    if (LIKELY(page != 0 && (a & (n - 1)) == 0 && n >> shift != 0)) {
        ULong *e =
            ds_shadow_entries(page) + ((a & (DS_PAGE_SIZE - 1)) >> shift);
        ULong *end = e + (n >> shift);

        do
            *e = entry;
        while (++e < end);
        return;
    }
    ds_shadow_write_any(a, n, entry);
}

/* The entry of all n bytes, a power of two, or 0 if they have no writer.  False
   if they have several, or are not aligned: ask ds_shadow_read_any. */
static inline Bool ds_shadow_read(Addr a, SizeT n, ULong *entry)
{
    Addr page = ds_shadow_page(a), shift = page & DS_SHIFT_MASK;
    const ULong *e;

    if (UNLIKELY(page == 0 || (a & (n - 1)) != 0))
        return False;
    e = ds_shadow_entries(page) + ((a & (DS_PAGE_SIZE - 1)) >> shift);
    *entry = *e;
    for (SizeT i = 1; i < n >> shift; i++)
        if (UNLIKELY(e[i] != *entry))
            return False;
    return True;
}

#endif
