/*
 * sd_walk: one way through the code, over numbers that are drawn.
 *
 * A walk begins at a function, or in its middle.  It computes with concrete
 * numbers, so each access has an address, and a load shows which store wrote
 * its bytes last.  What is known (sd_drawn) decides branches.  At other
 * branches the walk is forced: it takes the way that was taken less often, and
 * goes round a loop a few times.  What was forced once is decided from then on
 * (sd_decide).
 *
 * Once the registers of a loop whose test is decided have moved by the same
 * steps twice, its rounds are skipped, except for the last two (sd_walk_skip).
 *
 * In every other walk the root is called again when it returns.  Pairs that lie
 * in two of these calls are marked, because real callers may write in between
 * what the second call reads; a load notes if they do (SD_NOTE_FED).
 *
 * Calls are entered down to a depth, and get a share of the fuel; if only pairs
 * within one function are wanted, deeper calls get smaller shares.  A call that
 * is cut short might have overwritten what it stored, so those bytes have no
 * writer from then on.  Calls of functions that the table of libraries
 * describes do what it says.  Other calls are skipped: they leave unknown
 * registers, and unknown bytes where their arguments point into the stack.  A
 * call that never comes back ends the walk, unless it comes back elsewhere:
 * after the last setjmp, or where exceptions land (sd_walk_land).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "walk/internal.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"

void sd_walker_init(struct sd_walker *w, const struct sd_program *program,
                    unsigned rules, unsigned depth, bool is_narrow)
{
    enum arch arch = program->image->arch;

    *w = (struct sd_walker){.program = program,
                            .rules = rules,
                            .depth = rules & SD_RULE_ENTER ? depth : 0,
                            .is_narrow = is_narrow,
                            .abi = guest_abi(arch),
                            .initial = guest_initial(arch)};
    assert(w->depth <= SD_MOST_FRAMES);
    for (unsigned i = 0; i < SD_N_WORDS; i++)
        if (sd_regset_has(&w->abi.caller_saved, i))
            w->clobbered[w->n_clobbered++] = (uint16_t)i;
    sd_chunks_init(&w->chunks, program);
    w->memory.contents = rules & SD_RULE_CONTENTS ? program->contents : NULL;
    w->memory.draws = true;
    sd_access_notes_init(&w->notes, program->blocks->n_insns);
    sd_reentries_init(&w->reentries, &program->cfg->loops, program->cfg->nodes);
    sd_rounds_init(&w->rounds, &program->cfg->loops, program->cfg->nodes,
                   program->n_blocks);
    sd_vectors_init(&w->vectors, &w->rounds);
    sd_ifuncs_init(&w->ifuncs, &w->chunks);
    w->visits.places =
        memory_new(program->n_blocks + 1, sizeof *w->visits.places);
}

void sd_walker_fini(struct sd_walker *w)
{
    sd_ifuncs_fini(&w->ifuncs);
    sd_chunks_fini(&w->chunks);
    sd_memory_fini(&w->memory);
    sd_pairs_fini(&w->pairs);
    sd_access_notes_fini(&w->notes);
    sd_reentries_fini(&w->reentries);
    sd_rounds_fini(&w->rounds);
    sd_vectors_fini(&w->vectors);
    free(w->stores.list);
    free(w->visits.list);
    free(w->visits.places);
}

/* Notes that the walk visits a block. */
static void note_visit(struct sd_walker *w, uint32_t block)
{
    struct sd_visit_log *v = &w->visits;
    uint16_t now = v->n_run < UINT16_MAX ? (uint16_t)v->n_run : UINT16_MAX;
    uint32_t at = v->places[block];

    v->n_run++;
    if (at < v->n && v->list[at].number == block) {
        v->list[at].last = now;
        return;
    }
    v->places[block] = (uint32_t)v->n;
    array_push(v->list, v->n, v->room, (struct sd_visit){block, now, now});
}

/* Runs a chunk. */
static void run(struct sd_walker *w, struct sd_chunk *c)
{
    struct sd_chunk_walks *walks = c->walks;
    uint32_t frame = sd_walk_frame(w);
    bool is_new = walks->root != w->root;

    if (walks->walk != w->walk) {
        walks->walk = w->walk;
        walks->visits = 0;
        walks->left = UINT64_MAX;
    }
    note_visit(w, c->block);
    if (is_new) {
        walks->root = w->root;
        walks->taken[0] = walks->taken[1] = 0;
    }
    walks->visits++;
    if (c->is_header)
        sd_reentries_arrive(&w->reentries, w->walk, frame, c->block,
                            w->path.block, sd_walk_now(w));
    if (c->is_header || !sd_rounds_are_in(&w->rounds, frame, c->loop))
        sd_rounds_arrive(&w->rounds, frame, c->block, c->is_header);
    w->path.block = c->block;
    sd_walk_step(w, c);
    if (is_new)
        sd_access_notes_accesses(&w->notes, c);
    w->clock.time += c->n_insns;
}

/* Fills the registers as at the entry of a function. */
static void begin(struct sd_walker *w)
{
    for (unsigned i = 0; i < SD_N_WORDS; i++)
        w->registers[i] = sd_walker_draw(w, 64);
    for (const struct sd_initial *r = w->initial; r->offset != UINT_MAX; r++)
        w->registers[r->offset / 8] =
            (struct sd_value){r->value.bits, r->value.bottom};
    w->registers[w->abi.stack_pointer] = sd_known(SD_WALK_STACK);
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
    w->choices.key = key;
    w->choices.n = w->clock.time = w->clock.skipped = 0;
    w->path.n_frames = w->path.serial = w->loads.n = 0;
    w->stores.n = w->visits.n = w->visits.n_run = 0;
    w->clock.fuel = fuel;
    w->path.block = UINT32_MAX;
    w->entry = address;
    w->is_again = is_again && w->rules & SD_RULE_AGAIN;
    memset(w->loads.list, 0, sizeof w->loads.list);
    sd_rounds_begin(&w->rounds, w->walk);
    sd_memory_clear(&w->memory, sd_walker_random(w));
    begin(w);
    for (unsigned i = 0; i < w->abi.n_arguments; i++)
        w->path.frames[SD_MOST_FRAMES].saved[i] =
            w->registers[w->abi.arguments[i]];
    while (c != NULL && w->clock.time < fuel) {
        run(w, c);
        if (w->path.n_frames > 0 &&
            w->clock.time > sd_walk_last_frame(w)->deadline)
            c = sd_walk_cut_short(w);
        else
            c = sd_walk_next(w, c);
        if (c == NULL)
            c = sd_walk_give_up(w);
    }
    sd_rounds_leave_all(&w->rounds);
    sd_vectors_end_walk(&w->vectors);
    w->n_insns += w->clock.time;
}
