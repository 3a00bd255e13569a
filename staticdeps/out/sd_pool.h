/*
 * sd_pool: does work in worker processes, and passes the results on in order.
 *
 * Workers are processes, because VEX keeps its state in globals, and because
 * the crash of a process cannot damage the database.
 *
 * Work is dealt out in chunks, by a counter in shared memory.  A worker appends
 * its results to its own file in memory, and tells the parent through a pipe
 * where those of each chunk are.  Pipes are too small for the results
 * themselves: workers would wait until the parent reaches their chunk.  A
 * worker that has written SD_POOL_AHEAD bytes waits until all its results have
 * been passed on, and then writes its file from the start; so memory is
 * bounded, even if the first piece or the receiver of results is slow.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_POOL_H
#define SD_POOL_H

#include "diag.h"
#include "out/sd_job.h"

/* Does the work in at most `jobs` workers.  If one ran out of memory, it has
   reported that itself, and *d is empty. */
int sd_pool_run(const struct sd_job *job, unsigned jobs, struct diag *d);

#endif
