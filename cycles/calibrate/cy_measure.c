/*
 * cy_measure: measures all cases of the calibration.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "calibrate/internal.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <xmmintrin.h>

#include "array.h"
#include "memory.h"

#define FIRST_PASSES 5
#define GOOD_SAMPLES 11
#define TRIES        120  /* samples of a pass at most */
#define AGREE        0.01 /* passes agree that lie within this share */
#define MOST_SECONDS 45   /* for the passes */
#define FLUSH_TO_ZERO \
    0x8040 /* of MXCSR: denormals are zero, going in and out */

/* Passes take turns with places far from each other, since some figures depend
   on the address. */
#define PLACES 5

struct measuring {
    struct cy_clock clock;
    const struct cy_cpu *cpu;
    char *places[PLACES];
    struct timespec end;
    bool again; /* only cases whose passes do not agree */
};

static bool is_late(const struct measuring *m)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec > m->end.tv_sec ||
           (now.tv_sec == m->end.tv_sec && now.tv_nsec >= m->end.tv_nsec);
}

/* Do k passes from the i-th on agree? */
static bool agrees(const double *sorted, unsigned i, unsigned k)
{
    assert(k > 0);
    return sorted[i + k - 1] - sorted[i] <= AGREE * sorted[i];
}

void cy_result_settle(struct cy_result *r)
{
    double sorted[CY_PASSES];
    unsigned n = r->n_passes, most = n - n / 5;

    assert(n <= CY_PASSES);
    if (n == 0)
        return;
    memcpy(sorted, r->passes, sizeof sorted);
    r->cycles = cy_median(sorted, n);
    r->steady = false;
    for (unsigned i = 0; i + most <= n; i++)
        r->steady |= n >= 3 && agrees(sorted, i, most);
    for (unsigned i = 0; !r->steady && n >= CY_PASSES / 2 && i + 3 <= n; i++)
        if (agrees(sorted, i, 3)) {
            r->cycles = fmax(0.5, round(2 * sorted[i + 1]) / 2);
            r->steady = true;
        }
}

static void measure(struct measuring *m, cy_loop *loop, struct cy_result *r)
{
    struct cy_reading reading;
    char *place;

    if (r->n_passes == CY_PASSES || (m->again && r->steady) || is_late(m))
        return;
    place = m->places[r->n_passes % PLACES];
    memset(place, 0, CY_DATA_SIZE);
    reading = cy_clock_measure(&m->clock, loop, place, 0, GOOD_SAMPLES, TRIES);
    if (reading.n_good >= GOOD_SAMPLES / 2)
        r->passes[r->n_passes++] = reading.cycles;
    cy_result_settle(r);
}

static bool can_run(const struct measuring *m, const char *flag)
{
    return flag == NULL || cy_cpu_has(m->cpu, flag);
}

static void pass(struct measuring *m, struct cy_results *results)
{
    for (size_t i = 0; i < results->n; i++)
        if (can_run(m, results->cases[i]->flag))
            measure(m, results->cases[i]->loop, &results->insns[i]);
    for (size_t i = 0; i < cy_n_forward_cases; i++)
        for (enum cy_op op = 0; op < CY_N_OPS; op++) {
            const struct cy_forward_case *c = &cy_forward_cases[i];

            if (c->loops[op] != NULL && can_run(m, c->flag))
                measure(m, c->loops[op], &results->forwards[i][op]);
        }
}

struct cy_results *cy_results_new(void)
{
    static const struct cy_insn_table *const tables[] = {
        &cy_general_cases, &cy_vector_cases, &cy_division_cases,
        &cy_order_cases,   &cy_unit_cases,   &cy_throughput_cases};
    struct cy_results *r = memory_new(1, sizeof *r);
    size_t room = 0;

    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (size_t i = 0; i < tables[t]->n; i++) {
            array_push(r->cases, r->n, room, &tables[t]->cases[i]);
        }
    r->insns = memory_new(r->n, sizeof *r->insns);
    for (size_t i = 0; i < r->n; i++)
        r->insns[i].cycles = NAN;
    r->forwards = memory_new(cy_n_forward_cases, sizeof *r->forwards);
    for (size_t i = 0; i < cy_n_forward_cases; i++)
        for (enum cy_op op = 0; op < CY_N_OPS; op++)
            r->forwards[i][op].cycles = NAN;
    return r;
}

/* Memory that is aligned to its size, near an address if that is free. */
static char *map_place(uintptr_t near)
{
    char *at = mmap((void *)near, 2 * CY_DATA_SIZE, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (at == MAP_FAILED)
        memory_exhausted();
    at += -(uintptr_t)at & (CY_DATA_SIZE - 1);
    assert((uintptr_t)at % CY_DATA_SIZE == 0);
    return at;
}

void cy_measure(struct cy_results *results, const struct cy_cpu *cpu)
{
    struct measuring m = {.cpu = cpu};
    unsigned control = _mm_getcsr();

    clock_gettime(CLOCK_MONOTONIC, &m.end);
    m.end.tv_sec += MOST_SECONDS;
    for (uintptr_t i = 0; i < PLACES; i++)
        m.places[i] = map_place(0x100000000000 + i * 0x3579abc0000);
    cy_clock_init(&m.clock);
    _mm_setcsr(control | FLUSH_TO_ZERO);
    for (int i = 0; i < 2 * CY_PASSES; i++) {
        m.again = i >= FIRST_PASSES;
        pass(&m, results);
    }
    cy_buffers_measure(&results->window, &m.clock, m.places[0]);
    _mm_setcsr(control);
    if (m.clock.n_all > 0)
        results->undisturbed = (double)m.clock.n_good / m.clock.n_all;
}

void cy_results_free(struct cy_results *results)
{
    if (results == NULL)
        return;
    free(results->cases);
    free(results->insns);
    free(results->forwards);
    free(results);
}

static double per_link(const struct cy_results *results,
                       const struct cy_result *r, double links,
                       const char *minus)
{
    assert(links > 0);
    return r->cycles / links -
           (minus != NULL ? cy_result_named(results, minus) : 0);
}

double cy_result_insn(const struct cy_results *results, size_t i)
{
    assert(i < results->n);
    return per_link(results, &results->insns[i], results->cases[i]->links,
                    results->cases[i]->minus);
}

double cy_result_forward(const struct cy_results *results, size_t i,
                         enum cy_op op)
{
    assert(i < cy_n_forward_cases && op < CY_N_OPS);
    return per_link(results, &results->forwards[i][op],
                    cy_forward_cases[i].links, cy_forward_cases[i].minus[op]);
}

double cy_result_named(const struct cy_results *results, const char *name)
{
    for (size_t i = 0; i < results->n; i++)
        if (strcmp(results->cases[i]->name, name) == 0)
            return cy_result_insn(results, i);
    return NAN;
}
