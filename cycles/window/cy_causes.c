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

#include "memory.h"

uint32_t cy_events_add(struct cy_events *events, struct cy_event event)
{
    events->list = memory_grow(events->list, &events->room, events->n,
                               sizeof *events->list);
    if (events->n == 0) /* CY_NO_EVENT */
        events->list[events->n++] = (struct cy_event){.insn = CY_NO_INSN};
    events->list = memory_grow(events->list, &events->room, events->n,
                               sizeof *events->list);
    assert(event.from < events->n);
    assert(event.time >= events->list[event.from].time);
    events->list[events->n] = event;
    return (uint32_t)events->n++;
}

void cy_causes_of(struct cy_outcome *outcome, const struct cy_events *events,
                  uint32_t last, double begin, double end)
{
    for (uint32_t at = last; at != CY_NO_EVENT && end > begin;) {
        const struct cy_event *e = &events->list[at];
        double from = events->list[e->from].time, unit;

        if (from < begin)
            from = begin;
        /* The unit is waited for before the work. */
        unit = fmin(fmax(events->list[e->from].time + e->delay - from, 0),
                    fmax(end - from, 0));
        outcome->causes[CY_CAUSE_UNITS] += outcome->weight * unit;
        if (end - from - unit > 0) {
            double rest = outcome->weight * (end - from - unit);

            outcome->causes[e->cause] += rest;
            if (e->store != CY_NO_INSN)
                cy_outcome_pair(outcome, e->store, e->insn,
                                e->cause == CY_CAUSE_FAILED, rest, 0);
        }
        if (from < end)
            end = from;
        at = e->from;
    }
    /* What is left is before the first event. */
    if (end > begin)
        outcome->causes[CY_CAUSE_DISPATCH] += outcome->weight * (end - begin);
}
