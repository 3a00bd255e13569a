/* internal: what the files of count/ share, and no others need. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "count/ds_access.h"
#include "count/ds_clock.h"
#include "count/ds_lines.h"

static inline ULong lesser(ULong x, ULong y)
{
    return x < y ? x : y;
}

static inline ULong greater(ULong x, ULong y)
{
    return x > y ? x : y;
}

/* Notes that a thread is about to run.  False if it ran before. */
Bool ds_threads_resume(ThreadId tid, ULong count);

/* When the current thread's turn began: no other thread has executed since. */
ULong ds_threads_since(void);

/* ds_lines: another thread runs from now on than before. */
void ds_lines_resume(ThreadId tid);

/* Did a thread other than the current one execute at this count?  Most
   questions in a row are about one turn, so the answer holds for n counts. */
extern struct ds_threads_answer {
    ULong from, n;
    Bool differs;
} ds_threads_answer;
void ds_threads_ask(ULong count);

static inline Bool ds_threads_differ(ULong count)
{
    if (UNLIKELY(count - ds_threads_answer.from >= ds_threads_answer.n))
        ds_threads_ask(count);
    return ds_threads_answer.differs;
}

/* Counts an occurrence at this distance before `now` as one between threads, if
   a thread other than the current one made its store. */
static inline void ds_threads_note(struct ds_dep *dep, ULong distance,
                                   ULong now)
{
    if (UNLIKELY(distance > now - ds_clock_turn))
        dep->cross_thread += ds_threads_differ(ds_clock_count(now - distance));
}

/* If the load has seen this kind before, counts the current execution, at this
   time of the load, and returns the kind; else NULL.  The kind counts it, so
   that only its own line of the cache is needed.  The load expects the kind
   from now on, so the execution was taken back; unless it looks up its kinds.
 */
static inline __attribute__((always_inline)) struct ds_seen *
ds_expect_find(struct ds_expect *load, ULong tag, Bool crosses, ULong time)
{
    struct ds_seen *seen;
    struct ds_kind *kind;

    if (load->seen == NULL || load->generation != ds_expect_generation)
        return NULL;
    seen = &load->seen[ds_expect_place(load, tag)];
    kind = &seen->kind;
    if (!ds_expect_is_of(kind, tag))
        return NULL;
    if (UNLIKELY(crosses && kind->dep != NULL)) {
        ++*ds_deps_counter(kind->across, kind->bound);
        ds_deps_note(kind->across, kind->first + tag - kind->base);
    } else {
        seen->n++;
    }
    if (kind->dep != NULL)
        ds_threads_note(kind->dep, kind->first + tag - kind->base, time);
    if (!load->looks_up)
        ds_expect_set(load, kind, time);
    return seen;
}
