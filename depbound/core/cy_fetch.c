/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cy_fetch.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* Of a branch. */
#define WAYS     3 /* the counter: taken from 2 on */
#define IS_KNOWN 4

void cy_steer_init(struct cy_steer *s, const struct cy_machine *machine,
                   size_t n_insns)
{
    const struct cy_insn ret = {.mnemonic = "ret", .form = "", .bits = 64};
    double both;

    *s = (struct cy_steer){0};
    if (machine == NULL)
        return;
    s->branches = cy_machine_facts(machine)->dispatch.branches;
    if (s->branches == 0)
        return;
    if (cy_machine_occupancy(machine, &ret, &both))
        s->more = fmax(0, both / 2 - 1);
    s->known = memory_new(n_insns, 1);
}

void cy_steer_fini(struct cy_steer *s)
{
    free(s->known);
}

void cy_steer_restart(struct cy_steer *s, double time)
{
    s->time = time;
    s->left = 0;
    s->n_fetched = 0;
}

void cy_steer_fetched(struct cy_steer *s, double time)
{
    s->fetched[s->n_fetched++ % CY_STEERED] = time;
    if (s->n_fetched >= CY_STEERED)
        s->time = fmax(s->time, s->fetched[s->n_fetched % CY_STEERED]);
}

void cy_steer_branch(struct cy_steer *s, uint32_t insn, enum cy_branch kind,
                     bool is_taken)
{
    bool is_quick = true;

    assert(kind != CY_NO_BRANCH);
    if (s->branches == 0)
        return;
    if (kind == CY_CONDITIONAL) {
        uint8_t *known = &s->known[insn], ways = *known & WAYS;

        is_quick = (ways >= 2) == is_taken;
        if (is_taken)
            *known = IS_KNOWN | (ways < WAYS ? ways + 1 : ways);
        else if (ways > 0)
            --*known;
        /* What one branch a cycle does to those that go on was not measured. */
        if (!is_taken && ((*known & IS_KNOWN) == 0 || s->branches < 2))
            return;
    }
    if (s->left == 0) {
        s->time++;
        s->left = s->branches;
    }
    s->left--;
    if (!is_quick || kind >= CY_INDIRECT)
        s->left = 0;
    if (kind >= CY_DIRECT_CALL)
        s->time += s->more;
}

/* --- Runs --- */

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
