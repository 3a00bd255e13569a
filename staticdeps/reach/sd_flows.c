/*
 * sd_flows: a function -> pairs that no walk shows, but its flow of data
 * allows.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "reach/sd_flows.h"

#include <stdlib.h>

#include "array.h"
#include "reach/internal.h"

/* Replaces SD_FLOW_DEPTH if only pairs within one function are wanted: a second
   level would add few pairs, all between two calls of a callee. */
#define NARROW_DEPTH 1

/* Few pairs are farther apart. */
#define MOST_INSNS 512u

/* The blocks of a function to look at: a number, and more for each block. */
#define MOST_LOOKS 1000000u
#define LOOKS      1000u

/* The first walks that came to a block. */
#define N_WALKS 4
struct sd_first_visits {
    uint8_t walks;                          /* a bit for each */
    uint16_t first[N_WALKS], last[N_WALKS]; /* as sd_visit has them */
};

void sd_flows_init(struct sd_flows *f, const struct sd_explorer *e)
{
    bool calls_tables = (e->effort.rules & SD_RULE_TABLES) != 0;
    bool is_narrow = e->effort.is_narrow;
    struct sd_flow_work *w = memory_new(1, sizeof *w);

    *f = (struct sd_flows){.is_complete = true, .work = w};
    sd_places_init(&w->places, e->program, e->chunks);
    w->places.calls_tables = calls_tables;
    for (unsigned i = 0; i < SD_FLOW_DEPTH; i++) {
        struct sd_places *places = &w->impacts[i].places;

        sd_impacts_init(&w->impacts[i], e->program, e->chunks, is_narrow);
        places->calls_tables = calls_tables;
        places->find_impacts = i > 0 ? sd_impacts_of : NULL;
        places->callees = i > 0 ? &w->impacts[i - 1] : NULL;
    }
    w->places.find_impacts = sd_impacts_of;
    w->places.callees =
        &w->impacts[(is_narrow ? NARROW_DEPTH : SD_FLOW_DEPTH) - 1];
    sd_reach_init(&w->reach, MOST_INSNS);
    w->visits = memory_new(e->program->n_blocks + 1, sizeof *w->visits);
}

void sd_flows_fini(struct sd_flows *f)
{
    struct sd_flow_work *w = f->work;

    sd_places_fini(&w->places);
    for (unsigned i = 0; i < SD_FLOW_DEPTH; i++)
        sd_impacts_fini(&w->impacts[i]);
    sd_reach_fini(&w->reach);
    sd_pairs_fini(&w->pairs);
    free(w->visits);
    free(w);
    free(f->list);
}

/* Notes when each of the first walks came to its blocks, or forgets it. */
static void note_visits(struct sd_flow_work *w, const struct sd_explorer *e,
                        bool forgets)
{
    size_t at = 0;

    for (unsigned i = 0; i < N_WALKS && at < e->walks_size; i++) {
        uint32_t n = e->walks[at].number;

        for (uint32_t k = 1; k <= n; k++) {
            const struct sd_visit *visit = &e->walks[at + k];
            struct sd_first_visits *v = &w->visits[visit->number];

            v->walks = forgets ? 0 : (uint8_t)(v->walks | 1u << i);
            v->first[i] = visit->first;
            v->last[i] = visit->last;
        }
        at += 1 + n;
    }
}

/* Did one of the first walks come to the store and later to the load?
   sd_support_after() asks this of all walks. */
static bool is_unlikely(struct sd_flow_work *w, uint32_t src, uint32_t dst)
{
    const struct sd_program *p = w->places.program;
    const struct sd_first_visits *a, *b;

    if (src != w->src) { /* all pairs of a store come in a row */
        w->src = src;
        w->src_block = sd_program_block_of(p, src);
    }
    a = &w->visits[w->src_block];
    if (a->walks == 0)
        return false;
    b = &w->visits[sd_program_block_of(p, dst)];
    for (unsigned i = 0; i < N_WALKS; i++)
        if (a->walks & b->walks & 1u << i &&
            a->first[i] < (a == b && src < dst ? UINT16_MAX : b->last[i]))
            return true;
    return false;
}

static void add(void *argument, const struct sd_event *store,
                const struct sd_event *load, uint32_t distance)
{
    struct sd_flow_work *w = argument;

    if (is_unlikely(w, store->site, load->site))
        return;
    sd_pairs_add(&w->pairs, &(struct sd_walk_pair){.src = store->site,
                                                   .dst = load->site,
                                                   .distance = distance,
                                                   .delta_k = SD_ANY_DELTA});
}

/* Lists the pairs that no walk shows.  Both lists are sorted. */
static void list_pairs(struct sd_flows *f, const struct sd_explorer *e)
{
    struct sd_flow_work *w = f->work;
    const struct sd_walk_pair *all = sd_pairs_list(&w->pairs);

    f->n = 0;
    for (size_t i = 0, k = 0; i < w->pairs.n; i++) {
        while (k < e->n_pairs && sd_pairs_compare(&e->pairs[k], &all[i]) < 0)
            k++;
        if (k < e->n_pairs && sd_pairs_compare(&e->pairs[k], &all[i]) == 0)
            continue;
        array_push(f->list, f->n, w->room, all[i]);
    }
}

void sd_flows_of(struct sd_flows *f, uint32_t routine,
                 const struct sd_explorer *e)
{
    struct sd_flow_work *w = f->work;
    uint64_t most = MOST_LOOKS;

    sd_pairs_clear(&w->pairs);
    note_visits(w, e, false);
    w->src = 0;
    f->is_complete = sd_places_of(&w->places, routine);
    if (f->is_complete) {
        most += (uint64_t)LOOKS * w->places.graph.n_blocks;
        f->is_complete =
            sd_reach_run(&w->reach, &w->places.graph, most, add, w) &&
            !w->places.is_cut;
    }
    list_pairs(f, e);
    note_visits(w, e, true);
}
