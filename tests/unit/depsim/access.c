/* depsim's loads and stores, as translated code makes them. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <stdlib.h>

#include "count/internal.h"
#include "depsim/valgrind.h"

#define BASE ((Addr)0x7000)
#define QUART \
    ((DS_TIME_LAST + 1) / 4) /* at most between two ds_clock_resume calls */

#define SIZE_OF_ROWS 1024

static struct lifetimes bounds;

/* Counts under a list of bounds; all lists have three, as in a run. */
static void count(const char *list)
{
    ds_expect_forget_all();
    ds_deps_reset();
    assert_true(lifetimes_parse(&bounds, list));
    ds_deps_init(&bounds);
    ds_deps_record(true);
}

/* The unit to which a plain address of n bytes is aligned. */
static SizeT unit_of(SizeT n)
{
    return n == DS_WORD ? DS_WORD : n < DS_GRANULE ? n : DS_GRANULE;
}

/* The tag minus the base, as ds_fastpath computes it: of a load wider than a
   word, of a plain address (plain_tag), of any address (any_tag). */
static ULong wide_tag(const struct ds_expect *load, const ULong *entry)
{
    SizeT last = load->n / DS_GRANULE - 1;
    ULong by = 0, x = *ds_clock_now - entry[last] - load->expected.base;

    for (SizeT i = 0; i < last; i++)
        by |= entry[last] - entry[i];
    return (by & load->beyond) | (x + (by != 0 ? load->differs : 0));
}

static ULong plain_tag(const struct ds_expect *load, Addr a)
{
    const ULong *entry = ds_shadow_granule(a & ~(DS_GRANULE - 1));
    ULong from = *ds_clock_now - load->expected.base, x = 0;

    if (load->n > DS_WORD)
        return wide_tag(load, entry);
    for (SizeT i = 0; i == 0 || i < load->n / DS_GRANULE; i++)
        x |= from - entry[i];
    return x;
}

static ULong any_tag(const struct ds_expect *load, Addr a)
{
    SizeT n_entries = load->n < DS_GRANULE ? 1 : load->n / DS_GRANULE;
    SizeT unit = unit_of(load->n);
    Addr known = a & ds_access->known[__builtin_ctzl(unit)];
    const ULong *entry = ds_shadow_granule(a & ds_access->known[2]);
    ULong from = *ds_clock_now - load->expected.base, x = known - a;

    if (load->n > DS_WORD)
        return wide_tag(load, entry) | x;
    for (SizeT i = 0; i < n_entries; i++)
        x |= from - entry[i];
    return x;
}

static bool is_plain(const struct ds_expect *load, Addr a)
{
    return a + load->n <= DS_LINEAR_END &&
           (load->n == 1 ||
            (load->n >= DS_GRANULE && a % unit_of(load->n) == 0));
}

/* A load as translated code makes it (ds_fastpath).  Returns whether it hit. */
static bool load_in_line(struct ds_expect *load, Addr a)
{
    ULong x = is_plain(load, a) && load->own % 4 < 2 ? plain_tag(load, a)
                                                     : any_tag(load, a);

    load->own++;
    if (load->looks_up) {
        ds_access_look_up(a, ds_arena_offset(load));
        return false;
    }
    if (load->n > DS_WORD)
        load->crossed += (a % FORWARD_LINE + load->n - 1) / FORWARD_LINE;
    if (x <= load->expected.span)
        return true;
    ds_access_missed(a, ds_arena_offset(load));
    return false;
}

/* The record of a pair with a forward, or NULL if there is none. */
static const struct ds_dep *record_of(const struct ds_site *writer,
                                      const struct ds_site *reader,
                                      UInt forward)
{
    const struct ds_dep *first, *dep;
    SizeT cursor = 0;

    while ((first = ds_deps_next(&cursor)) != NULL)
        for (dep = first; dep != NULL; dep = ds_deps_of_pair(first, dep))
            if (dep->writer == writer->reader.id &&
                dep->reader == reader->reader.id && dep->forward == forward &&
                ds_deps_occurred(dep))
                return dep;
    return NULL;
}

static const struct ds_dep *dep_of(const struct ds_site *writer,
                                   const struct ds_site *reader)
{
    return record_of(writer, reader, FORWARD_SAME);
}

/* Makes a site of its own for each case. */
static struct ds_site *new_site(void)
{
    static Addr address;

    return ds_sites_obtain(0, ++address);
}

/* The first entry of a site's store of n bytes. */
static ULong entry_of(struct ds_site *site, SizeT n, ULong time)
{
    return ds_shadow_entry(ds_sites_writer(site, n, 0), time);
}

static void store(struct ds_site *site, Addr a, SizeT n, ULong time)
{
    ds_access_store(a, n, entry_of(site, n, time));
}

/* Stores, and a load of n bytes: what a test begins with, in memory that was
   never written. */
static struct ds_site *first, *second, *third, *site;
static struct ds_expect *tested;

static void begin(SizeT n)
{
    first = new_site();
    second = new_site();
    third = new_site();
    site = new_site();
    tested = ds_expect_obtain(site, 1, n, 0, 0, 0);
    count("4,1000,inf");
    ds_shadow_clear(BASE, SIZE_OF_ROWS);
    *ds_clock_now += 2000;
}

TEST(an_address_is_known_by_the_bits_that_it_may_have)
{
    assert_true(ds_access->known[0] == DS_LINEAR_END - 1);
    assert_true(ds_access->known[1] == DS_LINEAR_END - 2);
    assert_true(ds_access->known[2] == DS_LINEAR_END - 4);
    assert_true(ds_access->known[3] == DS_LINEAR_END - 8);
}

TEST(a_store_has_its_width)
{
    ULong entry;

    for (SizeT n = 1; n <= 32; n *= 2) {
        ds_shadow_clear(BASE, 128);
        ds_access_store(BASE + 32, n, ds_shadow_entry(1, 5));
        for (Addr a = BASE; a < BASE + 128; a++) {
            ds_shadow_next(a, &entry);
            assert_int_equal(entry != 0, a >= BASE + 32 && a < BASE + 32 + n);
        }
    }
    ds_shadow_clear(BASE, 128);
}

TEST(a_value_stored_before_a_turn_crosses_threads)
{
    ULong began;

    begin(4);
    ds_clock_resume(2);
    began = *ds_clock_now;
    store(first, BASE, 4, began);
    store(second, BASE + 4, 4, began - 1);
    *ds_clock_now += 10;
    for (UInt i = 0; i < 3; i++) {
        load_in_line(tested, BASE);
        load_in_line(tested, BASE + 4);
    }
    ds_expect_settle_all();
    assert_int_equal(ds_deps_total(dep_of(first, site)), 3);
    assert_int_equal(dep_of(first, site)->cross_thread, 0);
    assert_int_equal(ds_deps_total(dep_of(second, site)), 3);
    assert_int_equal(dep_of(second, site)->cross_thread, 3);
    ds_clock_resume(1);
}

/* A hit must not count an occurrence that a miss would attribute to another
   thread, so a load may expect no distance beyond its thread's turn. */
TEST(a_load_expects_no_more_than_its_turn)
{
    const struct ds_dep *dep;

    begin(4);
    count("1000000,2000000,inf");
    *ds_clock_now += 100;
    store(first, BASE, 4, *ds_clock_now - 50);
    *ds_clock_now += 100;
    ds_clock_resume(2);
    *ds_clock_now += 20;
    store(first, BASE + 4, 4, *ds_clock_now - 10);
    load_in_line(tested, BASE + 4);
    dep = dep_of(first, site);
    assert_int_equal(dep->cross_thread, 0);
    load_in_line(tested, BASE);
    assert_int_equal(dep->cross_thread, 1);
    ds_expect_settle_all();
    assert_int_equal(ds_deps_occurrences(dep, 0), 2);
    assert_int_equal(dep->max_distance, 170);
    ds_clock_resume(1);
}

TEST(after_a_miss_the_same_access_hits)
{
    begin(4);
    store(first, BASE, 4, *ds_clock_now - 50);
    store(second, BASE + 4, 4, *ds_clock_now - 50);
    for (UInt i = 0; i < 3; i++) {
        assert_false(load_in_line(tested, BASE + 4 * i));
        assert_true(load_in_line(tested, BASE + 4 * i));
    }
    assert_false(load_in_line(tested, BASE)); /* the load expects one kind */
    assert_true(load_in_line(tested, BASE));
}

/* One loop stores a vector by two instructions, the last part last.  Every
   second vector crosses a line. */
TEST(a_load_that_finds_several_stores_expects_as_many)
{
    UInt n_hits = 0;

    begin(32);
    for (Addr a = BASE; a < BASE + SIZE_OF_ROWS; a += 32) {
        store(first, a, 32, *ds_clock_now);
        *ds_clock_now += 10;
    }
    *ds_clock_now += 100;
    for (Addr a = BASE + 8; a + 32 <= BASE + SIZE_OF_ROWS; a += 32) {
        n_hits += load_in_line(tested, a);
        *ds_clock_now += 10;
    }
    assert_int_equal(n_hits, SIZE_OF_ROWS / 32 - 2);
    assert_false(load_in_line(tested, BASE)); /* another kind: one store */
    assert_true(load_in_line(tested, BASE));
    ds_expect_settle_all();
    assert_int_equal(ds_deps_total(record_of(first, site, FORWARD_SEVERAL)),
                     SIZE_OF_ROWS / 64);
    assert_int_equal(
        ds_deps_total(record_of(first, site, FORWARD_SEVERAL | DS_CROSSES)),
        SIZE_OF_ROWS / 64 - 1);
    assert_int_equal(ds_deps_total(record_of(first, site, FORWARD_SAME)), 2);
}

/* Two parts of a load's bytes are stored `apart` instructions apart, the
   last one at `distance`: of several stores while both are near, else partial.
   A hit must give the same as a miss. */
static void assert_ages(SizeT n, ULong apart, ULong distance, UInt forward)
{
    begin(n);
    count("4,100000,inf");
    *ds_clock_now += apart + distance;
    for (UInt i = 0; i < 4; i++) {
        store(first, BASE, n / 2, *ds_clock_now - distance - apart);
        store(first, BASE + n / 2, n / 2, *ds_clock_now - distance);
        load_in_line(tested, BASE);
        *ds_clock_now += apart + distance;
    }
    ds_expect_settle_all();
    for (UInt f = 0; f < DS_N_FORWARDS; f++)
        assert_int_equal(record_of(first, site, f) != NULL, f == forward);
    assert_int_equal(ds_deps_total(record_of(first, site, forward)), 4);
}

TEST(only_near_stores_are_several)
{
    for (SizeT n = 2; n <= 32; n *= 2) {
        assert_ages(n, 1, 10, FORWARD_SEVERAL);
        assert_ages(n, FORWARD_NEAR - 10, 10, FORWARD_SEVERAL);
        assert_ages(n, FORWARD_NEAR - 9, 10, FORWARD_PARTIAL);
        assert_ages(n, 1, FORWARD_NEAR - 1, FORWARD_SEVERAL);
        assert_ages(n, 1, FORWARD_NEAR, FORWARD_PARTIAL);
        assert_ages(n, 1, FORWARD_NEAR + 1, FORWARD_PARTIAL);
        assert_ages(n, 5000, 5000, FORWARD_PARTIAL);
    }
}

/* A load of n bytes that one instruction stored singly, the last one at this
   distance. */
static void assert_run(SizeT n, ULong distance, UInt forward)
{
    begin(n);
    for (Addr a = BASE; a < BASE + 16; a++)
        store(first, a, 1, ++*ds_clock_now);
    *ds_clock_now += n + distance - 11;
    assert_int_not_equal(ds_shadow_run_end(BASE + 5, n), 0);
    load_in_line(tested, BASE + 5);
    ds_expect_settle_all();
    for (UInt f = 0; f < DS_N_FORWARDS; f++)
        assert_int_equal(record_of(first, site, f) != NULL, f == forward);
    assert_int_equal(record_of(first, site, forward)->min_distance, distance);
}

TEST(a_misaligned_load_of_a_run_reads_several_near_stores)
{
    for (SizeT n = 2; n <= DS_WORD; n *= 2) {
        assert_run(n, 20, FORWARD_SEVERAL);
        assert_run(n, FORWARD_NEAR - 1, FORWARD_SEVERAL);
        assert_run(n, FORWARD_NEAR, FORWARD_PARTIAL);
        assert_run(n, FORWARD_NEAR + 1, FORWARD_PARTIAL);
    }
}

/* A far store counts by itself, a near one as if no other had stored. */
TEST(far_stores_take_nothing_from_near_ones)
{
    begin(16);
    store(first, BASE, 16, *ds_clock_now - 1500);
    load_in_line(tested, BASE);
    store(second, BASE, 4, *ds_clock_now - 10);
    load_in_line(tested, BASE);
    store(third, BASE + 4, 4, *ds_clock_now - 5);
    load_in_line(tested, BASE);
    ds_expect_settle_all();
    assert_int_equal(ds_deps_total(record_of(first, site, FORWARD_SAME)), 1);
    assert_int_equal(ds_deps_total(record_of(first, site, FORWARD_PARTIAL)), 2);
    assert_int_equal(ds_deps_total(record_of(second, site, FORWARD_PARTIAL)),
                     1);
    assert_int_equal(ds_deps_total(record_of(second, site, FORWARD_SEVERAL)),
                     1);
    assert_int_equal(ds_deps_total(record_of(third, site, FORWARD_SEVERAL)), 1);
}

/* One instruction stores two words at once, beside a far store or none. */
TEST(two_stores_of_one_execution_are_several)
{
    begin(16);
    for (UInt i = 0; i < 2; i++) {
        store(second, BASE, 4, *ds_clock_now);
        store(second, BASE + 4, 4, *ds_clock_now);
        *ds_clock_now += 5;
        load_in_line(tested, BASE);
        store(first, BASE, 16, *ds_clock_now - 1500);
    }
    ds_expect_settle_all();
    assert_int_equal(ds_deps_total(record_of(second, site, FORWARD_SEVERAL)),
                     2);
    assert_int_equal(ds_deps_total(record_of(first, site, FORWARD_PARTIAL)), 1);
}

/* A simple model to compare with: each byte has its writer, the instruction
   count at the store, and the thread. */

enum {
    SIZE = 256,
    WRITERS = 4,
    LOADS = 24,
    THREADS = 3,
    STEPS = 60000,
};

static struct {
    UInt writer; /* 0: none */
    ULong count;
    UInt thread;
    UInt store; /* number of the store */
    SizeT size; /* bytes of the store */
} byte[SIZE];
static UInt n_stores;

static struct expected {
    ULong occurrences[3];
    ULong min, max;
    ULong n_crossed;
} expected[LOADS][WRITERS + 1][DS_N_FORWARDS];

static struct ds_site *writers[WRITERS + 1];
static struct ds_expect *loads[LOADS];
static struct ds_load slow[LOADS]; /* the same loads on the slow path */
static UInt thread[THREADS + 1], n_threads; /* by ThreadId; all so far */
static ThreadId running = 1;
static bool is_recording;

static void expect_occurrence(struct expected *e, ULong distance, bool crosses)
{
    UInt i = 0;

    while (i < 3 && bounds.bound[i] < distance)
        i++;
    if (!is_recording || i == 3)
        return;
    if (e->occurrences[0] + e->occurrences[1] + e->occurrences[2] == 0)
        e->min = e->max = distance;
    e->min = distance < e->min ? distance : e->min;
    e->max = distance > e->max ? distance : e->max;
    e->occurrences[i]++;
    e->n_crossed += crosses;
}

/* The forward that a load should have from the store of byte number `from`. */
static UInt expected_forward(SizeT at, SizeT n, SizeT from, ULong now)
{
    UInt crosses =
        (BASE + at) / 64 != (BASE + at + n - 1) / 64 ? DS_CROSSES : 0;
    bool is_near = now - byte[from].count <= FORWARD_NEAR;
    SizeT n_own = 0;

    for (SizeT i = at; i < at + n; i++) {
        n_own += byte[i].writer != 0 && byte[i].store == byte[from].store;
        if (is_near && byte[i].writer != 0 &&
            now - byte[i].count <= FORWARD_NEAR &&
            byte[i].store != byte[from].store)
            return crosses | FORWARD_SEVERAL;
    }
    if (n_own < n)
        return crosses | FORWARD_PARTIAL;
    return crosses | (byte[from].size == n ? FORWARD_SAME : FORWARD_CONTAINED);
}

static void expect_load(UInt load, SizeT at, SizeT n, ULong now)
{
    for (UInt writer = 1; writer <= WRITERS; writer++) {
        SizeT latest = SIZE;

        for (SizeT i = at; i < at + n; i++)
            if (byte[i].writer == writer &&
                (latest == SIZE || byte[i].count > byte[latest].count))
                latest = i;
        if (latest < SIZE)
            expect_occurrence(
                &expected[load][writer][expected_forward(at, n, latest, now)],
                now - byte[latest].count,
                byte[latest].thread != thread[running]);
    }
}

static void make_load_of(UInt i, SizeT at)
{
    struct ds_expect *made = loads[i];
    SizeT n = made->n;
    ULong n_counted = made->n_before - (ULong)made->ahead;

    expect_load(i, at, n, ds_clock_executed() + made->n_before);
    *ds_clock_now += n_counted;
    if (n <= 32 && n % 3 > 0 && rand() % 4 > 0)
        load_in_line(made, BASE + at);
    else
        ds_access_load(&slow[i], BASE + at,
                       *ds_clock_now + (ULong)(Long)made->ahead);
    *ds_clock_now += 9 - n_counted;
}

static void make_load(void)
{
    static UInt i;
    static SizeT at;
    SizeT n;

    /* Repeats an access a few times. */
    if (rand() % 8 == 0)
        i = (UInt)rand() % LOADS;
    n = loads[i]->n;
    if (rand() % 8 == 0)
        at = (SizeT)rand() % SIZE & ~(n - 1);
    if (rand() % 32 == 0)
        at = (SizeT)rand() % SIZE;
    at = at > SIZE - n ? SIZE - n : at;
    make_load_of(i, at);
}

/* Stores up to 32 bytes as translated code does: in line where no call is
   needed, else by the call. */
static void store_in_line(Addr a, SizeT n, ULong entry)
{
    if (n < DS_GRANULE && a % n == 0 &&
        *ds_shadow_granule(a & ds_access->known[2]) == ds_access->single)
        for (SizeT i = 0; i < n; i++)
            ((ULong *)ds_access->bytes)[a + i] = entry;
    else
        ds_access_store(a, n, entry);
}

static void make_store_of(UInt writer, SizeT at, SizeT n)
{
    if ((n & (n - 1)) != 0 || n > 32)
        store(writers[writer], BASE + at, n, *ds_clock_now);
    else
        store_in_line(BASE + at, n,
                      entry_of(writers[writer], n, *ds_clock_now));
    n_stores++;
    for (SizeT i = at; i < at + n; i++) {
        byte[i].writer = writer;
        byte[i].count = ds_clock_executed();
        byte[i].thread = thread[running];
        byte[i].store = n_stores;
        byte[i].size = n;
    }
    ++*ds_clock_now;
}

static void make_store(void)
{
    SizeT n = (SizeT)1 << rand() % 6, at = (SizeT)rand() % SIZE & ~(n - 1);
    UInt writer = 1 + (UInt)rand() % WRITERS;

    /* Any address and width, so that stores overlap. */
    if (rand() % 4 == 0) {
        n = 1 + (SizeT)rand() % 40;
        at = (SizeT)rand() % (SIZE - n);
    } else if (rand() % 4 == 0) {
        at = ((SizeT)rand() % (SIZE - n)) & ~(DS_GRANULE - 1);
    }
    do
        make_store_of(writer, at, n);
    while (n == 1 && (at += rand() % 8 == 0 ? 2 : 1) < SIZE && rand() % 8 != 0);
}

/* One writer stores in parts, mostly at the same distance as before; the first
   part may be near or not, and a load reads them. */
static void make_ages(void)
{
    UInt load = (UInt)rand() % LOADS, writer = 1 + (UInt)rand() % WRITERS;
    SizeT n = loads[load]->n, part = (n + 1) / (1 + (SizeT)rand() % 4);
    SizeT at = (SizeT)rand() % (SIZE - 2 * n) & ~((SizeT)rand() % 16);
    UInt last = 0;

    for (UInt i = 0; i < 32; i++) {
        if (i % 8 == 0)
            last = (UInt)rand() % FORWARD_NEAR;
        for (SizeT by = 0; by < n && part > 0; by += part) {
            *ds_clock_now += (ULong)rand() % (FORWARD_NEAR - last + 1);
            make_store_of(writer, at + by, part);
        }
        *ds_clock_now += last;
        make_load_of(load, at);
    }
}

static void clear(void)
{
    SizeT n = 1 + (SizeT)rand() % 40, at = (SizeT)rand() % (SIZE - n);

    ds_shadow_clear(BASE + at, n);
    for (SizeT i = at; i < at + n; i++)
        byte[i].writer = 0;
}

static void switch_threads(void)
{
    if (rand() % 4 == 0) {
        ds_threads_end(running);
        thread[running] = ++n_threads;
    }
    running = 1 + (ThreadId)rand() % THREADS;
    ds_clock_resume(running);
}

static void switch_recording(void)
{
    is_recording = !is_recording;
    ds_expect_forget_all();
    ds_deps_record(is_recording);
}

/* As when code is made anew. */
static void change_a_form(void)
{
    struct ds_expect *load = loads[(UInt)rand() % LOADS];

    load->wants =
        load->n <= DS_WORD && (load->n & (load->n - 1)) == 0 && !load->looks_up;
    ds_expect_choose(load);
}

static void take_a_step(bool is_long)
{
    int what = rand() % 1000;

    if (what < 600)
        make_load();
    else if (what < 900)
        make_store();
    else if (what < 940)
        clear();
    else if (what < 960)
        switch_threads();
    else if (what < 965)
        change_a_form();
    else if (what < 990)
        *ds_clock_now += (ULong)rand() % 40;
    else if (what < 992)
        *ds_clock_now += (ULong)rand() % 4000;
    else if (what < 995)
        make_ages();
    else if (what < 998)
        switch_recording();
    else if (is_long) {
        ds_clock_resume(running);
        *ds_clock_now += (ULong)rand() % QUART;
        ds_clock_resume(running);
    }
}

/* Sums over the records of a pair. */
struct together {
    ULong n, min, max;
    ULong n_crossed;
};

static void join(struct together *t, ULong n, ULong min, ULong max,
                 ULong n_crossed)
{
    if (n == 0)
        return;
    t->min = t->n == 0 || min < t->min ? min : t->min;
    t->max = max > t->max ? max : t->max;
    t->n_crossed += n_crossed;
    t->n += n;
}

/* The smallest and largest distance of a pair, and the mark of several threads,
   may be in any of its records. */
static void assert_expected(UInt load, UInt writer)
{
    struct together is = {0}, should = {0};

    for (UInt forward = 0; forward < DS_N_FORWARDS; forward++) {
        const struct expected *e = &expected[load][writer][forward];
        const struct ds_dep *dep =
            record_of(writers[writer], loads[load]->site, forward);
        ULong n = e->occurrences[0] + e->occurrences[1] + e->occurrences[2];

        join(&should, n, e->min, e->max, e->n_crossed);
        assert_int_equal(dep != NULL, n > 0);
        for (UInt i = 0; i < 3 && n > 0; i++)
            assert_int_equal(ds_deps_occurrences(dep, i), e->occurrences[i]);
        if (n > 0)
            join(&is, n, dep->min_distance, dep->max_distance,
                 dep->cross_thread);
    }
    assert_true(is.min == should.min && is.max == should.max);
    assert_int_equal(is.n_crossed, should.n_crossed);
}

static void run_at_random(const char *list, bool is_long)
{
    static const SizeT sizes[] = {1, 2, 4, 8, 16, 32, 3, 40};
    static const ULong before[3] = {0, 5, 7}, counted[3] = {0, 3, 8};

    count(list);
    is_recording = true;
    memset(byte, 0, sizeof byte);
    memset(expected, 0, sizeof expected);
    ds_shadow_clear(BASE, SIZE);
    for (UInt i = 1; i <= WRITERS; i++)
        writers[i] = new_site();
    for (UInt i = 0; i < LOADS; i++)
        loads[i] = ds_expect_obtain(new_site(), 2, sizes[i % 8], 0,
                                    before[i / 8], counted[i / 8]);
    for (UInt i = 0; i < LOADS; i++)
        slow[i] = (struct ds_load){.site = loads[i]->site, .n = loads[i]->n};
    for (ThreadId tid = 1; tid <= THREADS; tid++) {
        ds_threads_end(tid);
        thread[tid] = ++n_threads;
    }
    ds_clock_resume(running);
    for (UInt step = 0; step < STEPS; step++)
        take_a_step(is_long);
    ds_expect_settle_all();
    for (UInt load = 0; load < LOADS; load++)
        for (UInt writer = 1; writer <= WRITERS; writer++)
            assert_expected(load, writer);
}

TEST(random_accesses_agree_with_one_writer_a_byte)
{
    srand(1);
    run_at_random("4,1000,20000", false);
    run_at_random("64,4096,inf", false);
    run_at_random("1,2,inf", false);
}

TEST(random_accesses_agree_across_epochs)
{
    srand(2);
    run_at_random("256,100000,inf", true);
    run_at_random("256,1000000,300000000000", true);
}

/* Has the load change its form, if its rounds ask for that, as when its code is
   made anew. */
static bool changes_form(void)
{
    bool looked_up = tested->looks_up;

    while (ds_expect_take_often() != 0)
        ds_expect_choose(tested);
    return looked_up != tested->looks_up;
}

/* Loads what two stores wrote, n times: the second one's in every `period`-th.
   How often did the load change its form? */
static UInt load_two(UInt n, UInt period)
{
    UInt n_changes = 0;

    for (UInt i = 0; i < n; i++) {
        load_in_line(tested, i % period == 0 ? BASE + 4 : BASE);
        n_changes += changes_form();
    }
    return n_changes;
}

TEST(a_load_whose_kind_often_changes_looks_it_up)
{
    begin(4);
    store(first, BASE, 4, *ds_clock_now);
    store(second, BASE + 4, 4, *ds_clock_now);
    *ds_clock_now += 10;
    assert_int_equal(load_two(20000, 10), 0);
    assert_int_equal(load_two(3000, 2), 1);
    assert_true(tested->looks_up);
    assert_int_equal(load_two(3000, 2), 0);
    assert_int_equal(load_two(3000, 100), 1);
    assert_false(tested->looks_up);
    /* The second time it takes longer. */
    assert_int_equal(load_two(3000, 2), 0);
    assert_int_equal(load_two(20000, 2), 1);
    ds_expect_settle_all();
    assert_int_equal(ds_deps_total(dep_of(first, site)), 35470);
    assert_int_equal(ds_deps_total(dep_of(second, site)), 16530);
}

BEFORE_ALL()
{
    ds_shadow_init();
    ds_access_init();
    ds_clock_init();
    ds_clock_resume(1);
}
