/* depsim's traces of code that is not hot, as translated code writes them. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "count/ds_clock.h"
#include "count/ds_trace.h"

#define BASE ((Addr)0xa0000)
#define HOT  4

/* Of a superblock of two instructions: the first one stores a word, the second
   one loads two. */
static struct ds_site *store, *load;
static struct ds_trace *trace;
static SizeT slots[3], size;

static void add(UInt i, struct ds_site *site, UInt writer)
{
    slots[i] = ds_trace_add((struct ds_load){.site = site,
                                             .n = 4,
                                             .writer = writer,
                                             .n_before = i > 0,
                                             .is_store = writer > 0});
}

BEFORE_ALL()
{
    ds_shadow_init();
    ds_access_init();
    ds_trace_init(HOT, NULL);
    ds_clock_init();
    ds_clock_resume(1);
}

BEFORE_EACH()
{
    static struct lifetimes bounds;
    static Addr address;

    assert_true(lifetimes_parse(&bounds, "4,inf"));
    ds_deps_init(&bounds);
    ds_deps_record(true);
    store = ds_sites_obtain(9, ++address);
    load = ds_sites_obtain(9, ++address);
    trace = ds_arena_new(sizeof *trace);
    ds_trace_begin();
    add(0, store, ds_sites_writer(store, 4, 0));
    add(1, load, 0);
    add(2, load, 0);
    size = ds_trace_end(trace);
    while (ds_trace_take_hot() != NULL)
        continue;
}

/* Begins a record; the clock shows the time at its start. */
static Addr begin(void)
{
    Addr record = ds_traces->next;

    assert_true(record < ds_traces->end);
    *(ULong *)record = ds_arena_offset(trace);
    *(ULong *)(record + DS_TRACE_TIME) = *ds_clock_now;
    ds_traces->next += size;
    return record;
}

static void put(Addr record, UInt access, Addr a)
{
    *(Addr *)(record + slots[access]) = a;
}

static void assert_occurrences(ULong near, ULong all)
{
    const struct ds_dep *dep =
        ds_deps_obtain(&load->reader, store->reader.id, FORWARD_SAME);

    assert_int_equal(ds_deps_occurrences(dep, 0), near);
    assert_int_equal(ds_deps_total(dep), all);
}

static void execute(Addr to, Addr from)
{
    Addr record = begin();

    put(record, 0, to);
    put(record, 1, from);
    *ds_clock_now += 2;
}

TEST(accesses_are_recorded_in_their_order_at_their_times)
{
    execute(BASE, BASE);
    *ds_clock_now += 10;
    execute(BASE + 8, BASE);
    assert_occurrences(0, 0);
    ds_trace_empty();
    assert_occurrences(1, 2);
}

TEST(an_access_that_did_not_happen_is_not_recorded)
{
    put(begin(), 0, BASE);
    *ds_clock_now += 1;
    begin();
    ds_trace_empty();
    assert_occurrences(0, 0);
    put(begin(), 2, BASE);
    ds_trace_empty();
    assert_occurrences(1, 1);
}

TEST(a_record_goes_on_after_its_accesses_so_far_were_recorded)
{
    Addr record;

    execute(BASE + 8, BASE + 8);
    record = begin();
    put(record, 0, BASE);
    put(record, 1, BASE);
    ds_trace_record();
    assert_occurrences(2, 2);
    put(record, 2, BASE);
    ds_trace_record();
    assert_occurrences(3, 3);
    *ds_clock_now += 2;
    execute(BASE, BASE);
    ds_trace_empty();
    assert_occurrences(4, 4);
    assert_int_equal(trace->executions, 3);
}

TEST(what_is_executed_often_becomes_hot_once)
{
    for (UInt i = 0; i < HOT; i++) {
        assert_null(ds_trace_take_hot());
        begin();
        ds_trace_empty();
    }
    assert_ptr_equal(ds_trace_take_hot(), trace);
    assert_null(ds_trace_take_hot());
    begin();
    ds_trace_empty();
    assert_null(ds_trace_take_hot());
}

TEST(a_full_buffer_can_be_used_again)
{
    for (UInt round = 0; round < 3; round++) {
        while (ds_traces->next < ds_traces->end)
            execute(BASE, BASE);
        ds_trace_empty();
        while (ds_trace_take_hot() != NULL)
            continue;
    }
    assert_occurrences(trace->executions, trace->executions);
}
