/*
 * Zeroed pieces are cut from large mappings, so a piece needs no header, and
 * its untouched pages take no memory.  A freed piece waits for another of its
 * size.  Out of memory ends the run with a message.
 *
 * A program that limits its memory leaves room for its own needs, not for the
 * tool's.  So a soft limit is lifted while the tool maps memory, and while
 * Valgrind translates code; the program cannot see that.
 *
 * Limits: memory that the tool and Valgrind have mapped counts against the
 * limit when the program itself maps memory.  A process without privilege
 * cannot go beyond its hard limits.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/ds_memory.h"

#include "base/ds_options.h"

#define MAPPING ((SizeT)4 << 20)
#define PAGE    ((SizeT)VKI_PAGE_SIZE)
#define LINE    ((SizeT)64) /* of the cache */

static UChar *map_end; /* of the last mapping */
static SizeT n_left;   /* bytes of it that were not cut yet */
static SizeT n_mapped;

#define INFINITE (~0UL)

/* Constants of the kernel that the SDK lacks: RLIMIT_DATA, _MEMLOCK and _AS. */
static const Int numbers[] = {2, 8, 9};

#define LIMITS (sizeof numbers / sizeof numbers[0])

static struct vki_rlimit before[LIMITS];
static Bool is_lifted[LIMITS];
static SizeT depth; /* how often limits were lifted and not yet restored */

void ds_limits_lift(void)
{
    if (depth++ > 0)
        return;
    for (SizeT i = 0; i < LIMITS; i++) {
        struct vki_rlimit none = {INFINITE, INFINITE}, hard;

        if (VG_(getrlimit)(numbers[i], &before[i]) != 0 ||
            before[i].rlim_cur == INFINITE)
            continue;
        hard.rlim_cur = hard.rlim_max = before[i].rlim_max;
        is_lifted[i] = VG_(setrlimit)(numbers[i], &none) == 0 ||
                       VG_(setrlimit)(numbers[i], &hard) == 0;
    }
}

void ds_limits_restore(void)
{
    tl_assert(depth > 0);
    if (--depth > 0)
        return;
    for (SizeT i = 0; i < LIMITS; i++) {
        if (is_lifted[i])
            VG_(setrlimit)(numbers[i], &before[i]);
        is_lifted[i] = False;
    }
}

static void *map(SizeT size)
{
    void *p;

    ds_limits_lift();
    p = ds_valgrind_map(size);
    ds_limits_restore();
    if (p == NULL)
        ds_message_refuse("memory: only %lu KiB for tables; the run is lost",
                          n_mapped >> 10);
    n_mapped += size;
    return p;
}

#define WORD sizeof(void *)

/* Freed pieces by size in words; each begins with a pointer to the next. */
static void **freed[DS_MEMORY_FREED / WORD + 1];

void *ds_memory_new(SizeT size)
{
    SizeT words = (size + WORD - 1) / WORD;
    void **p;

    tl_assert(size > 0);
    if (size > MAPPING / 4)
        return map((size + PAGE - 1) & ~(PAGE - 1));
    if (size <= DS_MEMORY_FREED && freed[words] != NULL) {
        p = freed[words];
        freed[words] = *p;
        *p = NULL;
        return p;
    }
    if (size % LINE == 0)
        n_left &= ~(LINE - 1);
    if (words * WORD > n_left) {
        map_end = (UChar *)map(MAPPING) + MAPPING;
        n_left = MAPPING;
    }
    p = (void **)(Addr)(map_end - n_left);
    n_left -= words * WORD;
    return p;
}

void ds_memory_free(void *piece, SizeT size)
{
    SizeT words = (size + WORD - 1) / WORD;
    void **p = piece;

    tl_assert((piece == NULL) == (size == 0));
    if (size == 0 || size > DS_MEMORY_FREED)
        return;
    for (SizeT i = 1; i < words; i++)
        p[i] = NULL;
    *p = freed[words];
    freed[words] = p;
}

void *ds_memory_grow(void *array, SizeT *room, SizeT n, SizeT size)
{
    tl_assert((array == NULL) == (*room == 0));
    if (n < *room)
        return array;
    *room = 2 * n + 16;
    return VG_(realloc)("ds.memory", array, *room * size);
}

SizeT ds_memory_total(void)
{
    return n_mapped;
}

/* A large range of addresses that becomes memory where it is used.

   It is mapped slab by slab, without a call by its users: the first access to a
   slab faults, and the handler of the fault calls ds_reserve_open (in Valgrind:
   core/ds_main).  Unused parts take neither memory nor addresses: they count
   against no limit of the program, and mlockall does not fill them.

   The range is in the middle of user space, where neither Valgrind nor the
   kernel maps anything, so Valgrind's address space manager need not know,
   except where it is asked to check (--sanity-level).

   Limits: there is one reserve in a process.  An access by the program to these
   addresses opens a slab, too. */

#define SLABS      ((SizeT)1 << 19)         /* the most slabs */
#define SLAB_PAGES (DS_RESERVE_SLAB / 4096) /* the most pages of one */

/* Constants of the kernel that the SDK lacks. */
#define MAP_NORESERVE       0x4000
#define MAP_FIXED_NOREPLACE 0x100000
#define MADV_DONTNEED       4
#define MADV_NOHUGEPAGE     15
#define MADV_DONTDUMP       16
#define PAGEMAP_PRESENT     ((ULong)3 << 62) /* in memory or swapped out */

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

/* Huge pages are refused: each would take 2 MiB for one word. */
Bool ds_reserve_open(Addr a)
{
    SizeT slab = (a - DS_RESERVE_START) / DS_RESERVE_SLAB;
    Addr start = a & ~(DS_RESERVE_SLAB - 1);

    if (slab >= n_slabs || ds_reserve_opened[slab])
        return False;
    Bool is_mapped = map_slab((Word)start);
    if (!is_mapped) {
        ds_limits_lift();
        is_mapped = map_slab((Word)start);
        ds_limits_restore();
    }
    if (!is_mapped)
        ds_message_refuse("memory: only %lu KiB for shadow memory (see ulimit "
                          "-v, -d and -l); the run is lost",
                          n_open * DS_RESERVE_SLAB >> 10);
    ds_valgrind_note_mapped(start, DS_RESERVE_SLAB, True);
    advise((void *)start, DS_RESERVE_SLAB, MADV_NOHUGEPAGE);
    advise((void *)start, DS_RESERVE_SLAB, MADV_DONTDUMP);
    ds_reserve_opened[slab] = True;
    n_open++;
    tl_assert(n_open <= n_slabs);
    return True;
}

/* Calls `act` with the part of each mapped slab that lies in the range. */
static void each_open(void *p, SizeT size, void (*act)(UChar *part, SizeT n))
{
    UChar *at = p, *end = at + size;

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

static void zero_part(UChar *part, SizeT n)
{
    for (ULong *word = (ULong *)(Addr)part; word < (ULong *)(Addr)(part + n);
         word++)
        if (*word != 0)
            *word = 0;
}

/* Drops the pages; pages that the program has locked are overwritten. */
static void clear_part(UChar *part, SizeT n)
{
    if ((n == DS_RESERVE_SLAB && close_slab(part)) ||
        advise(part, n, MADV_DONTNEED) == 0)
        return;
    zero_part(part, n);
}

void ds_reserve_clear(void *p, SizeT size)
{
    tl_assert((Addr)p % DS_RESERVE_PAGE == 0 && size % DS_RESERVE_PAGE == 0);
    each_open(p, size, clear_part);
}

#define GIVE_BACK ((Addr)1 << 18) /* less is faster to zero in place */

void ds_reserve_zero(ULong *words, SizeT size)
{
    Addr a = (Addr)words, end = a + size, mask = DS_RESERVE_PAGE - 1;
    Addr first = (a + mask) & ~mask, last = end & ~mask;

    if (last < first || last - first < GIVE_BACK) {
        each_open(words, size, zero_part);
        return;
    }
    each_open(words, first - a, zero_part);
    ds_reserve_clear((void *)first, last - first);
    each_open((void *)last, end - last, zero_part);
}

static Int pagemap; /* the open /proc/self/pagemap, or -1 */
static void (*visitor)(void *page);

/* If the kernel does not tell which pages are in memory, all are visited. */
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

    tl_assert((Addr)p % DS_RESERVE_PAGE == 0 && size % DS_RESERVE_PAGE == 0);
    pagemap = sr_isError(opened) ? -1 : (Int)sr_Res(opened);
    visitor = visit;
    each_open(p, size, visit_part);
    if (pagemap >= 0)
        VG_(close)(pagemap);
}

static SizeT n_resident; /* pages that are in memory */

/* Counts pages by mincore, which needs no /proc. */
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

#define FIRST_SLOTS ((SizeT)1 << 12)

/* Multiplicative hashing by odd constants; the good bits are the high ones. */
static SizeT home(const struct ds_table *t, const struct ds_key *key)
{
    ULong h = key->word[0] * 0x9E3779B97F4A7C15ULL;

    h = (h ^ (h >> 32) ^ key->word[1]) * 0xD6E8FEB86659FD93ULL;
    h = (h ^ (h >> 32) ^ key->word[2]) * 0xA0761D6478BD642FULL;
    return (SizeT)(h >> 24) & (t->n_slots - 1);
}

static Bool is_same(const struct ds_key *a, const struct ds_key *b)
{
    return a->word[0] == b->word[0] && a->word[1] == b->word[1] &&
           a->word[2] == b->word[2];
}

/* The slot of a key, or the free slot where the key belongs. */
static struct ds_key **find(const struct ds_table *t, const struct ds_key *key)
{
    SizeT i = home(t, key);

    while (t->slot[i] != NULL && !is_same(t->slot[i], key))
        i = (i + 1) & (t->n_slots - 1);
    return &t->slot[i];
}

static void grow(struct ds_table *t)
{
    struct ds_table old = *t;

    t->n_slots = old.n_slots == 0 ? FIRST_SLOTS : 2 * old.n_slots;
    t->slot = VG_(calloc)("ds.table", t->n_slots, sizeof *t->slot);
    for (SizeT i = 0; i < old.n_slots; i++)
        if (old.slot[i] != NULL)
            *find(t, old.slot[i]) = old.slot[i];
    tl_assert((t->n_slots & (t->n_slots - 1)) == 0);
    if (old.slot != NULL)
        VG_(free)(old.slot);
}

void *ds_table_obtain(struct ds_table *t, struct ds_key key, SizeT size)
{
    tl_assert(size >= sizeof key);
    if (4 * t->n_used >= 3 * t->n_slots)
        grow(t);
    struct ds_key **slot = find(t, &key);
    if (*slot == NULL) {
        *slot = t->allocate != NULL ? t->allocate(size) : ds_memory_new(size);
        **slot = key;
        t->n_used++;
        tl_assert(t->n_used < t->n_slots);
    }
    return *slot;
}

void *ds_table_next(const struct ds_table *t, SizeT *cursor)
{
    while (*cursor < t->n_slots) {
        struct ds_key *record = t->slot[(*cursor)++];

        if (record != NULL)
            return record;
    }
    return NULL;
}
