/*
 * cy_beyond: waits for lines and pages that are not in the first caches.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>

#include "array.h"
#include "core/cy_pipeline.h"

uint32_t cy_pipeline_origin(const struct cy_pipeline *c,
                            const struct cy_needs *address)
{
    const struct cy_value *last = NULL;

    for (unsigned i = 0; i < address->n; i++) {
        const struct cy_value *v =
            &c->words[c->recipes->words[address->first + i]];

        if (v->origin_insn != CY_NO_INSN &&
            (last == NULL || v->origin > last->origin))
            last = v;
    }
    return last != NULL ? last->origin_insn : CY_NO_INSN;
}

static bool is_fixed(const struct cy_pipeline *c, enum cy_fix_kind kind)
{
    return c->fix->kind == kind &&
           (c->fix->parts == NULL || c->fix->parts[c->insn]);
}

static void note(struct cy_pipeline *c, struct cy_missed missed)
{
    struct cy_outcome *o = c->outcome;

    missed.insn = c->insn;
    missed.weight = (float)o->weight;
    if (c->is_counted && missed.place != 0 && !c->fix->is_brief)
        array_append(o, away, missed);
}

/* Adds a wait of so many cycles for a line that `asker` asked for. */
static void wait(struct cy_pipeline *c, struct cy_moment *at,
                 enum cy_cause cause, double cycles, uint32_t asker)
{
    if (cycles <= 0)
        return;
    *at = cy_pipeline_event(c, at->time + cycles, *at, cause, 0);
    c->events.list[at->event].store = asker;
}

struct cy_moment cy_pipeline_line(struct cy_pipeline *c, enum cy_missing kind,
                                  unsigned access, uint64_t address,
                                  uint32_t origin, double time,
                                  struct cy_moment at)
{
    size_t number = c->first_access + access;
    struct cy_missed missed = {.kind = kind, .origin = origin};
    struct cy_arrived arrived;

    if (c->found == NULL || c->fix->kind == CY_FIX_FREE ||
        address == CY_NOT_DONE || access == CY_NO_ACCESS ||
        is_fixed(c, CY_FIX_CACHED))
        return at;
    missed.place = c->found->accesses[number];
    missed.distance = c->found->distances[number];
    arrived = cy_caches_line(
        &c->caches,
        &(struct cy_asked_line){address, time, c->insn, missed.place,
                                is_fixed(c, CY_FIX_EARLY)});
    if (arrived.is_new)
        note(c, missed);
    assert(time <= arrived.page && arrived.page <= arrived.there);
    assert(arrived.level <= CY_BEYOND);
    wait(c, &at, CY_CAUSE_PAGES, arrived.page - time, c->insn);
    wait(c, &at, CY_CAUSE_L2 + (arrived.level > 0 ? arrived.level - 1 : 0),
         arrived.there - arrived.page, arrived.asker);
    return at;
}

void cy_pipeline_code(struct cy_pipeline *c, size_t i)
{
    struct cy_moment at;
    double cycles;

    if (c->found == NULL || CY_LEVEL(c->found->code[i]) == 0 ||
        (c->fix->kind == CY_FIX_CACHED && c->fix->parts == NULL))
        return;
    note(c, (struct cy_missed){.kind = CY_MISSING_CODE,
                               .origin = CY_NO_INSN,
                               .place = c->found->code[i],
                               .distance = c->found->code_distances[i]});
    cycles = cy_caches_code(&c->caches, c->found->code[i]);
    at = cy_fetch_next(&c->fetch, 0);
    at = cy_pipeline_event(c, at.time, at, c->fetch.cause, 0);
    wait(c, &at, CY_CAUSE_CODE, cycles, CY_NO_INSN);
    cy_fetch_wait(&c->fetch, cycles, at);
}
