/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cy_windowed.h"

/* --- Instructions by place --- */

static int place_order(const void *pa, const void *pb, void *context)
{
    const struct cy_windowed *w = context;
    uint32_t x = *(const uint32_t *)pa, y = *(const uint32_t *)pb;
    const struct cy_simulated_insn *a = &w->simulated[x], *b = &w->simulated[y];

    return array_order(w->in_data[a->object], w->in_data[b->object])
               ?: array_order(a->address, b->address)
               ?: array_order(x, y);
}

void cy_windowed_sort(struct cy_windowed *w)
{
    w->by_place = memory_new(w->n_insns, sizeof *w->by_place);
    for (uint32_t i = 0; i < w->n_insns; i++)
        if (w->in_data[w->simulated[i].object] != UINT32_MAX)
            w->by_place[w->n_by_place++] = i;
    qsort_r(w->by_place, w->n_by_place, sizeof *w->by_place, place_order, w);
}

/* The index in by_place of the first instruction of an object from an address
   on. */
static size_t from_place(const struct cy_windowed *w, uint32_t object,
                         uint64_t address)
{
    return array_bisect(
        0, w->n_by_place, i,
        w->in_data[w->simulated[w->by_place[i]].object] < object ||
            (w->in_data[w->simulated[w->by_place[i]].object] == object &&
             w->simulated[w->by_place[i]].address < address));
}

const uint32_t *cy_windowed_insns_at(const struct cy_windowed *w,
                                     uint32_t object, uint64_t address,
                                     size_t *n)
{
    size_t first = from_place(w, object, address);

    assert(object != UINT32_MAX);
    *n = from_place(w, object, address + 1) - first;
    return array_from(w->by_place, first);
}

ARRAY_ORDER(number_order, uint32_t, array_order(*a, *b))

/* The *n instructions of a loop, over all paths, in the order of their numbers.
   The caller frees the list. */
static uint32_t *insns_of(const struct cy_windowed *w,
                          const struct cy_loop *loop, size_t *n)
{
    uint32_t *list = NULL;
    size_t room = 0;

    *n = 0;
    for (size_t i = 0; i < loop->n_body; i++) {
        const struct cy_block *b = &w->data->blocks[loop->body[i]];
        size_t end = from_place(w, b->object, b->end);

        for (size_t j = from_place(w, b->object, b->start); j < end; j++)
            if (w->blocks[w->by_place[j]] == loop->body[i])
                array_push(list, *n, room, w->by_place[j]);
    }
    array_sort(list, *n, number_order);
    return list;
}

double cy_windowed_own(const struct cy_windowed *w, const struct cy_loop *loop)
{
    double own = 0;
    size_t n;
    AUTO_FREE uint32_t *insns = insns_of(w, loop, &n);

    for (size_t i = 0; i < n; i++)
        own += w->outcome.by_insn[insns[i]];
    return own;
}

/* If more than this share of the time in callees is cut off by the ends of
   windows, other calls may be so long that they are in no window at all. */
#define MOST_CUT 0.5

struct cy_windowed_round cy_windowed_loop(const struct cy_windowed *w,
                                          const struct cy_loop *loop)
{
    struct cy_windowed_round round = {0};
    double cut = 0, sums[CY_N_FIXES] = {0}, same, passed = 0, chained = 0;
    size_t n;
    AUTO_FREE uint32_t *insns = insns_of(w, loop, &n);

    for (size_t j = 0; j < n; j++) {
        uint32_t i = insns[j];

        if (w->outcome.executed[i] == 0)
            continue;
        round.is_unknown |=
            cy_step_orders(w->simulated[i].step) &&
            isnan(cy_step_order(w->simulated[i].step, w->machine));
        round.is_least |= w->outcome.hides[i];
        round.own += w->outcome.by_insn[i];
        passed += w->passed[i];
        chained += w->passed[i] + w->chained[i];
        /* Time in a loop that calls itself is in `own` already. */
        if (!w->outcome.recurses[i]) {
            round.called += w->outcome.called[i];
            cut += w->outcome.cut[i];
        }
        for (unsigned f = 0; f < CY_N_FIXES; f++)
            if (w->fixed[f].own != NULL) {
                sums[f] += w->fixed[f].own[i];
                sums[f] += w->outcome.recurses[i] ? 0 : w->fixed[f].called[i];
            }
        if (w->simulated[i].address != w->data->blocks[loop->blocks[0]].start)
            continue;
        round.rounds += w->outcome.weighed[i];
        round.n_seen += w->outcome.executed[i];
    }
    if (round.n_seen == 0)
        return (struct cy_windowed_round){0};
    assert(round.rounds > 0);
    same = sums[CY_FIX_NONE];
    /* CY_FIX_MENDED also leaves out the work of accesses, which is no wait. */
    if (round.called <= 0 && passed < CY_HARDLY * round.own)
        sums[CY_FIX_MENDED] = same;
    round.is_least |= loop->has_other_ways || cut > MOST_CUT * round.called;
    round.own /= round.rounds;
    round.called /= round.rounds;
    round.mended = round.released = round.steered = round.cached = round.quick =
        round.slow = round.own + round.called;
    if (same > 0) {
        round.mended *= fmin(sums[CY_FIX_MENDED] / same, 1);
        round.released *= fmin(sums[CY_FIX_FREE] / same, 1);
        round.steered *= fmin(sums[CY_FIX_PREDICTED] / same, 1);
        if (w->fixed[CY_FIX_SLOW].own != NULL) {
            round.quick *= fmin(sums[CY_FIX_QUICK] / same, 1);
            round.slow *= fmax(sums[CY_FIX_SLOW] / same, 1);
        }
        if (w->has_caches)
            round.cached *= fmin(sums[CY_FIX_CACHED] / same, 1);
    }
    /* CY_FIX_FREE saves no more than the time in waits for values. */
    if (round.called <= 0)
        round.released =
            fmax(round.released, round.own - chained / round.rounds);
    return round;
}

double cy_windowed_at(const struct cy_windowed *w, uint32_t object,
                      uint64_t address)
{
    size_t n;
    const uint32_t *insns = cy_windowed_insns_at(w, object, address, &n);
    double cycles = 0;

    for (size_t i = 0; i < n; i++)
        cycles += w->outcome.by_insn[insns[i]];
    return cycles;
}
