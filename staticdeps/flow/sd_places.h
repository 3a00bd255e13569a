/*
 * sd_places: turns the blocks of a function into a graph of accesses at places.
 *
 * Each register, and each word of the frame in which the function keeps
 * numbers, holds a symbol at each point: a base and an offset.  Bases are what
 * registers hold at the entry of the function, what a load or a call leaves,
 * and what a register holds from a point on at which paths join that give it
 * different symbols (Alpern, Wegman, Zadeck, Detecting Equality of Variables in
 * Programs, POPL 1988; here only for sums of a number and a constant).  What
 * memory holds at a place is a base, too, until something is stored there.
 *
 * Accesses of a callee count as accesses at the end of the block that calls it,
 * if the caller can name their places (sd_impact).
 *
 * Limits: a store of a callee changes the symbol of a word of the frame that an
 * argument points to, and no other; a store to a place of one base changes no
 * symbol of another base.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "keys.h"
#include "flow/sd_reach.h"
#include "walk/sd_chunk.h"

#define SD_MOST_STEPS 4

/* A load of what memory held at the entry of a function, or a store that is
   still there when the function returns.  The place of the access is found from
   the root by adding offsets[0]; each further step loads what lies there and
   adds the next offset. */
struct sd_impact {
    int64_t offsets[SD_MOST_STEPS];
    uint32_t root; /* SD_ABSOLUTE, or SD_FIRST_ENTRY plus the variable of a
                      register */
    uint32_t n_steps;
    uint32_t site, size;
    uint32_t n_insns; /* instructions before a load, or after a store */
    bool is_store;
};

struct sd_impacts {
    struct sd_impact *list; /* loads, then stores; the nearest first */
    uint32_t n;
    uint32_t n_insns;      /* on the shortest path through the function */
    bool is_known, is_cut; /* some are left out: there are too many */
};

/* Finds the impacts of a routine. */
typedef const struct sd_impacts *sd_find_impacts(void *argument,
                                                 uint32_t routine);

/* The bases of sd_places, before those in use are numbered anew: what a
   variable holds at the entry; what it holds from a block on at which paths
   join; what a call leaves in it; the result of an operation, or what memory
   held where an operation stores; and what memory holds at a place. */
#define SD_FIRST_ENTRY 2u
#define SD_FIRST_MERGE (SD_FIRST_ENTRY + 128u)

struct sd_bases {
    uint32_t first_call, first_result, first_content;
    uint32_t *born; /* by operation: the number of events before */
    size_t born_room;
    struct keys used; /* by number in the graph: the old number */
};

/* What memory holds at a place. */
struct sd_content {
    struct sd_sum place;
    unsigned depth;
};

struct sd_place_contents {
    struct sd_content *list; /* indexed by base - first_content */
    size_t room;
    struct keys keys; /* keys are hashes of the places */
};

/* What sd_places needs of a block of the graph. */
struct sd_place_block {
    struct sd_chunk *chunk; /* NULL: the block does nothing */
    uint32_t node;
    uint32_t first_op; /* index in the operations of the function */
    uint32_t arrival;  /* an edge that leads to the block, plus 1; 0: none */
    bool is_root, is_dirty, is_placed;
};

/* The blocks of a function. */
struct sd_place_code {
    uint32_t *parts;   /* by routine: the next part of the same whole */
    uint32_t *numbers; /* by node of the program: its block, plus 1 */
    struct sd_place_block *blocks;
    size_t n_blocks, blocks_room;
    uint32_t *arrivals; /* by edge: the next edge to the same block, plus 1 */
    size_t arrivals_room;
    uint32_t *order; /* blocks in reverse postorder */
    size_t order_room;
    size_t n_ops;
};

#define SD_MOST_SLOTS 32

/* Variables are registers, and slots: words of the frame in which the function
   keeps numbers. */
struct sd_symbols {
    struct sd_sum *in, *out; /* symbols by block and variable */
    size_t in_room, out_room;
    struct sd_sum *temps; /* by temporary of the current block */
    size_t temps_room;
    unsigned n_registers, n_variables, n_slots;
    int64_t slots[SD_MOST_SLOTS]; /* offsets from the first stack pointer */
};

struct sd_places {
    const struct sd_program *program;
    struct sd_chunks *chunks;
    struct sd_abi abi;
    bool calls_tables; /* follow calls through tables of functions */
    sd_find_impacts *find_impacts; /* NULL: callees access nothing */
    void *callees;                 /* the argument of find_impacts */

    /* The results of sd_places_of(). */
    struct sd_flow_graph graph;
    bool is_cut; /* some of too many accesses of callees are left out */

    /* The state for the current function. */
    struct sd_place_code code;
    struct sd_symbols symbols;
    struct sd_place_contents contents;
    struct sd_bases bases;
};

void sd_places_init(struct sd_places *places, const struct sd_program *program,
                    struct sd_chunks *chunks);
void sd_places_fini(struct sd_places *places);

/* Makes places->graph of a routine, which is no part of another, and of its
   parts.  Returns false, with a useless graph, if the routine is too large or
   its symbols do not settle. */
bool sd_places_of(struct sd_places *places, uint32_t routine);

/* Only for sd_places_of(): interprets block i, and turns the variables before
   the block in *row into those after it.  If `emits`, appends the events of the
   block to the graph, and those of its callees, if they are known. */
void sd_places_interpret(struct sd_places *p, uint32_t i, struct sd_sum *row,
                         bool emits);
