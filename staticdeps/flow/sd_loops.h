/*
 * sd_loops: the loops of a graph, and which lies in which.
 *
 * A loop is a set of blocks from each of which control can go to each other
 * one; those of it to which control comes from outside are its headers.  The
 * loops inside it are those that are left when nothing leads to its headers.
 * In structured code these are the natural loops, and two that share a header
 * are one.  (Steensgaard: Sequentializing program dependence graphs for
 * irreducible programs, Microsoft Research MSR-TR-93-14, 1993.)
 *
 * Loops in SD_DEEPEST others belong to the one around them: code that people
 * write has ten levels, but a file may have thousands.
 *
 * They are the strongly connected components of all blocks, then those of each
 * of them without its headers, and so on.  The cost is one pass over a
 * function's blocks for each level of its loops.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_LOOPS_H
#define SD_LOOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SD_DEEPEST 64

struct sd_node;

struct sd_loop {
    uint32_t parent;   /* the loop around it; 0: none */
    uint32_t first, n; /* of its blocks, those of inner loops included */
    uint32_t depth;    /* how many loops are around it */
};

struct sd_loops {
    struct sd_loop *list; /* number 0: all blocks */
    size_t n, room;
    struct sd_node *
        *nodes; /* ordered so that those of each loop are adjacent */
};

/* Finds the loops of n blocks, which get to know the innermost one around
   them. */
void sd_loops_init(struct sd_loops *loops, struct sd_node *nodes, size_t n);
void sd_loops_fini(struct sd_loops *loops);

/* Does a block lie in that loop, or in one inside it? */
bool sd_loops_hold(const struct sd_loops *loops, uint32_t loop,
                   const struct sd_node *node);

/* The child of loop `outer` in which loop `inner` lies; 0 if it lies in none,
   or `inner` is `outer` itself. */
uint32_t sd_loops_child(const struct sd_loops *loops, uint32_t outer,
                        uint32_t inner);

#endif
