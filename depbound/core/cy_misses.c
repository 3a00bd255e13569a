/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cy_windowed.h"

/* --- Sums by instruction --- */

ARRAY_ORDER(away_order, struct cy_missed,
            array_order(a->insn, b->insn)
                ?: array_order(a->kind, b->kind)
                ?: array_order(a->distance, b->distance))

ARRAY_ORDER(origin_order, struct cy_missed, array_order(a->origin, b->origin))

/* The middle of the distances of n accesses, which are sorted by them. */
static double median(const struct cy_missed *away, size_t n, double weight)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        sum += CY_LEVEL(away[i].place) > 0 ? away[i].weight : 0;
        if (2 * sum >= weight && weight > 0)
            return cy_distance_of(away[i].distance);
    }
    return NAN;
}

/* The most usual origin of n addresses, which it sorts. */
static uint32_t usual_origin(struct cy_missed *away, size_t n)
{
    uint32_t usual = CY_NO_INSN;
    double most = 0, sum = 0;

    array_sort(away, n, origin_order);
    for (size_t i = 0; i < n; i++) {
        sum = i > 0 && away[i].origin == away[i - 1].origin ? sum : 0;
        sum += away[i].weight;
        if (sum > most) {
            most = sum;
            usual = away[i].origin;
        }
    }
    return usual;
}

/* Sums up n executions of an instruction. */
static struct cy_miss miss_of(struct cy_missed *away, size_t n)
{
    struct cy_miss miss = {
        .insn = away->insn, .kind = away->kind, .cached = -1, .early = -1};

    for (size_t i = 0; i < n; i++) {
        unsigned level = CY_LEVEL(away[i].place);
        double weight = away[i].weight;

        assert(away[i].place != 0 && level <= CY_BEYOND);
        miss.n_pages += CY_PAGE_LEVEL(away[i].place) > 0 ? weight : 0;
        if (level == 0)
            continue;
        miss.n += weight;
        miss.from[level - 1] += weight;
        miss.n_new += away[i].distance == CY_NEVER ? weight : 0;
    }
    miss.distance = median(away, n, miss.n - miss.n_new);
    miss.origin = usual_origin(away, n);
    return miss;
}

ARRAY_ORDER(miss_order, struct cy_miss,
            array_order(b->cycles, a->cycles)
                ?: array_order(b->n, a->n)
                ?: array_order(a->insn, b->insn)
                ?: array_order(a->kind, b->kind))

/* The first sums of an instruction, which are sorted by instruction and kind;
   NULL if there are none. */
static struct cy_miss *first_of(struct cy_misses *m, uint32_t insn)
{
    size_t low = array_bisect(0, m->n, i, m->list[i].insn < insn);

    return low < m->n && m->list[low].insn == insn ? &m->list[low] : NULL;
}

/* Adds the cycles of a wait to the instruction that asked for the line.  If an
   instruction loads and stores, its load asks first. */
static void add_cycles(struct cy_misses *m, const struct cy_hop *hop)
{
    bool is_code = hop->cause == CY_CAUSE_CODE;
    struct cy_miss *miss = first_of(m, is_code ? hop->to : hop->store);

    while (miss != NULL && miss + 1 < m->list + m->n && is_code &&
           miss->kind != CY_MISSING_CODE && miss[1].insn == miss->insn)
        miss++;
    if (miss == NULL || (miss->kind == CY_MISSING_CODE) != is_code)
        return;
    miss->by[hop->cause - CY_CAUSE_L2] += hop->cycles;
    miss->cycles += hop->cycles;
}

/* Origins are followed back over at most so many loads. */
#define MOST_BACK 4

static bool is_chased(struct cy_misses *m, const struct cy_miss *miss)
{
    uint32_t origin = miss->origin;

    for (unsigned i = 0; i < MOST_BACK && origin != CY_NO_INSN; i++) {
        if (origin == miss->insn)
            return true;
        const struct cy_miss *from = first_of(m, origin);
        origin = from != NULL ? from->origin : CY_NO_INSN;
    }
    return false;
}

void cy_misses_of(struct cy_misses *m, const struct cy_outcome *o)
{
    struct cy_missed *away = memory_new(o->n_away, sizeof *away);

    *m = (struct cy_misses){0};
    if (o->n_away > 0)
        memcpy(away, o->away, o->n_away * sizeof *away);
    array_sort(away, o->n_away, away_order);
    for (size_t i = 0, n; i < o->n_away; i += n) {
        for (n = 1; i + n < o->n_away && away[i + n].insn == away[i].insn &&
                    away[i + n].kind == away[i].kind;)
            n++;
        array_push(m->list, m->n, m->list_room, miss_of(&away[i], n));
    }
    free(away);
    for (size_t i = 0; i < o->n_hops; i++)
        if (cy_cause_is_miss(o->hops[i].cause) ||
            o->hops[i].cause == CY_CAUSE_CODE)
            add_cycles(m, &o->hops[i]);
    for (size_t i = 0; i < m->n; i++)
        m->list[i].is_chased = is_chased(m, &m->list[i]);
    array_sort(m->list, m->n, miss_order);
}

void cy_misses_fini(struct cy_misses *m)
{
    free(m->list);
    *m = (struct cy_misses){0};
}

enum cy_cause cy_miss_cause(const struct cy_miss *miss)
{
    unsigned most = 0;

    for (unsigned i = 1; i < CY_N_MISSING; i++)
        if (miss->by[i] > miss->by[most])
            most = i;
    return CY_CAUSE_L2 + most;
}
