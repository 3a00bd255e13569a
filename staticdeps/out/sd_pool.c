/*
 * sd_pool: analyses blocks in worker processes, and hands the results over in
 * the blocks' order.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "out/sd_pool.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "memory.h"

#define OUT_OF_MEMORY 2 /* the status that memory_exhausted ends with */

#define CHUNK 128 /* blocks: a millisecond or so */

/* So few blocks take less time than starting workers for them. */
#define FEW 256

/* What a worker tells: shorter than PIPE_BUF, so it arrives in one piece. */
struct notice {
    size_t chunk; /* or the number of chunks: the worker's counts */
    unsigned worker;
    off_t offset; /* in the worker's file */
    size_t size;
};

struct worker {
    pid_t pid;
    int file;
};

struct pool {
    const struct sd_blocks *blocks;
    const struct sd_settings *settings;
    size_t n_chunks;
    size_t *next; /* shared: the next chunk to be dealt out */
    int pipe[2];
    struct worker *workers;
    unsigned n_workers;
    struct notice *notices; /* by chunk; size 0: not there yet */
};

/* Results on their way: for each block a header, then its dependencies, then
   its instructions with unknown addresses and its accesses at known ones; all
   aligned to 8 bytes. */
struct head {
    uint32_t status, n_deps, n_unknowns, n_accesses;
};

/* On both sides. */

static enum sd_status analyse_block(struct sd_analyser *a,
                                    const struct sd_blocks *blocks,
                                    const struct sd_block *b)
{
    if (b->status != SD_OK || b->n_insns == 0) {
        sd_analyser_clear(a);
        return b->status;
    }
    return sd_analyse(a,
                      &(struct sd_code_block){.bytes = b->bytes,
                                              .insns = blocks->insns + b->first,
                                              .n_insns = b->n_insns,
                                              .address = b->address,
                                              .salt = b->salt,
                                              .node = b->node});
}

/* The worker's side. */

struct output {
    int file;
    off_t written;
    uint8_t *bytes;
    size_t n, room;
};

static void append(struct output *out, const void *bytes, size_t n)
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
                        struct output *out)
{
    struct notice notice = {
        .chunk = chunk, .worker = self, .offset = out->written, .size = out->n};

    if (!write_all(out->file, out->bytes, out->n))
        return false;
    out->written += (off_t)out->n;
    out->n = 0;
    return write_all(pool->pipe[1], &notice, sizeof notice);
}

static void send_block(struct sd_analyser *a, const struct sd_blocks *blocks,
                       const struct sd_block *b, struct output *out)
{
    struct head head = {.status = analyse_block(a, blocks, b),
                        .n_deps = (uint32_t)a->reroll.n_deps,
                        .n_unknowns = (uint32_t)a->n_unknowns,
                        .n_accesses = (uint32_t)a->origin.n};

    append(out, &head, sizeof head);
    append(out, a->reroll.deps, head.n_deps * sizeof *a->reroll.deps);
    append(out, a->unknowns, head.n_unknowns * sizeof *a->unknowns);
    append(out, a->origin.accesses,
           head.n_accesses * sizeof *a->origin.accesses);
}

static bool work(const struct pool *pool, unsigned self)
{
    struct output out = {.file = pool->workers[self].file};
    struct sd_analyser a;
    size_t chunk;

    sd_analyser_init(&a, pool->settings);
    while ((chunk = __atomic_fetch_add(pool->next, 1, __ATOMIC_RELAXED)) <
           pool->n_chunks) {
        for (size_t i = chunk * CHUNK;
             i < (chunk + 1) * CHUNK && i < pool->blocks->n_blocks; i++)
            send_block(&a, pool->blocks, &pool->blocks->blocks[i], &out);
        if (!send_output(pool, self, chunk, &out))
            return false;
    }
    append(&out, a.counts, sizeof *a.counts);
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

static int deliver(const struct pool *pool, size_t chunk, sd_sink *sink,
                   void *argument, struct diag *d)
{
    uint8_t *bytes = fetch(pool, &pool->notices[chunk], d);
    const uint8_t *at = bytes;
    int rc = bytes == NULL ? -1 : 0;

    for (size_t i = chunk * CHUNK;
         rc == 0 && i < (chunk + 1) * CHUNK && i < pool->blocks->n_blocks;
         i++) {
        struct sd_result result;
        struct head head;

        assert((size_t)(at - bytes) + sizeof head <= pool->notices[chunk].size);
        memcpy(&head, at, sizeof head);
        assert(head.status < SD_N_STATUSES);
        at += sizeof head;
        result.status = (enum sd_status)head.status;
        result.n_deps = head.n_deps;
        result.deps = (const struct sd_dep *)(const void *)at;
        at += head.n_deps * sizeof *result.deps;
        result.n_unknowns = head.n_unknowns;
        result.unknowns = (const struct sd_unknown *)(const void *)at;
        at += head.n_unknowns * sizeof *result.unknowns;
        result.n_accesses = head.n_accesses;
        result.accesses = (const struct sd_access *)(const void *)at;
        at += head.n_accesses * sizeof *result.accesses;
        rc = sink(argument, i, &result, d);
    }
    assert(rc != 0 || at == bytes + pool->notices[chunk].size);
    free(bytes);
    return rc;
}

static void add_counts(struct sd_counts *counts, const struct sd_counts *c)
{
    counts->n_run += c->n_run;
    counts->n_lengths_differ += c->n_lengths_differ;
    counts->n_by_operands += c->n_by_operands;
    counts->n_unknown_loads += c->n_unknown_loads;
    counts->n_unknown_stores += c->n_unknown_stores;
    for (size_t i = 0; i < SD_N_OPERATIONS; i++)
        counts->n_unsupported[i] += c->n_unsupported[i];
}

static int take_counts(const struct pool *pool, const struct notice *notice,
                       struct sd_counts *counts, struct diag *d)
{
    uint8_t *bytes = fetch(pool, notice, d);

    if (bytes == NULL)
        return -1;
    assert(notice->size == sizeof *counts);
    add_counts(counts, (const struct sd_counts *)(const void *)bytes);
    free(bytes);
    return 0;
}

/* Takes notices until the last worker is gone. */
static int collect(struct pool *pool, sd_sink *sink, void *argument,
                   struct sd_counts *counts, struct diag *d)
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
            if (take_counts(pool, &notice, counts, d) != 0)
                return -1;
            continue;
        }
        assert(notice.chunk < pool->n_chunks && notice.size > 0);
        assert(pool->notices[notice.chunk].size == 0);
        pool->notices[notice.chunk] = notice;
        for (; delivered < pool->n_chunks && pool->notices[delivered].size > 0;
             delivered++)
            if (deliver(pool, delivered, sink, argument, d) != 0)
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

static int run(struct pool *pool, sd_sink *sink, void *argument,
               struct sd_counts *counts, struct diag *d)
{
    if (pipe(pool->pipe) != 0)
        return diag_set(d, "worker: %s", strerror(errno));
    for (unsigned i = 0; i < pool->n_workers; i++)
        if (start_worker(pool, i, d) != 0)
            return -1;
    close(pool->pipe[1]);
    pool->pipe[1] = -1;
    return collect(pool, sink, argument, counts, d);
}

/* Without workers. */
static int run_here(const struct sd_blocks *blocks, const struct sd_settings *s,
                    sd_sink *sink, void *argument, struct sd_counts *counts,
                    struct diag *d)
{
    struct sd_analyser a;
    int rc = 0;

    sd_analyser_init(&a, s);
    for (size_t i = 0; rc == 0 && i < blocks->n_blocks; i++) {
        struct sd_result result = {
            .status = analyse_block(&a, blocks, &blocks->blocks[i]),
            .n_deps = a.reroll.n_deps,
            .deps = a.reroll.deps,
            .n_unknowns = a.n_unknowns,
            .unknowns = a.unknowns,
            .n_accesses = a.origin.n,
            .accesses = a.origin.accesses};

        rc = sink(argument, i, &result, d);
    }
    add_counts(counts, a.counts);
    sd_analyser_fini(&a);
    return rc;
}

int sd_pool_run(const struct sd_blocks *blocks, const struct sd_settings *s,
                unsigned n_workers, sd_sink *sink, void *argument,
                struct sd_counts *counts, struct diag *d)
{
    struct pool pool = {.blocks = blocks,
                        .settings = s,
                        .n_chunks = (blocks->n_blocks + CHUNK - 1) / CHUNK,
                        .pipe = {-1, -1},
                        .n_workers = n_workers};
    int rc;

    if (blocks->n_blocks <= FEW)
        return run_here(blocks, s, sink, argument, counts, d);
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
    rc = run(&pool, sink, argument, counts, d);
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
