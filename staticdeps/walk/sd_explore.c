/*
 * sd_explore: a function -> what walks from it show.
 *
 * Walks begin at the entry as long as they show new pairs.  Later walks begin,
 * with random registers, at those blocks that few of the first ones visited.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "walk/sd_explore.h"

#include <assert.h>
#include <stdlib.h>

#include "memory.h"
#include "walk/internal.h"

#define BLOCKS 16 /* a function may have one more walk for this many blocks */
#define VISITS (1u << 18) /* what any function may have */

/* A function's walks end when this many in a row show no news. */
#define MOST_IN_VAIN 2
#define NEWS         50 /* new pairs are news if more than one in NEWS is new, */
#define MANY         4  /* or more than MANY are */

void sd_explorer_init(struct sd_explorer *e, const struct sd_program *program,
                      const struct sd_effort *effort, uint64_t seed)
{
    *e = (struct sd_explorer){
        .program = program, .effort = *effort, .seed = seed};
    e->walker = memory_new(1, sizeof *e->walker);
    e->chunks = &e->walker->chunks;
    sd_walker_init(e->walker, program, effort->rules, effort->depth,
                   effort->is_narrow);
    e->n_visits = memory_new(program->n_blocks + 1, sizeof *e->n_visits);
}

void sd_explorer_fini(struct sd_explorer *e)
{
    sd_walker_fini(e->walker);
    free(e->walker);
    free(e->n_visits);
    free(e->walks);
}

static void walk(struct sd_explorer *e, uint64_t address, uint64_t key,
                 uint32_t fuel, bool is_again)
{
    struct sd_walker *w = e->walker;
    struct sd_visit *list;

    sd_walk(w, address, sd_random(key, e->n_walks), fuel, is_again);
    e->walks = memory_grow(e->walks, &e->walks_room,
                           e->walks_size + w->visits.n, sizeof *e->walks);
    list = e->walks + e->walks_size;
    list[0] = (struct sd_visit){.number = (uint32_t)w->visits.n};
    for (size_t i = 0; i < w->visits.n; i++) {
        list[1 + i] = w->visits.list[i];
        e->n_visits[w->visits.list[i].number]++;
    }
    e->walks_size += 1 + w->visits.n;
    e->n_walks++;
}

/* May there be more walks?  In a function of n blocks, each of n / BLOCKS walks
   may visit thousands of blocks, and memory is limited. */
static bool has_room(const struct sd_explorer *e,
                     const struct sd_routine *routine)
{
    return e->walks_size <
           VISITS + (size_t)e->effort.most_visits / 4 * routine->n;
}

/* Forgets the walks of the last function. */
static void forget(struct sd_explorer *e)
{
    for (size_t i = 0; i < e->walks_size; i += 1 + e->walks[i].number)
        for (uint32_t k = 1; k <= e->walks[i].number; k++)
            e->n_visits[e->walks[i + k].number] = 0;
    e->walks_size = 0;
    e->n_walks = 0;
}

/* Forgets the order of the visits of walks that began in the middle.  Such a
   walk does not know which pointers are equal there, so it does not make a pair
   unlikely that it does not show. */
static void forget_order(struct sd_explorer *e, size_t begin)
{
    for (size_t i = begin + 1; i < e->walks_size; i++)
        e->walks[i].first = e->walks[i].last = UINT16_MAX;
}

/* Walks from the blocks that few walks visited. */
static void walk_from_blocks(struct sd_explorer *e,
                             const struct sd_routine *part, uint64_t key)
{
    const struct sd_program *p = e->program;

    e->walker->is_in_middle = true;
    for (uint32_t i = part->first;
         i < part->first + part->n && has_room(e, part); i++) {
        const struct sd_block *block = &p->blocks->blocks[i];

        if (block->status != SD_OK || p->cfg->nodes[i].n_insns == 0)
            continue;
        for (unsigned k = 0;
             k < e->effort.enough && e->n_visits[i] < e->effort.enough; k++) {
            size_t begin = e->walks_size;

            walk(e, block->address, key, e->effort.middle_fuel, false);
            forget_order(e, begin);
        }
    }
    e->walker->is_in_middle = false;
}

/* Are the new pairs of a walk worth more walks? */
static bool is_news(size_t n_new, size_t n_old)
{
    return n_new > MANY || n_new > n_old / NEWS;
}

/* The number of pairs found.  If only pairs within one function are wanted,
   those of callees come from other walks, which begin there. */
static size_t n_pairs_of_interest(const struct sd_explorer *e)
{
    return e->walker->is_narrow ? e->walker->n_own : e->walker->pairs.n;
}

/* The number of ways that lead on from a block, minus one. */
static uint32_t n_choices(const struct sd_node *node)
{
    const struct sd_node *next = node->next[0];

    if (node->calls || next == NULL)
        return 0;
    return next->n_more > 0 ? next->n_more - 1 : node->next[1] != NULL;
}

/* The number of walks that a function gets even if they show nothing new.
   Loops need many, since the numbers of rounds differ; other code needs one for
   each way that can be taken. */
static unsigned least_walks(const struct sd_explorer *e,
                            const struct sd_routine *routine)
{
    const struct sd_node *nodes = e->program->cfg->nodes;
    unsigned most = e->effort.walks * 3 / 8;
    uint32_t n = e->effort.walks / 8;

    for (uint32_t i = routine->first;
         i < routine->first + routine->n && n < most; i++)
        n += nodes[i].is_header ? most : n_choices(&nodes[i]);
    return n < most ? n : most;
}

/* Walks from the entry as long as that finds something: large functions need
   more walks. */
static void walk_from_entry(struct sd_explorer *e,
                            const struct sd_routine *routine, uint64_t key)
{
    unsigned least = least_walks(e, routine), in_vain = 0;
    unsigned most = e->effort.walks + routine->n / BLOCKS;
    size_t n_pairs = 0, n;

    for (unsigned i = 0; i < most && has_room(e, routine); i++) {
        if (i >= least && in_vain >= MOST_IN_VAIN)
            break;
        walk(e, routine->start, key, e->effort.fuel, i % 2 == 1);
        n = n_pairs_of_interest(e);
        in_vain = is_news(n - n_pairs, n_pairs) ? 0 : in_vain + 1;
        n_pairs = n;
    }
}

void sd_explore(struct sd_explorer *e, uint32_t number)
{
    const struct sd_program *p = e->program;
    const struct sd_routine *routine = &p->routines[number];
    uint64_t key = sd_random(e->seed, routine->start);
    uint64_t before = e->walker->n_insns;

    assert(number < p->n_routines);
    forget(e);
    sd_chunks_trim(e->chunks);
    sd_walker_root(e->walker, routine->whole);
    if (routine->whole == number)
        walk_from_entry(e, routine, key);
    if (e->effort.rules & SD_RULE_MIDDLE)
        walk_from_blocks(e, routine, key);
    e->pairs = sd_pairs_list(&e->walker->pairs);
    e->n_pairs = e->walker->pairs.n;
    e->vectors = sd_vectors_list(&e->walker->vectors, &e->n_vectors);
    e->notes = sd_access_notes_list(&e->walker->notes);
    e->n_notes = e->walker->notes.n;
    e->n_insns = e->walker->n_insns - before;
}
