/*
 * sd_pool: does work in worker processes, and hands the results over in the
 * order of the work.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "out/sd_pool.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "memory.h"

#define OUT_OF_MEMORY 2 /* the status that memory_exhausted ends with */

/* What a worker tells: shorter than PIPE_BUF, so it arrives in one piece. */
struct notice {
    size_t chunk; /* or the number of chunks: the end */
    unsigned worker;
    off_t offset; /* in the worker's file */
    size_t size;
};

struct worker {
    pid_t pid;
    int file;
};

struct pool {
    const struct sd_job *job;
    size_t n_chunks;
    size_t *next; /* shared: the next chunk to be dealt out */
    int pipe[2];
    struct worker *workers;
    unsigned n_workers;
    struct notice *notices; /* by chunk; size 0: not there yet */
};

/* The worker's side. */

struct sd_output {
    int file;
    off_t written;
    uint8_t *bytes;
    size_t n, room;
};

void sd_output_add(struct sd_output *out, const void *bytes, size_t n)
{
    if (n == 0)
        return;
    out->bytes = memory_grow(out->bytes, &out->room, out->n + n, 1);
    memcpy(out->bytes + out->n, bytes, n);
    out->n += n;
}

static bool write_all(int fd, const void *bytes, size_t n)
{
    const char *at = bytes;

    while (n > 0) {
        ssize_t written = write(fd, at, n);

        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        at += written;
        n -= (size_t)written;
    }
    return true;
}

static bool send_output(const struct pool *pool, unsigned self, size_t chunk,
                        struct sd_output *out)
{
    struct notice notice = {
        .chunk = chunk, .worker = self, .offset = out->written, .size = out->n};

    if (!write_all(out->file, out->bytes, out->n))
        return false;
    out->written += (off_t)out->n;
    out->n = 0;
    return write_all(pool->pipe[1], &notice, sizeof notice);
}

/* The pieces of a chunk. */
static size_t n_pieces(const struct sd_job *job, size_t chunk)
{
    size_t first = chunk * job->chunk;

    assert(first < job->n);
    return job->n - first < job->chunk ? job->n - first : job->chunk;
}

static void do_chunk(const struct sd_job *job, void *state, size_t chunk,
                     struct sd_output *out)
{
    size_t first = chunk * job->chunk, end = first + n_pieces(job, chunk);

    for (size_t i = first; i < end; i++)
        job->work(state, job->context, i, out);
}

static bool work(const struct pool *pool, unsigned self)
{
    struct sd_output out = {.file = pool->workers[self].file};
    void *state = pool->job->begin(pool->job->context);
    size_t chunk;

    while ((chunk = __atomic_fetch_add(pool->next, 1, __ATOMIC_RELAXED)) <
           pool->n_chunks) {
        do_chunk(pool->job, state, chunk, &out);
        if (!send_output(pool, self, chunk, &out))
            return false;
    }
    pool->job->end(state, &out);
    return send_output(pool, self, pool->n_chunks, &out);
}

static int start_worker(struct pool *pool, unsigned number, struct diag *d)
{
    struct worker *w = &pool->workers[number];
    pid_t parent = getpid();

    w->file = memfd_create("staticdeps", MFD_CLOEXEC);
    if (w->file < 0)
        return diag_set(d, "worker: %s", strerror(errno));
    fflush(NULL); /* or the child would have the same text to write */
    w->pid = fork();
    if (w->pid < 0)
        return diag_set(d, "worker: %s", strerror(errno));
    if (w->pid > 0)
        return 0;
    /* If the parent is killed, the results have no reader. */
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(pool->pipe[0]);
    _exit(getppid() == parent && work(pool, number) ? 0 : 1);
}

/* The parent's side. */

static bool read_all(int fd, void *bytes, size_t n, off_t offset)
{
    char *at = bytes;

    while (n > 0) {
        ssize_t got = pread(fd, at, n, offset);

        if (got <= 0)
            return false;
        at += got;
        offset += got;
        n -= (size_t)got;
    }
    return true;
}

static uint8_t *fetch(const struct pool *pool, const struct notice *notice,
                      struct diag *d)
{
    uint8_t *bytes = memory_new(notice->size, 1);

    assert(notice->worker < pool->n_workers);

    if (read_all(pool->workers[notice->worker].file, bytes, notice->size,
                 notice->offset))
        return bytes;
    free(bytes);
    diag_set(d, "worker: its results cannot be read");
    return NULL;
}

/* Gives the memory of results that were fetched back. */
static void forget(const struct pool *pool, const struct notice *notice)
{
    fallocate(pool->workers[notice->worker].file,
              FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, notice->offset,
              (off_t)notice->size);
}

static int deliver(const struct pool *pool, size_t chunk, struct diag *d)
{
    const struct sd_job *job = pool->job;
    const struct notice *notice = &pool->notices[chunk];
    uint8_t *bytes = fetch(pool, notice, d);
    int rc = -1;

    if (bytes != NULL) {
        forget(pool, notice);
        rc = job->take(job->argument, chunk * job->chunk, n_pieces(job, chunk),
                       bytes, notice->size, d);
    }
    free(bytes);
    if (rc == SD_ENOUGH) /* no worker finds another chunk */
        __atomic_store_n(pool->next, pool->n_chunks, __ATOMIC_RELAXED);
    return rc;
}

static int deliver_end(const struct pool *pool, const struct notice *notice,
                       struct diag *d)
{
    uint8_t *bytes = fetch(pool, notice, d);

    if (bytes == NULL)
        return -1;
    pool->job->take_end(pool->job->argument, bytes, notice->size);
    free(bytes);
    return 0;
}

/* Takes notices until the last worker is gone. */
static int collect(struct pool *pool, struct diag *d)
{
    size_t delivered = 0;
    struct notice notice;
    ssize_t n;

    while ((n = read(pool->pipe[0], &notice, sizeof notice)) != 0) {
        if (n < 0 && errno == EINTR)
            continue;
        if (n != (ssize_t)sizeof notice)
            return diag_set(d, "worker: its message cannot be read");
        if (notice.chunk == pool->n_chunks) {
            if (deliver_end(pool, &notice, d) != 0)
                return -1;
            continue;
        }
        assert(notice.chunk < pool->n_chunks && notice.size > 0);
        assert(pool->notices[notice.chunk].size == 0);
        pool->notices[notice.chunk] = notice;
        for (; delivered < pool->n_chunks && pool->notices[delivered].size > 0;
             delivered++)
            if (deliver(pool, delivered, d) < 0)
                return -1;
    }
    return 0;
}

static int wait_for_workers(struct pool *pool, bool kill_them, struct diag *d)
{
    int rc = 0;

    for (unsigned i = 0; i < pool->n_workers; i++) {
        struct worker *w = &pool->workers[i];
        int status = 0;

        if (w->file >= 0)
            close(w->file);
        if (w->pid <= 0)
            continue;
        if (kill_them)
            kill(w->pid, SIGKILL);
        while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
            ;
        if (kill_them || rc != 0)
            continue;
        if (WIFSIGNALED(status))
            rc = diag_set(d, "worker: killed by signal %d", WTERMSIG(status));
        else if (WEXITSTATUS(status) == OUT_OF_MEMORY)
            rc = diag_set(d, "%s", ""); /* it has reported that */
        else if (WEXITSTATUS(status) != 0)
            rc = diag_set(d, "worker: its results cannot be written");
    }
    return rc;
}

static int run(struct pool *pool, struct diag *d)
{
    if (pipe(pool->pipe) != 0)
        return diag_set(d, "worker: %s", strerror(errno));
    for (unsigned i = 0; i < pool->n_workers; i++)
        if (start_worker(pool, i, d) != 0)
            return -1;
    close(pool->pipe[1]);
    pool->pipe[1] = -1;
    return collect(pool, d);
}

/* Without workers. */
static int run_here(const struct sd_job *job, struct diag *d)
{
    struct sd_output out = {.file = -1};
    void *state = job->begin(job->context);
    int rc = 0;

    for (size_t i = 0; rc == 0 && i * job->chunk < job->n; i++) {
        out.n = 0;
        do_chunk(job, state, i, &out);
        rc = job->take(job->argument, i * job->chunk, n_pieces(job, i),
                       out.bytes, out.n, d);
    }
    out.n = 0;
    job->end(state, &out);
    job->take_end(job->argument, out.bytes, out.n);
    free(out.bytes);
    return rc == SD_ENOUGH ? 0 : rc;
}

int sd_pool_run(const struct sd_job *job, unsigned jobs, struct diag *d)
{
    struct pool pool = {.job = job,
                        .n_chunks = (job->n + job->chunk - 1) / job->chunk,
                        .pipe = {-1, -1},
                        .n_workers = jobs};
    int rc;

    if (job->n <= job->few)
        return run_here(job, d);
    if (pool.n_workers > pool.n_chunks)
        pool.n_workers = (unsigned)pool.n_chunks;
    pool.next = mmap(NULL, sizeof *pool.next, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (pool.next == MAP_FAILED)
        memory_exhausted();
    pool.notices = memory_new(pool.n_chunks, sizeof *pool.notices);
    pool.workers = memory_new(pool.n_workers, sizeof *pool.workers);
    for (unsigned i = 0; i < pool.n_workers; i++)
        pool.workers[i].file = -1;
    rc = run(&pool, d);
    for (unsigned i = 0; i < 2; i++)
        if (pool.pipe[i] >= 0)
            close(pool.pipe[i]);
    if (wait_for_workers(&pool, rc != 0, d) != 0)
        rc = -1;
    munmap(pool.next, sizeof *pool.next);
    free(pool.notices);
    free(pool.workers);
    return rc;
}
