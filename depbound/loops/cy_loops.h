/*
 * cy_loops: the innermost loops of a program, each with the way around it that
 * is taken most.
 *
 * Blocks are the nodes of a graph.  Its edges are direct jumps and the ways
 * from a block to the code after it; calls return.  An edge to a block that a
 * depth-first search is still in goes back to the header of a loop; the loop is
 * what leads to that edge without the header (natural loops: Aho, Lam, Sethi
 * and Ullman, Compilers, 9.6).  A loop without another one inside is innermost.
 *
 * Limits: the search finds one shape of a loop with two entries, and not all
 * loops of a graph in which very many blocks lie in very many loops.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_LOOPS_H
#define CY_LOOPS_H

#include "code/cy_code.h"

struct cy_loop {
    uint32_t object;
    uint32_t *blocks; /* of cy_data, in the order of the way, the header first
                       */
    size_t n_blocks;
    uint32_t *body; /* the blocks of all ways around it, sorted */
    size_t n_body;
    bool has_other_ways; /* jumps that are not known lead into the body */
    uint64_t rounds;     /* that go the way, at most */
    uint64_t entries;    /* how often it began, at most; 0 without executions or
                            if that is not known */
    /* Of the header's executions, those that go the way, at most and at least;
       0 without executions. */
    double share_of_path, least_share;
    bool is_way_guessed; /* a branch leads to two ways around, and nothing
                            tells how often it takes each */
    uint64_t outer_start, outer_end; /* addresses of the smallest loop around
                                        it; 0 and 0: there is none */
    bool has_call; /* a call lies on the way; it is not followed */
};

struct cy_loops {
    struct cy_loop *loops;
    size_t n, room;
};

/* Finds the loops of all blocks; with executions, only of the blocks that
   executed. */
int cy_loops_find(struct cy_loops *loops, const struct cy_data *data,
                  struct cy_code *code, struct diag *d);

/* Does a block lie on any way around the loop? */
bool cy_loop_has(const struct cy_loop *loop, uint32_t block);

/* Treats each block as the body of a loop. */
int cy_loops_of_regions(struct cy_loops *loops, const struct cy_data *data,
                        struct cy_code *code, struct diag *d);
void cy_loops_fini(struct cy_loops *loops);

#endif
