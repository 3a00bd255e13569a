/*
 * A map from guest address to writer.  It knows nothing of IR, threads or SQL,
 * so tests/unit/depsim/shadow.c drives it without Valgrind.
 *
 * Guest memory below 2^37, where Valgrind keeps all that it maps for a program,
 * is divided into granules of 4 bytes.  The entry of a granule, 8 bytes, is
 * found by arithmetic alone, which translated code does itself (ds_fastpath).
 * An entry may say that the granule's bytes have different writers, which are
 * in entries of single bytes, found by arithmetic as well; or that one store
 * wrote them one by one, as `rep stosb` does.  Bytes from 2^37 on have entries
 * in pages that a table finds.  So shadow memory takes 2 times the guest memory
 * that was stored to in words, and mostly 10 times that in single bytes.
 *
 * When the epoch of times moves, older stores are kept in a list, exactly.
 *
 * Limits: addresses from 2^47 on have no writers (user space ends there), and
 * there are at most DS_WRITER_MAX writers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "count/ds_shadow.h"

#include "base/ds_arch.h"
#include "base/ds_memory.h"
#include "base/ds_options.h"

/* Entries of bytes from 2^37 on lie in pages, in the leaves of a table. */
#define PAGE_BITS  9
#define PAGE_BYTES ((SizeT)1 << PAGE_BITS)
#define PAGE_SIZE  (PAGE_BYTES * sizeof(ULong))
#define LEAF_BITS  21
#define LEAF_PAGES ((SizeT)1 << LEAF_BITS)
#define LEAF_BYTES (LEAF_PAGES << PAGE_BITS)
#define ROOT_BITS  (47 - LEAF_BITS - PAGE_BITS)
#define SPACE_END  ((Addr)1 << 47)

/* Bytes of addresses that are reserved for two tables of lines, the arena, the
   granules' entries, those after the end, the bytes' entries, and two more
   tables of lines. */
#define LINEAR       (DS_LINEAR_END / DS_GRANULE * sizeof(ULong))
#define AFTER        DS_RESERVE_SLAB
#define LINEAR_BYTES (DS_LINEAR_END * sizeof(ULong))
#define RESERVE \
    (DS_SHADOW_FRONT + LINEAR + AFTER + LINEAR_BYTES + 4 * DS_SHADOW_LINES)

#define GIVE_BACK ((Addr)1 << 17) /* less is faster to clear in place */

ULong *ds_shadow_granules, *ds_shadow_bytes;
ULong *ds_shadow_lines[2], *ds_shadow_touches[2];

static ULong **root[1 << ROOT_BITS];
static SizeT n_pages; /* in use */

/* Stores from before the epoch: writers, and times modulo 2^64. */
static struct far {
    UInt writer;
    ULong time;
} * far;
static SizeT n_far, far_room;

void ds_shadow_init(void)
{
    UChar *p = ds_reserve_init(RESERVE);

    tl_assert(ds_shadow_granules == NULL && (Addr)p % DS_RESERVE_PAGE == 0);
    for (UInt i = 0; i < 2; i++)
        ds_shadow_touches[i] = (ULong *)(Addr)(p + (2 - i) * DS_SHADOW_LINES);
    p += 2 * DS_SHADOW_LINES;
    ds_shadow_granules = (ULong *)(Addr)(p + DS_SHADOW_FRONT);
    p += DS_SHADOW_FRONT + LINEAR + AFTER;
    ds_shadow_bytes = (ULong *)(Addr)p;
    p += LINEAR_BYTES;
    for (UInt i = 0; i < 2; i++)
        ds_shadow_lines[i] = (ULong *)(Addr)(p + i * DS_SHADOW_LINES);
}

/* The place of an address's page in the table, or NULL if there is no leaf. */
static ULong **place(Addr a)
{
    tl_assert(a < SPACE_END);
    ULong **leaf = root[a / LEAF_BYTES];
    return leaf == NULL ? NULL : &leaf[a / PAGE_BYTES % LEAF_PAGES];
}

/* The entry of a single byte, to be written to. */
static ULong *byte_entry(Addr a)
{
    tl_assert(a < SPACE_END);
    if (a < DS_LINEAR_END)
        return ds_shadow_bytes + a;
    if (root[a / LEAF_BYTES] == NULL)
        root[a / LEAF_BYTES] = ds_memory_new(LEAF_PAGES * sizeof(ULong *));
    ULong **p = place(a);
    if (*p == NULL) {
        *p = ds_memory_new(PAGE_SIZE);
        n_pages++;
    }
    return &(*p)[a % PAGE_BYTES];
}

ULong ds_shadow_after(Addr a)
{
    if (a >= SPACE_END)
        return 0;
    ULong **p = place(a);
    return p == NULL || *p == NULL ? 0 : (*p)[a % PAGE_BYTES];
}

/* Gives each byte of a granule an entry of its own.  Their slab is opened here
   because faults may not be caught (ds_main). */
static void divide(Addr a)
{
    Addr first = a & ~(DS_GRANULE - 1);
    ULong *bytes = ds_shadow_bytes + first, entry;

    tl_assert(*ds_shadow_granule(a) != DS_SHADOW_SINGLE);
    if (UNLIKELY(!ds_reserve_is_open(bytes)))
        ds_reserve_open((Addr)bytes);
    for (SizeT i = 0; i < DS_GRANULE; i++) {
        ds_shadow_next(first + i, &entry);
        bytes[i] = entry;
    }
    *ds_shadow_granule(a) = DS_SHADOW_SINGLE;
}

/* The last run: its granule, what the entry of that was before, and the address
   and the entry with which the run goes on. */
static struct run {
    ULong *granule, before, entry;
    Addr next;
} run;

void ds_shadow_end_run(void)
{
    ULong *granule = run.granule;

    run.granule = NULL; /* it may be closed from now on */
    if (granule == NULL || *granule != DS_SHADOW_BEGUN)
        return;
    *granule = run.before;
    divide(run.next - 1);
    do
        ds_shadow_bytes[--run.next] = --run.entry;
    while (run.next % DS_GRANULE != 0);
}

/* Notes a store of a byte that has no entry of its own, if it goes on with a
   run.  False if it does not. */
static __attribute__((noinline)) Bool extend_run(Addr a, ULong entry)
{
    ULong *granule = ds_shadow_granule(a);

    if (*granule != DS_SHADOW_BEGUN) {
        if (a % DS_GRANULE != 0 || entry == 0 ||
            (granule[-1] != ((entry - DS_GRANULE) | DS_SHADOW_RUN) &&
             (granule[-1] != DS_SHADOW_SINGLE ||
              ds_shadow_bytes[a - 1] != entry - 1)))
            return False;
        ds_shadow_end_run();
        run = (struct run){granule, *granule, entry, a};
    } else if (a != run.next || entry != run.entry) {
        return False;
    }
    run.next++;
    run.entry++;
    *granule = run.next % DS_GRANULE != 0
                   ? DS_SHADOW_BEGUN
                   : (run.entry - DS_GRANULE) | DS_SHADOW_RUN;
    return True;
}

void ds_shadow_write_byte(Addr a, ULong entry)
{
    if (a < DS_LINEAR_END && *ds_shadow_granule(a) != DS_SHADOW_SINGLE) {
        if (extend_run(a, entry))
            return;
        divide(a);
    }
    if (a < SPACE_END)
        *byte_entry(a) = entry;
}

void ds_shadow_write_any(Addr a, SizeT n, ULong entry)
{
    Addr end = n < SPACE_END - a ? a + n : SPACE_END;

    tl_assert(ds_shadow_writer(entry) <= DS_WRITER_MAX);
    tl_assert(ds_shadow_time(entry) <= DS_TIME_LAST);
    while (a < end && a < SPACE_END) {
        if (end - a >= DS_GRANULE && ds_shadow_is_whole(a, DS_GRANULE)) {
            *ds_shadow_granule(a) = entry;
            a += DS_GRANULE;
        } else {
            ds_shadow_write_byte(a++, entry);
        }
    }
}

struct ds_write ds_shadow_far(ULong entry, ULong now)
{
    ULong i = ds_shadow_time(entry);

    tl_assert(ds_shadow_writer(entry) == DS_WRITER_FAR && i < n_far);
    return (struct ds_write){far[i].writer, 0, now - far[i].time, ~(ULong)0};
}

/* The place of a store's writer in a list, to which it is added; another place
   if the writer has stored since. */
static inline struct ds_write *place_of(struct ds_write w,
                                        struct ds_write *found, UInt *n_found)
{
    static struct ds_write surpassed;
    struct ds_write *by = found;

    while (by < found + *n_found && by->writer != w.writer)
        by++;
    if (by == found + *n_found) {
        ++*n_found;
        *by = w;
    } else if (w.distance < by->distance) {
        w.second = by->distance;
        *by = w;
    } else if (w.distance > by->distance) {
        by->second = w.distance < by->second ? w.distance : by->second;
        return &surpassed;
    }
    return by;
}

UInt ds_shadow_read_any(Addr a, SizeT n, ULong now,
                        struct ds_write found[DS_READ_MAX])
{
    ULong entry, before = 0;
    Addr next, end = a + n;
    struct ds_write *by = found;
    UInt n_found = 0;

    tl_assert(n <= DS_READ_MAX && now <= DS_TIME_LAST);
    for (; a < end; a = next) {
        next = ds_shadow_next(a, &entry);
        next = next < end ? next : end;
        if (entry == 0)
            continue;
        if (entry != before)
            by = place_of(ds_shadow_decode(before = entry, now), found,
                          &n_found);
        by->n += (UInt)(next - a);
    }
    return n_found;
}

Bool ds_shadow_read_parts(Addr a, SizeT n, struct ds_entries *found)
{
    ULong first, entry;
    Addr end = a + n;

    if (n > 64 || a > DS_LINEAR_END - n)
        return False;
    a = ds_shadow_next(a, &first);
    if (ds_shadow_writer(first) > DS_WRITER_MAX)
        return False;
    *found = (struct ds_entries){first, first};
    while (a < end) {
        a = ds_shadow_next(a, &entry);
        if (ds_shadow_writer(entry ^ first) != 0)
            return False;
        found->latest = entry > found->latest ? entry : found->latest;
        found->oldest = entry < found->oldest ? entry : found->oldest;
    }
    return True;
}

/* Clears whole granules; whole pages of their entries are returned to the
   kernel, and with many of them those of the bytes. */
static void clear_linear(Addr a, Addr end)
{
    const Addr step = DS_RESERVE_PAGE / sizeof(ULong) * DS_GRANULE;
    Addr first = (a + step - 1) & ~(step - 1), last = end & ~(step - 1);

    tl_assert(a % DS_GRANULE == 0 && end <= DS_LINEAR_END);
    ds_reserve_zero(ds_shadow_granule(a),
                    (end - a) / DS_GRANULE * sizeof(ULong));
    if (last >= first && last - first >= GIVE_BACK)
        ds_reserve_clear(ds_shadow_bytes + first,
                         (last - first) * sizeof(ULong));
}

/* Clears bytes from 2^37 on, and frees pages that are cleared as a whole. */
static void clear_pages(Addr a, Addr end)
{
    while (a < end) {
        ULong **p = place(a);
        /* Without a leaf there are no pages; a reservation has few leaves. */
        Addr next = (a | ((p == NULL ? LEAF_BYTES : PAGE_BYTES) - 1)) + 1;
        SizeT n = (next < end ? next : end) - a;

        if (p != NULL && *p != NULL && n == PAGE_BYTES) {
            ds_memory_free(*p, PAGE_SIZE);
            *p = NULL;
            n_pages--;
        } else if (p != NULL && *p != NULL) {
            VG_(memset)(&(*p)[a % PAGE_BYTES], 0, n * sizeof(ULong));
        }
        a = next;
    }
}

static void clear_byte(Addr a)
{
    if (ds_reserve_is_open(ds_shadow_granule(a)) && *ds_shadow_granule(a) != 0)
        ds_shadow_write_any(a, 1, 0);
}

void ds_shadow_clear(Addr a, SizeT n)
{
    Addr at;

    ds_shadow_end_run();
    at = a = ds_arch_untagged(a);
    Addr end = a >= SPACE_END || n > SPACE_END - a ? SPACE_END : a + n;
    Addr linear_end = end < DS_LINEAR_END ? end : DS_LINEAR_END;
    Addr whole = linear_end & ~(DS_GRANULE - 1);
    while (at < linear_end)
        if (at % DS_GRANULE != 0 || at >= whole) {
            clear_byte(at++);
        } else {
            clear_linear(at, whole);
            at = whole;
        }
    if (end > DS_LINEAR_END)
        clear_pages(a > DS_LINEAR_END ? a : DS_LINEAR_END, end);
}

/* The place of a store in `far`.  Adds the store, unless it is the last one
   added: neighbours often have the same store. */
static ULong far_place(struct far f)
{
    if (n_far > 0 && far[n_far - 1].writer == f.writer &&
        far[n_far - 1].time == f.time)
        return n_far - 1;
    tl_assert(n_far <= DS_TIME_MASK && f.writer <= DS_WRITER_MAX);
    far = ds_memory_grow(far, &far_room, n_far, sizeof *far);
    far[n_far] = f;
    return n_far++;
}

/* The entry for the same store in an epoch that begins `by` later. */
static ULong age(ULong entry, ULong by)
{
    ULong is_run = entry & DS_SHADOW_RUN, time = ds_shadow_time(entry), place;
    ULong writer = ds_shadow_writer(entry - is_run);

    if (entry == 0 || writer > DS_WRITER_MAX)
        return entry;
    if (time >= by)
        return entry - by;
    place = far_place((struct far){(UInt)writer, time - by});
    for (ULong i = 1; i < DS_GRANULE && is_run != 0; i++)
        far_place((struct far){(UInt)writer, time - by + i});
    return ds_shadow_entry(DS_WRITER_FAR, place) | is_run;
}

static ULong ageing; /* how much later the new epoch begins */

static void age_all(ULong *entries, SizeT n)
{
    for (SizeT i = 0; i < n; i++)
        if (entries[i] != 0)
            entries[i] = age(entries[i], ageing);
}

static void age_page(void *page)
{
    age_all(page, DS_RESERVE_PAGE / sizeof(ULong));
}

ULong ds_shadow_advance(ULong now)
{
    tl_assert(now <= DS_TIME_LAST);
    ageing = (DS_TIME_LAST + 1) / 2;
    if (now < ageing + ageing / 2)
        return 0;
    ds_shadow_end_run();
    for (SizeT i = 0; i < n_far; i++)
        far[i].time -= ageing;
    ds_reserve_visit(ds_shadow_granules, LINEAR, age_page);
    ds_reserve_visit(ds_shadow_bytes, LINEAR_BYTES, age_page);
    for (SizeT i = 0; i < (SizeT)1 << ROOT_BITS; i++)
        for (SizeT p = 0; root[i] != NULL && p < LEAF_PAGES; p++)
            if (root[i][p] != NULL)
                age_all(root[i][p], PAGE_BYTES);
    return ageing;
}

SizeT ds_shadow_size(void)
{
    return ds_reserve_resident(ds_shadow_granules, LINEAR) +
           ds_reserve_resident(ds_shadow_bytes,
                               LINEAR_BYTES + 2 * DS_SHADOW_LINES) +
           ds_reserve_resident((UChar *)ds_shadow_touches[1] - DS_SHADOW_LINES,
                               2 * DS_SHADOW_LINES) +
           n_pages * PAGE_SIZE;
}

/* Records that translated code reaches from one register.

   A 64-bit address takes an instruction of its own; an offset of 31 bits from
   an address in a register does not.  So the records that translated code uses
   most lie in front of shadow memory's granules, and each superblock loads that
   address once. */

static SizeT n_used;
static Addr lowest_open; /* the lowest mapped slab; 0: none yet */

/* Maps the slabs up to a record, which is read where no faults are caught. */
static void open_to(Addr record)
{
    if (lowest_open == 0)
        lowest_open = (Addr)ds_shadow_granules;
    tl_assert(lowest_open % DS_RESERVE_SLAB == 0);
    for (; record < lowest_open; lowest_open -= DS_RESERVE_SLAB)
        ds_reserve_open(lowest_open - DS_RESERVE_SLAB);
}

void *ds_arena_new(SizeT size)
{
    tl_assert(ds_shadow_granules != NULL);
    tl_assert(size > 0 && n_used <= DS_SHADOW_FRONT);
    size = (size + 15) & ~(SizeT)15;
    if (size >= 64)
        size = ((n_used + size + 63) & ~(SizeT)63) - n_used;
    if (size > DS_SHADOW_FRONT - n_used)
        ds_message_refuse("memory: the records of code need more than %lu MiB; "
                          "the run is lost",
                          DS_SHADOW_FRONT >> 20);
    n_used += size;
    open_to((Addr)ds_shadow_granules - n_used);
    return (UChar *)ds_shadow_granules - n_used;
}

ULong ds_arena_offset(const void *field)
{
    ULong offset = (Addr)ds_shadow_granules - (Addr)field;

    tl_assert(offset >= 1 && offset <= n_used && offset >> 31 == 0);
    return offset;
}
