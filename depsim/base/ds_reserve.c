/*
 * ds_reserve: a large range of addresses that becomes memory where it is used.
 *
 * It is mapped slab by slab, without a call by its users: the first access to a
 * slab faults, and the handler of the fault calls ds_reserve_open (in Valgrind:
 * core/ds_faults).  Unused parts take neither memory nor addresses: they count
 * against no limit of the program, and mlockall does not fill them.
 *
 * The range is in the middle of user space, where neither Valgrind nor the
 * kernel maps anything, so Valgrind's address space manager need not know,
 * except where it is asked to check (--sanity-level).
 *
 * Limits: there is one reserve in a process.  An access by the program to these
 * addresses opens a slab, too.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/ds_memory.h"

#include "base/ds_message.h"

#define SLABS      ((SizeT)1 << 19)         /* at most */
#define SLAB_PAGES (DS_RESERVE_SLAB / 4096) /* at most */

/* Constants of the kernel that the SDK lacks. */
#define MAP_NORESERVE       0x4000
#define MAP_FIXED_NOREPLACE 0x100000
#define MADV_DONTNEED       4
#define MADV_NOHUGEPAGE     15
#define MADV_DONTDUMP       16
#define PAGEMAP_PRESENT     ((ULong)3 << 62) /* or swapped out */

UChar ds_reserve_opened[SLABS];

static SizeT n_slabs;
static SizeT n_open;

void *ds_reserve_init(SizeT size)
{
    tl_assert(n_slabs == 0 && size <= SLABS * DS_RESERVE_SLAB);
    n_slabs = (size + DS_RESERVE_SLAB - 1) / DS_RESERVE_SLAB;
    return (void *)DS_RESERVE_START;
}

static Word advise(void *p, SizeT size, Word advice)
{
    return ds_valgrind_system_call(__NR_madvise, (Word)(Addr)p, (Word)size,
                                   advice, 0, 0, 0);
}

/* Maps a slab.  False if there is no memory. */
static Bool map_slab(Word start)
{
    return ds_valgrind_system_call(__NR_mmap, start, DS_RESERVE_SLAB,
                                   VKI_PROT_READ | VKI_PROT_WRITE,
                                   VKI_MAP_PRIVATE | VKI_MAP_ANONYMOUS |
                                       MAP_NORESERVE | MAP_FIXED_NOREPLACE,
                                   -1, 0) == start;
}

static Bool map_slab_anyway(Word start)
{
    Bool is_mapped;

    ds_limits_lift();
    is_mapped = map_slab(start);
    ds_limits_restore();
    return is_mapped;
}

/* Huge pages are refused: each would take 2 MiB for one word. */
Bool ds_reserve_open(Addr a)
{
    SizeT slab = (a - DS_RESERVE_START) / DS_RESERVE_SLAB;
    Addr start = a & ~(DS_RESERVE_SLAB - 1);

    if (slab >= n_slabs || ds_reserve_opened[slab])
        return False;
    if (!map_slab((Word)start) && !map_slab_anyway((Word)start))
        ds_message_refuse("memory: only %lu KiB for shadow memory (see ulimit "
                          "-v, -d and -l); the run is lost",
                          n_open * DS_RESERVE_SLAB >> 10);
    ds_valgrind_note_mapped(start, DS_RESERVE_SLAB, True);
    advise((void *)start, DS_RESERVE_SLAB, MADV_NOHUGEPAGE);
    advise((void *)start, DS_RESERVE_SLAB, MADV_DONTDUMP);
    ds_reserve_opened[slab] = True;
    n_open++;
    return True;
}

/* Calls `act` with the part of each mapped slab that lies in the range. */
static void each_open(void *p, SizeT size, void (*act)(UChar *part, SizeT n))
{
    UChar *at = p, *end = at + size;

    tl_assert((Addr)p % DS_RESERVE_PAGE == 0 && size % DS_RESERVE_PAGE == 0);
    tl_assert((Addr)p >= DS_RESERVE_START &&
              (Addr)end <= DS_RESERVE_START + n_slabs * DS_RESERVE_SLAB);
    while (at < end) {
        SizeT n = DS_RESERVE_SLAB - (Addr)at % DS_RESERVE_SLAB;

        if (n > (SizeT)(end - at))
            n = (SizeT)(end - at);
        if (ds_reserve_is_open(at))
            act(at, n);
        at += n;
    }
}

/* Unmaps a slab.  False if the kernel refuses. */
static Bool close_slab(UChar *p)
{
    if (ds_valgrind_system_call(__NR_munmap, (Word)(Addr)p, DS_RESERVE_SLAB, 0,
                                0, 0, 0) != 0)
        return False;
    ds_valgrind_note_mapped((Addr)p, DS_RESERVE_SLAB, False);
    ds_reserve_opened[((Addr)p - DS_RESERVE_START) / DS_RESERVE_SLAB] = False;
    n_open--;
    return True;
}

/* Locked pages cannot be dropped. */
static void clear_part(UChar *part, SizeT n)
{
    if ((n == DS_RESERVE_SLAB && close_slab(part)) ||
        advise(part, n, MADV_DONTNEED) == 0)
        return;
    for (ULong *word = (ULong *)(Addr)part; word < (ULong *)(Addr)(part + n);
         word++)
        *word = 0;
}

void ds_reserve_clear(void *p, SizeT size)
{
    each_open(p, size, clear_part);
}

static Int pagemap; /* or -1 */
static void (*visitor)(void *page);

/* If the kernel does not tell which pages are there, all are visited. */
static void visit_part(UChar *part, SizeT n)
{
    static ULong map[SLAB_PAGES];
    Off64T place = (Off64T)((Addr)part / DS_RESERVE_PAGE * sizeof map[0]);
    SizeT n_pages = n / DS_RESERVE_PAGE;
    Int size = (Int)(n_pages * sizeof map[0]);
    Bool is_known = pagemap >= 0 &&
                    VG_(lseek)(pagemap, place, VKI_SEEK_SET) == place &&
                    VG_(read)(pagemap, map, size) == size;

    for (SizeT i = 0; i < n_pages; i++)
        if (!is_known || (map[i] & PAGEMAP_PRESENT) != 0)
            visitor(part + i * DS_RESERVE_PAGE);
}

void ds_reserve_visit(void *p, SizeT size, void (*visit)(void *page))
{
    SysRes opened = VG_(open)("/proc/self/pagemap", VKI_O_RDONLY, 0);

    pagemap = sr_isError(opened) ? -1 : (Int)sr_Res(opened);
    visitor = visit;
    each_open(p, size, visit_part);
    if (pagemap >= 0)
        VG_(close)(pagemap);
}

static SizeT n_resident; /* pages */

/* mincore needs no /proc. */
static void count_part(UChar *part, SizeT n)
{
    static UChar is_resident[SLAB_PAGES];

    if (ds_valgrind_system_call(__NR_mincore, (Word)(Addr)part, (Word)n,
                                (Word)(Addr)is_resident, 0, 0, 0) != 0)
        return;
    for (SizeT i = 0; i < n / DS_RESERVE_PAGE; i++)
        n_resident += is_resident[i] & 1;
}

SizeT ds_reserve_resident(void *p, SizeT size)
{
    n_resident = 0;
    each_open(p, size, count_part);
    return n_resident * DS_RESERVE_PAGE;
}
