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

static Bool is_on;     /* recording is on */
static ULong recorded; /* instructions recorded until `since` */
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
    if (ds_threads_resume(tid, ds_clock_executed())) {
        ds_expect_begin_turn();
        ds_lines_resume(tid);
    }
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

/* The threads' turns, in order of time; each lasts until the next begins. */
static struct turn {
    ULong from;
    ULong thread; /* each has a number of its own, unlike its ThreadId */
} * turns;
static SizeT n_turns, room;

static ThreadId last; /* the thread that ran last; 0: none */
struct ds_threads_answer ds_threads_answer;
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
    alive = ds_memory_grow(alive, &alive_room, n_alive, sizeof *alive);
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
    turns = ds_memory_grow(turns, &room, n_turns, sizeof *turns);
    turns[n_turns++] = (struct turn){count, ds_threads_number(tid)};
    ds_threads_answer.n = 0;
    return True;
}

ULong ds_threads_since(void)
{
    return n_turns < 2 ? 0 : turns[n_turns - 1].from;
}

/* Finds the last turn that began at this count or before. */
void ds_threads_ask(ULong count)
{
    SizeT low = 0, high = n_turns;

    if (n_turns == 0)
        return;
    while (high - low > 1) {
        SizeT middle = (low + high) / 2;

        *(turns[middle].from <= count ? &low : &high) = middle;
    }
    tl_assert(turns[low].from <= count);
    ULong end = high < n_turns ? turns[high].from : ~(ULong)0;
    ds_threads_answer = (struct ds_threads_answer){
        turns[low].from, end - turns[low].from,
        turns[low].thread != turns[n_turns - 1].thread};
}

/* Segments. */

static struct ds_table table;

static ULong n_forgotten; /* instructions of forgotten executions */

struct ds_segment *ds_segments_obtain(UInt object, Addr start,
                                      const UChar *sizes, UInt n)
{
    Addr end = start;

    tl_assert(n >= 1 && n <= DS_SEGMENT_MAX);
    for (UInt i = 0; i < n; i++) {
        tl_assert(sizes[i] > 0);
        end += sizes[i];
    }
    struct ds_segment *segment = ds_table_obtain(
        &table, (struct ds_key){{object, start, end}}, sizeof *segment);
    if (segment->sizes == NULL) {
        UChar *copy = ds_memory_new(n);

        for (UInt i = 0; i < n; i++)
            copy[i] = sizes[i];
        segment->sizes = copy;
        segment->n_instructions = n;
    }
    return segment;
}

struct ds_part *ds_segments_part(struct ds_segment *segment, UInt superblock,
                                 ULong n_before)
{
    struct ds_part *part = segment->last_part;

    tl_assert(superblock != 0 && n_before < DS_SEGMENT_MAX);
    while (part != NULL &&
           (part->superblock != superblock || part->n_before != n_before))
        part = part->older;
    if (part != NULL)
        return part;
    part = ds_arena_new(sizeof *part);
    part->segment = segment;
    part->superblock = superblock;
    part->n_before = (UInt)n_before;
    part->older = segment->last_part;
    segment->last_part = part;
    return part;
}

void ds_segments_settle(void)
{
    SizeT cursor = 0;
    struct ds_segment *segment;

    while ((segment = ds_table_next(&table, &cursor)) != NULL)
        for (struct ds_part *part = segment->last_part; part != NULL;
             part = part->older) {
            tl_assert(part->collected <= part->executions);
            segment->executions += part->executions - part->collected;
            part->collected = part->executions;
        }
}

UInt ds_segments_interrupt(struct ds_part *part, Addr address)
{
    struct ds_segment *segment = part->segment;
    Addr start = segment->key.word[1], at = start;
    UInt n = 0;

    tl_assert(part->executions > 0);
    while (n < segment->n_instructions && at != address)
        at += segment->sizes[n++];
    tl_assert(n < segment->n_instructions || at == segment->key.word[2]);
    if (n == segment->n_instructions)
        return n;
    segment->executions--;
    if (n > 0)
        ds_segments_obtain((UInt)segment->key.word[0], start, segment->sizes, n)
            ->executions++;
    return n;
}

const struct ds_segment *ds_segments_next(SizeT *cursor)
{
    return ds_table_next(&table, cursor);
}

void ds_segments_keep(Bool all)
{
    SizeT cursor = 0;
    struct ds_segment *segment;

    ds_segments_settle();
    while ((segment = ds_table_next(&table, &cursor)) != NULL)
        segment->kept = all ? segment->executions : 0;
}

void ds_segments_rollback(void)
{
    SizeT cursor = 0;
    struct ds_segment *segment;

    ds_segments_settle();
    while ((segment = ds_table_next(&table, &cursor)) != NULL) {
        n_forgotten +=
            (segment->executions - segment->kept) * segment->n_instructions;
        segment->executions = segment->kept;
    }
}

ULong ds_segments_instructions(void)
{
    SizeT cursor = 0;
    const struct ds_segment *segment;
    ULong n = n_forgotten;

    ds_segments_settle();
    while ((segment = ds_table_next(&table, &cursor)) != NULL)
        n += segment->executions * segment->n_instructions;
    return n;
}
