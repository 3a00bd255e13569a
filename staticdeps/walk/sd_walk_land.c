/*
 * sd_walk_land: where a walk goes on when a call comes back elsewhere than
 * after it: setjmp and longjmp, and exceptions.
 *
 * What unwinders and the C library do in between is not walked.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "walk/sd_walk.h"

#include <assert.h>
#include <string.h>

/* A name may have a version or "plt" after an @. */
static const struct {
    const char *name;
    enum sd_callee callee;
} callees[] = {
    {"_setjmp", SD_CALLEE_SETJMP},
    {"setjmp", SD_CALLEE_SETJMP},
    {"__sigsetjmp", SD_CALLEE_SETJMP},
    {"sigsetjmp", SD_CALLEE_SETJMP},
    {"longjmp", SD_CALLEE_LONGJMP},
    {"_longjmp", SD_CALLEE_LONGJMP},
    {"siglongjmp", SD_CALLEE_LONGJMP},
    {"__libc_longjmp", SD_CALLEE_LONGJMP},
    {"__libc_siglongjmp", SD_CALLEE_LONGJMP},
    {"__longjmp_chk", SD_CALLEE_LONGJMP},
    {"__cxa_throw", SD_CALLEE_THROWS},
    {"__cxa_rethrow", SD_CALLEE_RETHROWS},
    {"__cxa_bad_cast", SD_CALLEE_RETHROWS},
    {"__cxa_bad_typeid", SD_CALLEE_RETHROWS},
    {"__cxa_throw_bad_array_new_length", SD_CALLEE_RETHROWS},
    {"_Unwind_Resume", SD_CALLEE_RETHROWS},
    {"_Unwind_RaiseException", SD_CALLEE_RETHROWS},
    {"_Unwind_Resume_or_Rethrow", SD_CALLEE_RETHROWS},
    {"__cxa_begin_catch", SD_CALLEE_CATCHES},
    {"__cxa_get_exception_ptr", SD_CALLEE_CATCHES},
};

/* libstdc++'s std::__throw_...: _ZSt, a length, and the name. */
static bool is_thrower(const char *name)
{
    if (strncmp(name, "_ZSt", 4) != 0)
        return false;
    name += 4;
    name += strspn(name, "0123456789");
    return strncmp(name, "__throw_", 8) == 0;
}

enum sd_callee sd_callee_of(const struct sd_program *p, uint32_t routine)
{
    const char *name = p->routines[routine].name;

    assert(routine < p->n_routines);
    if (name == NULL)
        return SD_CALLEE_PLAIN;
    for (size_t i = 0; i < sizeof callees / sizeof callees[0]; i++) {
        size_t n = strlen(callees[i].name);

        if (strncmp(callees[i].name, name, n) == 0 &&
            (name[n] == '\0' || name[n] == '@'))
            return callees[i].callee;
    }
    if (is_thrower(name))
        return SD_CALLEE_RETHROWS;
    return sd_program_is_final(p, routine) ? SD_CALLEE_FINAL : SD_CALLEE_PLAIN;
}

/* In which call of the walk that of setjmp was, whose frame is still there. */
static bool is_set(const struct sd_walker *w)
{
    const struct sd_jump *j = &w->jump;

    if (j->walk != w->walk || j->n_frames > w->n_frames)
        return false;
    return j->serial == (j->n_frames > 0 ? w->frames[j->n_frames - 1].serial
                                         : w->serial & ~0xffffu);
}

void sd_walk_set_jump(struct sd_walker *w)
{
    struct sd_jump *j = &w->jump;

    assert(w->n_frames > 0);
    j->frame = w->frames[w->n_frames - 1];
    j->walk = w->walk;
    j->n_frames = w->n_frames - 1;
    j->serial = j->n_frames > 0 ? w->frames[j->n_frames - 1].serial
                                : w->serial & ~0xffffu;
}

bool sd_walk_may_land(const struct sd_walker *w, const struct sd_chunk *c)
{
    if (!(w->rules & SD_RULE_LAND))
        return false;
    if (c != NULL && c->callee == SD_CALLEE_FINAL)
        return false;
    if (c != NULL && c->pad != 0)
        return true;
    for (unsigned i = w->n_frames; i > 0; i--)
        if (w->frames[i - 1].caller->pad != 0)
            return true;
    return is_set(w);
}

/* setjmp returns what longjmp was given, but never 0. */
static struct sd_chunk *jump_back(struct sd_walker *w)
{
    struct sd_drawn value = w->registers[w->abi.arguments[1]];
    struct sd_chunk *next = NULL;

    if (is_set(w))
        next = sd_chunks_at(&w->chunks, w->jump.frame.caller->to[1]);
    if (next == NULL)
        return NULL;
    w->n_frames = w->jump.n_frames;
    sd_walk_restore(w, &w->jump.frame);
    value.bits &= UINT32_MAX; /* an int */
    value.drawn &= UINT32_MAX;
    if (value.bits == 0)
        value.bits = 1;
    w->registers[w->abi.result] = value;
    return next;
}

static struct sd_chunk *unwind(struct sd_walker *w)
{
    for (unsigned i = w->n_frames; i > 0; i--) {
        const struct sd_frame *f = &w->frames[i - 1];
        struct sd_chunk *pad = NULL;

        if (f->caller->pad != 0)
            pad = sd_chunks_at(&w->chunks, f->caller->pad);
        if (pad == NULL)
            continue;
        w->n_frames = i - 1;
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
        w->thrown = w->registers[w->abi.arguments[0]];
        w->thrown_in_walk = w->walk;
    }
    return unwind(w);
}
