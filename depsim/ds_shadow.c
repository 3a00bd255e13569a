/*
 * ds_shadow: which store wrote each guest byte last, and when.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "ds_shadow.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_mallocfree.h"

#include "ds_memory.h"

#define LEAF_PAGES ((SizeT)1 << DS_LEAF_BITS)
#define LEAF_SIZE  (LEAF_PAGES << DS_PAGE_BITS)
#define SPACE_END  ((Addr)1 << (DS_ROOT_BITS + DS_LEAF_BITS + DS_PAGE_BITS))
#define SHIFT_MAX  3

#define FAR \
    (DS_WRITER_MAX + 1) /* an entry of this writer is a number in `far` */

Addr *ds_shadow_root[1 << DS_ROOT_BITS];

static ULong *free_pages[SHIFT_MAX + 1]; /* by granule; the first word links */
static SizeT n_pages[SHIFT_MAX + 1];     /* in use */

/* Stores from before the epoch: writers, and times on one clock for all. */
static struct far {
    UInt writer;
    ULong time;
} * far;
static SizeT n_far, far_room;
static ULong epoch; /* on that clock */

static SizeT n_granules(Addr shift)
{
    return DS_PAGE_SIZE >> shift;
}

static SizeT page_size(Addr shift)
{
    return n_granules(shift) * sizeof(ULong);
}

static Addr page_new(Addr shift)
{
    ULong *entries = free_pages[shift];

    if (entries != NULL) {
        free_pages[shift] = (ULong *)(Addr)entries[0];
        entries[0] = 0;
    } else {
        entries = ds_memory_new(page_size(shift));
    }
    n_pages[shift]++;
    return (Addr)entries | shift;
}

static void page_free(Addr page)
{
    Addr shift = page & DS_SHIFT_MASK;
    ULong *entries = ds_shadow_entries(page);

    for (SizeT i = 1; i < n_granules(shift); i++)
        entries[i] = 0;
    entries[0] = (ULong)(Addr)free_pages[shift];
    free_pages[shift] = entries;
    n_pages[shift]--;
}

/* The place of an address's page in the page table. */
static Addr *slot(Addr a)
{
    Addr **leaf = &ds_shadow_root[a / LEAF_SIZE];

    if (*leaf == NULL)
        *leaf = ds_memory_new(LEAF_PAGES * sizeof **leaf);
    return &(*leaf)[(a >> DS_PAGE_BITS) & (LEAF_PAGES - 1)];
}

/* The coarsest granule on which [offset, offset + n) begins and ends. */
static Addr fitting_shift(SizeT offset, SizeT n)
{
    Addr shift = SHIFT_MAX;

    while (((offset | n) & (((SizeT)1 << shift) - 1)) != 0)
        shift--;
    return shift;
}

/* Divides a page into granules of 2^shift bytes, finer than now. */
static Addr refine(Addr coarse, Addr shift)
{
    Addr fine = page_new(shift), by = (coarse & DS_SHIFT_MASK) - shift;

    for (SizeT i = 0; i < n_granules(shift); i++)
        ds_shadow_entries(fine)[i] = ds_shadow_entries(coarse)[i >> by];
    page_free(coarse);
    return fine;
}

/* Within one page, which exists. */
static void set(Addr *page, SizeT offset, SizeT n, ULong entry)
{
    Addr shift = fitting_shift(offset, n);
    SizeT end;

    if (shift < (*page & DS_SHIFT_MASK))
        *page = refine(*page, shift);
    shift = *page & DS_SHIFT_MASK;
    end = (offset + n) >> shift;
    for (SizeT i = offset >> shift; i < end; i++)
        ds_shadow_entries(*page)[i] = entry;
}

/* How many of the n bytes at a lie in its page. */
static SizeT within_page(Addr a, SizeT n)
{
    SizeT left = DS_PAGE_SIZE - (a & (DS_PAGE_SIZE - 1));

    return n < left ? n : left;
}

void ds_shadow_write_any(Addr a, SizeT n, ULong entry)
{
    while (n > 0 && a < SPACE_END) {
        SizeT offset = a & (DS_PAGE_SIZE - 1), part = within_page(a, n);
        Addr *page = slot(a);

        if (*page == 0)
            *page = page_new(fitting_shift(offset, part));
        set(page, offset, part, entry);
        a += part;
        n -= part;
    }
}

/* What a non-zero entry says to a read at the time `now`. */
static struct ds_write decode(ULong entry, ULong now)
{
    ULong writer = ds_shadow_writer(entry), time = ds_shadow_time(entry);

    if (writer == FAR)
        return (struct ds_write){far[time].writer,
                                 epoch + now - far[time].time};
    return (struct ds_write){(UInt)writer, now - time};
}

/* Notes what an entry says, unless a younger store of its writer is noted. */
static UInt note(struct ds_write *found, UInt n_found, struct ds_write w)
{
    for (UInt i = 0; i < n_found; i++) {
        if (found[i].writer != w.writer)
            continue;
        if (found[i].distance > w.distance)
            found[i].distance = w.distance;
        return n_found;
    }
    found[n_found] = w;
    return n_found + 1;
}

UInt ds_shadow_read_any(Addr a, SizeT n, ULong now,
                        struct ds_write found[DS_READ_MAX])
{
    UInt n_found = 0;

    tl_assert(n <= DS_READ_MAX);
    while (n > 0) {
        SizeT offset = a & (DS_PAGE_SIZE - 1), part = within_page(a, n);
        Addr page = ds_shadow_page(a), shift = page & DS_SHIFT_MASK;
        const ULong *entries = ds_shadow_entries(page);

        ULong previous = 0;

        for (SizeT i = offset >> shift;
             page != 0 && i <= (offset + part - 1) >> shift; i++) {
            if (entries[i] != previous && entries[i] != 0)
                n_found = note(found, n_found, decode(entries[i], now));
            previous = entries[i];
        }
        a += part;
        n -= part;
    }
    return n_found;
}

void ds_shadow_clear(Addr a, SizeT n)
{
    while (n > 0 && a < SPACE_END) {
        SizeT offset = a & (DS_PAGE_SIZE - 1), part = within_page(a, n);
        Addr *page;

        if (ds_shadow_root[a / LEAF_SIZE] == NULL) {
            /* Nothing was stored for the next GiB: reservations are large. */
            part = LEAF_SIZE - (a & (LEAF_SIZE - 1));
            part = n < part ? n : part;
        } else if (*(page = slot(a)) != 0) {
            if (part < DS_PAGE_SIZE) {
                set(page, offset, part, 0);
            } else {
                page_free(*page);
                *page = 0;
            }
        }
        a += part;
        n -= part;
    }
}

/* The number of a store in `far`; neighbours often have the same. */
static ULong far_number(struct far f)
{
    if (n_far > 0 && far[n_far - 1].writer == f.writer &&
        far[n_far - 1].time == f.time)
        return n_far - 1;
    if (n_far == far_room) {
        far_room = far_room == 0 ? 1024 : 2 * far_room;
        far = VG_(realloc)("ds.far", far, far_room * sizeof *far);
    }
    far[n_far] = f;
    return n_far++;
}

/* Moves one entry to an epoch that begins `by` later. */
static ULong age(ULong entry, ULong by)
{
    ULong writer = ds_shadow_writer(entry), time = ds_shadow_time(entry);

    if (entry == 0 || writer == FAR)
        return entry;
    if (time >= by)
        return entry - by;
    return ds_shadow_entry(
        FAR, far_number((struct far){(UInt)writer, epoch + time}));
}

static void age_leaf(const Addr *leaf, ULong by)
{
    for (SizeT p = 0; p < LEAF_PAGES; p++) {
        ULong *entries = ds_shadow_entries(leaf[p]);

        for (SizeT i = 0;
             leaf[p] != 0 && i < n_granules(leaf[p] & DS_SHIFT_MASK); i++)
            entries[i] = age(entries[i], by);
    }
}

ULong ds_shadow_advance(ULong now)
{
    ULong by = (DS_TIME_MASK + 1) / 2;

    if (now < by + by / 2)
        return 0;
    for (SizeT i = 0; i < (SizeT)1 << DS_ROOT_BITS; i++)
        if (ds_shadow_root[i] != NULL)
            age_leaf(ds_shadow_root[i], by);
    epoch += by;
    return by;
}

SizeT ds_shadow_size(void)
{
    SizeT size = 0;

    for (Addr shift = 0; shift <= SHIFT_MAX; shift++)
        size += n_pages[shift] * page_size(shift);
    return size;
}
