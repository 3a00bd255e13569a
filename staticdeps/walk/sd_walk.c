/*
 * sd_walk: one way through the code, over numbers that are drawn.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "walk/sd_walk.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

void sd_walker_init(struct sd_walker *w, const struct sd_program *program,
                    unsigned rules, unsigned depth, bool is_narrow)
{
    enum sd_arch arch = program->image->arch;

    *w = (struct sd_walker){.program = program,
                            .rules = rules,
                            .depth = rules & SD_RULE_ENTER ? depth : 0,
                            .is_narrow = is_narrow,
                            .abi = sd_lift_abi(arch),
                            .initial = sd_lift_initial(arch)};
    assert(w->depth <= SD_MOST_FRAMES);
    for (unsigned i = 0; i < SD_N_WORDS; i++)
        if (sd_regset_has(&w->abi.caller_saved, i))
            w->clobbered[w->n_clobbered++] = (uint16_t)i;
    sd_chunks_init(&w->chunks, program);
    sd_recall_init(&w->recall,
                   rules & SD_RULE_CONTENTS ? program->contents : NULL);
    sd_pairs_init(&w->pairs);
    sd_access_notes_init(&w->notes, program->blocks->n_insns);
    sd_reentries_init(&w->reentries, &program->cfg->loops, program->cfg->nodes);
    sd_rounds_init(&w->rounds, &program->cfg->loops, program->cfg->nodes,
                   program->n_blocks);
    sd_vectors_init(&w->vectors, &w->rounds);
    sd_ifuncs_init(&w->ifuncs, &w->chunks);
    w->visits = memory_new(program->n_blocks + 1, sizeof *w->visits);
}

void sd_walker_fini(struct sd_walker *w)
{
    sd_ifuncs_fini(&w->ifuncs);
    sd_chunks_fini(&w->chunks);
    sd_recall_fini(&w->recall);
    sd_pairs_fini(&w->pairs);
    sd_access_notes_fini(&w->notes);
    sd_reentries_fini(&w->reentries);
    sd_rounds_fini(&w->rounds);
    sd_vectors_fini(&w->vectors);
    free(w->stores);
    free(w->visited);
    free(w->visits);
}

static void note_visit(struct sd_walker *w, uint32_t block)
{
    uint16_t now = w->n_run < UINT16_MAX ? (uint16_t)w->n_run : UINT16_MAX;
    uint32_t at = w->visits[block];

    w->n_run++;
    if (at < w->n_visited && w->visited[at].number == block) {
        w->visited[at].last = now;
        return;
    }
    w->visited = memory_grow(w->visited, &w->visited_room, w->n_visited,
                             sizeof *w->visited);
    w->visits[block] = (uint32_t)w->n_visited;
    w->visited[w->n_visited++] = (struct sd_visit){block, now, now};
}

static void run(struct sd_walker *w, struct sd_chunk *c)
{
    bool is_new = c->root != w->root;

    if (c->walk != w->walk) {
        c->walk = w->walk;
        c->visits = 0;
        c->left = UINT64_MAX;
    }
    note_visit(w, c->block);
    if (is_new) {
        c->root = w->root;
        c->taken[0] = c->taken[1] = 0;
    }
    c->visits++;
    if (c->is_header)
        sd_reentries_arrive(&w->reentries, w->walk, sd_walk_frame(w), c->block,
                            w->block, sd_walk_now(w));
    if (c->is_header ||
        !sd_rounds_are_in(&w->rounds, sd_walk_frame(w), c->loop))
        sd_rounds_arrive(&w->rounds, sd_walk_frame(w), c->block, c->is_header);
    w->block = c->block;
    sd_walk_step(w, c);
    if (is_new)
        sd_access_notes_accesses(&w->notes, c);
    w->time += c->n_insns;
}

static void begin(struct sd_walker *w)
{
    for (unsigned i = 0; i < SD_N_WORDS; i++)
        w->registers[i] = sd_walker_draw(w, 64);
    for (const struct sd_initial *r = w->initial; r->offset != UINT_MAX; r++)
        w->registers[r->offset / 8] =
            (struct sd_drawn){r->value.bits, r->value.bottom};
    w->registers[w->abi.stack_pointer] = sd_drawn_known(SD_WALK_STACK);
}

void sd_walker_root(struct sd_walker *w, uint32_t routine)
{
    w->root++;
    w->routine = routine;
    w->n_own = 0;
    sd_pairs_clear(&w->pairs);
    sd_vectors_clear(&w->vectors);
    sd_access_notes_clear(&w->notes);
}

void sd_walk(struct sd_walker *w, uint64_t address, uint64_t key, uint64_t fuel,
             bool is_again)
{
    struct sd_chunk *c = sd_walk_at(w, address);

    w->walk++;
    w->key = key;
    w->n_random = w->time = w->skipped = 0;
    w->n_frames = w->serial = w->n_origins = 0;
    w->n_stores = w->n_visited = w->n_run = 0;
    w->fuel = fuel;
    w->block = UINT32_MAX;
    w->entry = address;
    w->is_again = is_again && w->rules & SD_RULE_AGAIN;
    memset(w->origins, 0, sizeof w->origins);
    sd_rounds_begin(&w->rounds, w->walk);
    sd_recall_clear(&w->recall, sd_walker_random(w));
    begin(w);
    for (unsigned i = 0; i < w->abi.n_arguments; i++)
        w->frames[SD_MOST_FRAMES].saved[i] = w->registers[w->abi.arguments[i]];
    while (c != NULL && w->time < fuel) {
        run(w, c);
        if (w->n_frames > 0 && w->time > w->frames[w->n_frames - 1].deadline)
            c = sd_walk_cut_short(w);
        else
            c = sd_walk_next(w, c);
        if (c == NULL)
            c = sd_walk_give_up(w);
    }
    sd_rounds_leave_all(&w->rounds);
    sd_vectors_end_walk(&w->vectors);
    w->n_insns += w->time;
}
