/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cy_training.h"

#include "core/cy_recipe.h"

#define LONGEST 4096 /* the most instructions that are read for a branch */
#define MOST    64   /* the most direct jumps, calls and returns in a row */
#define DEEPEST 64   /* calls whose returns are known; a power of two */

/* The first branch from some place on, all as places (cy_place_at). */
struct branch {
    enum cy_branch kind;   /* CY_NO_BRANCH: none was found */
    uint64_t at, next, to; /* to: where a direct one leads */
};

struct cy_training {
    const struct cy_windows *windows;
    struct cy_code *code;
    enum arch arch;
    struct branch *branches; /* by number in `from` */
    size_t n_branches, branches_room;
    struct keys from; /* places */
    uint64_t returns[DEEPEST];
    size_t depth; /* calls without a return, of which the last are known */
};

struct cy_training *cy_training_new(const struct cy_windows *windows,
                                    struct cy_code *code, enum arch arch)
{
    struct cy_training *t = memory_new(1, sizeof *t);

    t->windows = windows;
    t->code = code;
    t->arch = arch;
    return t;
}

void cy_training_free(struct cy_training *t)
{
    keys_fini(&t->from);
    free(t->branches);
    free(t);
}

static struct branch search(struct cy_training *t, uint64_t from)
{
    uint32_t object = cy_object_at(from);
    uint64_t address = cy_address_at(from), to;
    const uint8_t *bytes;

    for (size_t i = 0; i < LONGEST; i++) {
        unsigned n = cy_code_length(t->code, object, address, &bytes);
        enum cy_branch kind =
            n > 0 ? cy_branch_at(t->arch, bytes, n, address, &to)
                  : CY_NO_BRANCH;

        if (n == 0)
            break;
        if (kind != CY_NO_BRANCH)
            return (struct branch){kind, cy_place_at(object, address),
                                   cy_place_at(object, address + n),
                                   cy_place_at(object, to)};
        address += n;
    }
    return (struct branch){.kind = CY_NO_BRANCH};
}

static struct branch branch_from(struct cy_training *t, uint64_t from)
{
    uint32_t i = keys_add(&t->from, from);

    if (i == t->n_branches)
        array_append(t, branches, search(t, from));
    return t->branches[i];
}

static bool is_direct(enum cy_branch kind)
{
    return kind == CY_JUMP || kind == CY_DIRECT_CALL || kind == CY_RETURN;
}

/* Where a branch leads that is not conditional or indirect; 0: not known. */
static uint64_t follow(struct cy_training *t, const struct branch *b)
{
    if (b->kind != CY_RETURN)
        return b->to;
    return t->depth > 0 ? t->returns[--t->depth % DEEPEST] : 0;
}

static void enter(struct cy_training *t, const struct branch *b)
{
    if (b->kind == CY_DIRECT_CALL || b->kind == CY_INDIRECT_CALL)
        t->returns[t->depth++ % DEEPEST] = b->next;
}

/* Tells the predictor the branches that lead from a place to the next
   conditional or indirect one. */
static void go(struct cy_training *t, uint64_t from, struct cy_predictor *p)
{
    struct branch b = branch_from(t, from);

    for (size_t i = 0; i < MOST && is_direct(b.kind); i++) {
        uint64_t to = follow(t, &b);

        enter(t, &b);
        cy_predictor_branch(p, b.kind, b.at, b.next, to);
        if (to == 0)
            return;
        b = branch_from(t, to);
    }
}

static uint64_t place_of(const struct cy_training *t, uint32_t i)
{
    const struct cy_window_place *place = &t->windows->places[i];

    return cy_place_at(place->object, place->address);
}

void cy_train(struct cy_training *t, size_t i, struct cy_predictor *p)
{
    struct cy_lead *lead = t->windows->lead;
    const char *wrong = cy_lead_of(t->windows, i, lead);

    assert(wrong == NULL); /* cy_windows_read read all */
    (void)wrong;
    t->depth = 0;
    for (size_t j = 0; j < lead->n; j++) {
        const struct cy_lead_branch *of = &lead->branches[j];
        uint64_t at = place_of(t, of->place), to;
        struct branch b = branch_from(t, at);

        if (b.at != at || is_direct(b.kind)) /* its code cannot be read */
            continue;
        to = b.kind != CY_CONDITIONAL ? place_of(t, of->target)
             : of->is_taken           ? b.to
                                      : b.next;
        enter(t, &b);
        cy_predictor_branch(p, b.kind, at, b.next, to);
        go(t, to, p);
    }
}
