/*
 * sd_places: the blocks of a function -> a graph whose accesses have places.
 *
 * Each register, and each word of the frame that the function keeps numbers in,
 * holds a symbol at each point: a base and an offset.  Bases are what is there
 * at the function's entry, what a load or a call leaves, and, where ways meet
 * on which a register has different symbols, what it has from there on
 * (Alpern, Wegman, Zadeck, Detecting Equality of Variables in Programs, POPL
 * 1988; here for sums of a number and a constant alone).  What lies at a place
 * is a base, too, until something is stored there.
 *
 * All blocks are interpreted again and again, until no symbol changes.  After
 * some times, a symbol that changes where ways meet becomes a base of its own
 * for good; so there is an end.
 *
 * Accesses of callees are accesses at the end of a block that calls, if the
 * caller can name their places (sd_impacts).
 *
 * Limits: no symbol changes because a callee stores, but that of a word of the
 * frame that an argument points to; nor because of a store to another base.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_PLACES_H
#define SD_PLACES_H

#include "reach/sd_reach.h"
#include "walk/sd_chunk.h"

#define SD_MOST_SLOTS 32

struct sd_places {
    const struct sd_program *program;
    struct sd_chunks *chunks;
    struct sd_abi abi;
    struct sd_flow_graph graph; /* the result */
    bool is_cut; /* without some accesses of callees: they are too many */

    uint32_t *parts;   /* by routine: the next part of the same whole */
    uint32_t *numbers; /* by node of the program's graph: its block's, plus 1 */

    /* Of the current function. */
    struct sd_place_block *blocks;
    size_t n_blocks, blocks_room;
    struct sd_place_way *ways; /* by the block that they leave */
    size_t n_ways, ways_room;
    uint32_t *arrivals; /* ways by the block that they come to */
    size_t arrivals_room;
    uint32_t *order;
    size_t order_room;
    struct sd_sum *in, *out; /* by block and variable */
    size_t in_room, out_room;
    unsigned n_registers, n_variables, n_slots;
    int64_t slots[SD_MOST_SLOTS]; /* offsets from the first stack pointer */
    struct sd_sum *temps;
    size_t temps_room;
    struct sd_content *contents; /* by number */
    uint32_t *content_table;     /* open addressing: numbers plus 1 */
    size_t n_contents, contents_room;
    uint32_t first_call, first_result, first_content;
    uint32_t *born; /* by operation: the events before it */
    size_t n_ops, born_room;
    uint32_t *bases; /* what they were, by the number that the graph has */
    size_t bases_room;
    struct sd_impact_table *callees; /* theirs; NULL: they do nothing */
    bool calls_tables; /* calls of what tables of functions have are seen */
};

void sd_places_init(struct sd_places *places, const struct sd_program *program,
                    struct sd_chunks *chunks);
void sd_places_fini(struct sd_places *places);

/* Makes places->graph, of a routine that is no part, with its parts.  False:
   it is too large, or did not settle; then the graph is empty. */
bool sd_places_of(struct sd_places *places, uint32_t routine);

/* Of use to sd_places' own files. */

struct sd_place_way {
    uint32_t from, to;
    bool is_call;
};

struct sd_place_block {
    struct sd_chunk *chunk; /* NULL: nothing happens in it */
    uint32_t node, n_insns;
    uint32_t n_inside; /* of the callee's, on the shortest way through it */
    uint32_t first_op; /* of all operations of the function */
    uint32_t first_way, n_ways; /* that leave it */
    uint32_t first_arrival, n_arrivals;
    uint32_t first_event, n_events;
    bool is_root, is_dirty, is_placed;
};

/* What lies at a place. */
struct sd_content {
    struct sd_sum place;
    unsigned depth;
};

/* Bases, before they are numbered anew: what a variable has at the entry, what
   it has from a block on, what a call leaves in it, the result of an operation
   (of a store: what lay there before), and what lies at a place. */
#define SD_FIRST_ENTRY 2u
#define SD_FIRST_MERGE (SD_FIRST_ENTRY + 128u)

static inline struct sd_sum *sd_places_row(const struct sd_places *p,
                                           struct sd_sum *rows, size_t i)
{
    return rows + i * p->n_variables;
}

/* The blocks and ways of a routine; false: they are too many. */
bool sd_places_collect(struct sd_places *p, uint32_t routine);

/* The base that is what lies at a place; SD_NO_BASE: it has none.  `makes`:
   gives it one. */
uint32_t sd_places_content(struct sd_places *p, struct sd_sum place,
                           bool makes);

/* The base of the frame, which is the stack pointer at the entry; and the
   variable of a word of it, UINT_MAX if it has none.  `makes` gives it one. */
uint32_t sd_places_frame(const struct sd_places *p);
unsigned sd_places_slot(struct sd_places *p, struct sd_sum place, bool makes);

/* Appends events for what the function accesses that block i calls, if it is
   known; *row: the variables then. */
void sd_places_add_callee(struct sd_places *p, uint32_t i,
                          const struct sd_sum *row);

/* Interprets block i, whose variables are *row before, and then after it.
   Appends its events to the graph if `emits` says so. */
void sd_places_interpret(struct sd_places *p, uint32_t i, struct sd_sum *row,
                         bool emits);

/* Numbers the bases of the events anew, and completes the graph. */
void sd_places_finish(struct sd_places *p);

#endif
