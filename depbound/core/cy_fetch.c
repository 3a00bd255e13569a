/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cy_fetch.h"

/* Bits of cy_steer.known, which has a byte for each instruction. */
#define WAYS     3 /* the two-bit counter: predicts taken from 2 on */
#define IS_KNOWN 4

/* The most that Golden Cove takes longer for a branch: for one that goes as
   predicted, but not as its counter says; for an indirect one that always goes
   to one place; and for a return.  (Loops whose branch goes by 100 and 1,000
   random bits, again and again; interpreters; calls of two functions.) */
#define AGAINST_COUNTER 5
#define BY_REGISTER     2
#define BY_STACK        1

/* In cy_steer.went: there were other targets, too. */
#define OTHERS 0x80000000

void cy_steer_restart(struct cy_steer *s, double time)
{
    s->time = time;
    s->left = 0;
    s->was_slow = false;
    s->n_fetched = 0;
}

void cy_steer_fetched(struct cy_steer *s, double time)
{
    s->fetched[s->n_fetched++ % CY_STEERED] = time;
    if (s->n_fetched >= CY_STEERED)
        s->time = fmax(s->time, s->fetched[s->n_fetched % CY_STEERED]);
}

/* What an indirect branch takes because it has had other targets. */
static double cost_of_targets(struct cy_steer *s, const struct cy_steered *b)
{
    uint32_t *went = &s->went[b->insn], to = b->to + 1,
             before = *went & ~OTHERS;
    bool is_other = before != 0 && before != to;

    assert(b->to == CY_NO_INSN || (to & OTHERS) == 0);
    if ((b->kind != CY_INDIRECT && b->kind != CY_INDIRECT_CALL) ||
        b->to == CY_NO_INSN)
        return 0;
    if (s->dispatch->other_target == 0) {
        *went = to;
        return is_other ? s->dispatch->retarget : 0;
    }
    if (before == 0)
        *went = to;
    if (is_other)
        *went |= OTHERS;
    return is_other                ? s->dispatch->other_target
           : (*went & OTHERS) != 0 ? s->dispatch->first_target
                                   : 0;
}

/* How much longer a taken branch takes if the quick predictor has other ones of
   its line of code instead: those that were taken last.  (Found on Golden Cove,
   with 1 to 6 jumps in each of 1 to 24 lines.) */
static double cost_of_crowd(struct cy_steer *s, uint32_t insn)
{
    unsigned n, i = 0;

    if (s->line == NULL || s->speed == CY_QUICKEST)
        return 0;
    n = s->dispatch->line_branches;
    assert(n > 0 && n <= CY_MOST_LINE_BRANCHES);
    struct cy_crowd *crowd = &s->crowds[s->line[insn]];
    if (crowd->since != s->n_restarts)
        *crowd = (struct cy_crowd){.since = s->n_restarts};
    while (i < n && crowd->latest[i] != insn + 1)
        i++;
    for (unsigned k = i < n ? i : n - 1; k > 0; k--)
        crowd->latest[k] = crowd->latest[k - 1];
    crowd->latest[0] = insn + 1;
    return i < n ? 0 : s->dispatch->crowded_branch - 1;
}

/* Does the quick predictor expect the branch?  It learns it.  What it does not
   know yet is not against its counter. */
static bool is_expected(struct cy_steer *s, const struct cy_steered *b)
{
    uint8_t *known = &s->known[b->insn], ways = *known & WAYS;

    if (b->is_taken && (*known & IS_KNOWN) == 0) {
        *known = IS_KNOWN | 2;
        return true;
    }
    if (b->is_taken)
        *known = IS_KNOWN | (ways < WAYS ? ways + 1 : ways);
    else if (ways > 0)
        --*known;
    return (ways >= 2) == b->is_taken;
}

/* What a branch takes longer at the slowest speed. */
static double cost_of_speed(const struct cy_steered *b, bool is_quick)
{
    switch (b->kind) {
    case CY_CONDITIONAL:
        return is_quick ? 0 : AGAINST_COUNTER;
    case CY_INDIRECT:
    case CY_INDIRECT_CALL:
        return BY_REGISTER;
    case CY_RETURN:
        return BY_STACK;
    default:
        return 0;
    }
}

/* How much longer a branch takes because the quick predictor does not have it,
   and one that takes longer does. */
static double cost_of_slowness(struct cy_steer *s, const struct cy_steered *b)
{
    const struct cy_dispatch *d = s->dispatch;
    double more = 0;

    if (s->speed != CY_QUICKEST)
        more = (b->kind >= CY_DIRECT_CALL ? s->more : 0) +
               (b->is_late ? d->late_return : 0);
    if (b->is_taken)
        more += fmax(
            fmax(cost_of_crowd(s, b->insn), b->is_cold ? d->far_branch - 1 : 0),
            b->is_split ? d->split_branch - 1 : 0);
    return more;
}

void cy_steer_branch(struct cy_steer *s, const struct cy_steered *b)
{
    bool is_quick = true;
    double overruled = 0, more;

    assert(b->kind != CY_NO_BRANCH);
    if (s->branches == 0)
        return;
    if (b->kind == CY_CONDITIONAL)
        is_quick = is_expected(s, b) || s->speed == CY_QUICKEST;
    if (s->speed == CY_SLOWEST)
        s->time += cost_of_speed(b, is_quick);
    else if (!is_quick && !s->was_slow)
        overruled = s->dispatch->overruled_branch;
    /* What not-taken branches cost at one a cycle was not measured. */
    if (b->kind == CY_CONDITIONAL && !b->is_taken &&
        ((s->known[b->insn] & IS_KNOWN) == 0 || s->branches < 2)) {
        s->time += overruled;
        return;
    }
    if (s->left == 0) {
        s->time++;
        s->left = s->branches;
    }
    s->left--;
    if (!is_quick || b->kind >= CY_INDIRECT)
        s->left = 0;
    if (b->is_far)
        s->time += s->dispatch->far;
    if (s->speed != CY_QUICKEST)
        s->time += cost_of_targets(s, b);
    more = cost_of_slowness(s, b);
    if (b->is_taken)
        s->was_slow = is_quick && more > 0;
    s->time += fmax(more, overruled);
}

/* Numbers the lines of code. */
static void take_lines(struct cy_steer *s, const uint64_t *places, size_t n)
{
    AUTO_FINI(keys_fini) struct keys lines = {0};

    s->line = memory_new(n, sizeof *s->line);
    for (size_t i = 0; i < n; i++)
        s->line[i] = keys_add(&lines, places[i] / CY_CACHE_LINE);
    s->crowds = memory_new(lines.n, sizeof *s->crowds);
}

/* --- Runs --- */

void cy_fetch_init(struct cy_fetch *f, const struct cy_model *model,
                   const uint64_t *places, size_t n_insns)
{
    const struct cy_dispatch *d = &cy_machine_facts(model->machine)->dispatch;
    const struct cy_insn ret = {.mnemonic = "ret", .form = "", .bits = 64};
    double both;

    *f = (struct cy_fetch){.width = cy_model_width(model)};
    if (!isnan(d->width))
        f->dispatch = d;
    f->most = f->width;
    for (size_t i = 0; f->dispatch != NULL && i < d->n_rounds; i++)
        f->most = fmax(f->most, (double)(i + 1) / d->rounds[i]);
    f->retired =
        fmax(f->most, cy_machine_facts(model->machine)->window.retired);
    assert(f->most > 0);
    if (d->branches == 0)
        return;
    f->steer.branches = d->branches;
    if (cy_machine_occupancy(model->machine, &ret, &both))
        f->steer.more = fmax(0, both / 2 - 1);
    f->steer.dispatch = d;
    f->steer.known = memory_new(n_insns, 1);
    f->steer.went = memory_new(n_insns, sizeof *f->steer.went);
    if (d->line_branches > 0)
        take_lines(&f->steer, places, n_insns);
}

void cy_fetch_fini(struct cy_fetch *f)
{
    free(f->steer.known);
    free(f->steer.went);
    free(f->steer.line);
    free(f->steer.crowds);
}

void cy_fetch_restart(struct cy_fetch *f)
{
    f->begin = (struct cy_moment){0};
    f->least = f->end = f->cost = f->places = f->done = f->known = 0;
    f->asked = f->came = 0;
    cy_steer_restart(&f->steer, 0);
    f->is_anew = false;
    f->steer.n_restarts++;
}

static bool has_lines(const struct cy_fetch *f)
{
    return f->dispatch != NULL && cy_lines_count(f->dispatch);
}

void cy_fetch_begin(struct cy_fetch *f)
{
    f->places = f->apart = 0;
    if (has_lines(f))
        cy_lines_begin(&f->lines, f->dispatch);
}

void cy_fetch_add(struct cy_fetch *f, const struct cy_fetched *insn)
{
    f->places += insn->places;
    f->apart += insn->apart;
    if (has_lines(f))
        cy_lines_add(&f->lines, insn);
}

static double cost_of(struct cy_fetch *f)
{
    size_t whole = (size_t)ceil(fmax(f->places - f->apart, 1) - 0.01);

    assert(f->width > 0 && f->places >= 0);
    if (has_lines(f))
        return fmax(cy_lines_end(&f->lines),
                    f->steer.branches > 0 ? 1.0 / f->steer.branches : 1);
    return f->dispatch != NULL && whole <= f->dispatch->n_rounds
               ? fmax(f->dispatch->rounds[whole - 1], f->places / f->width)
               : f->places / f->width;
}

void cy_fetch_run(struct cy_fetch *f, struct cy_events *events)
{
    f->asked = f->is_anew ? f->begin.time : f->known;
    if (!f->is_anew) {
        f->begin.time = fmax(f->end, f->known);
        *cy_events_new(events) = (struct cy_event){
            .time = f->begin.time,
            .from = f->begin.event,
            .insn = CY_NO_INSN,
            .store = CY_NO_INSN,
            .cause = (uint8_t)(f->known > f->end ? CY_CAUSE_FETCH : f->cause)};
        f->begin.event = cy_events_last(events);
        f->least = f->begin.time;
    }
    f->is_anew = false;
    f->done = 0;
    f->cost = cost_of(f);
    f->cause = f->cost > f->places / f->width + 1e-9 ? CY_CAUSE_FETCH
                                                     : CY_CAUSE_DISPATCH;
    assert(f->cost >= 0);
    f->end = f->begin.time + f->cost;
    cy_steer_fetched(&f->steer, f->begin.time);
    f->known = f->steer.time;
}

struct cy_moment cy_fetch_next(struct cy_fetch *f, double places)
{
    double time = f->begin.time;

    if (f->places > 0)
        time += f->cost * f->done / f->places;
    f->done += places;
    return (struct cy_moment){time > f->least ? time : f->least,
                              f->begin.event};
}

void cy_fetch_rest(struct cy_fetch *f, struct cy_moment at)
{
    double before = f->places > 0 ? f->cost * f->done / f->places : 0;

    f->begin = (struct cy_moment){at.time - before, at.event};
    f->least = at.time;
    f->end = fmax(at.time, f->begin.time + f->cost);
    cy_steer_restart(&f->steer, at.time);
    f->known = f->asked = f->steer.time;
}

double cy_fetch_line(struct cy_fetch *f, double cycles,
                     const struct cy_memory *memory, bool is_foreseen)
{
    double now = cy_fetch_next(f, 0).time, there = now + cycles;

    if (is_foreseen && memory->code_line_cycles > 0 && f->steer.branches > 0)
        there = fmax(f->asked++ + cycles, f->came + memory->code_line_cycles);
    f->came = fmax(f->came, there);
    return fmax(0, there - now);
}

void cy_fetch_wait(struct cy_fetch *f, double cycles, struct cy_moment at)
{
    f->begin.time += cycles;
    f->begin.event = at.event;
    f->least = at.time;
    f->end = fmax(f->end + cycles, at.time);
}

void cy_fetch_again(struct cy_fetch *f, struct cy_moment at)
{
    f->begin = at;
    f->least = at.time;
    f->is_anew = true;
    cy_steer_restart(&f->steer, at.time);
}
