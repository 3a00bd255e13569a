/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cy_outcome.h"

static bool is_same_hop(const struct cy_hop *a, const struct cy_hop *b)
{
    return a->from == b->from && a->to == b->to && a->store == b->store &&
           a->cause == b->cause;
}

void cy_outcome_hop(struct cy_outcome *o, struct cy_hop hop)
{
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t ends = keys_pair(hop.from, hop.to) * golden,
             hash = (ends ^ ((uint64_t)hop.store << 8 | hop.cause)) * golden;
    uint32_t known =
        keys_match(&o->hop_keys, hash, i, is_same_hop(&o->hops[i], &hop));

    assert(hop.cycles >= 0 && (hop.n == 0 || hop.store != CY_NO_INSN));
    if (known == NO_KEY) {
        keys_append(&o->hop_keys, hash);
        array_append(o, hops, hop);
        return;
    }
    struct cy_hop *old = &o->hops[known];
    old->passage.varies |= old->passage.since != hop.passage.since;
    old->cycles += hop.cycles;
    old->n += hop.n;
}

static bool fails(const struct cy_hop *hop)
{
    return hop->cause == CY_CAUSE_FAILED;
}

ARRAY_ORDER(ends_order, struct cy_hop,
            array_order(a->store, b->store)
                ?: array_order(a->to, b->to)
                ?: array_order(fails(a), fails(b))
                ?: array_order(a->cause, b->cause)
                ?: array_order(a->from, b->from))

ARRAY_ORDER(hop_order, struct cy_hop,
            array_order(b->cycles, a->cycles) ?: ends_order(a, b))

void cy_outcome_conclude(struct cy_outcome *o)
{
    array_sort(o->hops, o->n_hops, ends_order);
    for (size_t i = 0; i < o->n_hops; i++) {
        const struct cy_hop *hop = &o->hops[i];
        struct cy_window_pair *last =
            o->n_pairs > 0 ? &o->pairs[o->n_pairs - 1] : NULL;

        if (hop->store == CY_NO_INSN || cy_cause_is_miss(hop->cause))
            continue;
        if (last == NULL || last->store != hop->store ||
            last->load != hop->to) {
            array_append(
                o, pairs,
                (struct cy_window_pair){.store = hop->store, .load = hop->to});
            last = &o->pairs[o->n_pairs - 1];
        }
        struct cy_passed *passed =
            fails(hop) ? &last->failed : &last->forwarded;
        if (hop->n > 0 && passed->n == 0)
            passed->address = hop->passage.address,
            passed->basis = hop->passage.basis;
        passed->cycles += hop->cycles;
        passed->n += hop->n;
    }
    array_sort(o->hops, o->n_hops, hop_order);
    keys_fini(&o->hop_keys);
}

void cy_outcome_init(struct cy_outcome *o, size_t n_insns, size_t n_windows)
{
    *o = (struct cy_outcome){
        .n_insns = n_insns,
        .by_insn = memory_new(n_insns, sizeof *o->by_insn),
        .executed = memory_new(n_insns, sizeof *o->executed),
        .weighed = memory_new(n_insns, sizeof *o->weighed),
        .called = memory_new(n_insns, sizeof *o->called),
        .recurses = memory_new(n_insns, sizeof *o->recurses),
        .hides = memory_new(n_insns, sizeof *o->hides),
        .cut = memory_new(n_insns, sizeof *o->cut),
        .windows = memory_new(n_windows, sizeof *o->windows)};
}

void cy_outcome_fini(struct cy_outcome *o)
{
    free(o->by_insn);
    free(o->executed);
    free(o->called);
    free(o->recurses);
    free(o->hides);
    free(o->cut);
    free(o->calls);
    keys_fini(&o->call_keys);
    free(o->weighed);
    free(o->windows);
    free(o->pairs);
    free(o->hops);
    free(o->way);
    free(o->away);
    keys_fini(&o->hop_keys);
    *o = (struct cy_outcome){0};
}

/* --- What time was spent on --- */

void cy_events_full(struct cy_events *events)
{
    assert(events->n == events->end);
    if (events->forgets) {
        events->n = CY_NO_EVENT + 1;
        return;
    }
    events->list = memory_grow(events->list, &events->room, events->n,
                               sizeof *events->list);
    events->end = events->room;
}

void cy_events_clear(struct cy_events *events, bool forgets)
{
    events->n = CY_NO_EVENT;
    events->list = memory_grow(events->list, &events->room, CY_EVENTS_KEPT,
                               sizeof *events->list);
    events->end = forgets ? CY_EVENTS_KEPT : events->room;
    events->forgets = forgets;
    *cy_events_new(events) = (struct cy_event){.insn = CY_NO_INSN};
}

/* Adds a part of the time before an event to a cause and a hop. */
static void add(struct cy_outcome *outcome, const struct cy_events *events,
                const struct cy_event *e, enum cy_cause cause, double cycles)
{
    if (cycles <= 0)
        return;
    cycles *= outcome->weight;
    outcome->causes[cause] += cycles;
    cy_outcome_hop(outcome,
                   (struct cy_hop){.from = events->list[e->from].insn,
                                   .to = e->insn,
                                   .store = cause == CY_CAUSE_UNITS ? CY_NO_INSN
                                                                    : e->store,
                                   .cause = cause,
                                   .cycles = cycles});
}

void cy_causes_of(struct cy_outcome *outcome, const struct cy_events *events,
                  uint32_t last, double begin, double end)
{
    static const struct cy_event first = {.insn = CY_NO_INSN,
                                          .store = CY_NO_INSN};

    for (uint32_t at = last; at != CY_NO_EVENT && end > begin;) {
        const struct cy_event *e = &events->list[at];
        double before = events->list[e->from].time, from = fmax(before, begin),
               unit;

        assert(e->from < at && before <= e->time);
        /* The wait for a unit comes before the work. */
        unit = fmin(fmax(before + e->delay - from, 0), fmax(end - from, 0));
        add(outcome, events, e, CY_CAUSE_UNITS, unit);
        add(outcome, events, e, e->cause, end - from - unit);
        end = fmin(end, from);
        at = e->from;
    }
    /* The rest of the time is before the first event. */
    add(outcome, events, &first, CY_CAUSE_DISPATCH, end - begin);
}

static void add_leg(struct cy_outcome *o, const struct cy_event *e,
                    const struct cy_event *from, enum cy_cause cause,
                    double cycles)
{
    array_append(o, way,
                 (struct cy_leg){.from = from->insn,
                                 .to = e->insn,
                                 .store = cause == CY_CAUSE_UNITS ? CY_NO_INSN
                                                                  : e->store,
                                 .begun = from->number,
                                 .ended = e->number,
                                 .cause = cause,
                                 .retires = e->retires,
                                 .cycles = cycles});
}

void cy_way_of(struct cy_outcome *o, const struct cy_events *events,
               uint32_t last)
{
    for (uint32_t at = last; at != CY_NO_EVENT;) {
        const struct cy_event *e = &events->list[at],
                              *from = &events->list[e->from];
        double cycles = e->time - from->time, unit = fmin(e->delay, cycles);

        assert(e->from < at);
        add_leg(o, e, from, e->cause, cycles - unit);
        if (unit > 0)
            add_leg(o, e, from, CY_CAUSE_UNITS, unit);
        at = e->from;
    }
}

/* --- Calls --- */

void cy_calls_fini(struct cy_calls *calls)
{
    free(calls->list);
    *calls = (struct cy_calls){0};
}

void cy_calls_restart(struct cy_calls *calls)
{
    calls->n = 0;
}

void cy_calls_count(struct cy_calls *calls, double now)
{
    calls->begin = now;
}

void cy_calls_call(struct cy_calls *calls, uint32_t insn, uint32_t entry,
                   uint64_t back, uint32_t number, double now)
{
    bool recurses = false;

    for (size_t i = calls->n; i > 0 && !recurses; i--)
        recurses = calls->list[i - 1].entry == entry;
    array_push(calls->list, calls->n, calls->list_room,
               (struct cy_frame){.insn = insn,
                                 .entry = entry,
                                 .callee = entry,
                                 .number = number,
                                 .recurses = recurses,
                                 .back = back,
                                 .since = now});
}

/* The most instructions of a stub of the linker, with its jump. */
#define STUB 3

void cy_calls_jump(struct cy_calls *calls, uint32_t to, uint32_t number)
{
    if (calls->n > 0 && number - calls->list[calls->n - 1].number <= STUB)
        calls->list[calls->n - 1].callee = to;
}

static void add_call(struct cy_outcome *o, const struct cy_frame *f,
                     uint32_t callee, double cycles)
{
    uint32_t call = keys_add(&o->call_keys, keys_pair(f->insn, callee));

    if (call == o->n_calls)
        array_append(o, calls,
                     (struct cy_called){f->insn, callee, f->callee, 0});
    o->calls[call].cycles += cycles;
}

/* Adds the counted time of a frame; `is_cut`: it was open for longer.  It ends
   at instruction `last`, if that is not CY_NO_INSN. */
static void close_frame(const struct cy_calls *calls, struct cy_outcome *o,
                        const struct cy_frame *f, uint32_t last, bool is_cut,
                        double now)
{
    double cycles = o->weight * (now - fmax(f->since, calls->begin));

    assert(f->insn < o->n_insns && cycles >= 0);
    o->called[f->insn] += cycles;
    if (is_cut || f->since < calls->begin)
        o->cut[f->insn] += cycles;
    if (f->recurses)
        return;
    add_call(o, f, f->callee, cycles);
    if (last != CY_NO_INSN && last != f->callee)
        add_call(o, f, last, cycles);
}

void cy_calls_return(struct cy_calls *calls, struct cy_outcome *outcome,
                     uint32_t from, uint32_t insn, uint64_t to, double now)
{
    const struct cy_frame unseen = {
        .insn = insn, .callee = from, .since = calls->begin};
    size_t left = calls->n;

    while (left > 0 && calls->list[left - 1].back != to)
        left--;
    if (left == 0 && calls->n > 0)
        return;
    if (outcome != NULL && left == 0)
        close_frame(calls, outcome, &unseen, from, true, now);
    for (left = left > 0 ? left - 1 : 0; calls->n > left; calls->n--) {
        const struct cy_frame *f = &calls->list[calls->n - 1];

        if (outcome == NULL)
            continue;
        close_frame(calls, outcome, f, f->back == to ? from : CY_NO_INSN, false,
                    now);
        outcome->recurses[f->insn] |= f->recurses;
        outcome->recurses[insn] |= f->recurses && f->back == to;
    }
}

void cy_calls_end(struct cy_calls *calls, struct cy_outcome *outcome,
                  double now)
{
    for (; calls->n > 0; calls->n--) {
        const struct cy_frame *f = &calls->list[calls->n - 1];

        close_frame(calls, outcome, f, CY_NO_INSN, true, now);
        outcome->recurses[f->insn] |= f->recurses;
    }
}

/* --- How much windows differ --- */

/* With fewer windows, nothing can be said about how much they differ. */
#define LEAST_WINDOWS 5
#define DRAWS         1000

ARRAY_ORDER(number_order, double, array_order(*a, *b))

/* Windows that are resampled together. */
struct part {
    size_t first, n;
};

ARRAY_ORDER(part_order, struct part,
            array_order(a->n, b->n) ?: array_order(a->first, b->first))

/* The windows of each run, the fewest first. */
static size_t find_runs(const struct cy_outcome *o, struct part *runs)
{
    size_t n = 0;

    for (size_t i = 0; i < o->n_windows; i++) {
        if (i == 0 || o->windows[i].run != o->windows[i - 1].run)
            runs[n++] = (struct part){i, 0};
        runs[n - 1].n++;
    }
    array_sort(runs, n, part_order);
    return n;
}

/* Joins small runs into parts that have enough windows, and copies the windows
   to `list`, part by part.  Returns the number of parts. */
static size_t join_runs(const struct cy_outcome *o, struct part *parts,
                        size_t n_runs, struct cy_weighed *list)
{
    size_t n = 0, at = 0;

    for (size_t i = 0; i < n_runs; i++) {
        struct part run = parts[i];

        memcpy(list + at, o->windows + run.first, run.n * sizeof *list);
        if (i == 0 || parts[n - 1].n >= LEAST_WINDOWS)
            parts[n++] = (struct part){at, 0};
        parts[n - 1].n += run.n;
        at += run.n;
    }
    assert(at == o->n_windows);
    if (n > 1 && parts[n - 1].n < LEAST_WINDOWS) {
        parts[n - 2].n += parts[n - 1].n;
        n--;
    }
    return n;
}

static double draw(const struct part *part, const struct cy_weighed *list,
                   uint64_t *random)
{
    double cycles = 0, instructions = 0, all = 0;

    for (size_t i = 0; i < part->n; i++) {
        *random ^= *random << 13;
        *random ^= *random >> 7;
        *random ^= *random << 17;
        const struct cy_weighed *w =
            &list[part->first + (size_t)((*random >> 32) * part->n >> 32)];
        cycles += w->cycles;
        instructions += w->instructions;
        all += list[part->first + i].instructions;
    }
    return all * cycles / instructions;
}

bool cy_outcome_interval(const struct cy_outcome *o,
                         struct cy_interval *interval)
{
    double means[DRAWS], n = (double)o->instructions;
    uint64_t random = UINT64_C(0x2545f4914f6cdd1d);

    if (o->n_windows < LEAST_WINDOWS)
        return false;
    AUTO_FREE struct cy_weighed *list = memory_new(o->n_windows, sizeof *list);
    AUTO_FREE struct part *parts = memory_new(o->n_windows, sizeof *parts);
    size_t n_parts = join_runs(o, parts, find_runs(o, parts), list);
    assert(n_parts > 0);
    for (unsigned d = 0; d < DRAWS; d++) {
        means[d] = 0;
        for (size_t i = 0; i < n_parts; i++)
            means[d] += draw(&parts[i], list, &random) / n;
    }
    array_sort(means, DRAWS, number_order);
    *interval = (struct cy_interval){o->cycles / n, means[DRAWS / 40],
                                     means[DRAWS - 1 - DRAWS / 40]};
    return true;
}
