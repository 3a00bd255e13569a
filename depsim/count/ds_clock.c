/*
 * A *time* counts from an epoch, because an entry of shadow memory has only
 * DS_TIME_BITS bits for it; the epoch moves long before times run out.  A
 * *count* is from the start of the process.  The current time is a word in the
 * arena, which translated code advances at each exit.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "count/internal.h"

ULong *ds_clock_now;
ULong ds_clock_epoch, ds_clock_turn;

static Bool is_on;     /* recording */
static ULong recorded; /* until `since` */
static ULong since;    /* the count when recording, or the run, changed */

void ds_clock_init(void)
{
    tl_assert(ds_clock_now == NULL);
    ds_clock_now = ds_arena_new(sizeof *ds_clock_now);
}

void ds_clock_resume(ThreadId tid)
{
    ULong by = ds_shadow_advance(*ds_clock_now);

    tl_assert(by <= *ds_clock_now);
    *ds_clock_now -= by;
    ds_clock_epoch += by;
    if (ds_threads_resume(tid, ds_clock_executed()))
        ds_expect_begin_turn();
    ds_clock_turn = ds_clock_time(ds_threads_since());
    tl_assert(ds_clock_turn <= *ds_clock_now);
}

ULong ds_clock_recorded(void)
{
    return recorded + (is_on ? ds_clock_executed() - since : 0);
}

void ds_clock_record(Bool on)
{
    recorded = ds_clock_recorded();
    since = ds_clock_executed();
    is_on = on;
}

void ds_clock_begin_run(void)
{
    recorded = 0;
    since = ds_clock_executed();
}

/* Which thread executed at which time.

   Threads take turns, so the time of a store tells which thread made it, and
   shadow memory does not store the thread.  Memory: 16 bytes for each switch to
   another thread.  Here all times are counts (ds_clock). */

/* A thread's turn, which lasts until the next one begins; in their order. */
static struct turn {
    ULong from;
    ULong thread; /* each has a number of its own, unlike its ThreadId */
} * turns;
static SizeT n_turns, room;

static ThreadId last; /* 0: none */
static ULong n_threads;
static struct {
    ThreadId tid;
    ULong thread;
} * alive;
static SizeT n_alive, alive_room;

ULong ds_threads_number(ThreadId tid)
{
    for (SizeT i = 0; i < n_alive; i++)
        if (alive[i].tid == tid)
            return alive[i].thread;
    if (n_alive == alive_room) {
        alive_room = 2 * alive_room + 8;
        alive = VG_(realloc)("ds.threads", alive, alive_room * sizeof *alive);
    }
    alive[n_alive].tid = tid;
    alive[n_alive].thread = n_threads++;
    return alive[n_alive++].thread;
}

void ds_threads_end(ThreadId tid)
{
    for (SizeT i = 0; i < n_alive; i++)
        if (alive[i].tid == tid)
            alive[i] = alive[--n_alive];
    if (tid == last)
        last = 0;
}

Bool ds_threads_resume(ThreadId tid, ULong count)
{
    tl_assert(tid != 0);
    tl_assert(n_turns == 0 || turns[n_turns - 1].from <= count);
    if (tid == last)
        return False;
    last = tid;
    if (n_turns == room) {
        room = 2 * room + 8;
        turns = VG_(realloc)("ds.threads", turns, room * sizeof *turns);
    }
    turns[n_turns++] = (struct turn){count, ds_threads_number(tid)};
    return True;
}

ULong ds_threads_since(void)
{
    return n_turns < 2 ? 0 : turns[n_turns - 1].from;
}

Bool ds_threads_differ(ULong count)
{
    SizeT low = 0, high = n_turns;

    /* The last turn that began then or before. */
    while (high - low > 1) {
        SizeT middle = (low + high) / 2;

        if (turns[middle].from <= count)
            low = middle;
        else
            high = middle;
    }
    tl_assert(n_turns == 0 || turns[low].from <= count);
    return n_turns > 0 && turns[low].thread != turns[n_turns - 1].thread;
}
