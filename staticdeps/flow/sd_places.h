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

#include "walk/sd_chunk.h"

/* sd_reach: which stores may reach which loads, along the edges of a graph of
   accesses whose places are known.

   These are reaching definitions (Kildall, A Unified Approach to Global Program
   Optimization, POPL 1973; Aho, Lam, Sethi, Ullman, Compilers, 2nd edition,
   9.2.4), found for one store at a time.  From a store on, paths are followed
   in the order of their lengths (Dijkstra, A Note on Two Problems in Connexion
   with Graphs, 1959) until another store covers its place, or the path is too
   long.  So each load is found over the shortest path to it.  If other stores
   cover a store in part, it is followed in pieces, each of which other stores
   cover whole or not at all. */

#define SD_NO_BASE  0u /* no base is known, or none yet */
#define SD_ABSOLUTE 1u /* the base if the offset is an address */

/* A number of the program, or the address of an access: a base, and the offset
   added to it.  A base stands for some number of the program.  A base is born
   again where the number may change; what was stored at its places is lost
   then.  Places of two different bases never overlap. */
struct sd_sum {
    int64_t offset;
    uint32_t base;
};

/* Adds n to the offset; addresses wrap around. */
static inline struct sd_sum sd_sum_add(struct sd_sum s, int64_t n)
{
    s.offset = (int64_t)((uint64_t)s.offset + (uint64_t)n);
    return s;
}

static inline bool sd_sums_equal(struct sd_sum a, struct sd_sum b)
{
    return a.base == b.base && a.offset == b.offset;
}

/* Do `size` bytes at `offset` overlap `other_size` bytes at offset `other`? */
static inline bool sd_offsets_meet(int64_t offset, uint32_t size, int64_t other,
                                   uint32_t other_size)
{
    uint64_t distance = (uint64_t)other - (uint64_t)offset;

    return distance < size || 0 - distance < other_size;
}

/* An access whose place is known. */
struct sd_event {
    struct sd_sum place;
    uint32_t size; /* in bytes */
    uint32_t insn; /* in its block, from 1 on; an access of a callee counts as
                      if it were in the block */
    uint32_t site;
    uint32_t contents; /* of a store: the base for what the place holds, or
                          SD_NO_BASE */
    bool is_store;
    bool is_certain; /* the access always happens */
};

/* Where a base is born: in a block, before event number `event`, counted from
   0, or on all edges to the block. */
#define SD_BORN_NEVER  UINT32_MAX /* block: nowhere */
#define SD_BORN_BEFORE UINT32_MAX /* event: on all edges to the block */

struct sd_birth {
    uint32_t block, event;
    uint32_t parent; /* base of the place that holds the base, or SD_NO_BASE */
};

struct sd_way {
    uint32_t from, to;
    bool is_call;
    struct sd_sum bottom; /* memory below this is lost; with SD_NO_BASE: none */
};

struct sd_stretch {
    uint32_t n_insns;  /* instructions of the block and its callee */
    uint32_t n_inside; /* instructions of the callee alone */
    bool returns;
    uint32_t first, n; /* events of the block, in order of execution */
    uint32_t first_way, n_ways;
    uint64_t bases; /* bits of the bases with events or births in the block; set
                       by sd_flow_graph_end() */
};

struct sd_flow_graph {
    struct sd_stretch *blocks;
    struct sd_event *events;
    struct sd_way *ways;
    struct sd_birth *births; /* indexed by base */
    size_t n_blocks, n_events, n_ways, n_bases;
    size_t blocks_room, events_room, ways_room, births_room;
    struct sd_sum *ends; /* where certain stores begin and end; sorted */
    size_t n_ends, ends_room;
};

void sd_flow_graph_fini(struct sd_flow_graph *graph);

/* Completes a graph that has all its blocks, events and edges: notes which
   bases matter in which blocks, and which bytes certain stores cover. */
void sd_flow_graph_end(struct sd_flow_graph *graph);

/* The memory that the loads of a graph touch, or that its stores touch.  Stores
   that no load reads, which are most, need not be followed. */
struct sd_touched {
    struct sd_sum *units; /* units of 8 bytes; sorted */
    size_t n, room;
};

void sd_touched_find(struct sd_touched *touched,
                     const struct sd_flow_graph *graph, bool are_stores);

/* Does an event touch one of the units? */
bool sd_touched_has(const struct sd_touched *touched,
                    const struct sd_event *event);

/* Is called for a pair: two events, and the number of instructions between
   them.  If `load` is NULL, the path is from the store to a return. */
typedef void sd_reach_found(void *argument, const struct sd_event *store,
                            const struct sd_event *load, uint32_t distance);

struct sd_reaching {
    uint32_t most_insns; /* the most instructions between store and load */
    bool sees_returns;   /* report paths to returns, too */
    bool follows_all; /* follow stores that no load of the graph reads, too */

    const struct sd_flow_graph *graph;
    sd_reach_found *found;
    void *argument;
    uint64_t left;    /* blocks that may still be looked at */
    uint64_t n_looks; /* looks at events up to now */

    /* The piece of the current store that is being followed. */
    const struct sd_event *store;
    struct sd_sum place;
    uint32_t size;  /* in bytes */
    uint64_t bases; /* bits of the bases that matter to the piece */

    struct sd_reached *queue; /* blocks to be looked at */
    uint32_t *heads; /* by distance: first block in the queue, plus 1 */
    size_t n_queue, queue_room;
    size_t n_waiting; /* blocks of the queue not looked at yet */
    uint32_t *seen;   /* by block: number of the latest piece there */
    size_t seen_room;
    uint32_t n_pieces;
    struct sd_touched loaded;
};

void sd_reach_init(struct sd_reaching *reach, uint32_t most_insns);
void sd_reach_fini(struct sd_reaching *reach);

/* Follows all stores of a graph.  Returns false if more than `most_blocks`
   blocks would have to be looked at. */
bool sd_reach_run(struct sd_reaching *reach, const struct sd_flow_graph *graph,
                  uint64_t most_blocks, sd_reach_found *found, void *argument);

/* Follows what memory holds at an event's place when the function is entered.
   If `event` is NULL, follows bytes that no store overwrites. */
bool sd_reach_enter(struct sd_reaching *reach,
                    const struct sd_flow_graph *graph, uint64_t most_blocks,
                    const struct sd_event *event, sd_reach_found *found,
                    void *argument);

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
