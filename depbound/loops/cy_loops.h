/*
 * cy_loops: the innermost loops of a program, each with the path through it
 * that is taken most often.
 *
 * Blocks are the nodes of a graph.  Its edges are direct jumps and steps from a
 * block to the code after it; calls return.  An edge to a block on the path of
 * a depth-first search goes back to the header of a loop; the loop is what
 * leads to that edge without the header (natural loops: Aho, Lam, Sethi and
 * Ullman, Compilers, 9.6).  A loop without another one inside is innermost.
 *
 * Limits: the search finds one shape of a loop with two entries, and not all
 * loops of a graph in which very many blocks lie in very many loops.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "code/cy_code.h"

struct cy_loop {
    uint32_t object;
    uint32_t *blocks; /* blocks of cy_data in path order, header first */
    size_t n_blocks;
    uint32_t *body; /* sorted blocks of all paths through it */
    size_t n_body;
    bool has_other_ways; /* unknown jumps lead into the body */
    uint64_t rounds;     /* rounds along the path, an upper bound */
    uint64_t entries;    /* how often the loop began, an upper bound; 0:
                            unknown */
    /* The share of the header's executions that follow the path, at most and at
       least; 0 without executions. */
    double share_of_path, least_share;
    bool is_way_guessed; /* were two paths through the loop possible, with no
                            counts to choose by? */
    uint64_t outer_start, outer_end; /* addresses of the smallest loop around
                                        this one, or 0 */
    bool has_call; /* a call, which is not followed, lies on the path */
};

struct cy_loops {
    struct cy_loop *loops;
    size_t n, room;
};

/* Finds the loops in all blocks or, with executions, in the blocks that
   executed. */
int cy_loops_find(struct cy_loops *loops, const struct cy_data *data,
                  struct cy_code *code, struct diag *d);

/* Does a block lie on any path through the loop? */
bool cy_loop_has(const struct cy_loop *loop, uint32_t block);

/* Treats each block as the body of a loop. */
int cy_loops_of_regions(struct cy_loops *loops, const struct cy_data *data,
                        struct cy_code *code, struct diag *d);
void cy_loops_fini(struct cy_loops *loops);
