/*
 * sd_worker: what sd_pool and its workers share, and the workers' side of it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_WORKER_H
#define SD_WORKER_H

#include <stdbool.h>
#include <sys/types.h>

#include "out/sd_pool.h"

/* A worker's message, shorter than PIPE_BUF, so that it arrives in one piece.
 */
struct sd_notice {
    size_t chunk; /* the number of chunks: the worker's end */
    unsigned worker;
    off_t offset; /* in the worker's file */
    size_t size;
};

/* In shared memory. */
struct sd_shared {
    size_t next;      /* the next chunk to be dealt out */
    size_t waiting[]; /* by worker: bytes written, but not fetched */
};

struct sd_worker {
    pid_t pid;
    int file;
};

struct sd_pool {
    const struct sd_job *job;
    size_t n_chunks;
    struct sd_shared *shared;
    int pipe[2];
    struct sd_worker *workers;
    unsigned n_workers;
    struct sd_notice *notices; /* by chunk; size 0: not received yet */
};

/* A worker waits after it has written this many bytes of results. */
#define SD_POOL_AHEAD ((size_t)64 << 20)

struct sd_output {
    int file; /* in memory */
    off_t written;
    uint8_t *bytes; /* of the current chunk, not written yet */
    size_t n, room;
};

/* The number of pieces in a chunk. */
size_t sd_worker_pieces(const struct sd_job *job, size_t chunk);

void sd_worker_do(const struct sd_job *job, void *state, size_t chunk,
                  struct sd_output *out);

/* Does chunks until none is left; false if results cannot be sent. */
bool sd_worker_run(const struct sd_pool *pool, unsigned self);

#endif
