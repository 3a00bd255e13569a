/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cy_simulate.h"

struct trail {
    struct cy_trail_insn {
        uint32_t insn;
        struct cy_left left;
    } * list, *changed; /* what each instruction finds, and what it leaves if
                           that is something else */
    size_t n, n_changed, changed_room;
    double cycles;
    bool has_failed; /* a forward fails */
    uint8_t *places; /* of its accesses and code; NULL: all are near */
    size_t n_accesses, n_code;
};

struct cy_trails {
    struct trail *list; /* by window */
    size_t n, n_insns;
    size_t n_begun;
    size_t *seen; /* by instruction: n_begun of the last window that has it */
};

struct cy_trails *cy_trails_new(size_t n_windows, size_t n_insns)
{
    struct cy_trails *t = memory_new(1, sizeof *t);

    t->list = memory_new(n_windows, sizeof *t->list);
    t->n = n_windows;
    t->n_insns = n_insns;
    return t;
}

static bool is_same(const struct cy_left *a, const struct cy_left *b)
{
    const struct cy_learnt *x = &a->learnt, *y = &b->learnt;

    return x->distance.which == y->distance.which &&
           x->distance.repeats == y->distance.repeats &&
           x->store.which == y->store.which &&
           x->store.repeats == y->store.repeats &&
           x->is_renamed == y->is_renamed && a->met == b->met &&
           a->known == b->known && a->went == b->went;
}

static void trail_fini(struct trail *trail)
{
    free(trail->list);
    free(trail->changed);
    free(trail->places);
    *trail = (struct trail){.list = NULL};
}

void cy_trails_forget(struct cy_trails *t)
{
    for (size_t i = 0; i < t->n; i++)
        trail_fini(&t->list[i]);
}

void cy_trails_free(struct cy_trails *t)
{
    if (t == NULL)
        return;
    cy_trails_forget(t);
    free(t->list);
    free(t->seen);
    free(t);
}

static void take_places(struct trail *trail, const struct cy_recorded *window,
                        const struct cy_found *found)
{
    trail->n_accesses = window->executed[window->n].first_access;
    trail->n_code = window->n;
    trail->places = memory_new(trail->n_accesses + trail->n_code, 1);
    memcpy(trail->places, found->accesses, trail->n_accesses);
    memcpy(trail->places + trail->n_accesses, found->code, trail->n_code);
}

void cy_trail_begin(struct cy_trails *t, size_t number,
                    const struct cy_pipeline *core,
                    const struct cy_recorded *window,
                    const struct cy_found *found)
{
    struct trail *trail = &t->list[number];
    size_t room = 0;

    assert(number < t->n);
    if (t->seen == NULL)
        t->seen = memory_new(t->n_insns, sizeof *t->seen);
    trail_fini(trail);
    if (found != NULL)
        take_places(trail, window, found);
    t->n_begun++;
    for (size_t i = 0; i < window->n; i++) {
        uint32_t insn = window->executed[i].insn;

        if (t->seen[insn] == t->n_begun)
            continue;
        t->seen[insn] = t->n_begun;
        array_push(trail->list, trail->n, room,
                   (struct cy_trail_insn){insn, cy_pipeline_left(core, insn)});
    }
}

void cy_trail_end(struct cy_trails *t, size_t number,
                  const struct cy_pipeline *core, double cycles)
{
    struct trail *trail = &t->list[number];

    assert(trail->n > 0);
    for (size_t i = 0; i < trail->n; i++) {
        struct cy_trail_insn now = trail->list[i];

        now.left = cy_pipeline_left(core, now.insn);
        if (!is_same(&now.left, &trail->list[i].left))
            array_append(trail, changed, now);
    }
    trail->cycles = cycles;
    trail->has_failed = core->has_failed;
}

/* Are all lines where they were? */
static bool has_places(const struct trail *trail, const struct cy_found *found)
{
    if (found == NULL || trail->places == NULL)
        return found == NULL && trail->places == NULL;
    return memcmp(trail->places, found->accesses, trail->n_accesses) == 0 &&
           memcmp(trail->places + trail->n_accesses, found->code,
                  trail->n_code) == 0;
}

/* Can the fix change what happens in the window? */
static bool is_changed(const struct trail *trail,
                       const struct cy_pipeline *core, const struct cy_fix *fix,
                       const struct cy_found *found)
{
    bool is_for_all = fix->parts == NULL && fix->kind != CY_FIX_NONE &&
                      (fix->kind != CY_FIX_WIDE || trail->has_failed);

    if (trail->n == 0 || is_for_all || !has_places(trail, found))
        return true;
    for (size_t i = 0; i < trail->n; i++) {
        const struct cy_trail_insn *own = &trail->list[i];
        struct cy_left left = cy_pipeline_left(core, own->insn);

        if ((fix->parts != NULL && fix->parts[own->insn]) ||
            !is_same(&left, &own->left))
            return true;
    }
    return false;
}

bool cy_trail_take(const struct cy_trails *t, size_t number,
                   struct cy_pipeline *core, const struct cy_fix *fix,
                   const struct cy_found *found, struct cy_outcome *outcome)
{
    const struct trail *trail = &t->list[number];

    assert(number < t->n);
    if (is_changed(trail, core, fix, found))
        return false;
    for (size_t i = 0; i < trail->n_changed; i++)
        cy_pipeline_set_left(core, trail->changed[i].insn,
                             &trail->changed[i].left);
    outcome->cycles += trail->cycles;
    return true;
}
