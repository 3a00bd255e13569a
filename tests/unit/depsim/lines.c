/* depsim's record of lines that threads share. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <stdlib.h>

#include "count/internal.h"

#define BASE  ((Addr)0x90000)
#define LINES 3
#define SITES 4 /* the first half of them load */

static struct ds_site *sites[SITES];
static struct lifetimes bounds;
static ThreadId running;

/* An access as translated code makes it (ds_fastpath_may_share). */
static void access_line(UInt site, Addr a, SizeT n)
{
    bool stores = site >= SITES / 2;
    ULong word = ds_shadow_lines[0][a / FORWARD_LINE];

    if (stores ? word != ds_lines->self : (word & ds_lines->self) == 0)
        ds_lines_access(a, n, stores, sites[site]->reader.id);
    if (stores)
        ds_access_store(
            a, n,
            ds_shadow_entry(ds_sites_writer(sites[site], n, 0), *ds_clock_now));
    ++*ds_clock_now;
}

static void resume(ThreadId tid)
{
    running = tid;
    ds_clock_resume(tid);
}

static const struct ds_shared_line *found(UInt store, UInt site)
{
    const struct ds_shared_line *shared;
    SizeT cursor = 0;

    while ((shared = ds_lines_next(&cursor)) != NULL)
        if (shared->key.word[0] == sites[store]->reader.id &&
            shared->key.word[1] == sites[site]->reader.id)
            return shared;
    return NULL;
}

static void assert_shared(UInt store, UInt site, ULong accesses, ULong turns)
{
    const struct ds_shared_line *shared = found(store, site);

    assert_int_equal(shared != NULL ? shared->accesses : 0, accesses);
    assert_int_equal(shared != NULL ? shared->turns : 0, turns);
}

BEFORE_ALL()
{
    ds_shadow_init();
    ds_access_init();
    ds_lines_init();
    ds_clock_init();
    for (UInt i = 0; i < SITES; i++)
        sites[i] = ds_sites_obtain(9, 0x100 + i);
    *ds_clock_now += 10;
    ds_lines_begin();
}

/* Nobody holds a line, or has stored to it. */
BEFORE_EACH()
{
    assert_true(lifetimes_parse(&bounds, "inf"));
    ds_deps_init(&bounds);
    ds_deps_record(true);
    ds_lines_reset();
    ds_shadow_clear(BASE, LINES * FORWARD_LINE);
    for (Addr a = BASE; a < BASE + LINES * FORWARD_LINE; a += FORWARD_LINE) {
        ds_shadow_lines[0][a / FORWARD_LINE] = 0;
        ds_shadow_lines[1][a / FORWARD_LINE] = 0;
    }
    resume(running == 1 ? 2 : 1);
}

TEST(accesses_to_other_bytes_share_a_line)
{
    resume(1);
    access_line(2, BASE, 8);
    resume(2);
    for (UInt i = 0; i < 5; i++)
        access_line(0, BASE + 8, 8);
    assert_shared(2, 0, 5, 1);
    resume(1);
    access_line(2, BASE, 8);
    assert_shared(2, 2, 0, 0); /* the other thread has stored nothing */
    resume(2);
    access_line(0, BASE + 8, 8);
    assert_shared(2, 0, 6, 2);
}

TEST(a_value_that_is_passed_shares_no_line)
{
    resume(1);
    access_line(2, BASE, 8);
    resume(2);
    access_line(0, BASE, 8);
    access_line(0, BASE + 7, 1);
    access_line(3, BASE, 4);
    assert_shared(2, 0, 0, 0);
    assert_shared(2, 3, 0, 0);
    /* What it has overwritten itself is its own. */
    access_line(0, BASE, 4);
    assert_shared(2, 0, 1, 1);
}

TEST(a_value_that_was_read_before_shares_a_line_with_later_stores)
{
    resume(1);
    access_line(2, BASE, 8);
    resume(2);
    access_line(0, BASE, 8);
    resume(1);
    access_line(3, BASE + 32, 1);
    resume(2);
    access_line(0, BASE, 8);
    assert_shared(3, 0, 1, 1);
}

TEST(a_thread_that_lost_nothing_shares_no_line)
{
    resume(1);
    access_line(2, BASE, 8);
    resume(2);
    access_line(2, BASE + 8, 8);
    assert_shared(2, 2, 1, 1);
    resume(3);
    resume(2);
    access_line(2, BASE + 8, 8);
    assert_shared(2, 2, 1, 1);
}

TEST(without_recording_lines_are_lost_and_nothing_counts)
{
    ds_deps_record(false);
    resume(1);
    access_line(2, BASE, 8);
    resume(2);
    access_line(0, BASE + 8, 8);
    resume(1);
    access_line(2, BASE, 8);
    resume(2);
    ds_deps_record(true);
    access_line(0, BASE + 8, 8);
    assert_shared(2, 0, 1, 1);
}

/* A simple model to compare with, for random accesses: it has the last store to
   each byte, and each thread's last access to each line. */
enum { THREADS = 5, SIZE = LINES * FORWARD_LINE };
static struct {
    UInt site, thread;
    ULong time; /* 0: none */
} byte[SIZE];
static ULong touched[THREADS + 1][LINES]; /* before the present turn */
static ULong touches[THREADS + 1][LINES];
static UInt writers[LINES]; /* what the present turn shares lines with */
static ULong expected[SITES][SITES], turns[SITES][SITES], last[SITES][SITES];
static ULong now = 1, turn = 1;

static bool is_foreign(SizeT i, ULong since)
{
    return byte[i].time > since && byte[i].thread != running;
}

/* The site of the last store of others to a line; 0: none, or they wrote it
   all. */
static UInt last_writer(SizeT line, ULong since)
{
    SizeT first = line * FORWARD_LINE, latest = SIZE, n = 0;

    for (SizeT i = first; i < first + FORWARD_LINE; i++) {
        if (!is_foreign(i, since))
            continue;
        n++;
        if (latest == SIZE || byte[i].time > byte[latest].time)
            latest = i;
    }
    return latest == SIZE || n == FORWARD_LINE ? 0 : byte[latest].site;
}

static void expect(UInt site, SizeT at, SizeT n)
{
    SizeT line = at / FORWARD_LINE;
    ULong since = touched[running][line];
    UInt writer;

    if (touches[running][line] == since)
        writers[line] = last_writer(line, since);
    touches[running][line] = now;
    writer = writers[line];
    for (SizeT i = at; i < at + n; i++)
        if (is_foreign(i, since))
            writer = 0;
    if (writer == 0)
        return;
    expected[writer][site]++;
    turns[writer][site] += last[writer][site] != turn;
    last[writer][site] = turn;
}

static void take_a_step(void)
{
    static const SizeT widths[] = {1, 2, 4, 8, 16, 24};
    UInt site = (UInt)rand() % SITES;
    SizeT n = widths[rand() % 6];
    SizeT at = (SizeT)rand() % LINES * FORWARD_LINE +
               (SizeT)rand() % (FORWARD_LINE - n + 1);

    expect(site, at, n);
    access_line(site, BASE + at, n);
    for (SizeT i = at; i < at + n && site >= SITES / 2; i++) {
        byte[i].site = site;
        byte[i].thread = running;
        byte[i].time = now;
    }
    now++;
}

TEST(random_accesses_share_lines_as_in_a_simple_model)
{
    srand(1);
    for (UInt i = 0; i < 100000; i++) {
        if (rand() % 8 == 0) {
            ThreadId next = 1 + (ThreadId)rand() % THREADS;

            if (next != running)
                for (SizeT line = 0; line < LINES; line++)
                    touched[running][line] = touches[running][line];
            turn += next != running;
            resume(next);
        }
        take_a_step();
    }
    for (UInt store = SITES / 2; store < SITES; store++)
        for (UInt site = 0; site < SITES; site++) {
            assert_true(expected[store][site] > 100);
            assert_shared(store, site, expected[store][site],
                          turns[store][site]);
        }
}
