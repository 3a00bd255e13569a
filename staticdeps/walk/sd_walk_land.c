/*
 * sd_walk_land: where a walk goes on when a call comes back elsewhere than
 * after it: setjmp and longjmp, and exceptions; and the registers then.
 *
 * Limits: the code of unwinders and of the C library in between is not
 * walked.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "walk/internal.h"

#include <assert.h>
#include <limits.h>

void sd_walk_clobber(struct sd_walker *w)
{
    for (unsigned i = 0; i < w->n_clobbered; i++)
        w->registers[w->clobbered[i]] = sd_walker_draw(w, 64);
    for (const struct sd_initial *r = w->initial; r->offset != UINT_MAX; r++)
        if (sd_is_known(r->value))
            w->registers[r->offset / 8] = sd_known(r->value.bits);
}

void sd_walk_restore(struct sd_walker *w, const struct sd_frame *f)
{
    for (unsigned i = w->abi.first; i < w->abi.end; i++)
        if (!sd_regset_has(&w->abi.caller_saved, i))
            w->registers[i] = f->saved[i];
    sd_walk_clobber(w);
    w->registers[w->abi.stack_pointer] = sd_known(f->stack_pointer);
}

/* Is the walk still in the call that called setjmp? */
static bool is_set(const struct sd_walker *w)
{
    const struct sd_escapes *e = &w->escapes;

    return e->walk == w->walk && e->n_frames <= w->path.n_frames &&
           e->serial == sd_walk_frame_of(w, e->n_frames);
}

void sd_walk_set_jump(struct sd_walker *w)
{
    struct sd_escapes *e = &w->escapes;

    assert(w->path.n_frames > 0);
    e->frame = *sd_walk_last_frame(w);
    e->walk = w->walk;
    e->n_frames = w->path.n_frames - 1;
    e->serial = sd_walk_frame_of(w, e->n_frames);
}

bool sd_walk_may_land(const struct sd_walker *w, const struct sd_chunk *c)
{
    if (!(w->rules & SD_RULE_LAND))
        return false;
    if (c != NULL && c->callee == SD_CALLEE_FINAL)
        return false;
    if (c != NULL && c->pad != 0)
        return true;
    for (unsigned i = w->path.n_frames; i > 0; i--)
        if (w->path.frames[i - 1].caller->pad != 0)
            return true;
    return is_set(w);
}

/* Goes on after setjmp, which returns what longjmp was given, but never 0. */
static struct sd_chunk *jump_back(struct sd_walker *w)
{
    struct sd_value value = w->registers[w->abi.arguments[1]];
    struct sd_chunk *next = NULL;

    if (is_set(w))
        next = sd_chunks_at(&w->chunks, w->escapes.frame.caller->to[1]);
    if (next == NULL)
        return NULL;
    w->path.n_frames = w->escapes.n_frames;
    sd_walk_restore(w, &w->escapes.frame);
    value.bits &= UINT32_MAX; /* an int */
    value.bottom &= UINT32_MAX;
    if (value.bits == 0)
        value.bits = 1;
    w->registers[w->abi.result] = value;
    return next;
}

/* Goes on at the landing pad of the last call that has one. */
static struct sd_chunk *unwind(struct sd_walker *w)
{
    for (unsigned i = w->path.n_frames; i > 0; i--) {
        const struct sd_frame *f = &w->path.frames[i - 1];
        struct sd_chunk *pad = NULL;

        if (f->caller->pad != 0)
            pad = sd_chunks_at(&w->chunks, f->caller->pad);
        if (pad == NULL)
            continue;
        w->path.n_frames = i - 1;
        sd_walk_restore(w, f);
        return pad;
    }
    return NULL;
}

struct sd_chunk *sd_walk_land(struct sd_walker *w, enum sd_callee callee)
{
    if (callee == SD_CALLEE_FINAL)
        return NULL;
    if (callee == SD_CALLEE_LONGJMP)
        return jump_back(w);
    if (callee == SD_CALLEE_THROWS) {
        w->escapes.thrown = w->registers[w->abi.arguments[0]];
        w->escapes.thrown_in_walk = w->walk;
    }
    return unwind(w);
}
