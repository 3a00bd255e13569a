/*
 * sd_flows: a function -> the pairs within it that its flow of data allows.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "reach/sd_flows.h"

#include <stdlib.h>

#include "drawn/sd_rules.h"
#include "memory.h"

/* Farther apart, hardly any pair that was found so happens. */
#define MOST_INSNS 256u

/* Blocks to look at, of a function: so many, and for each of its own. */
#define MOST_LOOKS 1000000u
#define LOOKS      1000u

/* Walks that came to both ends: of one function, of two. */
#define MOST_TOGETHER 3
#define MOST_ACROSS   1

void sd_flows_init(struct sd_flows *f, const struct sd_program *program,
                   struct sd_chunks *chunks, unsigned rules)
{
    bool calls_tables = (rules & SD_RULE_TABLES) != 0;

    sd_places_init(&f->places, program, chunks);
    f->places.calls_tables = calls_tables;
    for (unsigned i = 0; i < SD_FLOW_DEPTH; i++) {
        sd_impacts_init(&f->impacts[i], program, chunks);
        f->impacts[i].places.calls_tables = calls_tables;
        f->impacts[i].places.callees = i > 0 ? &f->impacts[i - 1] : NULL;
    }
    f->places.callees = &f->impacts[SD_FLOW_DEPTH - 1];
    sd_reach_init(&f->reach, MOST_INSNS);
    sd_pairs_init(&f->pairs);
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
    free(f->list);
}

static void add(void *argument, const struct sd_event *store,
                const struct sd_event *load, uint32_t distance)
{
    struct sd_flows *f = argument;

    sd_pairs_add(&f->pairs, &(struct sd_walk_pair){.src = store->site,
                                                   .dst = load->site,
                                                   .distance = distance,
                                                   .delta_k = SD_ANY_DELTA});
}

/* Keeps those that are not shown.  Both are sorted. */
static void leave_out(struct sd_flows *f, const struct sd_walk_pair *shown,
                      size_t n_shown)
{
    const struct sd_walk_pair *all = sd_pairs_list(&f->pairs);

    f->n = 0;
    for (size_t i = 0, k = 0; i < f->pairs.n; i++) {
        while (k < n_shown && sd_pairs_compare(&shown[k], &all[i]) < 0)
            k++;
        if (k < n_shown && sd_pairs_compare(&shown[k], &all[i]) == 0)
            continue;
        f->list = memory_grow(f->list, &f->room, f->n, sizeof *f->list);
        f->list[f->n++] = all[i];
    }
}

void sd_flows_of(struct sd_flows *f, uint32_t routine,
                 const struct sd_walk_pair *shown, size_t n_shown)
{
    uint64_t most = MOST_LOOKS;

    sd_pairs_clear(&f->pairs);
    f->is_complete = sd_places_of(&f->places, routine);
    if (f->is_complete) {
        most += (uint64_t)LOOKS * f->places.graph.n_blocks;
        f->is_complete =
            sd_reach_run(&f->reach, &f->places.graph, most, add, f) &&
            !f->places.is_cut;
    }
    leave_out(f, shown, n_shown);
}

double sd_flows_support(uint32_t n, bool is_within)
{
    return n <= (is_within ? MOST_TOGETHER : MOST_ACROSS) ? 1.0 / (n + 2) : 0;
}
