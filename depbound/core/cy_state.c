/* cy_state: a core is made, keeps what a window leaves to later ones, and
   forgets the rest when the next one begins; and which windows a fix leaves as
   they are. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cy_simulate.h"

/* Makes room for what each instruction owes, which its recipe does not tell. */
static void take_owed(struct cy_pipeline *c)
{
    size_t n = 0;

    c->first_owed = memory_new(c->recipes->n_insns, sizeof *c->first_owed);
    for (uint32_t i = 0; i < c->recipes->n_insns; i++) {
        c->first_owed[i] = (uint32_t)n;
        n += cy_recipe_of(c->recipes, i)->n_pieces;
    }
    assert(n < UINT32_MAX);
    c->owed = memory_new(n, sizeof *c->owed);
}

static void take_fetch(struct cy_pipeline *c, const struct cy_model *model)
{
    size_t n = c->recipes->n_insns;
    AUTO_FREE uint64_t *places = memory_new(n, sizeof *places);

    for (size_t i = 0; i < n; i++)
        places[i] = cy_place_of(&c->recipes->insns[i]);
    cy_fetch_init(&c->fetch, model, places, n);
}

struct cy_pipeline *cy_pipeline_new(const struct cy_recipes *recipes,
                                    const struct cy_model *model)
{
    struct cy_pipeline *c = memory_new(1, sizeof *c);
    const struct cy_window *sizes = &cy_machine_facts(model->machine)->window;

    c->recipes = recipes;
    c->counts = memory_new(recipes->n_insns, sizeof *c->counts);
    take_owed(c);
    c->early = memory_new(recipes->n_insns, sizeof *c->early);
    c->met = memory_new(recipes->n_insns, sizeof *c->met);
    c->load_bases = memory_new(recipes->n_insns, sizeof *c->load_bases);
    c->store_bases = memory_new(recipes->n_insns, sizeof *c->store_bases);
    c->read_in = memory_new(recipes->n_insns, sizeof *c->read_in);
    c->written = cy_written_new();
    c->habits = cy_habits_new(recipes->n_insns, sizes->renamed_after);
    c->penalty = sizes->misprediction;
    c->vector_penalty = sizes->vector_misprediction;
    c->penalty_is_typical = c->penalty <= 0;
    if (c->penalty_is_typical)
        c->penalty = CY_TYPICAL_PENALTY;
    c->load_completion = sizes->store_completion > 0 ? 0 : 1;
    c->store_completion = fmax(1, sizes->store_completion);
    c->memory = &cy_machine_facts(model->machine)->memory;
    if (c->memory->misses == 0)
        c->memory = NULL;
    assert(recipes->n_insns > 0 && c->penalty > 0);
    take_fetch(c, model);
    cy_buffers_init(&c->buffers, sizes);
    return c;
}

void cy_pipeline_free(struct cy_pipeline *c)
{
    if (c == NULL)
        return;
    free(c->counts);
    free(c->owed);
    free(c->first_owed);
    free(c->early);
    free(c->early_loads);
    free(c->met);
    free(c->load_bases);
    free(c->store_bases);
    free(c->read_in);
    cy_habits_free(c->habits);
    cy_written_free(c->written);
    keys_fini(&c->asked_keys);
    free(c->answers);
    cy_fetch_fini(&c->fetch);
    cy_buffers_fini(&c->buffers);
    cy_calls_fini(&c->calls);
    free(c->events.list);
    free(c->stores);
    free(c);
}

void cy_pipeline_enter(struct cy_pipeline *c)
{
    for (unsigned i = 0; i < FLOW_WORDS; i++)
        cy_word_forget(c, i);
}

void cy_pipeline_forget(struct cy_pipeline *c)
{
    struct cy_steer *steer = &c->fetch.steer;

    cy_habits_begin(c->habits);
    memset(c->met, 0, c->recipes->n_insns * sizeof *c->met);
    if (steer->known == NULL)
        return;
    memset(steer->known, 0, c->recipes->n_insns * sizeof *steer->known);
    memset(steer->went, 0, c->recipes->n_insns * sizeof *steer->went);
}

void cy_pipeline_restart(struct cy_pipeline *c)
{
    const struct cy_facts *facts = cy_machine_facts(c->recipes->model->machine);

    cy_pipeline_enter(c);
    c->n_stores = 0;
    c->n_prefetched = c->n_strays = 0;
    cy_events_clear(&c->events, c->fix->is_brief);
    c->leaving = (struct cy_leaving){0};
    c->dispatched = c->retired = c->left = c->ordered = c->placed =
        (struct cy_moment){0};
    for (size_t i = 0; i < c->n_early_loads; i++)
        c->early[c->early_loads[i]] = (struct cy_early){0};
    c->n_early_loads = 0;
    memset(c->uppers, 0, sizeof c->uppers);
    c->window++;
    c->is_load_early = c->has_failed = false;
    c->cycles_before = c->waiting = 0;
    c->begun = 0;
    c->n_begun = 0;
    cy_written_clear(c->written);
    cy_units_init(&c->units,
                  cy_binds_units(facts) ? c->recipes->model->adders : 0,
                  facts->units_by_queue);
    cy_fetch_restart(&c->fetch);
    cy_buffers_clear(&c->buffers);
    cy_caches_restart(&c->caches, c->memory);
    cy_calls_restart(&c->calls);
    c->entered = (struct cy_value){.origin = -1, .origin_insn = CY_NO_INSN};
}

/* --- Which windows a fix leaves as they are --- */

/* What an instruction leaves to later windows. */
struct left {
    struct cy_learnt learnt;
    enum cy_upper met;
    uint8_t known; /* as in struct cy_steer */
    uint32_t went;
};

static struct left left_of(const struct cy_pipeline *c, uint32_t insn)
{
    const struct cy_steer *steer = &c->fetch.steer;

    return (struct left){.learnt = *cy_habits_of(c->habits, insn),
                         .met = c->met[insn],
                         .known = steer->known != NULL ? steer->known[insn] : 0,
                         .went = steer->known != NULL ? steer->went[insn] : 0};
}

static void set_left(struct cy_pipeline *c, uint32_t insn,
                     const struct left *left)
{
    struct cy_steer *steer = &c->fetch.steer;

    *cy_habits_of(c->habits, insn) = left->learnt;
    c->met[insn] = left->met;
    if (steer->known == NULL)
        return;
    steer->known[insn] = left->known;
    steer->went[insn] = left->went;
}

struct trail {
    struct cy_trail_insn {
        uint32_t insn;
        struct left left;
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

static bool is_same(const struct left *a, const struct left *b)
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
                   (struct cy_trail_insn){insn, left_of(core, insn)});
    }
}

void cy_trail_end(struct cy_trails *t, size_t number,
                  const struct cy_pipeline *core, double cycles)
{
    struct trail *trail = &t->list[number];

    assert(trail->n > 0);
    for (size_t i = 0; i < trail->n; i++) {
        struct cy_trail_insn now = trail->list[i];

        now.left = left_of(core, now.insn);
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
        struct left left = left_of(core, own->insn);

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
        set_left(core, trail->changed[i].insn, &trail->changed[i].left);
    outcome->cycles += trail->cycles;
    return true;
}
