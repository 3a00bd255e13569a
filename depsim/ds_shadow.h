/*
 * ds_shadow: which store wrote each guest byte last, and when.
 *
 * A sparse map from guest address to writer.  It knows nothing of IR, threads
 * or SQL, so tests/unit/shadow drives it without Valgrind.
 *
 * Guest memory is divided into pages, and each page into granules of 8, 4, 2
 * or 1 bytes: the finest store that the page has seen decides.  A granule has
 * one writer, so a store or load of an array's element touches one entry.  An
 * entry has 16 bytes: shadow memory is 2 to 16 times the guest memory that
 * was stored to.
 *
 * Limit: addresses from 2^47 on have no writers (user space ends there).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_SHADOW_H
#define DS_SHADOW_H

#include "pub_tool_basics.h"

#define DS_PAGE_BITS 12
#define DS_PAGE_SIZE ((SizeT)1 << DS_PAGE_BITS)
#define DS_LEAF_BITS 18 /* pages in a leaf of the page table */
#define DS_ROOT_BITS (47 - DS_LEAF_BITS - DS_PAGE_BITS)
#define DS_READ_MAX  1024 /* the widest read, in bytes */

struct ds_write {
    ULong time;  /* timestamp of the store */
    UInt writer; /* its site, from 1; 0: no writer */
};

struct ds_page {
    UInt shift;              /* a granule has 2^shift bytes */
    struct ds_page *next;    /* in the list of free pages */
    struct ds_write write[]; /* one a granule */
};

extern struct ds_page **ds_shadow_root[1 << DS_ROOT_BITS];

/* Any store and any read; the inline functions below take the short way. */
void ds_shadow_write_any(Addr a, SizeT n, UInt writer, ULong time);
UInt ds_shadow_read_any(Addr a, SizeT n, struct ds_write found[DS_READ_MAX]);

/* From now on the n bytes at a have no writer. */
void ds_shadow_clear(Addr a, SizeT n);

/* Bytes that the pages in use take. */
SizeT ds_shadow_size(void);

/* The page of an address, or NULL if nothing in it was stored to. */
static inline struct ds_page *ds_shadow_page(Addr a)
{
    struct ds_page **leaf;

    if (UNLIKELY(a >> (DS_ROOT_BITS + DS_LEAF_BITS + DS_PAGE_BITS)))
        return NULL;
    leaf = ds_shadow_root[a >> (DS_LEAF_BITS + DS_PAGE_BITS)];
    if (UNLIKELY(leaf == NULL))
        return NULL;
    return leaf[(a >> DS_PAGE_BITS) & (((Addr)1 << DS_LEAF_BITS) - 1)];
}

/* The store `writer` writes the n > 0 bytes at a.  Two table look-ups and one
   entry a granule, unless the page must be divided more finely. */
static inline void ds_shadow_write(Addr a, SizeT n, UInt writer, ULong time)
{
    struct ds_page *page = ds_shadow_page(a);
    SizeT offset = a & (DS_PAGE_SIZE - 1);
    struct ds_write *w, *end;

    if (UNLIKELY(page == NULL || offset + n > DS_PAGE_SIZE ||
                 ((offset | n) & (((SizeT)1 << page->shift) - 1)) != 0)) {
        ds_shadow_write_any(a, n, writer, time);
        return;
    }
    w = &page->write[offset >> page->shift];
    end = w + (n >> page->shift);
    do {
        w->time = time;
        w->writer = writer;
    } while (++w < end);
}

/* Who wrote the n > 0 bytes at a: each writer once, with the time of the most
   recent of its stores that these bytes show.  Returns how many; the first is
   in *first, and `found` has all of them only if there are several. */
static inline UInt ds_shadow_read(Addr a, SizeT n, struct ds_write *first,
                                  struct ds_write found[DS_READ_MAX])
{
    struct ds_page *page = ds_shadow_page(a);
    SizeT offset = a & (DS_PAGE_SIZE - 1);
    const struct ds_write *w, *last;

    if (LIKELY(offset + n <= DS_PAGE_SIZE)) {
        if (page == NULL)
            return 0;
        w = &page->write[offset >> page->shift];
        last = &page->write[(offset + n - 1) >> page->shift];
        *first = *w;
        while (w < last && w[1].writer == first->writer &&
               w[1].time == first->time)
            w++;
        if (LIKELY(w == last))
            return first->writer != 0;
    }
    n = ds_shadow_read_any(a, n, found);
    *first = found[0];
    return (UInt)n;
}

#endif
