/*
 * sd_places: the blocks of a function -> a graph whose accesses have places.
 *
 * Each register, and each word of the frame that the function keeps numbers in,
 * holds a symbol at each point: a base and an offset.  Bases are what is there
 * at the function's entry, what a load or a call leaves, and what a register
 * holds from a point on at which ways meet that give it different symbols
 * (Alpern, Wegman, Zadeck, Detecting Equality of Variables in Programs, POPL
 * 1988; here only for sums of a number and a constant).  What lies at a place
 * is a base, too, until something is stored there.
 *
 * All blocks are interpreted again until no symbol changes.  After
 * PATIENT_PASSES passes, a symbol that still changes where ways meet becomes a
 * base of its own for good, so that this ends.
 *
 * Accesses of a callee count as accesses at the end of the block that calls it,
 * if the caller can name their places (sd_impacts).
 *
 * Limits: a store of a callee changes the symbol of a word of the frame that an
 * argument points to, and no other; a store to one base changes no symbol of
 * another.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "reach/internal.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "array.h"

#define MOST_PASSES    48
#define PATIENT_PASSES 8
#define MOST_CELLS     ((size_t)1 << 22) /* blocks times variables */
#define CONTENT_BITS   12u

void sd_places_init(struct sd_places *p, const struct sd_program *program,
                    struct sd_chunks *chunks)
{
    *p = (struct sd_places){.program = program,
                            .chunks = chunks,
                            .abi = sd_lift_abi(program->image->arch)};
    p->symbols.n_registers = p->abi.end - p->abi.first;
    p->symbols.n_variables = p->symbols.n_registers + SD_MOST_SLOTS;
    assert(p->symbols.n_variables <= SD_FIRST_MERGE - SD_FIRST_ENTRY);
    p->code.numbers =
        memory_new(program->cfg->n_nodes + 1, sizeof *p->code.numbers);
    p->code.parts = memory_new(program->n_routines + 1u, sizeof *p->code.parts);
    p->contents.table =
        memory_new((size_t)1 << CONTENT_BITS, sizeof *p->contents.table);
    for (uint32_t i = 0; i < program->n_routines; i++)
        p->code.parts[i] = SD_NO_ROUTINE;
    for (uint32_t i = program->n_routines; i-- > 0;) {
        uint32_t whole = program->routines[i].whole;

        if (whole != i) {
            p->code.parts[i] = p->code.parts[whole];
            p->code.parts[whole] = i;
        }
    }
}

void sd_places_fini(struct sd_places *p)
{
    sd_flow_graph_fini(&p->graph);
    free(p->code.parts);
    free(p->code.numbers);
    free(p->code.blocks);
    free(p->code.ways);
    free(p->code.arrivals);
    free(p->code.order);
    free(p->symbols.in);
    free(p->symbols.out);
    free(p->symbols.temps);
    free(p->contents.list);
    free(p->contents.table);
    free(p->bases.born);
    sd_keys_fini(&p->bases.used);
    *p = (struct sd_places){0};
}

static size_t content_spot(const struct sd_places *p, struct sd_sum place)
{
    size_t mask = ((size_t)1 << CONTENT_BITS) - 1;
    uint64_t key = (uint64_t)place.base ^
                   ((uint64_t)place.offset * UINT64_C(0xd6e8feb86659fd93));
    size_t i = hash_place(key, CONTENT_BITS);

    for (; p->contents.table[i] != 0; i = (i + 1) & mask) {
        if (sd_sums_equal(p->contents.list[p->contents.table[i] - 1].place,
                          place))
            break;
    }
    return i;
}

uint32_t sd_places_content(struct sd_places *p, struct sd_sum place, bool makes)
{
    size_t i = content_spot(p, place);
    unsigned depth = 1;

    if (p->contents.table[i] != 0)
        return p->bases.first_content + p->contents.table[i] - 1;
    if (place.base >= p->bases.first_content)
        depth += p->contents.list[place.base - p->bases.first_content].depth;
    if (!makes || place.base == SD_NO_BASE || depth > 3 ||
        2 * p->contents.n >= (size_t)1 << CONTENT_BITS)
        return SD_NO_BASE;
    array_push(p->contents.list, p->contents.n, p->contents.room,
               (struct sd_content){place, depth});
    p->contents.table[i] = (uint32_t)p->contents.n;
    return p->bases.first_content + p->contents.table[i] - 1;
}

uint32_t sd_places_frame(const struct sd_places *p)
{
    return SD_FIRST_ENTRY + p->abi.stack_pointer - p->abi.first;
}

unsigned sd_places_slot(struct sd_places *p, struct sd_sum place, bool makes)
{
    if (place.base != sd_places_frame(p) || place.offset % 8 != 0)
        return UINT_MAX;
    for (unsigned i = 0; i < p->symbols.n_slots; i++)
        if (p->symbols.slots[i] == place.offset)
            return p->symbols.n_registers + i;
    if (!makes || p->symbols.n_slots == SD_MOST_SLOTS)
        return UINT_MAX;
    p->symbols.slots[p->symbols.n_slots] = place.offset;
    return p->symbols.n_registers + p->symbols.n_slots++;
}

static struct sd_sum merged(const struct sd_places *p, uint32_t i, unsigned v)
{
    return (struct sd_sum){0, SD_FIRST_MERGE + i * p->symbols.n_variables + v};
}

/* The symbol of a variable before a block. */
static struct sd_sum meet(const struct sd_places *p, uint32_t i, unsigned v)
{
    const struct sd_place_block *b = &p->code.blocks[i];
    struct sd_sum symbol = {0, SD_NO_BASE};

    if (i == 0)
        symbol.base = SD_FIRST_ENTRY + v;
    else if (b->is_root)
        return merged(p, i, v);
    for (uint32_t k = 0; k < b->n_arrivals; k++) {
        uint32_t from =
            p->code.ways[p->code.arrivals[b->first_arrival + k]].from;
        struct sd_sum s = sd_places_row(p, p->symbols.out, from)[v];

        if (!p->code.blocks[from].is_placed || s.base == SD_NO_BASE)
            continue;
        if (symbol.base == SD_NO_BASE)
            symbol = s;
        else if (!sd_sums_equal(symbol, s))
            return merged(p, i, v);
    }
    return symbol;
}

/* Finds the symbols before a block. */
static void merge(struct sd_places *p, uint32_t i, bool is_patient)
{
    struct sd_place_block *b = &p->code.blocks[i];
    struct sd_sum *in = sd_places_row(p, p->symbols.in, i);
    bool merges = b->n_arrivals > 1 || i == 0;

    for (unsigned v = 0; v < p->symbols.n_variables; v++) {
        struct sd_sum symbol = meet(p, i, v);

        if (!is_patient && merges && in[v].base != SD_NO_BASE &&
            !sd_sums_equal(in[v], symbol))
            symbol = merged(p, i, v);
        in[v] = symbol;
    }
}

/* Interprets a block again.  Returns true if symbols after it changed. */
static bool settle_block(struct sd_places *p, uint32_t i, bool is_patient)
{
    struct sd_place_block *b = &p->code.blocks[i];
    struct sd_sum row[SD_FIRST_MERGE];
    size_t size = p->symbols.n_variables * sizeof row[0];
    bool is_new;

    b->is_dirty = false;
    merge(p, i, is_patient);
    memcpy(row, sd_places_row(p, p->symbols.in, i), size);
    sd_places_interpret(p, i, row, false);
    is_new = !b->is_placed;
    for (unsigned v = 0; v < p->symbols.n_variables && !is_new; v++)
        is_new = !sd_sums_equal(row[v], sd_places_row(p, p->symbols.out, i)[v]);
    b->is_placed = true;
    if (!is_new)
        return false;
    memcpy(sd_places_row(p, p->symbols.out, i), row, size);
    for (uint32_t k = b->first_way; k < b->first_way + b->n_ways; k++)
        p->code.blocks[p->code.ways[k].to].is_dirty = true;
    return true;
}

/* Returns false if symbols still change after all passes. */
static bool settle(struct sd_places *p)
{
    bool changes = true;

    for (unsigned pass = 0; pass < MOST_PASSES && changes; pass++) {
        changes = false;
        for (size_t k = 0; k < p->code.n_blocks; k++)
            if (p->code.blocks[p->code.order[k]].is_dirty)
                changes |=
                    settle_block(p, p->code.order[k], pass < PATIENT_PASSES);
    }
    return !changes;
}

/* Appends the events of all blocks. */
static void emit(struct sd_places *p)
{
    struct sd_sum row[SD_FIRST_MERGE];

    for (uint32_t i = 0; i < p->code.n_blocks; i++) {
        p->code.blocks[i].first_event = (uint32_t)p->graph.n_events;
        memcpy(row, sd_places_row(p, p->symbols.in, i),
               p->symbols.n_variables * sizeof row[0]);
        sd_places_interpret(p, i, row, true);
        p->code.blocks[i].n_events =
            (uint32_t)p->graph.n_events - p->code.blocks[i].first_event;
    }
}

/* Gives each kind of base its range of numbers. */
static void number_bases(struct sd_places *p)
{
    uint32_t cells = (uint32_t)(p->code.n_blocks * p->symbols.n_variables);

    p->bases.first_call = SD_FIRST_MERGE + cells;
    p->bases.first_result = p->bases.first_call + cells;
    p->bases.first_content = p->bases.first_result + (uint32_t)p->code.n_ops;
}

/* Makes room for n symbols, none of them known. */
static struct sd_sum *rows(struct sd_sum *old, size_t *room, size_t n)
{
    old = memory_grow(old, room, n, sizeof *old);
    memset(old, 0, n * sizeof *old);
    return old;
}

bool sd_places_of(struct sd_places *p, uint32_t routine)
{
    struct sd_flow_graph *g = &p->graph;

    g->n_blocks = g->n_events = g->n_ways = g->n_bases = 0;
    p->is_cut = false;
    p->symbols.n_slots = 0;
    p->contents.n = 0;
    memset(p->contents.table, 0,
           ((size_t)1 << CONTENT_BITS) * sizeof *p->contents.table);
    if (!sd_places_collect(p, routine) ||
        p->code.n_blocks * p->symbols.n_variables > MOST_CELLS ||
        p->code.n_ops > MOST_CELLS)
        return false;
    number_bases(p);
    p->symbols.in = rows(p->symbols.in, &p->symbols.in_room,
                         p->code.n_blocks * p->symbols.n_variables);
    p->symbols.out = rows(p->symbols.out, &p->symbols.out_room,
                          p->code.n_blocks * p->symbols.n_variables);
    if (!settle(p))
        return false;
    emit(p);
    sd_places_finish(p);
    return true;
}
