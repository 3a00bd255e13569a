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
#pragma once

#include "out/sd_pool.h"
#include "block/sd_analyse.h"
#include "decode/sd_blocks.h"

struct sd_result {
    enum sd_status status;
    size_t n_deps;
    /* The lists are valid only during the call of a sink. */
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
                    struct sd_counts *counts, struct sd_progress *progress,
                    struct diag *d);

/* sd_room limits the work for the blocks of an object.  Only sd_analyses.c and
   tests use sd_room.

   Hostile code may have short blocks that never settle, so that each byte costs
   a hundred times as much as a byte of real code.  So an object has room for
   work: each byte of its code adds to the room, and each block takes from the
   room.  A block that takes more than is left gets no result, and leaves no
   room.  Therefore the cost of code is proportional to its size.

   Blocks take from the room in the order of the file, so the results do not
   depend on the number of workers.  A worker knows only a lower bound, told by
   the parent, of what the blocks before its own took: it may stop a block for
   which even this bound leaves too little. */

/* The room of an object, and of each byte of its code, in operations.  Both are
   multiplied by the number of seeds, by the size of the reorder buffer divided
   by 512 and rounded up, and by 2 with back paths.  None of the 60 million
   blocks in 1,587 objects of a system needed more, and none of the 332 largest
   objects needed half of it. */
#define SD_ROOM_FREE     ((int64_t)1 << 20)
#define SD_ROOM_PER_BYTE 32

/* The room added up to a block: by the objects before its own, and by all. */
struct sd_added {
    int64_t before, all;
};

struct sd_room {
    struct sd_added *added; /* one for each block */
    int64_t *told; /* in shared memory: a lower bound of the work taken */
};

/* Must be called before workers are started. */
void sd_room_init(struct sd_room *room, const struct sd_blocks *blocks,
                  const struct sd_settings *settings);
void sd_room_fini(struct sd_room *room);

/* The work that a block may take, if the blocks before it took `*taken`. */
uint64_t sd_room_of(const struct sd_room *room, size_t block, int64_t *taken);
/* Takes the work of a block from the room; false if the room is too small. */
bool sd_room_take(const struct sd_room *room, size_t block, uint64_t work,
                  int64_t *taken);
