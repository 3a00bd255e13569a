/* ds_spool: the tables of a run -> a spool file (spool_format.h). */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/ds_run.h"

#include "count/ds_deps.h"
#include "count/ds_lines.h"
#include "count/ds_clock.h"
#include "objects/ds_objects.h"
#include "spool_format.h"
#include "window/ds_lead.h"
#include "window/ds_window.h"

#define LOCK_EX 2 /* of flock; the header for tools does not have it */

/* A file being written.  After an error the rest is dropped. */
struct spool {
    Int fd;
    Int error; /* 0: none */
    SizeT n;
    UChar buffer[1 << 16];
};

static void flush(struct spool *s)
{
    SizeT done = 0;

    tl_assert(s->n <= sizeof s->buffer);
    while (done < s->n && s->error == 0) {
        Int n = VG_(write)(s->fd, s->buffer + done, (Int)(s->n - done));

        if (n <= 0)
            s->error = n < 0 ? -n : VKI_EIO;
        else
            done += (SizeT)n;
    }
    s->n = 0;
}

static void put(struct spool *s, const void *bytes, SizeT n)
{
    const UChar *from = bytes;

    for (SizeT i = 0; i < n; i++) {
        s->buffer[s->n++] = from[i];
        if (s->n == sizeof s->buffer)
            flush(s);
    }
}

static void put_u32(struct spool *s, UInt value)
{
    put(s, &value, sizeof value);
}

static void put_u64(struct spool *s, ULong value)
{
    put(s, &value, sizeof value);
}

static void begin_row(struct spool *s)
{
    put_u32(s, 1);
}

static void end_rows(struct spool *s)
{
    put_u32(s, 0);
}

static void put_text(struct spool *s, const HChar *text)
{
    SizeT n = VG_(strlen)(text);

    put_u32(s, (UInt)n);
    put(s, text, n);
}

static void put_place(struct spool *s, ULong object, Addr address)
{
    tl_assert(object < ds_objects_number());
    put_u32(s, (UInt)object);
    put_u64(s, address);
}

static void put_run(struct spool *s, const struct ds_run *run)
{
    put(s, SPOOL_MAGIC, 8);
    put_u32(s, SPOOL_VERSION);
    put_u32(s, run->append);
    put_u64(s, run->started);
    put_u32(s, (UInt)run->pid);
    put_u32(s, run->end);
    put_u32(s, (UInt)run->exit_status);
    put_u64(s, run->instructions);
    put_u64(s, run->recorded);
    put_u32(s, run->complete);
    put_text(s, run->session);
    put_text(s, run->command);
    put_text(s, run->program);
    put_text(s, run->successor);
    put_u32(s, run->bounds->n);
    for (UInt i = 0; i < run->bounds->n; i++)
        put_u64(s, run->bounds->bound[i]);
}

static void put_objects(struct spool *s)
{
    put_u32(s, ds_objects_number());
    for (UInt i = 0; i < ds_objects_number(); i++) {
        const struct ds_object *o = ds_objects_get(i);

        put_text(s, o->path);
        put_text(s, o->id);
    }
}

static void put_segments(struct spool *s)
{
    const struct ds_segment *segment;
    SizeT cursor = 0;

    while ((segment = ds_segments_next(&cursor)) != NULL) {
        if (segment->executions == 0)
            continue;
        tl_assert(segment->key.word[1] < segment->key.word[2]);
        begin_row(s);
        put_place(s, segment->key.word[0], segment->key.word[1]);
        put_u64(s, segment->key.word[2]);
        put_u64(s, segment->executions);
    }
    end_rows(s);
}

static void put_site(struct spool *s, ULong id)
{
    const struct ds_site *site = ds_sites_get(id);

    put_place(s, site->key.word[0], site->key.word[1]);
}

/* Writes a pair, given its first record: what all share, then each record. */
static void put_pair(struct spool *s, const struct ds_dep *first, UInt n_bounds)
{
    const struct ds_dep *by_forward[DS_N_FORWARDS] = {NULL};
    ULong min = ~(ULong)0, max = 0, cross_thread = 0;
    UInt n = 0;

    for (const struct ds_dep *dep = first; dep != NULL;
         dep = ds_deps_of_pair(first, dep)) {
        if (!ds_deps_occurred(dep))
            continue;
        tl_assert(by_forward[dep->forward] == NULL && ds_deps_total(dep) > 0);
        by_forward[dep->forward] = dep;
        min = dep->min_distance < min ? dep->min_distance : min;
        max = dep->max_distance > max ? dep->max_distance : max;
        cross_thread += dep->cross_thread;
        n++;
    }
    begin_row(s);
    put_site(s, first->writer);
    put_site(s, first->reader);
    put_u64(s, min);
    put_u64(s, max);
    put_u64(s, cross_thread);
    put_u32(s, n);
    for (UInt i = 0; i < DS_N_FORWARDS; i++) {
        if (by_forward[i] == NULL)
            continue;
        put_u32(s, i);
        for (UInt j = 0; j < n_bounds; j++)
            put_u64(s, ds_deps_occurrences(by_forward[i], j));
    }
}

static void put_deps(struct spool *s, UInt n_bounds)
{
    const struct ds_dep *dep;
    SizeT cursor = 0;

    while ((dep = ds_deps_next(&cursor)) != NULL)
        put_pair(s, dep, n_bounds);
    end_rows(s);
}

static void put_shared_lines(struct spool *s)
{
    const struct ds_shared_line *shared;
    SizeT cursor = 0;

    while ((shared = ds_lines_next(&cursor)) != NULL) {
        tl_assert(shared->turns > 0 && shared->turns <= shared->accesses);
        begin_row(s);
        put_site(s, shared->key.word[0]);
        put_site(s, shared->key.word[1]);
        put_u32(s, (UInt)shared->key.word[2]);
        put_u64(s, shared->accesses);
        put_u64(s, shared->turns);
    }
    end_rows(s);
}

static void put_bytes(struct spool *s, const struct ds_bytes *bytes)
{
    tl_assert(bytes->n == (UInt)bytes->n);
    put_u32(s, (UInt)bytes->n);
    put(s, bytes->bytes, bytes->n);
}

/* Times count from the start of the run, as its instructions do. */
static void put_window(struct spool *s, const struct ds_kept *window,
                       ULong run_start)
{
    tl_assert(window->start >= run_start);
    begin_row(s);
    put_u32(s, window->thread);
    put_u64(s, window->start - run_start);
    put_u64(s, window->instructions);
    put_bytes(s, &window->path);
    put_bytes(s, &window->accesses);
    put_bytes(s, &window->gaps);
    put_bytes(s, &window->reuse);
    put_bytes(s, &window->lead);
}

static void put_pieces(struct spool *s, UInt n)
{
    for (UInt i = 0; i < n; i++) {
        struct ds_kept_piece piece = ds_pieces_get(i);

        begin_row(s);
        put_place(s, piece.object, piece.address);
        put_bytes(s, &piece.insns);
    }
    end_rows(s);
}

static void put_places(struct spool *s, UInt n)
{
    for (UInt i = 0; i < n; i++) {
        struct ds_place place = ds_places_get(i);

        begin_row(s);
        put_place(s, place.object, place.address);
        put_u32(s, place.kind);
    }
    end_rows(s);
}

static void put_windows(struct spool *s, ULong run_start)
{
    Bool has_some = False;

    for (UInt i = 0; i < ds_window_number(); i++)
        has_some |= ds_window_get(i) != NULL;
    put_pieces(s, has_some ? ds_pieces_number() : 0);
    put_places(s, has_some ? ds_places_number() : 0);
    for (UInt i = 0; i < ds_window_number(); i++)
        if (ds_window_get(i) != NULL)
            put_window(s, ds_window_get(i), run_start);
    end_rows(s);
}

Int ds_spool_write(const HChar *path, const struct ds_run *run)
{
    static struct spool s;
    SysRes opened =
        VG_(open)(path, VKI_O_WRONLY | VKI_O_CREAT | VKI_O_EXCL, 0666);

    if (sr_isError(opened))
        return (Int)sr_Err(opened);
    s.fd = (Int)sr_Res(opened);
    ds_valgrind_system_call(__NR_flock, s.fd, LOCK_EX, 0, 0, 0, 0);
    s.error = 0;
    s.n = 0;
    put_run(&s, run);
    put_objects(&s);
    put_segments(&s);
    put_deps(&s, run->bounds->n);
    put_shared_lines(&s);
    put_windows(&s, run->start);
    put(&s, SPOOL_END, 8);
    flush(&s);
    VG_(close)(s.fd);
    if (s.error != 0)
        VG_(unlink)(path);
    return s.error;
}
