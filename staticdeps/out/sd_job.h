/*
 * sd_job: work in pieces that any process can do, in any order.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_JOB_H
#define SD_JOB_H

#include <stddef.h>
#include <stdint.h>

#include "diag.h"

#define SD_ENOUGH 1

struct sd_output;

/* Appends to the results of a piece of work, a multiple of 8 bytes; sd_worker
   has it. */
void sd_output_add(struct sd_output *out, const void *bytes, size_t n);

struct sd_job {
    size_t n;     /* pieces of work, numbered from 0 */
    size_t chunk; /* are dealt out at once */
    size_t few;   /* pieces up to this number need no workers */

    /* In a worker: begins, does a piece of work, and ends with what belongs to
       no piece. */
    const void *context;
    void *(*begin)(const void *context);
    void (*work)(void *state, const void *context, size_t number,
                 struct sd_output *out);
    void (*end)(void *state, struct sd_output *out);

    /* In the parent: takes the results of n pieces, and those of a worker's
       end. -1 with the text in *d stops, and SD_ENOUGH ends soon: some of the
       pieces that follow come, others do not. */
    void *argument;
    int (*take)(void *argument, size_t first, size_t n, const uint8_t *bytes,
                size_t size, struct diag *d);
    void (*take_end)(void *argument, const uint8_t *bytes, size_t size);
};

#endif
