/*
 * ds_shadow: which store wrote each guest byte last, and when.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "ds_shadow.h"

#include "pub_tool_libcassert.h"

#include "ds_memory.h"

#define LEAF_PAGES ((SizeT)1 << DS_LEAF_BITS)
#define LEAF_SIZE  (LEAF_PAGES << DS_PAGE_BITS)
#define SPACE_END  ((Addr)1 << (DS_ROOT_BITS + DS_LEAF_BITS + DS_PAGE_BITS))
#define SHIFT_MAX  3

struct ds_page **ds_shadow_root[1 << DS_ROOT_BITS];

static struct ds_page *free_pages[SHIFT_MAX + 1]; /* by granule; all zero */
static SizeT n_pages[SHIFT_MAX + 1];              /* in use */

static SizeT n_granules(UInt shift)
{
    return DS_PAGE_SIZE >> shift;
}

static SizeT page_size(UInt shift)
{
    return sizeof(struct ds_page) + n_granules(shift) * sizeof(struct ds_write);
}

static struct ds_page *page_new(UInt shift)
{
    struct ds_page *page = free_pages[shift];

    if (page != NULL)
        free_pages[shift] = page->next;
    else
        page = ds_memory_new(page_size(shift));
    page->shift = shift;
    n_pages[shift]++;
    return page;
}

static void page_free(struct ds_page *page)
{
    for (SizeT i = 0; i < n_granules(page->shift); i++)
        page->write[i] = (struct ds_write){0};
    page->next = free_pages[page->shift];
    free_pages[page->shift] = page;
    n_pages[page->shift]--;
}

/* The place of an address's page in the page table. */
static struct ds_page **slot(Addr a)
{
    struct ds_page ***leaf = &ds_shadow_root[a / LEAF_SIZE];

    if (*leaf == NULL)
        *leaf = ds_memory_new(LEAF_PAGES * sizeof **leaf);
    return &(*leaf)[(a >> DS_PAGE_BITS) & (LEAF_PAGES - 1)];
}

/* The coarsest granule on which [offset, offset + n) begins and ends. */
static UInt fitting_shift(SizeT offset, SizeT n)
{
    UInt shift = SHIFT_MAX;

    while (((offset | n) & (((SizeT)1 << shift) - 1)) != 0)
        shift--;
    return shift;
}

/* Divides the page at *p into granules of 2^shift bytes, finer than now. */
static void refine(struct ds_page **p, UInt shift)
{
    struct ds_page *coarse = *p, *fine = page_new(shift);

    for (SizeT i = 0; i < n_granules(shift); i++)
        fine->write[i] = coarse->write[i >> (coarse->shift - shift)];
    *p = fine;
    page_free(coarse);
}

/* Within one page, which exists. */
static void set(struct ds_page **p, SizeT offset, SizeT n, struct ds_write w)
{
    UInt shift = fitting_shift(offset, n);
    SizeT end;

    if (shift < (*p)->shift)
        refine(p, shift);
    shift = (*p)->shift;
    end = (offset + n) >> shift;
    for (SizeT i = offset >> shift; i < end; i++)
        (*p)->write[i] = w;
}

/* How many of the n bytes at a lie in its page. */
static SizeT within_page(Addr a, SizeT n)
{
    SizeT left = DS_PAGE_SIZE - (a & (DS_PAGE_SIZE - 1));

    return n < left ? n : left;
}

void ds_shadow_write_any(Addr a, SizeT n, UInt writer, ULong time)
{
    while (n > 0 && a < SPACE_END) {
        SizeT offset = a & (DS_PAGE_SIZE - 1), part = within_page(a, n);
        struct ds_page **p = slot(a);

        if (*p == NULL)
            *p = page_new(fitting_shift(offset, part));
        set(p, offset, part, (struct ds_write){time, writer});
        a += part;
        n -= part;
    }
}

/* Notes that a read shows w, unless a younger store of its writer is noted. */
static UInt note(struct ds_write *found, UInt n_found, const struct ds_write *w)
{
    for (UInt i = 0; i < n_found; i++) {
        if (found[i].writer != w->writer)
            continue;
        if (found[i].time < w->time)
            found[i].time = w->time;
        return n_found;
    }
    found[n_found] = *w;
    return n_found + 1;
}

UInt ds_shadow_read_any(Addr a, SizeT n, struct ds_write found[DS_READ_MAX])
{
    UInt n_found = 0;

    tl_assert(n <= DS_READ_MAX);
    while (n > 0) {
        SizeT offset = a & (DS_PAGE_SIZE - 1), part = within_page(a, n);
        const struct ds_page *page = ds_shadow_page(a);

        if (page != NULL) {
            SizeT last = (offset + part - 1) >> page->shift;

            for (SizeT i = offset >> page->shift; i <= last; i++)
                if (page->write[i].writer != 0)
                    n_found = note(found, n_found, &page->write[i]);
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
        struct ds_page **p;

        if (ds_shadow_root[a / LEAF_SIZE] == NULL) {
            /* Nothing was stored for the next GiB: reservations are large. */
            part = LEAF_SIZE - (a & (LEAF_SIZE - 1));
            part = n < part ? n : part;
        } else if (*(p = slot(a)) != NULL) {
            if (part < DS_PAGE_SIZE) {
                set(p, offset, part, (struct ds_write){0});
            } else {
                page_free(*p);
                *p = NULL;
            }
        }
        a += part;
        n -= part;
    }
}

SizeT ds_shadow_size(void)
{
    SizeT size = 0;

    for (UInt shift = 0; shift <= SHIFT_MAX; shift++)
        size += n_pages[shift] * page_size(shift);
    return size;
}
