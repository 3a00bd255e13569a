/*
 * cy_fetch: what the way of instructions to the dispatch costs.
 *
 * A processor fetches what lies between two taken branches as a unit, so a
 * short run costs what the machine file says of a loop's round of as many
 * places; a longer one its places by the width; or both what their lines of
 * code do.  Fetching goes on while the dispatch waits for room, however
 * long.
 *
 * Limits: code that is not in a loop counts as if it were.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "window/internal.h"

#include <assert.h>
#include <math.h>

void cy_fetch_init(struct cy_fetch *f, const struct cy_model *model,
                   size_t n_insns)
{
    const struct cy_dispatch *d =
        model->machine != NULL ? &cy_machine_facts(model->machine)->dispatch
                               : NULL;

    *f = (struct cy_fetch){.width = cy_model_width(model)};
    if (d != NULL && !isnan(d->width))
        f->dispatch = d;
    f->most = f->width;
    for (size_t i = 0; f->dispatch != NULL && i < d->n_rounds; i++)
        f->most = fmax(f->most, (double)(i + 1) / d->rounds[i]);
    assert(f->most > 0);
    cy_steer_init(&f->steer, model->machine, n_insns);
}

void cy_fetch_fini(struct cy_fetch *f)
{
    cy_steer_fini(&f->steer);
}

void cy_fetch_restart(struct cy_fetch *f)
{
    f->begin = (struct cy_moment){0};
    f->end = f->cost = f->places = f->done = f->known = 0;
    cy_steer_restart(&f->steer, 0);
    f->is_anew = false;
}

static bool has_lines(const struct cy_fetch *f)
{
    return f->dispatch != NULL && f->dispatch->line_places > 0;
}

void cy_fetch_begin(struct cy_fetch *f)
{
    f->places = 0;
    if (has_lines(f))
        cy_lines_begin(&f->lines, f->dispatch);
}

void cy_fetch_add(struct cy_fetch *f, uint64_t address, unsigned places)
{
    f->places += places;
    if (has_lines(f))
        cy_lines_add(&f->lines, address, places);
}

void cy_fetch_branch(struct cy_fetch *f, uint32_t insn, enum cy_branch kind,
                     bool is_taken)
{
    cy_steer_branch(&f->steer, insn, kind, is_taken);
}

static double cost_of(struct cy_fetch *f)
{
    size_t whole = (size_t)ceil(fmax(f->places, 1) - 0.01);

    assert(f->width > 0 && f->places >= 0);
    if (has_lines(f))
        return fmax(cy_lines_end(&f->lines),
                    f->steer.branches > 0 ? 1.0 / f->steer.branches : 1);
    return f->dispatch != NULL && whole <= f->dispatch->n_rounds
               ? f->dispatch->rounds[whole - 1]
               : f->places / f->width;
}

void cy_fetch_run(struct cy_fetch *f, struct cy_events *events)
{
    if (!f->is_anew) {
        f->begin.time = fmax(f->end, f->known);
        *cy_events_new(events) = (struct cy_event){
            .time = f->begin.time,
            .from = f->begin.event,
            .insn = CY_NO_INSN,
            .store = CY_NO_INSN,
            .cause = (uint8_t)(f->known > f->end ? CY_CAUSE_FETCH : f->cause)};
        f->begin.event = cy_events_last(events);
    }
    f->is_anew = false;
    f->done = 0;
    f->cost = cost_of(f);
    f->cause = f->cost > f->places / f->width + 1e-9 ? CY_CAUSE_FETCH
                                                     : CY_CAUSE_DISPATCH;
    f->end = f->begin.time + f->cost;
    cy_steer_fetched(&f->steer, f->begin.time);
    f->known = f->steer.time;
}

struct cy_moment cy_fetch_next(struct cy_fetch *f, double places)
{
    double time = f->begin.time;

    if (f->places > 0)
        time += f->cost * f->done / f->places;
    f->done += places;
    return (struct cy_moment){time, f->begin.event};
}

void cy_fetch_rest(struct cy_fetch *f, struct cy_moment at)
{
    double before = f->places > 0 ? f->cost * f->done / f->places : 0;

    f->begin = (struct cy_moment){at.time - before, at.event};
    f->end = fmax(at.time, f->begin.time + f->cost);
    cy_steer_restart(&f->steer, at.time);
    f->known = f->steer.time;
}

void cy_fetch_again(struct cy_fetch *f, struct cy_moment at)
{
    f->begin = at;
    f->is_anew = true;
    cy_steer_restart(&f->steer, at.time);
}
