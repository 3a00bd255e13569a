/*
 * sd_analyses: analyses blocks in worker processes (sd_pool).
 *
 * Where the time goes (perf, libc.so.6, of the 0.68 s of two processors): 32 %
 * runs unrolled blocks, 14 % builds their traces, 14 % is VEX and
 * the flattening of its IR, and the parent takes the 10 % of capstone's
 * decoding and the 7 % of SQLite's insertions while the workers are busy.  Each
 * distinct instruction is lifted once; a block that does not both load and
 * store is never run, and of one that is, only what feeds an address.  A small
 * program takes 7 ms, a third of it the dynamic linker's work, mostly on the
 * tables of VEX and capstone; a worker would add two, so few blocks are
 * analysed without.
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
    /* Valid during the call only. */
    const struct sd_dep *deps;
    size_t n_unknowns;
    const struct sd_unknown *unknowns;
    size_t n_accesses;
    const struct sd_access *accesses;
};

/* Takes the result of block number `block`; -1 with the text in *d stops. */
typedef int sd_sink(void *argument, size_t block,
                    const struct sd_result *result, struct diag *d);

/* Analyses all blocks, in at most `jobs` workers, and adds to the counts.  If
   a worker ran out of memory, it has said so itself, and *d is empty. */
int sd_analyses_run(const struct sd_blocks *blocks, const struct sd_settings *s,
                    unsigned jobs, sd_sink *sink, void *argument,
                    struct sd_counts *counts, struct diag *d);

#endif
