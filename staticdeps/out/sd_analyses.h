/*
 * sd_analyses: analyses blocks in worker processes (sd_pool).
 *
 * Where the time goes (perf, libc.so.6, 0.68 s on two processors): 32 % to
 * running unrolled blocks, 14 % to building their traces, 14 % to VEX and
 * flattening its IR; while workers are busy, the parent spends 10 % on decoding
 * by capstone and 7 % on insertions by SQLite.  Each distinct instruction is
 * lifted once.  A block is only run if it both loads and stores, and only the
 * operations that feed an address are.  A small program takes 7 ms, a third of
 * it in the dynamic linker, mostly for the tables of VEX and capstone; a worker
 * would add 2 ms, so that a few blocks are analysed without workers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_ANALYSES_H
#define SD_ANALYSES_H

#include "diag.h"
#include "run/sd_analyse.h"
#include "decode/sd_blocks.h"

struct sd_result {
    enum sd_status status;
    size_t n_deps;
    /* Valid only during the call. */
    const struct sd_dep *deps;
    size_t n_unknowns;
    const struct sd_unknown *unknowns;
    size_t n_accesses;
    const struct sd_access *accesses;
};

/* Takes the result of block number `block`.  Returning -1, with the text in *d,
   ends the analysis. */
typedef int sd_sink(void *argument, size_t block,
                    const struct sd_result *result, struct diag *d);

/* Analyses all blocks, in at most `jobs` workers, and adds to the counts.  If a
   worker ran out of memory, it has reported that itself, and *d is empty. */
int sd_analyses_run(const struct sd_blocks *blocks, const struct sd_settings *s,
                    unsigned jobs, sd_sink *sink, void *argument,
                    struct sd_counts *counts, struct diag *d);

#endif
