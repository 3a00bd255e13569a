/*
 * cy_measure: all cases of the calibration, measured.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "calibrate/cy_measure.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <xmmintrin.h>

#include "memory.h"

#define FIRST_PASSES 5
#define GOOD_SAMPLES 11
#define TRIES        120  /* to get them, in a pass */
#define AGREE        0.01 /* half the passes, by at most this share */
#define MOST_SECONDS 40
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
    bool again; /* only what does not agree */
};

static bool is_late(const struct measuring *m)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec > m->end.tv_sec ||
           (now.tv_sec == m->end.tv_sec && now.tv_nsec >= m->end.tv_nsec);
}

/* Sets the figure from the passes so far. */
static void settle(struct cy_result *r)
{
    double sorted[CY_PASSES];
    unsigned n = r->n_passes;

    assert(n <= CY_PASSES);
    if (n == 0)
        return;
    memcpy(sorted, r->passes, sizeof sorted);
    r->cycles = cy_median(sorted, n);
    r->steady =
        n >= 3 && sorted[n - 1 - n / 4] - sorted[n / 4] <= AGREE * r->cycles;
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
    settle(r);
}

static bool can_run(const struct measuring *m, const char *flag)
{
    return flag == NULL || cy_cpu_has(m->cpu, flag);
}

static void pass(struct measuring *m, struct cy_results *results)
{
    for (unsigned t = 0; t < CY_N_TABLES; t++)
        for (size_t i = 0; i < results->tables[t]->n; i++) {
            const struct cy_insn_case *c = &results->tables[t]->cases[i];

            if (can_run(m, c->flag))
                measure(m, c->loop, &results->insns[t][i]);
        }
    for (size_t i = 0; i < cy_n_forward_cases; i++)
        for (enum cy_op op = 0; op < CY_N_OPS; op++) {
            const struct cy_forward_case *c = &cy_forward_cases[i];

            if (c->loops[op] != NULL && can_run(m, c->flag))
                measure(m, c->loops[op], &results->forwards[i][op]);
        }
}

struct cy_results *cy_results_new(void)
{
    struct cy_results *r = memory_new(1, sizeof *r);

    r->tables[0] = &cy_general_cases;
    r->tables[1] = &cy_xmm_cases;
    r->tables[2] = &cy_wide_cases;
    r->tables[3] = &cy_division_cases;
    r->tables[4] = &cy_throughput_cases;
    for (unsigned t = 0; t < CY_N_TABLES; t++) {
        r->insns[t] = memory_new(r->tables[t]->n, sizeof **r->insns);
        for (size_t i = 0; i < r->tables[t]->n; i++)
            r->insns[t][i].cycles = NAN;
    }
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
    _mm_setcsr(control);
}

void cy_results_free(struct cy_results *results)
{
    if (results == NULL)
        return;
    for (unsigned t = 0; t < CY_N_TABLES; t++)
        free(results->insns[t]);
    free(results->forwards);
    free(results);
}

double cy_result_insn(const struct cy_results *results, unsigned table,
                      size_t i, bool *steady)
{
    const struct cy_insn_case *c;
    const struct cy_result *r;

    assert(table < CY_N_TABLES && i < results->tables[table]->n);
    c = &results->tables[table]->cases[i];
    r = &results->insns[table][i];
    assert(c->links > 0);
    *steady &= r->steady;
    return r->cycles / c->links -
           (c->minus != NULL ? cy_result_named(results, c->minus, steady) : 0);
}

double cy_result_forward(const struct cy_results *results, size_t i,
                         enum cy_op op, bool *steady)
{
    const struct cy_forward_case *c;
    const struct cy_result *r;

    assert(i < cy_n_forward_cases && op < CY_N_OPS);
    c = &cy_forward_cases[i];
    r = &results->forwards[i][op];
    assert(c->links > 0 && c->loops[op] != NULL);
    *steady &= r->steady;
    return r->cycles / c->links -
           (c->minus[op] != NULL
                ? cy_result_named(results, c->minus[op], steady)
                : 0);
}

double cy_result_named(const struct cy_results *results, const char *name,
                       bool *steady)
{
    for (unsigned t = 0; t < CY_N_TABLES; t++)
        for (size_t i = 0; i < results->tables[t]->n; i++)
            if (strcmp(results->tables[t]->cases[i].name, name) == 0)
                return cy_result_insn(results, t, i, steady);
    return NAN;
}
