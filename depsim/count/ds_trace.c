/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "count/ds_trace.h"

#include "count/ds_clock.h"
#include "count/ds_lines.h"

#define BUFFER ((SizeT)32 << 10) /* bytes that a cache nearby has room for */
#define N_MOST 4096              /* accesses of a superblock */
#define AHEAD  8 /* words by which shadow memory is fetched ahead */

struct ds_traces *ds_traces;

static Addr running; /* the record from which on accesses may be missing */
static ULong hot_from;
static ds_trace_shown *show;

/* The accesses of the superblock that is being described. */
static struct ds_load accesses[N_MOST];
static UInt n_accesses;

static struct ds_trace **hot; /* traces that have become hot */
static SizeT n_hot, hot_room;

void ds_trace_init(ULong n, ds_trace_shown *shown)
{
    SizeT n_words = BUFFER / sizeof(ULong) + N_MOST + 2 + AHEAD;
    ULong *words = ds_memory_new(n_words * sizeof *words);

    tl_assert(ds_traces == NULL);
    ds_traces = ds_arena_new(sizeof *ds_traces);
    for (SizeT i = 0; i < n_words; i++)
        words[i] = DS_TRACE_NONE;
    *ds_traces =
        (struct ds_traces){(Addr)words, (Addr)words, (Addr)words + BUFFER};
    running = ds_traces->first;
    hot_from = n;
    show = shown;
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

static inline void record(struct ds_load *t, Addr a, ULong time,
                          Bool may_share_lines)
{
    if (UNLIKELY(may_share_lines))
        ds_lines_access(a, t->n, t->is_store,
                        t->site != NULL ? t->site->reader.id : 0);
    if (!t->is_store || t->site == NULL)
        ds_access_load(t, a, time);
    if (t->is_store)
        ds_access_store(a, t->n,
                        t->writer == 0 ? 0 : ds_shadow_entry(t->writer, time));
}

/* Shows a record, which lies before `next`.  While its superblock is running,
   the instruction of the last access is the last one that is sure to have been
   executed. */
static void show_record(Addr at, const struct ds_trace *trace, Addr next,
                        Bool is_left)
{
    const ULong *slots = (ULong *)(at + DS_TRACE_SLOTS);
    ULong time = *(ULong *)(at + DS_TRACE_TIME);
    ULong end = next < ds_traces->next ? *(ULong *)(next + DS_TRACE_TIME)
                                       : *ds_clock_now;
    UInt n = 0;

    for (UInt i = 0; i < trace->n && !is_left; i++)
        if (slots[i] != DS_TRACE_NONE)
            n = trace->accesses[i].n_before + 1;
    show(trace, time, is_left ? (UInt)(end - time) : n, slots, is_left);
}

/* Records the accesses of a record that happened since it was looked at. */
static void record_all(Addr at, const struct ds_trace *trace)
{
    ULong *slots = (ULong *)(at + DS_TRACE_SLOTS);
    ULong time = *(ULong *)(at + DS_TRACE_TIME);
    Bool may_share_lines = ds_lines_are_on();

    for (UInt i = 0; i < trace->n; i++) {
        __builtin_prefetch(ds_shadow_granule(slots[i + AHEAD]));
        if (slots[i] != DS_TRACE_NONE) {
            record(&trace->accesses[i], slots[i],
                   time + trace->accesses[i].n_before, may_share_lines);
            slots[i] = DS_TRACE_NONE;
        }
    }
}

/* No more accesses are missing in a record. */
static void finish(Addr at, struct ds_trace *trace)
{
    ULong *words = (ULong *)at;

    words[0] = words[DS_TRACE_TIME / sizeof(ULong)] = DS_TRACE_NONE;
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
        Addr next = at + DS_TRACE_SLOTS + trace->n * sizeof(ULong);
        Bool ends = is_left || next < ds_traces->next;

        if (trace->way != NULL)
            show_record(at, trace, next, ends);
        record_all(at, trace);
        running = at;
        if (ends)
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
