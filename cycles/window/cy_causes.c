/*
 * cy_causes: what time was spent on.
 *
 * Each event has the time of its last wait's end, and that wait began at an
 * earlier event.  So the waits from the last event back to the first follow one
 * another without a gap, and add up to all the time.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "window/internal.h"

#include <assert.h>
#include <math.h>

#include "array.h"
#include "memory.h"

void cy_events_grow(struct cy_events *events)
{
    events->list = memory_grow(events->list, &events->room, events->n,
                               sizeof *events->list);
}

void cy_events_clear(struct cy_events *events)
{
    events->n = CY_NO_EVENT;
    *cy_events_new(events) = (struct cy_event){.insn = CY_NO_INSN};
}

/* Adds a part of the time before an event. */
static void add(struct cy_outcome *outcome, const struct cy_events *events,
                const struct cy_event *e, enum cy_cause cause, double cycles)
{
    if (cycles <= 0)
        return;
    cycles *= outcome->weight;
    outcome->causes[cause] += cycles;
    cy_outcome_hop(outcome,
                   (struct cy_hop){.from = events->list[e->from].insn,
                                   .to = e->insn,
                                   .store = cause == CY_CAUSE_UNITS ? CY_NO_INSN
                                                                    : e->store,
                                   .cause = cause,
                                   .cycles = cycles});
}

void cy_causes_of(struct cy_outcome *outcome, const struct cy_events *events,
                  uint32_t last, double begin, double end)
{
    static const struct cy_event first = {.insn = CY_NO_INSN,
                                          .store = CY_NO_INSN};

    for (uint32_t at = last; at != CY_NO_EVENT && end > begin;) {
        const struct cy_event *e = &events->list[at];
        double before = events->list[e->from].time, from = fmax(before, begin),
               unit;

        assert(e->from < at && before <= e->time);
        /* The unit is waited for before the work. */
        unit = fmin(fmax(before + e->delay - from, 0), fmax(end - from, 0));
        add(outcome, events, e, CY_CAUSE_UNITS, unit);
        add(outcome, events, e, e->cause, end - from - unit);
        end = fmin(end, from);
        at = e->from;
    }
    /* What is left is before the first event. */
    add(outcome, events, &first, CY_CAUSE_DISPATCH, end - begin);
}

static void add_leg(struct cy_outcome *o, const struct cy_event *e,
                    const struct cy_event *from, enum cy_cause cause,
                    double cycles)
{
    array_append(o, way,
                 (struct cy_leg){.from = from->insn,
                                 .to = e->insn,
                                 .store = cause == CY_CAUSE_UNITS ? CY_NO_INSN
                                                                  : e->store,
                                 .begun = from->number,
                                 .ended = e->number,
                                 .cause = cause,
                                 .retires = e->retires,
                                 .cycles = cycles});
}

void cy_way_of(struct cy_outcome *o, const struct cy_events *events,
               uint32_t last)
{
    for (uint32_t at = last; at != CY_NO_EVENT;) {
        const struct cy_event *e = &events->list[at],
                              *from = &events->list[e->from];
        double cycles = e->time - from->time, unit = fmin(e->delay, cycles);

        add_leg(o, e, from, e->cause, cycles - unit);
        if (unit > 0)
            add_leg(o, e, from, CY_CAUSE_UNITS, unit);
        at = e->from;
    }
}
