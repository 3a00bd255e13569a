/*
 * sd_flows: a function -> the pairs within it that its flow of data allows.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "reach/sd_flows.h"

#include <stdlib.h>

#include "random/sd_rules.h"
#include "memory.h"

/* SD_FLOW_DEPTH, if only pairs within one function are wanted: those between
   two calls of a callee are all that a second level adds, and they are few. */
#define NARROW_DEPTH 1

/* Farther apart, hardly any more are found. */
#define MOST_INSNS 512u

/* Blocks to look at, of a function: so many, and for each of its own. */
#define MOST_LOOKS 1000000u
#define LOOKS      1000u

void sd_flows_init(struct sd_flows *f, const struct sd_program *program,
                   struct sd_chunks *chunks, unsigned rules, bool is_narrow)
{
    bool calls_tables = (rules & SD_RULE_TABLES) != 0;

    sd_places_init(&f->places, program, chunks);
    f->places.calls_tables = calls_tables;
    for (unsigned i = 0; i < SD_FLOW_DEPTH; i++) {
        sd_impacts_init(&f->impacts[i], program, chunks, is_narrow);
        f->impacts[i].places.calls_tables = calls_tables;
        f->impacts[i].places.callees = i > 0 ? &f->impacts[i - 1] : NULL;
    }
    f->places.callees =
        &f->impacts[(is_narrow ? NARROW_DEPTH : SD_FLOW_DEPTH) - 1];
    sd_reach_init(&f->reach, MOST_INSNS);
    sd_pairs_init(&f->pairs);
    f->came = memory_new(program->n_blocks + 1, sizeof *f->came);
    f->list = NULL;
    f->n = f->room = 0;
    f->is_complete = true;
}

void sd_flows_fini(struct sd_flows *f)
{
    sd_places_fini(&f->places);
    for (unsigned i = 0; i < SD_FLOW_DEPTH; i++)
        sd_impacts_fini(&f->impacts[i]);
    sd_reach_fini(&f->reach);
    sd_pairs_fini(&f->pairs);
    free(f->came);
    free(f->list);
}

/* Notes when the first walks came to which block, or forgets it. */
static void note_walks(struct sd_flows *f, const struct sd_explorer *e,
                       bool forgets)
{
    size_t at = 0;

    for (unsigned i = 0; i < SD_NOTED && at < e->walks_size; i++) {
        uint32_t n = e->walks[at].number;

        for (uint32_t k = 1; k <= n; k++) {
            const struct sd_visit *visit = &e->walks[at + k];
            struct sd_came *came = &f->came[visit->number];

            came->walks = forgets ? 0 : (uint8_t)(came->walks | 1u << i);
            came->first[i] = visit->first;
            came->last[i] = visit->last;
        }
        at += 1 + n;
    }
}

/* Did one of these walks come to the store and later to the load?  As
   sd_support_after, which asks all walks. */
static bool is_hopeless(struct sd_flows *f, uint32_t src, uint32_t dst)
{
    const struct sd_program *p = f->places.program;
    const struct sd_came *a, *b;

    if (src != f->src) { /* one store comes after the other */
        f->src = src;
        f->src_block = sd_program_block_of(p, src);
    }
    a = &f->came[f->src_block];
    if (a->walks == 0)
        return false;
    b = &f->came[sd_program_block_of(p, dst)];
    for (unsigned i = 0; i < SD_NOTED; i++)
        if (a->walks & b->walks & 1u << i &&
            a->first[i] < (a == b && src < dst ? UINT16_MAX : b->last[i]))
            return true;
    return false;
}

static void add(void *argument, const struct sd_event *store,
                const struct sd_event *load, uint32_t distance)
{
    struct sd_flows *f = argument;

    if (is_hopeless(f, store->site, load->site))
        return;
    sd_pairs_add(&f->pairs, &(struct sd_walk_pair){.src = store->site,
                                                   .dst = load->site,
                                                   .distance = distance,
                                                   .delta_k = SD_ANY_DELTA});
}

/* Keeps those that no walk shows.  Both are sorted. */
static void leave_out(struct sd_flows *f, const struct sd_explorer *e)
{
    const struct sd_walk_pair *all = sd_pairs_list(&f->pairs);

    f->n = 0;
    for (size_t i = 0, k = 0; i < f->pairs.n; i++) {
        while (k < e->n_pairs && sd_pairs_compare(&e->pairs[k], &all[i]) < 0)
            k++;
        if (k < e->n_pairs && sd_pairs_compare(&e->pairs[k], &all[i]) == 0)
            continue;
        f->list = memory_grow(f->list, &f->room, f->n, sizeof *f->list);
        f->list[f->n++] = all[i];
    }
}

void sd_flows_of(struct sd_flows *f, uint32_t routine,
                 const struct sd_explorer *e)
{
    uint64_t most = MOST_LOOKS;

    sd_pairs_clear(&f->pairs);
    note_walks(f, e, false);
    f->src = 0;
    f->is_complete = sd_places_of(&f->places, routine);
    if (f->is_complete) {
        most += (uint64_t)LOOKS * f->places.graph.n_blocks;
        f->is_complete =
            sd_reach_run(&f->reach, &f->places.graph, most, add, f) &&
            !f->places.is_cut;
    }
    leave_out(f, e);
    note_walks(f, e, true);
}
