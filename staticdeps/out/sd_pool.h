/*
 * sd_pool: does work in worker processes, and passes the results on in order.
 *
 * Workers are processes, because VEX keeps its state in globals, and because
 * the crash of a process cannot damage the database.
 *
 * Work is dealt out in batches, by a counter in shared memory.  A worker
 * appends its results to its own file in memory, and tells the parent through a
 * pipe where the results of each batch are.  Pipes are too small for the
 * results themselves: workers would wait until the parent reaches their batch.
 * A worker that has written SD_POOL_AHEAD bytes waits until all its results
 * have been passed on, and then writes its file from the start; so memory is
 * bounded, even if the first piece or the receiver of results is slow.
 *
 * On a terminal, a line shows the progress of a long run.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "basics.h"

#define SD_ENOUGH 1

/* A worker waits after it has written this many bytes of results. */
#define SD_POOL_AHEAD ((size_t)64 << 20)

struct sd_progress {
    bool is_wanted; /* standard error is a terminal */
    bool is_shown;
    uint64_t next;        /* the time of the next update, in milliseconds */
    size_t file, n_files; /* file: number of the current file, from 1 on */
    const char *units;    /* the parts of a file that are counted: "blocks" */
};

/* Starts the clock.  Without a terminal, nothing is shown. */
void sd_progress_begin(struct sd_progress *progress, size_t n_files,
                       const char *units);
/* Removes the line of progress, so that other messages can be printed. */
void sd_progress_end(struct sd_progress *progress);

struct sd_output;

/* Appends a multiple of 8 bytes to the results of a piece of work. */
void sd_output_add(struct sd_output *out, const void *bytes, size_t n);

/* Appends a list of n elements, whose size is a multiple of 8 bytes. */
void sd_output_list(struct sd_output *out, const void *list, size_t n,
                    size_t size);

/* Returns the list of *n elements at *at, and moves *at behind the list. */
const void *sd_output_take(const uint8_t **at, size_t size, size_t *n);

/* Work in pieces, which processes may do in any order. */
struct sd_job {
    size_t n;     /* the number of pieces */
    size_t batch; /* the number of pieces dealt out at once */
    size_t few;   /* up to this number of pieces, workers are not used */
    struct sd_progress *progress; /* NULL: no progress is shown */

    void *context; /* handed to all of these; a worker has a copy */
    /* In a worker: `begin` makes its state, `work` does a piece of work, and
       `end` adds results that belong to no piece. */
    void *(*begin)(const void *context);
    void (*work)(void *state, const void *context, size_t number,
                 struct sd_output *out);
    void (*end)(void *state, struct sd_output *out);

    /* In the parent: `take` takes the results of n pieces, and `take_end` what
       `end` of a worker added (NULL: nothing).  Returning -1, with the text in
       *d, stops all work; after SD_ENOUGH, only some of the later pieces are
       still done and passed on. */
    int (*take)(void *context, size_t first, size_t n, const uint8_t *bytes,
                size_t size, struct diag *d);
    void (*take_end)(void *context, const uint8_t *bytes, size_t size);
};

/* Does the work of a job in at most `jobs` workers.  If a worker ran out of
   memory, it has reported that itself, and *d is empty. */
int sd_pool_run(const struct sd_job *job, unsigned jobs, struct diag *d);
