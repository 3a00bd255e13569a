/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cy_pipeline.h"

/* Cycles until an access has updated its base register.  (Arm's Software
   Optimization Guides, notes on base register updates.) */
#define BASE_CYCLES 1.0

/* On Zen 3, a misprediction beside chains of vector additions costs some seven
   cycles more, however long the chains are, unless these are less than about an
   eighth of the instructions; beside additions that need not wait, or chains
   of general registers, it does not. */
#define VECTORS_WAIT 0.125
#define LONG_WAIT    3  /* cycles after the dispatch */
#define LAST         32 /* instructions in whose mean these count */

/* A delay of the dispatch, in cycles, after which it gives places anew. */
#define NEW_CYCLE 0.05

struct cy_arrival cy_pipeline_wait(const struct cy_pipeline *c,
                                   const struct cy_recipe *r,
                                   const struct cy_needs *needs,
                                   const struct cy_value *loads, bool computes,
                                   bool load_computes)
{
    double own = computes ? r->cycles : 0;
    bool is_free = c->fix->kind == CY_FIX_FREE;
    bool is_loaded = needs->n == 0 && needs->loads != 0;
    struct cy_arrival w = {&c->entered,
                           c->entered.at.time +
                               (is_loaded && !load_computes ? 0 : own)};

    for (unsigned i = 0; i < needs->n && !is_free; i++) {
        unsigned word = c->recipes->words[needs->first + i];
        const struct cy_value *v = &c->words[word];
        const struct cy_operands *o = &r->step->operands;
        double cycles = own;

        /* The half of a register that the instruction keeps is not waited for
           if it is 0.  If the window does not tell, it is as it was the last
           time, or else 0, as compilers leave it. */
        if (word == r->upper && c->met[c->insn] != CY_UPPER_FULL)
            continue;
        if (computes && word >= r->first_kept &&
            word - r->first_kept < r->n_kept)
            cycles = r->kept;
        if (computes && v->figure > 0 && v->figure == r->figure)
            cycles = word >= o->sum && word - o->sum < o->n_sum ? r->accumulated
                                                                : r->chained;
        if (v->at.time + cycles >= w.done && v->at.event != CY_NO_EVENT) {
            w.last = v;
            w.done = v->at.time + cycles;
        }
    }
    for (unsigned i = 0; needs->loads >> i != 0 && !is_free; i++) {
        double cycles = load_computes ? r->cycles : 0;

        if ((needs->loads >> i & 1) == 0 || i >= r->n_loads)
            continue;
        /* Loaded values have a figure only if a fix keeps them in registers. */
        if (load_computes && loads[i].figure > 0 &&
            loads[i].figure == r->figure)
            cycles = r->chained;
        if (loads[i].at.time + cycles >= w.done) {
            w.last = &loads[i];
            w.done = loads[i].at.time + cycles;
        }
    }
    return w;
}

double cy_pipeline_start(struct cy_pipeline *c, double ready,
                         const struct cy_pieces *work, const float *rates)
{
    double start = ready;

    if (rates != NULL)
        start = cy_units_take_rates(&c->units, rates, start);
    for (unsigned i = 0; work != NULL && i < work->n; i++) {
        struct cy_owed *owed = &c->owed[c->owing + work->first + i];

        if (owed->window != c->window)
            *owed = (struct cy_owed){.window = c->window};
        start = cy_later(
            start,
            cy_units_take_piece(&c->units, &c->recipes->pieces[work->first + i],
                                &owed->cycles, ready));
    }
    c->begun += start;
    c->n_begun++;
    return start;
}

/* The result of an instruction, or when its moves begin if it has no result. */
static void result(struct cy_pipeline *c, const struct cy_recipe *r,
                   const struct cy_value *loads, struct cy_moment dispatched,
                   bool is_first, struct cy_value *value,
                   struct cy_moment *issue)
{
    struct cy_arrival w;
    double ready, start, delay;

    *value = (struct cy_value){.at = dispatched,
                               .begin = dispatched.time,
                               .origin = -1,
                               .origin_insn = CY_NO_INSN,
                               .computes = true};
    if (r->is_idle)
        return;
    if (r->upper < FLOW_WORDS && c->uppers[r->upper] != CY_UPPER_UNKNOWN)
        c->met[c->insn] = c->uppers[r->upper];
    w = cy_pipeline_wait(c, r, r->computes ? &r->operands : &r->way, loads,
                         r->computes, r->computes);
    ready = w.last->at.time;
    if (!r->computes)
        for (unsigned i = 0; i < r->n_puts; i++) {
            struct cy_arrival put =
                cy_pipeline_wait(c, r, &r->puts[i].value, loads, false, false);

            ready = cy_later(ready, put.done);
        }
    start = cy_pipeline_start(c, ready, is_first ? NULL : &r->work,
                              r->has_rates ? r->rates : NULL);
    delay = start - ready;
    cy_last_at(issue, start, w.last->at.event);
    value->begin = start;
    value->origin = w.last->origin;
    value->origin_insn = w.last->origin_insn;
    if (r->computes) {
        value->at = cy_pipeline_event(c, w.done + delay, w.last->at,
                                      CY_CAUSE_REGISTERS, delay);
        value->figure = r->figure;
    } else {
        value->at.time = start;
        value->at.event = w.last->at.event;
        value->computes = w.last->computes;
        value->figure = w.last->figure;
    }
}

/* A hash of the stamps, by word, of what an address is made of. */
uint64_t cy_pipeline_stamp(const struct cy_pipeline *c,
                           const struct cy_needs *address)
{
    uint64_t stamp = 0;

    for (unsigned i = 0; i < address->n; i++)
        stamp = 31 * stamp + c->stamps[c->recipes->words[address->first + i]];
    return stamp;
}

/* A hash of the bases. */
uint64_t cy_pipeline_base(const struct cy_pipeline *c,
                          const struct cy_needs *address)
{
    uint64_t base = 0;

    for (unsigned i = 0; i < address->n; i++)
        base = 31 * base + c->words[c->recipes->words[address->first + i]].base;
    return base;
}

/* Is the word that is written known to be 0?  Constants are taken for 0. */
static enum cy_upper upper_of(const struct cy_pipeline *c,
                              const struct cy_recipe *r,
                              const struct cy_recipe_put *p)
{
    if (p->word == r->upper)
        return c->uppers[p->word];
    if (r->is_idle || (p->value.n == 0 && p->value.loads == 0))
        return CY_UPPER_ZERO;
    return !p->by_result && p->value.n == 1 && p->value.loads == 0
               ? c->uppers[c->recipes->words[p->value.first]]
               : CY_UPPER_FULL;
}

/* The base of what an instruction puts, if it copies a register of 64 bits,
   adds a constant to it, or loads it from where it was renamed; 0: it is new.
 */
static uint64_t base_of(const struct cy_pipeline *c, const struct cy_recipe *r,
                        const struct cy_recipe_put *p,
                        const struct cy_value *loads)
{
    const struct cy_needs *from = p->by_result ? &r->operands : &p->value;

    if (r->adds_constant)
        return c->words[p->word].base;
    if (from->n == 0 && from->loads == 1 && !p->by_result)
        return loads[0].base;
    return r->moves_base && from->n == 1 && from->loads == 0
               ? c->words[c->recipes->words[from->first]].base
               : 0;
}

/* Writes the instruction's registers: `res`, and what is not the result.
   Returns when the last value that is not the result is available. */
static struct cy_moment put(struct cy_pipeline *c, const struct cy_recipe *r,
                            const struct cy_value *loads,
                            const struct cy_value *res)
{
    struct cy_value moved[FLOW_MOST_PUTS];
    enum cy_upper uppers[FLOW_MOST_PUTS];
    uint64_t bases[FLOW_MOST_PUTS];
    struct cy_moment last = {0, CY_NO_EVENT};

    for (unsigned i = 0; i < r->n_puts; i++) {
        const struct cy_recipe_put *p = &r->puts[i];
        struct cy_arrival w;

        uppers[i] = upper_of(c, r, p);
        bases[i] = base_of(c, r, p, loads);
        if (p->by_result || r->is_idle)
            continue;
        w = cy_pipeline_wait(c, r, &p->value, loads, !p->is_free && !p->is_base,
                             false);
        if (p->is_base)
            w.done += BASE_CYCLES;
        cy_value_copy(&moved[i], w.last);
        moved[i].begin = w.last->at.time;
        /* A value that costs nothing is what its source is, and when. */
        if (w.done > w.last->at.time) {
            moved[i].at =
                cy_pipeline_event(c, w.done, w.last->at, CY_CAUSE_REGISTERS, 0);
            if (p->value.loads == 0)
                moved[i].figure = 0;
        }
        cy_last_at(&last, moved[i].at.time, moved[i].at.event);
    }
    for (unsigned i = 0; i < r->n_puts; i++) {
        const struct cy_recipe_put *p = &r->puts[i];

        cy_value_copy(&c->words[p->word],
                      p->by_result || r->is_idle ? res : &moved[i]);
        if (p->more > 0)
            c->words[p->word].at = cy_pipeline_event(
                c, res->at.time + p->more, res->at, CY_CAUSE_REGISTERS, 0);
        c->stamps[p->word] = ++c->n_stamps;
        c->words[p->word].base = bases[i] != 0 ? bases[i] : c->n_stamps;
        c->uppers[p->word] = uppers[i];
    }
    return last;
}

/* Nothing waits for registers that a callee writes, unless windows have it. */
static void forget(struct cy_pipeline *c, const struct flow_sources *words)
{
    for (unsigned i = 0; i < FLOW_WORDS / 64; i++)
        for (uint64_t left = words->words[i]; left != 0; left &= left - 1) {
            unsigned w = 64 * i + (unsigned)__builtin_ctzll(left);

            cy_word_forget(c, w);
            c->uppers[w] = CY_UPPER_UNKNOWN;
        }
}

/* Delays *at until there is room in a buffer. */
static void wait_for(struct cy_pipeline *c, enum cy_full which, double time,
                     uint32_t event, struct cy_moment *at, enum cy_cause *cause)
{
    if (time <= at->time)
        return;
    if (c->is_counted)
        c->outcome->full[which] += c->outcome->weight * (time - at->time);
    *at = (struct cy_moment){time, event};
    *cause = CY_CAUSE_UNITS;
}

/* Enters the schedulers that have a queue before them. */
static void enter(struct cy_pipeline *c, const struct cy_recipe *r)
{
    struct cy_moment at;

    if (!cy_schedulers_enter(&c->buffers, r, c->dispatched, &at))
        return;
    if (at.time > c->dispatched.time)
        c->entered.at = cy_pipeline_event(c, at.time, at, CY_CAUSE_UNITS, 0);
    cy_schedulers_entered(&c->buffers, c->entered.at);
}

/* Cycles until the next cycle of the dispatch, for an instruction that cannot
   begin in the rest of this one. */
static double split_cycles(const struct cy_pipeline *c,
                           const struct cy_recipe *r)
{
    const struct cy_dispatch *d = c->fetch.dispatch;

    return r->is_split && d != NULL && d->split_places > 0 &&
                   (c->given.insns >= d->split_places ||
                    c->given.places > d->split_places)
               ? 1 - c->given.places / c->fetch.width
               : 0;
}

/* Counts what the cycle of the dispatch has given; is_new: it is a new one. */
static void give(struct cy_pipeline *c, unsigned places, bool is_new)
{
    if (is_new)
        c->given = (struct cy_given){0};
    c->given.places += places;
    c->given.insns += places > 0;
    if (c->given.places >= c->fetch.width)
        c->given =
            (struct cy_given){.places = fmod(c->given.places, c->fetch.width)};
}

static struct cy_moment dispatch(struct cy_pipeline *c,
                                 const struct cy_recipe *r, unsigned places)
{
    struct cy_moment at = c->dispatched;
    enum cy_cause cause = CY_CAUSE_DISPATCH;
    struct cy_moment fetched = cy_fetch_next(&c->fetch, places);
    uint32_t event = 0;
    double next, time;

    at.time += c->cycles_before;
    next = at.time;
    c->cycles_before = places / c->fetch.most;
    if (fetched.time > at.time) {
        at = fetched;
        cause = c->fetch.cause;
    }
    give(c, 0, at.time > next + NEW_CYCLE);
    at.time += split_cycles(c, r);
    time = cy_queue_room(&c->buffers.list[CY_REORDER_BUFFER],
                         places > 0 ? places : 1, at.time, &event);
    wait_for(c, CY_FULL_REORDER, time, event, &at, &cause);
    time = cy_queue_room(&c->buffers.list[CY_GENERAL_RESULTS], r->n_general,
                         at.time, &event);
    time = cy_queue_room(&c->buffers.list[CY_VECTOR_RESULTS], r->n_vector, time,
                         &event);
    wait_for(c, CY_FULL_REORDER, time, event, &at, &cause);
    time = cy_queue_room(&c->buffers.list[CY_LOAD_BUFFER], r->n_loads, at.time,
                         &event);
    wait_for(c, CY_FULL_LOADS, time, event, &at, &cause);
    time = cy_queue_room(&c->buffers.list[CY_STORE_BUFFER], r->n_stores,
                         at.time, &event);
    wait_for(c, CY_FULL_STORES, time, event, &at, &cause);
    time = cy_schedulers_room(&c->buffers, r, at.time, &event);
    wait_for(c, CY_FULL_SCHEDULER, time, event, &at, &cause);
    assert(at.time >= c->dispatched.time);
    cy_units_dispatch(&c->units, at.time,
                      at.time > next + NEW_CYCLE || c->given.insns == 0);
    give(c, places, at.time > next + NEW_CYCLE);
    at = cy_pipeline_event(c, at.time, at, cause, 0);
    cy_moment_copy(&c->dispatched, &at);
    cy_moment_copy(&c->entered.at, &at);
    cy_units_advance(&c->units, at.time);
    return at;
}

/* Retires an instruction, in order, when all its parts are done. */
static void retire(struct cy_pipeline *c, struct cy_moment done,
                   double completed, unsigned places)
{
    double next = c->retired.time + places / c->fetch.retired;

    c->retired =
        completed > next
            ? cy_pipeline_event(c, completed, done, CY_CAUSE_REGISTERS, 0)
            : cy_pipeline_event(c, next, c->retired, CY_CAUSE_DISPATCH, 0);
    assert(c->retired.time >= c->dispatched.time);
    c->events.list[c->retired.event].retires = true;
}

/* Lets an atomic or a fence take its turn: after the atomic or fence before,
   when the earlier stores but the last have left and the earlier instructions
   are about to retire.  Its own stores leave the buffer at once. */
static void take_turn(struct cy_pipeline *c, const struct cy_recipe *r)
{
    struct cy_moment from = c->retired;
    double turn = c->ordered.time + r->order_cycles, time;

    time = from.time + r->serial_cycles;
    if (r->order == CY_ORDER_RETIRES)
        time -= fmin(CY_ORDER_EARLY, r->serial_cycles);
    if (c->left.time - r->leave_cycles + r->serial_cycles > time) {
        from = c->left;
        time = from.time - r->leave_cycles + r->serial_cycles;
    }
    if (turn > time) {
        from = c->ordered;
        time = turn;
    }
    time = cy_later(time, cy_later(from.time, c->retired.time));
    c->ordered = cy_pipeline_event(c, time, from, CY_CAUSE_ORDER, 0);
    assert(c->ordered.time >= c->retired.time);
    c->retired = c->left = c->ordered;
    if (r->order == CY_ORDER_SERIALIZES) {
        cy_fetch_rest(&c->fetch, c->ordered);
        c->waiting = 0;
    }
}

/* Begins to fetch anew after what a mispredicted branch waits for. */
static void mispredict(struct cy_pipeline *c, const struct cy_recipe *r,
                       const struct cy_value *loads, double begun)
{
    struct cy_arrival w = cy_pipeline_wait(c, r, &r->way, loads, false, false);
    double known = w.last->at.time;

    /* The penalty is that of a comparison of one cycle and a branch. */
    if (r->branch == CY_CONDITIONAL && w.last->computes)
        known = fmin(known, fmax(w.last->begin, known - 1));
    if (begun > w.last->at.time && r->branch > CY_JUMP)
        known += begun - w.last->at.time;
    if (c->waiting >= VECTORS_WAIT)
        known += c->vector_penalty;
    c->strays[c->n_strays++ % CY_STRAYS] =
        (struct cy_stray){c->number, known + c->penalty - c->dispatched.time};
    cy_fetch_again(&c->fetch,
                   cy_pipeline_event(c, known + c->penalty, w.last->at,
                                     CY_CAUSE_MISPREDICTION, 0));
}

/* When an instruction is complete, and the event that completes it. */
struct completion {
    double time;
    struct cy_moment last;
};

static void complete_after(struct completion *done, const struct cy_moment *at,
                           double more)
{
    if (at->time + more <= done->time)
        return;
    done->time = at->time + more;
    cy_moment_copy(&done->last, at);
}

/* Counts an execution; the instruction before it retired at `before`. */
static void count(struct cy_pipeline *c, const struct cy_recipe *r,
                  double before, bool is_missed)
{
    struct cy_outcome *o = c->outcome;

    assert(c->retired.time >= before);
    o->by_insn[c->insn] += o->weight * (c->retired.time - before);
    o->executed[c->insn]++;
    o->weighed[c->insn] += o->weight;
    o->n_unknown += !r->is_known;
    o->n_guessed += r->is_known && r->computes && !r->cost_is_known;
    o->n_ordered += r->order == CY_ORDER_UNKNOWN;
    o->n_system_calls += r->is_system;
    o->n_prefetches += r->is_prefetch;
    o->n_missed += is_missed;
    o->n_branches += r->branch > CY_JUMP;
}

void cy_pipeline_execute(struct cy_pipeline *c, const uint64_t *addresses,
                         struct cy_turn turn)
{
    const struct cy_recipe *r = cy_recipe_of(c->recipes, c->insn);
    unsigned places = cy_pipeline_places(r, turn);
    bool is_missed = turn.is_missed && c->fix->kind != CY_FIX_PREDICTED;
    struct cy_value loads[FLOW_MOST_LOADS], res;
    struct cy_moment dispatched = dispatch(c, r, places), moved;
    struct cy_begun begun = {dispatched, dispatched, dispatched, dispatched};
    struct completion done = {dispatched.time, dispatched};
    double before = c->retired.time;
    bool waits;

    c->is_misread = false;
    if (r->is_prefetch && c->n_prefetched < CY_PREFETCHED)
        c->n_prefetched++;
    c->owing = c->first_owed[c->insn] - r->first_piece;
    for (unsigned l = 0; l < r->n_loads; l++) {
        cy_pipeline_load(c, r, l, addresses, &loads[l], &begun.loads);
        complete_after(&done, &loads[l].at, c->load_completion);
    }
    enter(c, r);
    result(c, r, loads, dispatched, turn.is_first, &res, &begun.computation);
    complete_after(&done, &res.at, 0);
    waits = r->is_vector && r->computes &&
            begun.computation.time >= dispatched.time + LONG_WAIT;
    c->waiting += (waits - c->waiting) / LAST;
    if (r->retiring > 0)
        complete_after(&done, &c->retired, r->retiring);
    if (is_missed)
        mispredict(c, r, loads, begun.computation.time);
    for (unsigned s = 0; s < r->n_stores; s++) {
        struct cy_moment stored =
            cy_pipeline_store(c, r, s, addresses, loads, &res, &begun.stores);

        cy_last_at(&begun.data, stored.time, stored.event);
        complete_after(&done, &stored, c->store_completion);
    }
    moved = put(c, r, loads, &res);
    complete_after(&done, &moved, 0);
    if (r->branch == CY_DIRECT_CALL || r->branch == CY_INDIRECT_CALL)
        forget(c, &r->step->overwritten);
    retire(c, done.last, done.time, places);
    /* What came after a load that was renamed wrongly is undone. */
    if (c->is_misread && !is_missed && c->fix->kind != CY_FIX_FREE &&
        c->fix->kind != CY_FIX_MENDED)
        cy_fetch_rest(&c->fetch,
                      cy_pipeline_event(c, c->retired.time + c->penalty,
                                        c->retired, CY_CAUSE_ADDRESSES, 0));
    if (r->order >= CY_ORDER_RETIRES)
        take_turn(c, r);
    cy_pipeline_leave(c, r);
    cy_queue_add(&c->buffers.list[CY_REORDER_BUFFER], places > 0 ? places : 1,
                 c->retired.time, c->retired.event);
    cy_queue_add(&c->buffers.list[CY_GENERAL_RESULTS], r->n_general,
                 c->retired.time, c->retired.event);
    cy_queue_add(&c->buffers.list[CY_VECTOR_RESULTS], r->n_vector,
                 c->retired.time, c->retired.event);
    cy_queue_add(&c->buffers.list[CY_LOAD_BUFFER], r->n_loads, c->retired.time,
                 c->retired.event);
    cy_schedulers_leave(&c->buffers, r, begun);
    c->counts[c->insn]++;
    if (c->is_counted)
        count(c, r, before, is_missed);
}

void cy_pipeline_repeat(struct cy_pipeline *c, const uint64_t *addresses)
{
    const struct cy_recipe *r = cy_recipe_of(c->recipes, c->insn);

    for (unsigned s = 0; s < r->n_stores; s++) {
        uint64_t address = cy_address_of(addresses, r->stores[s].access);

        if (address != CY_NOT_DONE)
            cy_written_store(c->written, address, r->stores[s].size,
                             CY_NO_STORE);
    }
    if (!c->is_counted)
        return;
    c->outcome->executed[c->insn]++;
    c->outcome->weighed[c->insn] += c->outcome->weight;
    c->outcome->n_rounds++;
}
