/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "out/sd_pool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "file.h"

#define OUT_OF_MEMORY 2 /* exit status of memory_exhausted() */

/* After this many milliseconds without a notice, workers are checked. */
#define PATIENCE 100

/* Milliseconds until the line of progress first appears, and between updates.
 */
#define FIRST    1000
#define INTERVAL 100

/* A worker's message, shorter than PIPE_BUF, so that it arrives in one piece.
 */
struct notice {
    size_t batch; /* n_batches stands for the results of `end` */
    unsigned worker;
    off_t offset; /* where the results are in the worker's file */
    size_t size;
};

/* What parent and workers share in memory. */
struct shared {
    size_t next;      /* the next batch to be dealt out */
    size_t waiting[]; /* by worker: bytes that the parent has not fetched */
};

struct worker {
    pid_t pid;
    int file;
};

struct pool {
    const struct sd_job *job;
    size_t n_batches;
    struct shared *shared;
    int pipe[2];
    struct worker *workers;
    unsigned n_workers;
    struct notice *notices; /* by batch; those of size 0 are still to come */
};

struct sd_output {
    int file; /* a file in memory; -1: no worker */
    off_t written;
    uint8_t *bytes; /* results of the batch that are not written yet */
    size_t n, room;
};

/* --- The line of progress on standard error --- */

static uint64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

void sd_progress_begin(struct sd_progress *p, size_t n_files, const char *units)
{
    *p = (struct sd_progress){.is_wanted = isatty(STDERR_FILENO) == 1,
                              .next = now() + FIRST,
                              .n_files = n_files,
                              .units = units};
}

/* Shows that `done` pieces of a job are done. */
static void show(const struct sd_job *job, size_t done)
{
    struct sd_progress *p = job->progress;

    if (p == NULL || !p->is_wanted || now() < p->next)
        return;
    p->next = now() + INTERVAL;
    p->is_shown = true;
    fprintf(stderr, "\rstaticdeps: file %zu of %zu: %zu of %zu %s, %zu %%",
            p->file, p->n_files, done, job->n, p->units, 100 * done / job->n);
    fflush(stderr);
}

void sd_progress_end(struct sd_progress *p)
{
    if (p->is_shown)
        fputs("\r\033[K", stderr); /* clears the line */
    p->is_shown = false;
}

/* --- The worker's side --- */

void sd_output_add(struct sd_output *out, const void *bytes, size_t n)
{
    assert(n % sizeof(uint64_t) == 0);
    if (n == 0)
        return;
    out->bytes = memory_grow(out->bytes, &out->room, out->n + n, 1);
    memcpy(out->bytes + out->n, bytes, n);
    out->n += n;
}

void sd_output_list(struct sd_output *out, const void *list, size_t n,
                    size_t size)
{
    const uint64_t length = n;

    assert(size % sizeof length == 0);
    sd_output_add(out, &length, sizeof length);
    sd_output_add(out, list, n * size);
}

const void *sd_output_take(const uint8_t **at, size_t size, size_t *n)
{
    const uint8_t *list = *at + sizeof(uint64_t);
    uint64_t length;

    memcpy(&length, *at, sizeof length);
    *n = length;
    *at = list + length * size;
    return list;
}

static bool write_at(int fd, const uint8_t *bytes, size_t n, off_t offset)
{
    while (n > 0) {
        ssize_t written = TEMP_FAILURE_RETRY(pwrite(fd, bytes, n, offset));

        if (written < 0)
            return false;
        bytes += written;
        offset += written;
        n -= (size_t)written;
    }
    return true;
}

static size_t waiting_of(const struct pool *pool, unsigned self)
{
    return __atomic_load_n(&pool->shared->waiting[self], __ATOMIC_ACQUIRE);
}

static bool send_output(const struct pool *pool, unsigned self, size_t batch,
                        struct sd_output *out)
{
    struct notice notice = {.batch = batch, .worker = self, .size = out->n};

    if (waiting_of(pool, self) == 0)
        out->written = 0; /* the parent has read the whole file */
    notice.offset = out->written;
    __atomic_fetch_add(&pool->shared->waiting[self], out->n, __ATOMIC_RELAXED);
    if (!write_at(out->file, out->bytes, out->n, out->written))
        return false;
    out->written += (off_t)out->n;
    out->n = 0;
    return TEMP_FAILURE_RETRY(write(pool->pipe[1], &notice, sizeof notice)) ==
           (ssize_t)sizeof notice;
}

/* The number of pieces in a batch. */
static size_t pieces(const struct sd_job *job, size_t batch)
{
    size_t first = batch * job->batch;

    assert(first < job->n);
    return job->n - first < job->batch ? job->n - first : job->batch;
}

static void do_batch(const struct sd_job *job, void *state, size_t batch,
                     struct sd_output *out)
{
    size_t first = batch * job->batch, end = first + pieces(job, batch);

    for (size_t i = first; i < end; i++)
        job->work(state, job->context, i, out);
}

/* Does batches until none is left; false if results cannot be sent. */
static bool work(const struct pool *pool, unsigned self)
{
    const struct timespec a_while = {.tv_nsec = 1000000};
    struct sd_output out = {.file = pool->workers[self].file};
    void *state = pool->job->begin(pool->job->context);
    size_t batch;

    while ((batch = __atomic_fetch_add(&pool->shared->next, 1,
                                       __ATOMIC_RELAXED)) < pool->n_batches) {
        do_batch(pool->job, state, batch, &out);
        if (!send_output(pool, self, batch, &out))
            return false;
        /* If there are many results, waits until the parent has fetched all.
           Batches are dealt out in order, so the worker with the first missing
           batch never waits here.  There is no lock that a killed worker could
           keep. */
        while (out.written > (off_t)SD_POOL_AHEAD && waiting_of(pool, self) > 0)
            nanosleep(&a_while, NULL);
    }
    pool->job->end(state, &out);
    return send_output(pool, self, pool->n_batches, &out);
}

/* --- The parent's side --- */

static int start_worker(struct pool *pool, unsigned number, struct diag *d)
{
    struct worker *w = &pool->workers[number];
    pid_t parent = getpid();

    w->file = memfd_create("staticdeps", MFD_CLOEXEC);
    if (w->file < 0)
        return diag_set(d, "worker: %s", strerror(errno));
    fflush(NULL); /* or the child would also write buffered text */
    w->pid = fork();
    if (w->pid < 0)
        return diag_set(d, "worker: %s", strerror(errno));
    if (w->pid > 0)
        return 0;
    /* Workers end with the parent, the only reader of their results. */
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(pool->pipe[0]);
    _exit(getppid() == parent && work(pool, number) ? 0 : 1);
}

static uint8_t *fetch(const struct pool *pool, const struct notice *notice,
                      struct diag *d)
{
    uint8_t *bytes = memory_new(notice->size, 1);

    assert(notice->worker < pool->n_workers);
    if (file_read(pool->workers[notice->worker].file, "worker",
                  (uint64_t)notice->offset, bytes, notice->size, d) == 0)
        return bytes;
    free(bytes);
    diag_set(d, "worker: its results cannot be read");
    return NULL;
}

static int deliver(const struct pool *pool, size_t batch, struct diag *d)
{
    const struct sd_job *job = pool->job;
    const struct notice *notice = &pool->notices[batch];
    AUTO_FREE uint8_t *bytes = fetch(pool, notice, d);
    int rc = -1;

    if (bytes != NULL) {
        /* Frees the memory of results that have been fetched. */
        fallocate(pool->workers[notice->worker].file,
                  FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, notice->offset,
                  (off_t)notice->size);
        __atomic_fetch_sub(&pool->shared->waiting[notice->worker], notice->size,
                           __ATOMIC_RELEASE);
        rc = job->take(job->context, batch * job->batch, pieces(job, batch),
                       bytes, notice->size, d);
        show(job, batch * job->batch + pieces(job, batch));
    }
    if (rc == SD_ENOUGH) /* makes workers find no more batches */
        __atomic_store_n(&pool->shared->next, pool->n_batches,
                         __ATOMIC_RELAXED);
    return rc;
}

/* Describes the failure of a worker, given si_code and si_status of its end. */
static int failed(int code, int status, struct diag *d)
{
    if (code != CLD_EXITED)
        return diag_set(d, "worker: killed by signal %d", status);
    if (status == OUT_OF_MEMORY)
        return diag_set(d, "%s", ""); /* the worker has reported it */
    return diag_set(d, "worker: its results cannot be written");
}

/* Fails if a worker has failed: the other workers may wait for it forever. */
static int check_workers(const struct pool *pool, struct diag *d)
{
    for (unsigned i = 0; i < pool->n_workers; i++) {
        siginfo_t end = {.si_pid = 0};

        if (waitid(P_PID, (id_t)pool->workers[i].pid, &end,
                   WEXITED | WNOHANG | WNOWAIT) == 0 &&
            end.si_pid != 0 &&
            (end.si_code != CLD_EXITED || end.si_status != 0))
            return failed(end.si_code, end.si_status, d);
    }
    return 0;
}

/* Waits for a notice. Returns 0 after the last one, and -1 on an error. */
static int next_notice(const struct pool *pool, struct notice *notice,
                       struct diag *d)
{
    struct pollfd pipe = {.fd = pool->pipe[0], .events = POLLIN};

    while (poll(&pipe, 1, PATIENCE) <= 0)
        if (check_workers(pool, d) != 0)
            return -1;
    ssize_t n = TEMP_FAILURE_RETRY(read(pool->pipe[0], notice, sizeof *notice));
    if (n != 0 && n != (ssize_t)sizeof *notice)
        return diag_set(d, "worker: its message cannot be read");
    return n != 0;
}

/* Takes notices until the last worker has ended. */
static int collect(struct pool *pool, struct diag *d)
{
    size_t delivered = 0;
    struct notice notice;
    int rc;

    while ((rc = next_notice(pool, &notice, d)) > 0) {
        if (notice.batch == pool->n_batches) {
            AUTO_FREE uint8_t *bytes = fetch(pool, &notice, d);

            if (bytes == NULL)
                return -1;
            if (pool->job->take_end != NULL)
                pool->job->take_end(pool->job->context, bytes, notice.size);
            continue;
        }
        assert(notice.batch < pool->n_batches && notice.size > 0);
        assert(pool->notices[notice.batch].size == 0);
        pool->notices[notice.batch] = notice;
        for (; delivered < pool->n_batches && pool->notices[delivered].size > 0;
             delivered++)
            if (deliver(pool, delivered, d) < 0)
                return -1;
    }
    return rc;
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
        TEMP_FAILURE_RETRY(waitpid(w->pid, &status, 0));
        if (!kill_them && rc == 0 && status != 0)
            rc = WIFSIGNALED(status)
                     ? failed(CLD_KILLED, WTERMSIG(status), d)
                     : failed(CLD_EXITED, WEXITSTATUS(status), d);
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

/* Does the job in this process, without workers. */
static int run_here(const struct sd_job *job, struct diag *d)
{
    struct sd_output out = {.file = -1};
    void *state = job->begin(job->context);
    int rc = 0;

    for (size_t i = 0; rc == 0 && i * job->batch < job->n; i++) {
        out.n = 0;
        do_batch(job, state, i, &out);
        rc = job->take(job->context, i * job->batch, pieces(job, i), out.bytes,
                       out.n, d);
        show(job, i * job->batch + pieces(job, i));
    }
    out.n = 0;
    job->end(state, &out);
    if (job->take_end != NULL)
        job->take_end(job->context, out.bytes, out.n);
    free(out.bytes);
    return rc == SD_ENOUGH ? 0 : rc;
}

int sd_pool_run(const struct sd_job *job, unsigned jobs, struct diag *d)
{
    struct pool pool = {.job = job,
                        .n_batches = (job->n + job->batch - 1) / job->batch,
                        .pipe = {-1, -1},
                        .n_workers = jobs};
    size_t shared_size;

    if (job->n <= job->few)
        return run_here(job, d);
    if (pool.n_workers > pool.n_batches)
        pool.n_workers = (unsigned)pool.n_batches;
    shared_size =
        sizeof *pool.shared + pool.n_workers * sizeof pool.shared->waiting[0];
    pool.shared = mmap(NULL, shared_size, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (pool.shared == MAP_FAILED)
        memory_exhausted();
    pool.notices = memory_new(pool.n_batches, sizeof *pool.notices);
    pool.workers = memory_new(pool.n_workers, sizeof *pool.workers);
    for (unsigned i = 0; i < pool.n_workers; i++)
        pool.workers[i].file = -1;
    int rc = run(&pool, d);
    for (unsigned i = 0; i < 2; i++)
        if (pool.pipe[i] >= 0)
            close(pool.pipe[i]);
    if (wait_for_workers(&pool, rc != 0, d) != 0)
        rc = -1;
    munmap(pool.shared, shared_size);
    free(pool.notices);
    free(pool.workers);
    return rc;
}
