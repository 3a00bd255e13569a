/*
 * internal: what the files of reach/ share, and no others need.
 *
 * sd_flow_graph, sd_reach: a graph of accesses whose places are known, and the
 * pairs that its ways allow.
 * sd_places: makes such a graph of the blocks of a function.
 * sd_impacts: summarises a function's graph for its callers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_REACH_INTERNAL_H
#define SD_REACH_INTERNAL_H

#include "walk/sd_chunk.h"
#include "walk/sd_pairs.h"

/* sd_flow_graph: */

#define SD_NO_BASE  0u /* nothing is known, or nothing yet */
#define SD_ABSOLUTE 1u /* the offset is an address */

/* A number: a base and what is added to it.  As the place of an access it is an
   address.  A base is some number of the program.  It is born again where that
   number may change; what was stored there is lost then.  Places of two bases
   never meet. */
struct sd_sum {
    int64_t offset;
    uint32_t base;
};

/* Addresses wrap around. */
static inline struct sd_sum sd_sum_add(struct sd_sum s, int64_t n)
{
    s.offset = (int64_t)((uint64_t)s.offset + (uint64_t)n);
    return s;
}

static inline bool sd_sums_equal(struct sd_sum a, struct sd_sum b)
{
    return a.base == b.base && a.offset == b.offset;
}

/* Do `size` bytes at one offset and `other_size` at another meet? */
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
    uint32_t insn; /* in its block, from 1 on; an access of a callee counts
                      as if it were in the block */
    uint32_t site;
    uint32_t contents; /* of a store: the base for what the place holds, or
                          SD_NO_BASE */
    bool is_store;
    bool is_certain; /* it always happens */
};

/* Where a base is born: before the event with that number in a block, counted
   from 0, or on all ways to the block. */
#define SD_BORN_NEVER  UINT32_MAX /* as a block */
#define SD_BORN_BEFORE UINT32_MAX /* as an event */

struct sd_birth {
    uint32_t block, event;
    uint32_t parent; /* the base of the place that holds it, or SD_NO_BASE */
};

struct sd_way {
    uint32_t to;
    struct sd_sum bottom; /* what lies below this is lost; or SD_NO_BASE */
};

struct sd_stretch {
    uint32_t n_insns;  /* of a block, and of the function that it calls */
    uint32_t n_inside; /* those of the called function alone */
    bool returns;
    uint32_t first, n; /* its events, in their order */
    uint32_t first_way, n_ways;
    uint64_t bases; /* bits of the bases whose events or births are here; set by
                       sd_flow_graph_end() */
};

struct sd_flow_graph {
    struct sd_stretch *blocks;
    struct sd_event *events;
    struct sd_way *ways;
    struct sd_birth *births; /* by base */
    size_t n_blocks, n_events, n_ways, n_bases;
    size_t blocks_room, events_room, ways_room, births_room;
    struct sd_sum *ends; /* where certain stores begin and end; sorted */
    size_t n_ends, ends_room;
};

void sd_flow_graph_fini(struct sd_flow_graph *graph);

/* Completes a graph that has all of its parts: notes which bases matter in
   which blocks, and which bytes certain stores cover. */
void sd_flow_graph_end(struct sd_flow_graph *graph);

/* The bits in sd_stretch.bases of a base and of those that hold it. */
uint64_t sd_flow_graph_bits(const struct sd_flow_graph *graph, uint32_t base);

/* The number of bytes of an access, from byte number `byte` on, of which each
   certain store of the graph covers either all or none. */
uint32_t sd_flow_graph_piece(const struct sd_flow_graph *graph,
                             const struct sd_event *event, uint32_t byte);

/* What the loads of a graph touch, or its stores.  There is no need to follow
   stores that no load reads, and most are. */
struct sd_touched {
    struct sd_sum *units; /* of 8 bytes; sorted */
    size_t n, room;
};

void sd_touched_find(struct sd_touched *touched,
                     const struct sd_flow_graph *graph, bool are_stores);

/* Does an event touch one of the units? */
bool sd_touched_has(const struct sd_touched *touched,
                    const struct sd_event *event);

/* sd_reach: */

/* Is called for a pair: two events, and the number of instructions between
   them.  Without a load: for a way from the store to a return. */
typedef void sd_reach_found(void *argument, const struct sd_event *store,
                            const struct sd_event *load, uint32_t distance);

struct sd_reaching {
    uint32_t most_insns; /* between store and load */
    bool sees_returns;   /* report ways to returns, too */
    bool follows_all; /* follow stores that no load of the graph reads, too */

    const struct sd_flow_graph *graph;
    sd_reach_found *found;
    void *argument;
    uint64_t left;    /* blocks that may still be looked at */
    uint64_t n_looks; /* at events so far */

    /* The piece of the current store that is followed. */
    const struct sd_event *store;
    struct sd_sum place;
    uint32_t size;  /* in bytes */
    uint64_t bases; /* bits of the bases that matter to it */

    struct sd_reached *queue; /* blocks to be looked at */
    uint32_t *heads;          /* by distance: the first of them, plus 1 */
    size_t n_queue, queue_room;
    size_t n_waiting; /* blocks of the queue not looked at yet */
    uint32_t *seen;   /* by block: the number of the last piece that came */
    size_t seen_room;
    uint32_t n_pieces;
    struct sd_touched loaded;
};

void sd_reach_init(struct sd_reaching *reach, uint32_t most_insns);
void sd_reach_fini(struct sd_reaching *reach);

/* Follows all stores of a graph.  Returns false if that takes a look at more
   than `most_blocks` blocks. */
bool sd_reach_run(struct sd_reaching *reach, const struct sd_flow_graph *graph,
                  uint64_t most_blocks, sd_reach_found *found, void *argument);

/* Follows what lies at an event's place when the function is entered.  Without
   an event, follows bytes that no store overwrites. */
bool sd_reach_enter(struct sd_reaching *reach,
                    const struct sd_flow_graph *graph, uint64_t most_blocks,
                    const struct sd_event *event, sd_reach_found *found,
                    void *argument);

/* sd_places: */

#define SD_MOST_STEPS 4

/* A load of what was there at a function's entry, or a store that is still
   there when it returns.  Its place is found from the root by adding
   offsets[0]; each further step loads what lies there and adds the next
   offset. */
struct sd_impact {
    int64_t offsets[SD_MOST_STEPS];
    uint32_t root; /* SD_ABSOLUTE, or SD_FIRST_ENTRY plus the variable of a
                      register */
    uint32_t n_steps;
    uint32_t site, size;
    uint32_t n_insns; /* from the entry to a load, or a store to the return */
    bool is_store;
};

struct sd_impacts {
    struct sd_impact *list; /* loads, then stores; the nearest first */
    uint32_t n;
    uint32_t n_insns;      /* on the shortest way through the function */
    bool is_known, is_cut; /* some are left out: the function is too large */
};

/* Finds the impacts of a routine. */
typedef const struct sd_impacts *sd_find_impacts(void *argument,
                                                 uint32_t routine);

/* The bases of sd_places, before those in use are numbered anew: what a
   variable holds at the entry; what it holds from a block on at which ways
   meet; what a call leaves in it; the result of an operation, or what lay where
   an operation stores; and what lies at a place. */
#define SD_FIRST_ENTRY 2u
#define SD_FIRST_MERGE (SD_FIRST_ENTRY + 128u)

struct sd_bases {
    uint32_t first_call, first_result, first_content;
    uint32_t *born; /* by operation: the number of events before it */
    size_t born_room;
    struct sd_keys used; /* by number in the graph: the number before that */
};

/* What lies at a place. */
struct sd_content {
    struct sd_sum place;
    unsigned depth;
};

struct sd_place_contents {
    struct sd_content *list; /* by base, from first_content on */
    size_t n, room;
    uint32_t *table; /* open addressing: numbers plus 1 */
};

struct sd_place_way {
    uint32_t from, to;
    bool is_call;
};

struct sd_place_block {
    struct sd_chunk *chunk; /* NULL: nothing happens in it */
    uint32_t node, n_insns;
    uint32_t n_inside; /* instructions on the shortest way through a callee */
    uint32_t first_op; /* in the operations of the function */
    uint32_t first_way, n_ways; /* that leave it */
    uint32_t first_arrival, n_arrivals;
    uint32_t first_event, n_events;
    bool is_root, is_dirty, is_placed;
};

/* The blocks of a function, and the ways between them. */
struct sd_place_code {
    uint32_t *parts;   /* by routine: the next part of the same whole */
    uint32_t *numbers; /* by node of the program's graph: its block, plus 1 */
    struct sd_place_block *blocks;
    size_t n_blocks, blocks_room;
    struct sd_place_way *ways; /* by the block that they leave */
    size_t n_ways, ways_room;
    uint32_t *arrivals; /* ways by the block that they come to */
    size_t arrivals_room;
    uint32_t *order; /* blocks in reverse postorder */
    size_t order_room;
    size_t n_ops;
};

#define SD_MOST_SLOTS 32

/* Variables are registers, and slots: words of the frame in which the function
   keeps numbers. */
struct sd_symbols {
    struct sd_sum *in, *out; /* by block and variable */
    size_t in_room, out_room;
    struct sd_sum *temps; /* of the current block */
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
    void *callees;                 /* its argument */

    /* The result. */
    struct sd_flow_graph graph;
    bool is_cut; /* some accesses of callees are left out: too many */

    /* Of the current function. */
    struct sd_place_code code;
    struct sd_symbols symbols;
    struct sd_place_contents contents;
    struct sd_bases bases;
};

void sd_places_init(struct sd_places *places, const struct sd_program *program,
                    struct sd_chunks *chunks);
void sd_places_fini(struct sd_places *places);

/* Makes places->graph of a routine that is not a part, with its parts.  Returns
   false, and leaves the graph empty, if the routine is too large or its symbols
   do not settle. */
bool sd_places_of(struct sd_places *places, uint32_t routine);

/* Steps of sd_places_of(): */

/* Finds the blocks and ways of a routine; false if there are too many. */
bool sd_places_collect(struct sd_places *p, uint32_t routine);

/* Interprets block i, turning the variables before it in *row into those after
   it.  If `emits`, appends its events to the graph. */
void sd_places_interpret(struct sd_places *p, uint32_t i, struct sd_sum *row,
                         bool emits);

/* Appends events for the accesses of the function that block i calls, if it is
   known, to which the caller passes the variables *row. */
void sd_places_add_callee(struct sd_places *p, uint32_t i,
                          const struct sd_sum *row);

/* Numbers the bases of the events anew, and completes the graph. */
void sd_places_finish(struct sd_places *p);

/* The variables of block i in symbols.in or symbols.out. */
static inline struct sd_sum *sd_places_row(const struct sd_places *p,
                                           struct sd_sum *rows, size_t i)
{
    return rows + i * p->symbols.n_variables;
}

/* The base for what lies at a place, or SD_NO_BASE.  If `makes`, a place
   without one gets one. */
uint32_t sd_places_content(struct sd_places *p, struct sd_sum place,
                           bool makes);

/* The base of the frame, which is the stack pointer at the entry. */
uint32_t sd_places_frame(const struct sd_places *p);

/* The variable of a place that is a word of the frame, or UINT_MAX.  If
   `makes`, a word without one gets one. */
unsigned sd_places_slot(struct sd_places *p, struct sd_sum place, bool makes);

/* sd_impacts: */

/* The impacts of all functions, each found at the first request. */
struct sd_impact_table {
    struct sd_places places;
    struct sd_reaching reach;
    struct sd_touched stored;   /* by the current function, if is_narrow */
    struct sd_impacts *impacts; /* by routine */
    bool is_narrow; /* only what a function both stores and loads counts */
};

void sd_impacts_init(struct sd_impact_table *table,
                     const struct sd_program *program, struct sd_chunks *chunks,
                     bool is_narrow);
void sd_impacts_fini(struct sd_impact_table *table);

/* The impacts of a routine: an sd_find_impacts of a struct sd_impact_table. */
sd_find_impacts sd_impacts_of;

/* sd_flows: */

#define SD_FLOW_DEPTH 2 /* levels of calls whose accesses are seen */

struct sd_flow_work {
    struct sd_impact_table impacts[SD_FLOW_DEPTH]; /* by the calls below */
    struct sd_places places;
    struct sd_reaching reach;
    struct sd_pairs pairs;          /* of the current function */
    struct sd_first_visits *visits; /* by block */
    uint32_t src;                   /* the site of the last store, */
    uint32_t src_block;             /* and its block */
    size_t room;                    /* of the list of results */
};

#endif
