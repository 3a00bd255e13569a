/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cy_window.h"

#include "core/cy_numbers.h"

#define MOST (1 << 20) /* the most branches of a lead */

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

    if (p == NULL || p->kind == CY_PLACE_TARGET)
        return "a branch before it that is nowhere";
    struct cy_lead_place *state = &l->state[p - l->places];
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

    assert(i < windows->n_rows && run != NULL);
    lead->n = 0;
    if (row->lead_size == 0)
        return NULL;
    uint64_t n = numbers_take(&in);
    l.branches.in = part_of(&in);
    l.targets.in = part_of(&in);
    l.ways = in;
    if (in.failed || n > MOST)
        return "branches before it that cannot be read";
    l.places = windows->places + run->first_place;
    l.n_places = run->n_places;
    l.state = state_of(lead, l.n_places + 1);
    const char *wrong = take_branches(&l, windows, lead, n);
    forget(lead, run->first_place, wrong);
    return wrong;
}

void cy_lead_fini(struct cy_lead *lead)
{
    free(lead->branches);
    free(lead->state);
    *lead = (struct cy_lead){0};
}
