/*
 * sd_places_callee: the accesses of a function that a block calls.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "reach/internal.h"

#include <limits.h>

#include "array.h"

#define MOST_EVENTS  (1u << 20)
#define MOST_CALLEES SD_MOST_CANDIDATES /* of an indirect call */

/* The place of a callee's access, as the caller names it. */
static struct sd_sum translate(struct sd_places *p, const struct sd_sum *row,
                               const struct sd_impact *e)
{
    struct sd_sum place = {e->offsets[0], SD_ABSOLUTE};

    if (e->root != SD_ABSOLUTE)
        place = sd_sum_add(row[e->root - SD_FIRST_ENTRY], e->offsets[0]);
    for (uint32_t i = 1; i < e->n_steps; i++) {
        unsigned v = sd_places_slot(p, place, false);

        place = v != UINT_MAX
                    ? row[v]
                    : (struct sd_sum){0, sd_places_content(p, place, true)};
        if (place.base == SD_NO_BASE)
            break;
        place = sd_sum_add(place, e->offsets[i]);
    }
    return place;
}

struct callees {
    uint32_t list[MOST_CALLEES];
    unsigned n;
    bool is_cut; /* there are more */
};

static void add_callee(const struct sd_places *p, struct callees *c,
                       uint64_t address)
{
    const struct sd_program *program = p->program;
    uint64_t slot_value = sd_program_slot(program, address);
    uint32_t routine =
        sd_program_routine(program, slot_value != 0 ? slot_value : address);

    if (routine == SD_NO_ROUTINE)
        return;
    routine = program->routines[routine].whole;
    for (unsigned i = 0; i < c->n; i++)
        if (c->list[i] == routine)
            return;
    if (c->n == MOST_CALLEES)
        c->is_cut = true;
    else
        c->list[c->n++] = routine;
}

/* Adds the functions that tables of functions have at the offset from which the
   target was loaded. */
static void add_entries(const struct sd_places *p, struct callees *c,
                        struct sd_sum target)
{
    const struct sd_tables *tables = &p->program->tables;
    struct sd_sum place;
    size_t first, n;

    if (target.offset != 0 || target.base < p->bases.first_content ||
        target.base >= p->bases.first_content + p->contents.n)
        return;
    place = p->contents.list[target.base - p->bases.first_content].place;
    if (place.base == SD_ABSOLUTE)
        return;
    n = sd_tables_at(tables, place.offset, &first);
    for (size_t i = 0; i < n && !c->is_cut; i++)
        add_callee(p, c, tables->list[first + i].function);
}

static struct callees callees_of(const struct sd_places *p,
                                 const struct sd_place_block *block)
{
    const struct sd_chunk *chunk = block->chunk;
    struct callees c = {.n = 0};
    struct sd_sum target;

    switch (chunk->leaving) {
    case SD_LEAVES_BY_CALL:
        add_callee(p, &c, chunk->to[0]);
        break;
    case SD_LEAVES_BY_INDIRECT_CALL:
        if (!p->calls_tables)
            break;
        target = p->symbols.temps[chunk->target];
        if (target.base == SD_ABSOLUTE)
            add_callee(p, &c, (uint64_t)target.offset);
        else
            add_entries(p, &c, target);
        break;
    default:
        break;
    }
    if (c.is_cut)
        c.n = 0;
    return c;
}

/* Appends the loads, or the stores, of one callee. */
static void add_events(struct sd_places *p, struct sd_place_block *block,
                       const struct sd_sum *row,
                       const struct sd_impacts *impacts, bool stores)
{
    for (uint32_t k = 0; k < impacts->n; k++) {
        const struct sd_impact *e = &impacts->list[k];
        struct sd_event event = {.size = e->size,
                                 .insn = block->n_insns,
                                 .site = e->site,
                                 .is_store = e->is_store};

        if (e->is_store != stores)
            continue;
        event.place = translate(p, row, e);
        if (event.place.base == SD_NO_BASE)
            continue;
        if (!e->is_store)
            event.insn += e->n_insns;
        else if (impacts->n_insns > e->n_insns)
            event.insn += impacts->n_insns - e->n_insns;
        array_append(&p->graph, events, event);
    }
}

void sd_places_add_callee(struct sd_places *p, uint32_t i,
                          const struct sd_sum *row)
{
    struct sd_place_block *block = &p->code.blocks[i];
    struct callees c;

    if (p->find_impacts == NULL)
        return;
    c = callees_of(p, block);
    p->is_cut |= c.n > 0 && p->graph.n_events >= MOST_EVENTS;
    if (p->graph.n_events >= MOST_EVENTS)
        return;
    /* All loads come first, since only one of the callees is called. */
    for (unsigned k = 0; k < c.n; k++) {
        const struct sd_impacts *impacts =
            p->find_impacts(p->callees, c.list[k]);

        p->is_cut |= impacts->is_cut;
        if (k == 0 || impacts->n_insns < block->n_inside)
            block->n_inside = impacts->n_insns;
        add_events(p, block, row, impacts, false);
    }
    for (unsigned k = 0; k < c.n; k++)
        add_events(p, block, row, p->find_impacts(p->callees, c.list[k]), true);
}
