/*
 * sd_pool: does work in worker processes, and hands the results over in the
 * order of the work.
 *
 * Processes, because VEX keeps its state in globals; and because a crash in
 * one of them cannot damage the database.
 *
 * Work is dealt out in chunks, by a counter in shared memory.  A worker appends
 * its results to a file of its own in memory, and tells the parent through a
 * pipe where those of each chunk are.  Pipes are too small for the results
 * themselves: workers would wait for the parent to reach their turn.  A worker
 * that has written SD_POOL_AHEAD bytes does wait, until all of its results have
 * had theirs, and then writes its file from the start: so what lies in memory
 * is bounded, however slow the first piece or whoever takes the results.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_POOL_H
#define SD_POOL_H

#include "diag.h"
#include "out/sd_job.h"

/* Does it in at most `jobs` workers.  If one ran out of memory, it has said so
   itself, and *d is empty. */
int sd_pool_run(const struct sd_job *job, unsigned jobs, struct diag *d);

#endif
