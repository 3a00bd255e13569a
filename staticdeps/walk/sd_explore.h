/*
 * sd_explore: a function -> what walks from it show.
 *
 * A walk is one way through the code, over numbers that are drawn.  It begins
 * at a function, or in its middle.  It computes with concrete numbers, so each
 * access has an address, and a load shows which store wrote
 * its bytes last.  What is known (sd_drawn) decides branches.  At other
 * branches the walk is forced: it takes the way that was taken less often, and
 * goes round a loop a few times.  What was forced once is decided from then on
 * (sd_drawn).
 *
 * Once the registers of a loop whose test is decided have moved by the same
 * steps twice, its rounds are skipped, except for the last two.
 *
 * In every other walk the root is called again when it returns.  Pairs that lie
 * in two of these calls are marked, because real callers may write in between
 * what the second call reads; a load notes if they do (SD_NOTE_FED).
 *
 * Calls are entered down to a depth, and get a share of the fuel; if only pairs
 * within one function are wanted, deeper calls get smaller shares.  A call that
 * is cut short might have overwritten what it stored, so those bytes have no
 * writer from then on.  Calls of functions that the table of libraries
 * describes do what it says.  Other calls are skipped: they leave unknown
 * registers, and unknown bytes where their arguments point into the stack.  A
 * call that never comes back ends the walk: walks do not go on after setjmp,
 * nor where exceptions land.
 *
 * Walks begin at the entry as long as they show new pairs.  Later walks begin,
 * with random registers, at those blocks that few of the first ones visited.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_EXPLORE_H
#define SD_EXPLORE_H

#include "program/sd_program.h"
#include "walk/sd_effort.h"
#include "walk/sd_rounds.h"
#include "walk/sd_support.h"

struct sd_explorer {
    const struct sd_program *program;
    struct sd_walker *walker;
    struct sd_chunks *chunks; /* the walker's */
    struct sd_effort effort;
    uint64_t seed;
    uint32_t *n_visits; /* by block: the walks of this function */

    /* What the last function's walks show. */
    struct sd_visit *walks; /* of each walk: the number of blocks that it
                               visited, as a number alone, then these */
    size_t walks_size, walks_room;
    uint32_t n_walks;
    uint64_t n_insns;
    const struct sd_walk_pair *pairs; /* sorted */
    size_t n_pairs;
    const struct sd_agreed *vectors;
    size_t n_vectors;
    const struct sd_site_notes *notes;
    size_t n_notes;
};

void sd_explorer_init(struct sd_explorer *e, const struct sd_program *program,
                      const struct sd_effort *effort, uint64_t seed);
void sd_explorer_fini(struct sd_explorer *e);

void sd_explore(struct sd_explorer *e, uint32_t routine);

#endif
