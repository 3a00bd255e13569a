/*
 * sd_worker: a worker does the next chunk, appends its results to its file, and
 * tells where they are.  If it is far ahead of the others, it waits.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "out/sd_worker.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "memory.h"

void sd_output_add(struct sd_output *out, const void *bytes, size_t n)
{
    if (n == 0)
        return;
    out->bytes = memory_grow(out->bytes, &out->room, out->n + n, 1);
    memcpy(out->bytes + out->n, bytes, n);
    out->n += n;
}

static bool write_at(int fd, const void *bytes, size_t n, off_t offset)
{
    const char *at = bytes;

    while (n > 0) {
        ssize_t written = pwrite(fd, at, n, offset);

        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        at += written;
        offset += written;
        n -= (size_t)written;
    }
    return true;
}

static bool tell(const struct sd_pool *pool, const struct sd_notice *notice)
{
    ssize_t written;

    do
        written = write(pool->pipe[1], notice, sizeof *notice);
    while (written < 0 && errno == EINTR);
    return written == (ssize_t)sizeof *notice;
}

static size_t waiting_of(const struct sd_pool *pool, unsigned self)
{
    return __atomic_load_n(&pool->shared->waiting[self], __ATOMIC_ACQUIRE);
}

static bool send_output(const struct sd_pool *pool, unsigned self, size_t chunk,
                        struct sd_output *out)
{
    struct sd_notice notice = {.chunk = chunk, .worker = self, .size = out->n};

    if (waiting_of(pool, self) == 0)
        out->written = 0; /* all of it has been read */
    notice.offset = out->written;
    __atomic_fetch_add(&pool->shared->waiting[self], out->n, __ATOMIC_RELAXED);
    if (!write_at(out->file, out->bytes, out->n, out->written))
        return false;
    out->written += (off_t)out->n;
    out->n = 0;
    return tell(pool, &notice);
}

size_t sd_worker_pieces(const struct sd_job *job, size_t chunk)
{
    size_t first = chunk * job->chunk;

    assert(first < job->n);
    return job->n - first < job->chunk ? job->n - first : job->chunk;
}

void sd_worker_do(const struct sd_job *job, void *state, size_t chunk,
                  struct sd_output *out)
{
    size_t first = chunk * job->chunk,
           end = first + sd_worker_pieces(job, chunk);

    for (size_t i = first; i < end; i++)
        job->work(state, job->context, i, out);
}

/* Waits until all results have been fetched, if there are many.  Chunks are
   dealt out in order, so the worker with the first missing chunk never waits
   here.  There is no lock that a killed worker could keep. */
static void wait_for_others(const struct sd_pool *pool, unsigned self,
                            const struct sd_output *out)
{
    const struct timespec a_while = {.tv_nsec = 1000000};

    if (out->written > (off_t)SD_POOL_AHEAD)
        while (waiting_of(pool, self) > 0)
            nanosleep(&a_while, NULL);
}

/* Returns false if there is no further chunk. */
static bool next_chunk(const struct sd_pool *pool, size_t *chunk)
{
    *chunk = __atomic_fetch_add(&pool->shared->next, 1, __ATOMIC_RELAXED);
    return *chunk < pool->n_chunks;
}

bool sd_worker_run(const struct sd_pool *pool, unsigned self)
{
    struct sd_output out = {.file = pool->workers[self].file};
    void *state = pool->job->begin(pool->job->context);
    size_t chunk;

    while (next_chunk(pool, &chunk)) {
        sd_worker_do(pool->job, state, chunk, &out);
        if (!send_output(pool, self, chunk, &out))
            return false;
        wait_for_others(pool, self, &out);
    }
    pool->job->end(state, &out);
    return send_output(pool, self, pool->n_chunks, &out);
}
