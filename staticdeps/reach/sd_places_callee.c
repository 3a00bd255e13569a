/*
 * sd_places_callee: what a function that a block calls accesses.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "reach/sd_impacts.h"

#include <limits.h>

#include "memory.h"

#define MOST_EVENTS (1u << 20)

/* The place of an access of the callee, in the caller's terms. */
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

static uint32_t callee(const struct sd_places *p, const struct sd_chunk *chunk)
{
    const struct sd_program *program = p->program;
    uint32_t routine = sd_program_routine(program, chunk->to[0]);
    uint64_t slot_value = sd_program_slot(program, chunk->to[0]);

    if (slot_value != 0)
        routine = sd_program_routine(program, slot_value);
    return routine != SD_NO_ROUTINE ? program->routines[routine].whole
                                    : SD_NO_ROUTINE;
}

void sd_places_add_callee(struct sd_places *p, uint32_t i,
                          const struct sd_sum *row)
{
    struct sd_flow_graph *g = &p->graph;
    struct sd_place_block *block = &p->blocks[i];
    const struct sd_impacts *impacts;
    uint32_t routine;

    if (p->callees == NULL || block->chunk->leaving != SD_LEAVES_BY_CALL)
        return;
    routine = callee(p, block->chunk);
    p->is_cut |= g->n_events >= MOST_EVENTS;
    if (routine == SD_NO_ROUTINE || g->n_events >= MOST_EVENTS)
        return;
    impacts = sd_impacts_of(p->callees, routine);
    p->is_cut |= impacts->is_cut;
    block->n_inside = impacts->n_insns;
    for (uint32_t k = 0; k < impacts->n; k++) {
        const struct sd_impact *e = &impacts->list[k];
        struct sd_event event = {.place = translate(p, row, e),
                                 .size = e->size,
                                 .insn = block->n_insns,
                                 .site = e->site,
                                 .is_store = e->is_store};

        if (event.place.base == SD_NO_BASE)
            continue;
        if (!e->is_store)
            event.insn += e->n_insns;
        else if (impacts->n_insns > e->n_insns)
            event.insn += impacts->n_insns - e->n_insns;
        g->events = memory_grow(g->events, &g->events_room, g->n_events,
                                sizeof *g->events);
        g->events[g->n_events++] = event;
    }
}
