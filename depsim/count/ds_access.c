/*
 * Translated code handles the usual case itself (ds_fastpath): a load of the
 * kind that it expects (ds_expect) only adds one to a counter.  This file is
 * the slow path, which handles all other cases.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "count/internal.h"

#include "base/ds_arch.h"

struct ds_access *ds_access;

void ds_access_init(void)
{
    tl_assert(ds_access == NULL);
    ds_access = ds_arena_new(sizeof *ds_access);
    for (UInt i = 0; i < 4; i++)
        ds_access->known[i] = (DS_LINEAR_END - 1) & ~(((ULong)1 << i) - 1);
    ds_access->bytes = (Addr)ds_shadow_bytes;
    ds_access->single = DS_SHADOW_SINGLE;
}

static Bool is_near(ULong distance)
{
    return distance <= FORWARD_NEAR;
}

/* Counts an occurrence.  Returns the distances that are counted alike. */
static inline __attribute__((always_inline)) struct ds_deps_range
count(struct ds_dep *dep, ULong distance, ULong now)
{
    struct ds_deps_range range = ds_deps_count(dep, distance);

    if (range.counts)
        ds_threads_note(dep, distance, now);
    return range;
}

/* The time of a load, when the clock shows `now`. */
static ULong time_of(const struct ds_expect *load, ULong now)
{
    return now + (ULong)(Long)load->ahead;
}

static UInt crosses(Addr a, SizeT n)
{
    return ((a + n - 1) ^ a) / FORWARD_LINE != 0 ? DS_CROSSES : 0;
}

Bool ds_access_touches;

static inline void touch(Addr a, SizeT n, ULong time)
{
    if (ds_access_touches)
        for (Addr at = a & ~(Addr)(FORWARD_LINE - 1); at < a + n;
             at += FORWARD_LINE)
            *ds_shadow_touch(0, at) = time + 1;
}

/* How bytes of several stores are forwarded.  One of the stores is at this
   distance; if it is near, another one is near, too. */
static UInt forward_of_several(ULong distance)
{
    return is_near(distance) ? FORWARD_SEVERAL : FORWARD_PARTIAL;
}

/* How a load of n bytes is forwarded by a store that wrote n_written of them at
   this distance, when n_near stores in all are near.  An instruction that
   stored several times wrote more bytes than the writer's size. */
static UInt forward_of(SizeT n, struct ds_writer w, SizeT n_written,
                       ULong distance, UInt n_near)
{
    if (n_near > 1 || n_written > w.size)
        return forward_of_several(distance);
    return n_written < n ? FORWARD_PARTIAL
           : n == w.size ? FORWARD_SAME
                         : FORWARD_CONTAINED;
}

/* The record of the pair of a load and a store. */
static struct ds_dep *dep_of(struct ds_site *load, struct ds_writer w,
                             UInt forward)
{
    return ds_deps_obtain(&load->reader, w.site, forward);
}

/* Has the instruction of writer i of a list a later store by another one, or
   that store by one before? */
static Bool is_surpassed(const struct ds_write *found,
                         const struct ds_writer *by, UInt n_found, UInt i)
{
    for (UInt j = 0; j < n_found; j++)
        if (by[j].site == by[i].site &&
            (found[j].distance < found[i].distance ||
             (found[j].distance == found[i].distance && j < i)))
            return True;
    return False;
}

/* Counts the occurrence of a load from one of its writers, when n_near stores
   of all are near. */
static inline __attribute__((always_inline)) void
load_from(struct ds_site *load, Addr a, SizeT n, struct ds_writer w,
          struct ds_write by, UInt n_near, ULong time)
{
    UInt forward = forward_of(n, w, by.n, by.distance, n_near);

    count(dep_of(load, w, forward | crosses(a, n)), by.distance, time);
}

/* Counts the occurrences of a load from any number of stores. */
static __attribute__((noinline)) void load_any(struct ds_site *load, Addr a,
                                               SizeT n, ULong time)
{
    static struct ds_write found[DS_READ_MAX];
    static struct ds_writer by[DS_READ_MAX];
    UInt n_found = ds_shadow_read_any(a, n, time, found), n_near = 0;

    for (UInt i = 0; i < n_found; i++) {
        by[i] = ds_sites_writer_get(found[i].writer);
        n_near += is_near(found[i].distance) + is_near(found[i].second);
    }
    for (UInt i = 0; i < n_found; i++)
        if (n_found == 1 || !is_surpassed(found, by, n_found, i))
            load_from(load, a, n, by[i], found[i], n_near, time);
}

/* The same, more quickly if it is one store, or a run of those of one byte. */
static void load_plainly(struct ds_site *load, Addr a, SizeT n, ULong time)
{
    struct ds_entries e = {.latest = ds_shadow_run_end(a, n)};
    Bool is_run = e.latest != 0;
    struct ds_write w = {.n = is_run ? 1 : (UInt)n};

    if (!is_run && (!ds_shadow_read(a, n, &e) || e.latest != e.oldest)) {
        load_any(load, a, n, time);
    } else if (e.latest != 0) {
        w.distance = time - ds_shadow_time(e.latest);
        load_from(load, a, n, ds_sites_writer_get(ds_shadow_writer(e.latest)),
                  w, is_run && is_near(w.distance + 1) ? 2 : 1, time);
    }
}

/* Sets the records of a kind that falls under this bound. */
static void set_records(struct ds_kind *kind, struct ds_expect *load,
                        struct ds_writer w, UInt forward, UChar bound)
{
    kind->dep = dep_of(load->site, w, forward);
    kind->bound = bound;
    if (load->n > DS_WORD)
        kind->across = dep_of(load->site, w, forward | DS_CROSSES);
}

/* Limits a kind of loads from several stores, the latest at this distance, to
   loads from near stores or, if this load is not one, to the others.  In the
   slow path the oldest store is known.  The fast path tests the latest one's
   distance and, for a load that is wider than a word, that the others'
   differences to it are below a power of two, the largest that keeps all near.
   It joins the bits of larger differences to the tag, so they must be higher
   than all that the tag may have. */
static void keep_near(struct ds_kind *kind, struct ds_deps_range *range,
                      SizeT n, ULong distance)
{
    ULong differences = 1;

    if (!is_near(distance)) {
        range->first = greater(range->first, FORWARD_NEAR + 1);
        return;
    }
    if (n > DS_WORD) {
        kind->beyond =
            (UChar)(63 - __builtin_clzll(FORWARD_NEAR + 1 - distance));
        differences = (ULong)1 << kind->beyond;
    }
    range->end = lesser(range->end, FORWARD_NEAR + 1 - differences);
    if (n > DS_WORD && range->end - range->first >= differences)
        range->first = range->end + 1 - differences;
}

/* Counts a load from one writer.  The load expects this kind from now on, if
   more accesses of the kind can be counted alike. */
static __attribute__((noinline)) void
learn_one(struct ds_expect *load, Addr a, ULong entry, ULong now, ULong differs)
{
    ULong writer = ds_shadow_writer(entry), time = time_of(load, now);
    struct ds_deps_range range = {0, DS_TIME_LAST, False, 0};
    ULong distance = time - ds_shadow_time(entry);
    struct ds_kind kind = {.differs = True, .beyond = DS_TIME_BITS - 1};

    if (writer != 0) {
        struct ds_writer w = ds_sites_writer_get(writer);
        UInt forward = differs != 0
                           ? forward_of_several(distance)
                           : forward_of(load->n, w, load->n, distance, 1);

        range = count(dep_of(load->site, w, forward | crosses(a, load->n)),
                      distance, time);
        if (forward >= FORWARD_PARTIAL && range.counts)
            keep_near(&kind, &range, load->n, distance);
        if (w.size < load->n)
            kind.differs = False;
        if (range.counts)
            set_records(&kind, load, w, forward, range.bound);
    }
    tl_assert(range.first <= distance && distance <= range.end);
    kind.base =
        range.first - ds_shadow_entry(writer, 0) - time_of(load, 0) + differs;
    kind.room = lesser(range.end, DS_TIME_LAST) - range.first;
    kind.first = range.first;
    tl_assert(kind.room >> kind.beyond == 0);
    ds_expect_learn(load, &kind, now - entry + differs, time);
}

/* Has the load met this writer last, in the same way?  If not, it has now. */
static Bool meets_again(struct ds_load *load, UInt writer)
{
    if (load->writer == writer)
        return True;
    struct ds_writer w = ds_sites_writer_get(writer);
    if (load->n > w.size)
        return False;
    load->writer = writer;
    load->dep = dep_of(load->site, w, forward_of(load->n, w, load->n, 0, 1));
    return True;
}

void ds_access_load(struct ds_load *load, Addr a, ULong time)
{
    struct ds_entries e;

    a = ds_arch_untagged(a);
    touch(a, load->n, time);
    if (load->site == NULL)
        return;
    if (crosses(a, load->n) == 0 && ds_shadow_read(a, load->n, &e) &&
        e.latest == e.oldest && e.latest != 0 &&
        meets_again(load, (UInt)ds_shadow_writer(e.latest)))
        count(load->dep, time - ds_shadow_time(e.latest), time);
    else
        load_plainly(load->site, a, load->n, time);
}

/* In an entry: the writer has its second number. */
#define ASTRIDE ds_shadow_entry(1, 0)

/* The entry that a store leaves, given that of its first number: where it does
   not store whole words, that of its second number. */
static inline ULong entry_at(Addr a, SizeT n, ULong entry)
{
    if (n > DS_GRANULE && ((a | n) & (DS_WORD - 1)) != 0 && entry != 0)
        return entry + ASTRIDE;
    return entry;
}

void ds_access_store(Addr a, SizeT n, ULong entry)
{
    a = ds_arch_untagged(a);
    if (entry != 0)
        touch(a, n, ds_shadow_time(entry));
    ds_shadow_write(a, n, entry_at(a, n, entry));
}

/* Are the stores that made two entries of a load both near, or both not? */
static Bool is_same_age(const struct ds_expect *load, ULong x, ULong y)
{
    ULong time = time_of(load, *ds_clock_now);

    return is_near(time - ds_shadow_time(x)) ==
           is_near(time - ds_shadow_time(y));
}

/* Counts a load that missed, whose kind cannot be expected, by `count_load`. */
static __attribute__((noinline)) void
missed_odd(Addr a, struct ds_expect *load,
           void (*count_load)(struct ds_site *, Addr, SizeT, ULong))
{
    ds_expect_take_back(load, load->n > DS_WORD && crosses(a, load->n) != 0);
    touch(a, load->n, time_of(load, *ds_clock_now));
    count_load(load->site, a, load->n, time_of(load, *ds_clock_now));
}

/* Counts a load that is not of the kind that it expects, with the latest of its
   entries, and what it adds to its tag. */
static __attribute__((noinline)) void missed_one(Addr a, struct ds_expect *load,
                                                 ULong entry, ULong differs)
{
    ULong now = *ds_clock_now, tag = now - entry + differs;
    Bool across = load->n > DS_WORD && crosses(a, load->n) != 0;

    if (UNLIKELY(++load->n_others == DS_EXPECT_ROUND) && load->n <= DS_WORD)
        ds_expect_end_round(load);
    ds_expect_take_back(load, across);
    if (UNLIKELY(ds_expect_find(load, tag, across, time_of(load, now)) == NULL))
        learn_one(load, a, entry, now, differs);
}

/* A load that is wider than a word, or of bytes with entries of their own.  The
   fast path counts those that cross a line, and sees whether the entries of
   wide ones differ. */
static __attribute__((noinline)) void missed_wide(Addr a,
                                                  struct ds_expect *load)
{
    struct ds_entries e;
    ULong differs = 0;

    if (!ds_shadow_read(a, load->n, &e) ||
        !is_same_age(load, e.latest, e.oldest)) {
        missed_odd(a, load, load_any);
        return;
    }
    if (e.latest != e.oldest &&
        ds_sites_writer_get(ds_shadow_writer(e.latest)).size >= load->n)
        differs = DS_DIFFERS;
    if (load->n <= DS_WORD && (differs != 0 || (e.latest & ASTRIDE) != 0))
        missed_odd(a, load, load_any);
    else if (!ds_expect_is_of(&load->expected,
                              *ds_clock_now - e.latest + differs))
        missed_one(a, load, e.latest, differs);
}

/* The entries of both ends of an aligned load of up to a word. */
static inline void read_entries(Addr a, SizeT n, ULong *first, ULong *last)
{
    *first = *ds_shadow_granule(a);
    *last = *ds_shadow_granule(a + n - 1);
    if (n < DS_GRANULE && *first == DS_SHADOW_SINGLE) {
        *first = ds_shadow_bytes[a];
        *last = ds_shadow_bytes[a + n - 1];
    } else if (n == 1 && *first >= DS_SHADOW_RUN) {
        *first = *last = *first - DS_SHADOW_RUN + a % DS_GRANULE;
    }
}

/* A load of up to a word.  Its writer and its width must determine how it is
   forwarded, for all accesses of the kind that hit on the fast path.  An access
   of up to a granule lies within one, which one store wrote.  If both halves of
   a word have the same first number, one store wrote them if it stores words,
   else two did.  Neither kind of access crosses a line. */
static inline __attribute__((always_inline)) void
missed(Addr a, struct ds_expect *load, SizeT n)
{
    a = ds_arch_untagged(a);
    if (UNLIKELY(n > DS_WORD)) {
        missed_wide(a, load);
        return;
    }
    if (UNLIKELY((a & (n - 1)) != 0 || a >= DS_LINEAR_END)) {
        missed_odd(a, load, load_plainly);
        return;
    }
    ULong first, last;
    read_entries(a, n, &first, &last);
    ULong latest = greater(first, last);
    if (first == last) {
        if (LIKELY(ds_expect_is_of(&load->expected, *ds_clock_now - latest)))
            return;
    } else if (n < DS_WORD || ds_shadow_writer(first ^ last) != 0 ||
               !is_same_age(load, first, last)) {
        missed_odd(a, load, load_any);
        return;
    }
    if (ds_shadow_writer(latest) > DS_WRITER_MAX)
        missed_wide(a, load);
    else if (n == DS_WORD && (latest & ASTRIDE) != 0)
        missed_odd(a, load, load_plainly);
    else if (first == last ||
             !ds_expect_is_of(&load->expected, *ds_clock_now - latest))
        missed_one(a, load, latest, 0);
}

void ds_access_missed(Addr a, ULong offset)
{
    struct ds_expect *load = ds_arena_at(offset);

    if (load->n == DS_WORD)
        missed(a, load, DS_WORD);
    else
        missed(a, load, load->n);
}

/* The way of a kind that the load has seen is the same for all kinds, so the
   processor predicts its branches. */
void ds_access_look_up(Addr pointer, ULong offset)
{
    struct ds_expect *load = ds_arena_at(offset);
    ULong first, last = 0, now = *ds_clock_now;
    Addr a = ds_arch_untagged(pointer);
    const struct ds_seen *seen = NULL;

    if (LIKELY((a & (load->n - 1u)) == 0 && a < DS_LINEAR_END)) {
        read_entries(a, load->n, &first, &last);
        if (LIKELY(first == last))
            seen = ds_expect_find(load, now - first, False, time_of(load, now));
    }
    if (LIKELY(seen != NULL))
        ds_expect_note(load, (UChar)(seen - load->seen));
    else
        ds_access_missed(a, offset);
}

/* Loads that a processor may take for dependent on a store that wrote
   elsewhere.

   Processors compare the low 12 bits of addresses first.  A load *aliases* if
   the last store to one of its bytes, as far as these bits tell, is at most a
   window of instructions old and wrote to another page.  So a table with the
   last store for each of the 4,096 places of a page is enough.

   Limits: the stores of all threads are one sequence, without the kernel's. */

#define PAGE 4096

/* The last store to a place: `time` is the count (ds_clock) plus 1; 0: none. */
struct last {
    ULong page, time;
};

static struct last *table; /* PAGE entries; NULL if aliases are not counted */
static ULong window, n_aliased;
static Bool is_recording;

void ds_alias_init(ULong n)
{
    tl_assert(table == NULL);
    window = n;
    if (n > 0)
        table = ds_memory_new(PAGE * sizeof *table);
}

Bool ds_alias_is_on(void)
{
    return table != NULL;
}

void ds_alias_record(Bool on)
{
    is_recording = on;
}

void ds_alias_store(Addr a, SizeT n, ULong ahead)
{
    ULong time = ds_clock_executed() + ahead + 1;

    tl_assert(table != NULL);
    a = ds_arch_untagged(a);
    for (Addr at = a; at < a + n; at++)
        table[at % PAGE] = (struct last){at / PAGE, time};
}

void ds_alias_load(Addr a, SizeT n, ULong ahead)
{
    ULong time = ds_clock_executed() + ahead + 1;

    tl_assert(table != NULL);
    if (!is_recording)
        return;
    a = ds_arch_untagged(a);
    for (Addr at = a; at < a + n; at++) {
        const struct last *last = &table[at % PAGE];

        if (last->time != 0 && last->page != at / PAGE &&
            time - last->time <= window) {
            n_aliased++;
            return;
        }
    }
}

ULong ds_alias_count(void)
{
    return n_aliased;
}
