/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cy_window.h"

#include "core/cy_numbers.h"
#include "core/cy_recipe.h"
#include "core/cy_training.h"

/* --- Reading the branches before a window --- */

#define MOST_BRANCHES (1 << 20) /* the most branches of a lead */

/* State while a lead is read: what followed each place the last time. */
struct leading {
    const struct cy_window_place *places; /* those of the window's run */
    size_t n_places;
    struct cy_lead_place {
        uint64_t next[2]; /* number of the branch after it, by its way, plus 1;
                             of a target, the first counts; 0: none yet */
        uint64_t target;  /* of an indirect branch: its last target, plus 1 */
    } * state;
    struct sequence branches, targets;
    struct numbers ways;
    size_t n_ways;
    uint64_t first, *follows; /* `next` of what came before */
};

/* Takes the next place of a sequence, which is expected to be *expected. */
static const struct cy_window_place *
take_place(struct leading *l, struct sequence *s, uint64_t *expected)
{
    uint64_t number =
        sequence_is_right(s) ? *expected - 1 : numbers_take(&s->in);

    if (s->in.failed || number >= l->n_places)
        return NULL;
    *expected = number + 1;
    return &l->places[number];
}

static bool take_way(struct leading *l, bool *is_taken)
{
    if (l->n_ways / 8 >= numbers_left(&l->ways))
        return false;
    *is_taken = l->ways.at[l->n_ways / 8] >> l->n_ways % 8 & 1;
    l->n_ways++;
    return true;
}

static const char *take_branch(struct leading *l, const struct cy_windows *w,
                               struct cy_lead_branch *branch)
{
    const struct cy_window_place *p = take_place(l, &l->branches, l->follows),
                                 *target;
    struct cy_lead_place *state;

    if (p == NULL || p->kind == CY_PLACE_TARGET)
        return "a branch before it that is nowhere";
    state = &l->state[p - l->places];
    *branch = (struct cy_lead_branch){.place = (uint32_t)(p - w->places),
                                      .is_taken = true};
    if (p->kind == CY_PLACE_CONDITIONAL) {
        if (!take_way(l, &branch->is_taken))
            return "too few ways of branches before it";
        l->follows = &state->next[branch->is_taken];
        return NULL;
    }
    target = take_place(l, &l->targets, &state->target);
    if (target == NULL || target->kind != CY_PLACE_TARGET)
        return "a jump before it that leads nowhere";
    branch->target = (uint32_t)(target - w->places);
    l->follows = &l->state[target - l->places].next[0];
    return NULL;
}

/* The next bytes, after their number. */
static struct numbers part_of(struct numbers *in)
{
    uint64_t n = numbers_take(in);
    struct numbers part = numbers_of(in->at, 0);

    if (n > numbers_left(in))
        in->failed = true;
    if (in->failed)
        return part;
    part.end += n;
    in->at += n;
    return part;
}

static const char *take_branches(struct leading *l, const struct cy_windows *w,
                                 struct cy_lead *lead, uint64_t n)
{
    const char *wrong = NULL;

    l->follows = &l->first;
    while (lead->n < n && wrong == NULL) {
        array_reserve(lead, branches, lead->n + 1);
        wrong = take_branch(l, w, &lead->branches[lead->n++]);
    }
    if (wrong == NULL && (!sequence_has_ended(&l->branches) ||
                          !sequence_has_ended(&l->targets) ||
                          (l->n_ways + 7) / 8 != numbers_left(&l->ways)))
        wrong = "branches before it that go on behind their end";
    return wrong;
}

/* The state of n places, of which none was met. */
static struct cy_lead_place *state_of(struct cy_lead *lead, size_t n)
{
    if (n > lead->n_state) {
        free(lead->state);
        lead->state = memory_new(n, sizeof *lead->state);
        lead->n_state = n;
    }
    return lead->state;
}

/* Forgets the places that were met: few, of many. */
static void forget(struct cy_lead *lead, size_t first, const char *wrong)
{
    static const struct cy_lead_place none;

    if (wrong != NULL) {
        memset(lead->state, 0, lead->n_state * sizeof *lead->state);
        return;
    }
    for (size_t i = 0; i < lead->n; i++) {
        lead->state[lead->branches[i].place - first] = none;
        if (lead->branches[i].target >= first)
            lead->state[lead->branches[i].target - first] = none;
    }
}

const char *cy_lead_of(const struct cy_windows *windows, size_t i,
                       struct cy_lead *lead)
{
    const struct cy_window_row *row = &windows->rows[i];
    const struct cy_window_run *run =
        array_find(&row->run, windows->runs, windows->n_runs, array_by_number);
    struct numbers in = numbers_of(row->lead, row->lead_size);
    struct leading l = {0};
    const char *wrong;
    uint64_t n;

    assert(i < windows->n_rows && run != NULL);
    lead->n = 0;
    if (row->lead_size == 0)
        return NULL;
    n = numbers_take(&in);
    l.branches.in = part_of(&in);
    l.targets.in = part_of(&in);
    l.ways = in;
    if (in.failed || n > MOST_BRANCHES)
        return "branches before it that cannot be read";
    l.places = windows->places + run->first_place;
    l.n_places = run->n_places;
    l.state = state_of(lead, l.n_places + 1);
    wrong = take_branches(&l, windows, lead, n);
    forget(lead, run->first_place, wrong);
    return wrong;
}

void cy_lead_fini(struct cy_lead *lead)
{
    free(lead->branches);
    free(lead->state);
    *lead = (struct cy_lead){0};
}

/* --- A predictor learns them --- */

#define LONGEST 4096 /* the most instructions that are read for a branch */
#define IN_ROW  64   /* the most direct jumps, calls and returns in a row */
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

    for (size_t i = 0; i < IN_ROW && is_direct(b.kind); i++) {
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
