/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "count/ds_trace.h"

#include "base/ds_memory.h"
#include "count/ds_clock.h"
#include "count/ds_lines.h"
#include "count/ds_shadow.h"

#define BUFFER ((SizeT)32 << 10) /* bytes that a cache nearby has room for */
#define N_MOST 4096              /* accesses of a superblock */
#define AHEAD  8 /* words by which shadow memory is fetched ahead */

/* A word without a meaning: what no program's instruction can access. */
#define NONE (~(ULong)0)

struct ds_traces *ds_traces;

static Addr running; /* the record from which on accesses may be missing */
static ULong hot_from;

/* The accesses of the superblock that is being described. */
static struct ds_load accesses[N_MOST];
static UInt n_accesses;

static struct ds_trace **hot; /* traces that have become hot */
static SizeT n_hot, hot_room;

void ds_trace_init(ULong n)
{
    SizeT n_words = BUFFER / sizeof(ULong) + N_MOST + 2 + AHEAD;
    ULong *words = ds_memory_new(n_words * sizeof *words);

    tl_assert(ds_traces == NULL);
    ds_traces = ds_arena_new(sizeof *ds_traces);
    for (SizeT i = 0; i < n_words; i++)
        words[i] = NONE;
    *ds_traces =
        (struct ds_traces){(Addr)words, (Addr)words, (Addr)words + BUFFER};
    running = ds_traces->first;
    hot_from = n;
}

void ds_trace_begin(void)
{
    n_accesses = 0;
}

SizeT ds_trace_add(struct ds_load access)
{
    tl_assert(n_accesses < N_MOST);
    tl_assert(access.n > 0);
    accesses[n_accesses] = access;
    return DS_TRACE_SLOTS + n_accesses++ * sizeof(ULong);
}

SizeT ds_trace_end(struct ds_trace *trace)
{
    SizeT size = n_accesses * sizeof *accesses;

    ds_trace_drop(trace);
    trace->n = n_accesses;
    trace->accesses = size == 0 ? NULL : ds_memory_new(size);
    VG_(memcpy)(trace->accesses, accesses, size);
    return DS_TRACE_SLOTS + n_accesses * sizeof(ULong);
}

void ds_trace_drop(struct ds_trace *trace)
{
    tl_assert(ds_traces->next == ds_traces->first);
    ds_memory_free(trace->accesses, trace->n * sizeof *accesses);
    trace->accesses = NULL;
    trace->n = 0;
}

static void record(struct ds_load *t, Addr a, ULong time)
{
    if (UNLIKELY(ds_lines_are_on()))
        ds_lines_access(a, t->n, t->is_store,
                        t->site != NULL ? t->site->reader.id : 0);
    if (!t->is_store || t->site == NULL)
        ds_access_load(t, a, time);
    if (t->is_store)
        ds_access_store(a, t->n,
                        t->writer == 0 ? 0 : ds_shadow_entry(t->writer, time));
}

/* Records the accesses of a record that have happened since it was looked at.
   Returns where the next one begins. */
static Addr record_all(Addr at, const struct ds_trace *trace)
{
    ULong *slots = (ULong *)(at + DS_TRACE_SLOTS);
    ULong time = *(ULong *)(at + DS_TRACE_TIME);

    for (UInt i = 0; i < trace->n; i++) {
        __builtin_prefetch(ds_shadow_granule(slots[i + AHEAD]));
        if (slots[i] != NONE) {
            record(&trace->accesses[i], slots[i],
                   time + trace->accesses[i].n_before);
            slots[i] = NONE;
        }
    }
    return (Addr)(slots + trace->n);
}

/* No more accesses are missing in a record. */
static void finish(Addr at, struct ds_trace *trace)
{
    ULong *words = (ULong *)at;

    words[0] = words[DS_TRACE_TIME / sizeof(ULong)] = NONE;
    if (++trace->executions != hot_from)
        return;
    hot = ds_memory_grow(hot, &hot_room, n_hot, sizeof *hot);
    hot[n_hot++] = trace;
}

static void record_from(Addr at, Bool is_left)
{
    tl_assert(at >= ds_traces->first && at <= ds_traces->next);
    while (at < ds_traces->next) {
        struct ds_trace *trace = ds_arena_at(*(ULong *)at);
        Addr next = record_all(at, trace);

        running = at;
        if (is_left || next < ds_traces->next)
            finish(at, trace);
        at = next;
    }
    tl_assert(at == ds_traces->next);
}

void ds_trace_empty(void)
{
    record_from(running, True);
    running = ds_traces->next = ds_traces->first;
}

void ds_trace_record(void)
{
    record_from(running, False);
}

struct ds_trace *ds_trace_take_hot(void)
{
    return n_hot == 0 ? NULL : hot[--n_hot];
}
