/* cy_state: a core is made, keeps what a window leaves to later ones, and
 * forgets the rest when the next one begins. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cy_pipeline.h"

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

struct cy_left cy_pipeline_left(const struct cy_pipeline *c, uint32_t insn)
{
    const struct cy_steer *steer = &c->fetch.steer;

    return (struct cy_left){
        .learnt = *cy_habits_of(c->habits, insn),
        .met = c->met[insn],
        .known = steer->known != NULL ? steer->known[insn] : 0,
        .went = steer->known != NULL ? steer->went[insn] : 0};
}

void cy_pipeline_set_left(struct cy_pipeline *c, uint32_t insn,
                          const struct cy_left *left)
{
    struct cy_steer *steer = &c->fetch.steer;

    *cy_habits_of(c->habits, insn) = left->learnt;
    c->met[insn] = left->met;
    if (steer->known == NULL)
        return;
    steer->known[insn] = left->known;
    steer->went[insn] = left->went;
}

void cy_pipeline_restart(struct cy_pipeline *c)
{
    const struct cy_facts *facts = cy_machine_facts(c->recipes->model->machine);

    cy_pipeline_enter(c);
    c->n_stores = 0;
    c->n_prefetched = 0;
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
