/*
 * ds_shadow: which store wrote each guest byte last, and when.
 *
 * A map from guest address to writer.  It knows nothing of IR, threads or SQL,
 * so tests/unit/shadow drives it without Valgrind.
 *
 * Guest memory below 2^37, where Valgrind keeps all that it maps for a program,
 * is divided into granules of 4 bytes.  The entry of a granule, 8 bytes, is
 * found by arithmetic alone, which translated code does itself (ds_fastpath).
 * An entry may say that the granule's bytes have different writers.  Such
 * bytes, and all bytes from 2^37 on, have entries in pages that a table finds.
 * So shadow memory takes 2 times the guest memory that was stored to in words,
 * and 10 times the guest memory that was stored to in single bytes.
 *
 * An entry is the writer above DS_TIME_BITS bits of time (ds_clock); 0: none.
 * When the epoch of times moves, older stores are kept in a list, exactly.
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
#define DS_LINEAR_BITS 37
#define DS_LINEAR_END  ((Addr)1 << DS_LINEAR_BITS)

#define DS_READ_MAX 1024 /* the widest read, in bytes */

/* What an entry says. */
struct ds_write {
    UInt writer;
    ULong distance; /* from the store to the time of the read */
};

/* The entries of the granules, from address 0; fixed by ds_shadow_init.  A few
   more follow DS_LINEAR_END, for accesses across it.  Translated code does not
   record these exactly, because Valgrind maps nothing there. */
extern ULong *ds_shadow_granules;

/* Bytes in front of them for the arena. */
#define DS_SHADOW_FRONT ((SizeT)1 << 30)

/* Bytes of addresses that are reserved for both, and for the entries after the
   end. */
#define DS_SHADOW_LINEAR  (DS_LINEAR_END / DS_GRANULE * sizeof(ULong))
#define DS_SHADOW_RESERVE (DS_SHADOW_FRONT + DS_SHADOW_LINEAR + 4096)

/* Decides where shadow memory is.  Call it first. */
void ds_shadow_init(void);

/* Any store and any read; the inline functions below have fast paths.  A read
   reports each store that wrote one of its bytes once, and how many bytes have
   a writer. */
void ds_shadow_write_any(Addr a, SizeT n, ULong entry);
UInt ds_shadow_read_any(Addr a, SizeT n, ULong now,
                        struct ds_write found[DS_READ_MAX], SizeT *n_written);

/* From now on the n bytes at a have no writer. */
void ds_shadow_clear(Addr a, SizeT n);

/* Moves the epoch when `now` comes close to DS_TIME_LAST.  Returns by how much,
   mostly 0; the caller subtracts it from `now`.  To be called at least once in
   2^37 instructions.  O(shadow memory) when it moves. */
ULong ds_shadow_advance(ULong now);

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

/* The entry of the granule at an address below DS_LINEAR_END. */
static inline ULong *ds_shadow_granule(Addr a)
{
    return ds_shadow_granules + a / DS_GRANULE;
}

/* Is it a range of whole granules below DS_LINEAR_END? */
static inline Bool ds_shadow_is_whole(Addr a, SizeT n)
{
    return ((a | n) & (DS_GRANULE - 1)) == 0 && a <= DS_LINEAR_END - n;
}

void ds_shadow_write_byte(Addr a, ULong entry);

/* A store of n bytes. */
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

/* Which stores wrote the bytes of a read.  Mixed: several writers, or stores
   from before the epoch; only ds_shadow_read_any can tell which. */
enum ds_shadow_read {
    DS_READ_MIXED,
    DS_READ_ONE_WRITER, /* but several of its stores */
    DS_READ_ONE_STORE,  /* or all bytes have no writer */
};

/* The most recent entry of the n bytes at a, unless they are mixed; 0 if they
   have no writer. */
enum ds_shadow_read ds_shadow_read_mixed(Addr a, SizeT n, ULong *entry);

/* ds_shadow_read_mixed with a fast path for equal entries.  If a and n - 1 have
   no low bit in common, their sum carries nothing into the next granule, so the
   bytes lie in no more granules than n bytes must. */
static inline enum ds_shadow_read ds_shadow_read(Addr a, SizeT n, ULong *entry)
{
    const ULong *e = ds_shadow_granule(a);
    SizeT i = (n - 1) / DS_GRANULE;

    if (UNLIKELY((a & (n - 1) & (DS_GRANULE - 1)) != 0 || n > 64 ||
                 a > DS_LINEAR_END - n))
        return ds_shadow_read_mixed(a, n, entry);
    *entry = e[i];
    while (i > 0)
        if (UNLIKELY(e[--i] != *entry))
            return ds_shadow_read_mixed(a, n, entry);
    if (LIKELY(ds_shadow_writer(*entry) <= DS_WRITER_MAX))
        return DS_READ_ONE_STORE;
    return ds_shadow_read_mixed(a, n, entry);
}

#endif
