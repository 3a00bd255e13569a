/*
 * sd_places: the blocks of a function -> a graph whose accesses have places.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "reach/sd_places.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "memory.h"

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
    p->n_registers = p->abi.end - p->abi.first;
    p->n_variables = p->n_registers + SD_MOST_SLOTS;
    assert(p->n_variables <= SD_FIRST_MERGE - SD_FIRST_ENTRY);
    p->numbers = memory_new(program->cfg->n_nodes + 1, sizeof *p->numbers);
    p->parts = memory_new(program->n_routines + 1u, sizeof *p->parts);
    p->content_table =
        memory_new((size_t)1 << CONTENT_BITS, sizeof *p->content_table);
    for (uint32_t i = 0; i < program->n_routines; i++)
        p->parts[i] = SD_NO_ROUTINE;
    for (uint32_t i = program->n_routines; i-- > 0;) {
        uint32_t whole = program->routines[i].whole;

        if (whole != i) {
            p->parts[i] = p->parts[whole];
            p->parts[whole] = i;
        }
    }
}

void sd_places_fini(struct sd_places *p)
{
    sd_flow_graph_fini(&p->graph);
    free(p->parts);
    free(p->numbers);
    free(p->blocks);
    free(p->ways);
    free(p->arrivals);
    free(p->order);
    free(p->in);
    free(p->out);
    free(p->temps);
    free(p->contents);
    free(p->content_table);
    free(p->born);
    free(p->bases);
    *p = (struct sd_places){0};
}

static size_t content_spot(const struct sd_places *p, struct sd_sum place)
{
    size_t mask = ((size_t)1 << CONTENT_BITS) - 1;
    uint64_t key = (uint64_t)place.base ^
                   ((uint64_t)place.offset * UINT64_C(0xd6e8feb86659fd93));
    size_t i = hash_place(key, CONTENT_BITS);

    for (; p->content_table[i] != 0; i = (i + 1) & mask) {
        const struct sd_content *c = &p->contents[p->content_table[i] - 1];

        if (c->place.base == place.base && c->place.offset == place.offset)
            break;
    }
    return i;
}

uint32_t sd_places_content(struct sd_places *p, struct sd_sum place, bool makes)
{
    size_t i = content_spot(p, place);
    unsigned depth = 1;

    if (p->content_table[i] != 0)
        return p->first_content + p->content_table[i] - 1;
    if (place.base >= p->first_content)
        depth += p->contents[place.base - p->first_content].depth;
    if (!makes || place.base == SD_NO_BASE || depth > 3 ||
        2 * p->n_contents >= (size_t)1 << CONTENT_BITS)
        return SD_NO_BASE;
    p->contents = memory_grow(p->contents, &p->contents_room, p->n_contents,
                              sizeof *p->contents);
    p->contents[p->n_contents++] = (struct sd_content){place, depth};
    p->content_table[i] = (uint32_t)p->n_contents;
    return p->first_content + p->content_table[i] - 1;
}

uint32_t sd_places_frame(const struct sd_places *p)
{
    return SD_FIRST_ENTRY + p->abi.stack_pointer - p->abi.first;
}

unsigned sd_places_slot(struct sd_places *p, struct sd_sum place, bool makes)
{
    if (place.base != sd_places_frame(p) || place.offset % 8 != 0)
        return UINT_MAX;
    for (unsigned i = 0; i < p->n_slots; i++)
        if (p->slots[i] == place.offset)
            return p->n_registers + i;
    if (!makes || p->n_slots == SD_MOST_SLOTS)
        return UINT_MAX;
    p->slots[p->n_slots] = place.offset;
    return p->n_registers + p->n_slots++;
}

static bool same(struct sd_sum a, struct sd_sum b)
{
    return a.base == b.base && a.offset == b.offset;
}

static struct sd_sum merged(const struct sd_places *p, uint32_t i, unsigned v)
{
    return (struct sd_sum){0, SD_FIRST_MERGE + i * p->n_variables + v};
}

/* What a variable has before a block. */
static struct sd_sum meet(const struct sd_places *p, uint32_t i, unsigned v)
{
    const struct sd_place_block *b = &p->blocks[i];
    struct sd_sum symbol = {0, SD_NO_BASE};

    if (i == 0)
        symbol.base = SD_FIRST_ENTRY + v;
    else if (b->is_root)
        return merged(p, i, v);
    for (uint32_t k = 0; k < b->n_arrivals; k++) {
        uint32_t from = p->ways[p->arrivals[b->first_arrival + k]].from;
        struct sd_sum s = sd_places_row(p, p->out, from)[v];

        if (!p->blocks[from].is_placed || s.base == SD_NO_BASE)
            continue;
        if (symbol.base == SD_NO_BASE)
            symbol = s;
        else if (!same(symbol, s))
            return merged(p, i, v);
    }
    return symbol;
}

static void arrive(struct sd_places *p, uint32_t i, bool is_patient)
{
    struct sd_place_block *b = &p->blocks[i];
    struct sd_sum *in = sd_places_row(p, p->in, i);
    bool merges = b->n_arrivals > 1 || i == 0;

    for (unsigned v = 0; v < p->n_variables; v++) {
        struct sd_sum symbol = meet(p, i, v);

        if (!is_patient && merges && in[v].base != SD_NO_BASE &&
            !same(in[v], symbol))
            symbol = merged(p, i, v);
        in[v] = symbol;
    }
}

static bool settle_block(struct sd_places *p, uint32_t i, bool is_patient)
{
    struct sd_place_block *b = &p->blocks[i];
    struct sd_sum row[SD_FIRST_MERGE];
    size_t size = p->n_variables * sizeof row[0];
    bool is_new;

    b->is_dirty = false;
    arrive(p, i, is_patient);
    memcpy(row, sd_places_row(p, p->in, i), size);
    sd_places_interpret(p, i, row, false);
    is_new = !b->is_placed;
    for (unsigned v = 0; v < p->n_variables && !is_new; v++)
        is_new = !same(row[v], sd_places_row(p, p->out, i)[v]);
    b->is_placed = true;
    if (!is_new)
        return false;
    memcpy(sd_places_row(p, p->out, i), row, size);
    for (uint32_t k = b->first_way; k < b->first_way + b->n_ways; k++)
        p->blocks[p->ways[k].to].is_dirty = true;
    return true;
}

/* False: symbols still change. */
static bool settle(struct sd_places *p)
{
    bool changes = true;

    for (unsigned pass = 0; pass < MOST_PASSES && changes; pass++) {
        changes = false;
        for (size_t k = 0; k < p->n_blocks; k++)
            if (p->blocks[p->order[k]].is_dirty)
                changes |= settle_block(p, p->order[k], pass < PATIENT_PASSES);
    }
    return !changes;
}

static void emit(struct sd_places *p)
{
    struct sd_sum row[SD_FIRST_MERGE];

    for (uint32_t i = 0; i < p->n_blocks; i++) {
        p->blocks[i].first_event = (uint32_t)p->graph.n_events;
        memcpy(row, sd_places_row(p, p->in, i), p->n_variables * sizeof row[0]);
        sd_places_interpret(p, i, row, true);
        p->blocks[i].n_events =
            (uint32_t)p->graph.n_events - p->blocks[i].first_event;
    }
}

/* Numbers for the bases. */
static void number(struct sd_places *p)
{
    uint32_t cells = (uint32_t)(p->n_blocks * p->n_variables);

    p->first_call = SD_FIRST_MERGE + cells;
    p->first_result = p->first_call + cells;
    p->first_content = p->first_result + (uint32_t)p->n_ops;
}

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
    p->n_slots = 0;
    p->n_contents = 0;
    memset(p->content_table, 0,
           ((size_t)1 << CONTENT_BITS) * sizeof *p->content_table);
    if (!sd_places_collect(p, routine) ||
        p->n_blocks * p->n_variables > MOST_CELLS || p->n_ops > MOST_CELLS)
        return false;
    number(p);
    p->in = rows(p->in, &p->in_room, p->n_blocks * p->n_variables);
    p->out = rows(p->out, &p->out_room, p->n_blocks * p->n_variables);
    if (!settle(p))
        return false;
    emit(p);
    sd_places_finish(p);
    return true;
}
