/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "walk/sd_walk.h"

#include "walk/sd_explore.h"

#include <limits.h>

/* The most calls of the root in a walk, besides the first call. */
#define MOST_AGAIN 4
#define FEW_AGAIN  2 /* if only pairs within a function are wanted */

/* One in DOOMED times, a branch goes where control never comes back. */
#define DOOMED 64

#define OUT_BYTES 8 /* a callee writes so many where an argument points */

/* Draws new numbers for the registers that a callee may change. */
static void clobber(struct sd_walker *w)
{
    for (unsigned i = 0; i < w->n_clobbered; i++)
        w->registers[w->clobbered[i]] = sd_walker_draw(w, 64);
    for (const struct sd_initial *r = w->initial; r->offset != UINT_MAX; r++)
        if (sd_is_known(r->value))
            w->registers[r->offset / 8] = sd_known(r->value.bits);
}

/* The chunk at to[i] of a chunk. */
static struct sd_chunk *way(struct sd_walker *w, struct sd_chunk *c, unsigned i)
{
    if (!c->walks->is_followed[i]) {
        c->walks->way[i] = sd_walk_at(w, c->to[i]);
        c->walks->is_followed[i] = true;
    }
    return c->walks->way[i];
}

/* Draws the bytes that a callee, which is not walked, may write: where its
   arguments point into the caller's stack. */
static void write_out(struct sd_walker *w, uint64_t stack_pointer)
{
    if (!(w->rules & SD_RULE_OUT))
        return;
    for (unsigned i = 0; i < w->abi.n_arguments; i++) {
        uint64_t a = w->registers[w->abi.arguments[i]].bits;

        if (a - stack_pointer < SD_WALK_STACK_END - stack_pointer)
            sd_memory_store(&w->memory, a, OUT_BYTES, sd_walker_draw(w, 64),
                            SD_NO_WRITER);
    }
}

/* Calls once more what a function of the table of libraries calls; NULL if all
   its calls are done. */
static struct sd_chunk *call_back(struct sd_walker *w, struct sd_frame *f)
{
    struct sd_calling *c = &f->calling;
    unsigned n = c->model->n_calls;

    assert(n > 0 || c->n_left == 0);
    if (c->n_left == 0 || w->path.n_frames > w->depth)
        return NULL;
    c->n_left--;
    clobber(w);
    w->registers[w->abi.stack_pointer] =
        sd_known(f->stack_pointer - w->abi.return_address_size);
    for (unsigned i = 1; i < n && i <= w->abi.n_arguments; i++)
        w->registers[w->abi.arguments[i - 1]] = c->terms[i];
    return sd_walk_at(w, c->terms[0].bits);
}

/* Goes on after the innermost call, which has returned. */
static struct sd_chunk *come_back(struct sd_walker *w)
{
    struct sd_frame *f = sd_walk_last_frame(w);
    const struct sd_model *model = f->calling.model;
    struct sd_chunk *next;

    if (model != NULL) {
        next = call_back(w, f);
        if (next != NULL)
            return next;
        clobber(w);
        w->registers[w->abi.result] = f->calling.result;
    }
    w->path.n_frames--;
    w->path.block = f->caller->block;
    if (f->callee != NULL)
        f->callee->walks->left = sd_walk_now(w);
    if (model != NULL && model->never && w->rules & SD_RULE_RETURNS)
        return NULL;
    w->registers[w->abi.stack_pointer] = sd_known(f->stack_pointer);
    return way(w, f->caller, 1);
}

/* Goes on after the innermost call, which is not walked, or no further. */
static struct sd_chunk *skip(struct sd_walker *w)
{
    const struct sd_frame *f = sd_walk_last_frame(w);

    write_out(w, f->stack_pointer);
    /* Registers that the callee must preserve get their old values. */
    for (unsigned i = w->abi.first; i < w->abi.end; i++)
        if (!sd_regset_has(&w->abi.caller_saved, i))
            w->registers[i] = f->saved[i];
    clobber(w);
    return come_back(w);
}

/* Does the call never return? */
static bool is_lost(const struct sd_walker *w, const struct sd_chunk *c)
{
    return c->is_doomed[0] && (w->rules & SD_RULE_RETURNS) != 0;
}

struct sd_chunk *sd_walk_cut_short(struct sd_walker *w)
{
    const struct sd_frame *f = sd_walk_last_frame(w);

    if (is_lost(w, f->caller)) {
        w->path.n_frames--;
        return NULL;
    }
    /* The rest of the call might have stored again where it stored before it
       was cut short: the bytes of these stores are left without a writer. */
    assert(f->n_stores <= w->stores.n);
    for (size_t i = f->n_stores + 1;
         i <= w->stores.n && w->rules & SD_RULE_WHOLE; i++)
        w->stores.list[i].site = 0;
    return skip(w);
}

/* What the table of libraries says of the function at an address; or NULL. */
static const struct sd_model *model_at(const struct sd_walker *w,
                                       struct sd_value address)
{
    return sd_is_known(address) && w->rules & SD_RULE_LIBRARY
               ? sd_program_model(w->program, address.bits)
               : NULL;
}

/* Does the call at the end of a chunk never return? */
static bool is_doomed(const struct sd_walker *w, const struct sd_chunk *c,
                      const struct sd_model *model)
{
    if (!(w->rules & SD_RULE_RETURNS))
        return false;
    if (c->is_final)
        return true;
    if (model != NULL)
        return model->never && model->n_calls == 0;
    return c->leaving == SD_LEAVES_BY_CALL && c->is_doomed[0];
}

static void enter(struct sd_walker *w, struct sd_frame *f,
                  struct sd_chunk *callee)
{
    bool is_first =
        callee->walks->walk != w->walk || callee->walks->visits == 0;

    assert(f->callee == NULL && f->calling.model == NULL);
    f->callee = callee;
    f->since = is_first ? UINT64_MAX : callee->walks->left;
    callee->walks->left = UINT64_MAX;
}

static struct sd_chunk *call(struct sd_walker *w, struct sd_chunk *c)
{
    struct sd_frame *f = &w->path.frames[w->path.n_frames];
    bool is_direct = c->leaving == SD_LEAVES_BY_CALL;
    const struct sd_model *model =
        is_direct ? (w->rules & SD_RULE_LIBRARY ? c->model : NULL)
                  : model_at(w, c->temps[c->target]);
    struct sd_chunk *callee = NULL;

    assert(w->path.n_frames <= SD_MOST_FRAMES);
    if (is_doomed(w, c, model))
        return NULL;
    w->path.n_frames++;
    f->caller = c;
    /* The call may take a share of the remaining fuel. */
    f->deadline =
        w->clock.time + (w->clock.fuel - w->clock.time) /
                            (w->is_narrow ? 2u << w->path.n_frames : 4);
    f->serial = ++w->path.serial;
    f->stack_pointer =
        w->registers[w->abi.stack_pointer].bits + w->abi.return_address_size;
    memcpy(f->saved, w->registers, sizeof f->saved);
    f->calling.model = NULL;
    f->callee = NULL;
    f->since = UINT64_MAX;
    f->begun = sd_walk_now(w);
    f->n_stores = w->stores.n;
    if (model != NULL) {
        sd_walk_library(w, model, &f->calling);
        return come_back(w);
    }
    if (w->path.n_frames <= w->depth && is_direct)
        callee = way(w, c, 0);
    else if (w->path.n_frames <= w->depth && sd_is_known(c->temps[c->target]))
        callee = sd_walk_at(w, c->temps[c->target].bits);
    else if (w->path.n_frames <= w->depth)
        callee = sd_walk_at(w, sd_walk_resolve(w, c));
    if (callee == NULL)
        return sd_walk_cut_short(w);
    enter(w, f, callee);
    return callee;
}

/* Calls the root again after its return; some arguments stay the same. */
static struct sd_chunk *call_root(struct sd_walker *w)
{
    struct sd_value kept[8];

    assert(w->path.n_frames == 0);
    if (!w->is_again ||
        sd_walk_call(w) >= (w->is_narrow ? FEW_AGAIN : MOST_AGAIN))
        return NULL;
    w->path.serial += 1u << 16;
    memcpy(kept, w->path.frames[SD_MOST_FRAMES].saved, sizeof kept);
    clobber(w);
    w->registers[w->abi.stack_pointer] = sd_known(SD_WALK_STACK);
    for (unsigned i = 0; i < w->abi.n_arguments; i++)
        if (sd_walker_random(w) % 4 != 0)
            w->registers[w->abi.arguments[i]] = kept[i];
    return sd_walk_at(w, w->entry);
}

static struct sd_chunk *leave_function(struct sd_walker *w,
                                       const struct sd_chunk *c)
{
    struct sd_value target = c->temps[c->target];
    unsigned i = w->path.n_frames;

    if (i == 0)
        return call_root(w);
    while (i > 0 && w->path.frames[i - 1].caller->to[1] != target.bits)
        i--;
    if (i > 0)
        w->path.n_frames = i;
    return come_back(w);
}

struct sd_chunk *sd_walk_give_up(struct sd_walker *w)
{
    while (w->path.n_frames > 0 && is_lost(w, sd_walk_last_frame(w)->caller))
        w->path.n_frames--;
    return w->path.n_frames > 0 ? sd_walk_cut_short(w) : NULL;
}

/* Makes a tail call of a function of the table of libraries. */
static struct sd_chunk *jump_to_library(struct sd_walker *w,
                                        const struct sd_model *model)
{
    struct sd_calling unused, *calling = &unused;

    if (model->never && model->n_calls == 0 && w->rules & SD_RULE_RETURNS)
        return NULL;
    if (w->path.n_frames > 0 && sd_walk_last_frame(w)->calling.model == NULL)
        calling = &sd_walk_last_frame(w)->calling;
    sd_walk_library(w, model, calling);
    return w->path.n_frames > 0 ? come_back(w) : call_root(w);
}

static struct sd_chunk *jump(struct sd_walker *w, struct sd_chunk *c)
{
    struct sd_value target = c->temps[c->target];
    const struct sd_model *model = model_at(w, target);
    struct sd_chunk *next = model == NULL ? sd_walk_at(w, target.bits) : NULL;

    if (next == NULL && model == NULL && target.bottom != 0)
        next = sd_walk_at(w, sd_walk_resolve(w, c));
    if (next != NULL)
        return next;
    if (model != NULL)
        return jump_to_library(w, model);
    return w->path.n_frames > 0 ? sd_walk_cut_short(w) : call_root(w);
}

/* Makes a call, and notes whether the call was entered; but not if it is so
   deep that only other walks enter it. */
static struct sd_chunk *call_and_note(struct sd_walker *w, struct sd_chunk *c)
{
    unsigned n_frames = w->path.n_frames;
    struct sd_chunk *to = call(w, c);

    if (to != NULL && n_frames < w->depth)
        sd_access_notes_call(&w->notes, c, w->path.n_frames > n_frames);
    return to;
}

/* Makes the jump at the end of a chunk.  A callee that is only a jump to no
   code, like the stub of another file's function, counts as skipped. */
static struct sd_chunk *jump_and_note(struct sd_walker *w, struct sd_chunk *c)
{
    const struct sd_chunk *caller =
        w->path.n_frames > 0 ? sd_walk_last_frame(w)->caller : NULL;
    unsigned n_frames = w->path.n_frames;
    struct sd_chunk *to = jump(w, c);

    if (caller != NULL && caller->leaving == SD_LEAVES_BY_CALL &&
        caller->to[0] == c->address && w->path.n_frames < n_frames)
        sd_access_notes_call(&w->notes, caller, false);
    return to;
}

/* --- Branches: where control goes after the test at the end of a chunk --- */

static bool is_loop_test(const struct sd_chunk *c)
{
    return c->stays[0] != c->stays[1];
}

/* Goes round a loop; how many times is drawn when the loop is entered. */
static unsigned go_round(struct sd_walker *w, struct sd_chunk *c)
{
    struct sd_chunk_walks *loop = c->walks;
    unsigned stay = c->stays[1] ? 1 : 0;
    uint32_t frame = sd_walk_frame(w);

    if (loop->loop_walk != w->walk || loop->loop_frame != frame) {
        loop->loop_walk = w->walk;
        loop->loop_frame = frame;
        loop->rounds = sd_rounds_drawn(sd_walker_random(w)) - 1;
        if (loop->rounds == 0 && sd_walker_random(w) % 2 == 0)
            loop->rounds = 1;
    }
    if (loop->rounds > 0) {
        loop->rounds--;
        return stay;
    }
    loop->loop_walk = 0;
    return !stay;
}

/* Chooses the successor of a branch that walks took less often. */
static unsigned steer(struct sd_walker *w, struct sd_chunk *c)
{
    if (is_loop_test(c) && !(c->is_doomed[0] || c->is_doomed[1]))
        return go_round(w, c);
    uint64_t random = sd_walker_random(w);
    if (w->rules & SD_RULE_RETURNS && c->is_doomed[0] != c->is_doomed[1] &&
        (random >> 16) % DOOMED != 0)
        return c->is_doomed[0];
    uint32_t n0 = c->walks->taken[0];
    uint32_t n1 = c->walks->taken[1];
    if (!(w->rules & SD_RULE_STEER) || n0 == n1 || random % 4 == 0)
        return random >> 8 & 1;
    return n1 < n0;
}

/* Chooses a successor of a branch whose condition is drawn. */
static unsigned force(struct sd_walker *w, struct sd_chunk *c)
{
    struct sd_comparison cmp;
    struct sd_memo *memo;

    if (c->test == 0 || !(w->rules & SD_RULE_ONCE) ||
        !sd_walk_comparison(c, &c->ops[c->test - 1], &cmp) ||
        (cmp.operand[0].bottom | cmp.operand[1].bottom) == 0)
        return steer(w, c);
    uint64_t key = sd_random(cmp.operand[0].bits, cmp.operand[1].bits) +
                   cmp.code * 64u + cmp.width;
    memo = &w->choices.memo[key % SD_N_MEMO]; /* decided for these operands */
    if (memo->walk == w->walk && memo->key == key && !is_loop_test(c))
        return memo->holds ^ cmp.is_negated;
    unsigned taken = steer(w, c);
    *memo = (struct sd_memo){key, w->walk, taken ^ cmp.is_negated};
    sd_walk_decide(w, &cmp, memo->holds);
    return taken;
}

/* Chooses the successor of a branch: 1 if the condition holds, else 0. */
static unsigned branch(struct sd_walker *w, struct sd_chunk *c)
{
    struct sd_value cond = c->temps[c->cond];
    unsigned taken = cond.bits & 1;
    struct sd_comparison cmp;

    assert(c->leaving == SD_LEAVES_BY_TEST);
    if ((cond.bottom & 1) != 0 || !(w->rules & SD_RULE_DECIDED))
        taken = force(w, c);
    else if (w->rules & SD_RULE_FORWARD && is_loop_test(c) && c->stays[taken] &&
             c->test != 0 && c->walks->visits >= 3 &&
             sd_walk_comparison(c, &c->ops[c->test - 1], &cmp))
        sd_walk_skip_rounds(w, c, &cmp);
    c->walks->taken[taken]++;
    return taken;
}

struct sd_chunk *sd_walk_next(struct sd_walker *w, struct sd_chunk *c)
{
    switch (c->leaving) {
    case SD_LEAVES_STRAIGHT:
        return c->is_final && w->rules & SD_RULE_RETURNS ? NULL : way(w, c, 0);
    case SD_LEAVES_BY_TEST:
        return way(w, c, branch(w, c));
    case SD_LEAVES_INDIRECT:
        return jump_and_note(w, c);
    case SD_LEAVES_BY_CALL:
    case SD_LEAVES_BY_INDIRECT_CALL:
        return call_and_note(w, c);
    case SD_LEAVES_BY_RETURN:
        return leave_function(w, c);
    default:
        return NULL;
    }
}
