/*
 * cy_measure: all cases of the calibration, measured.
 *
 * Each case is measured in several passes, as far apart in time as possible.
 * Cases whose passes disagree get more passes.  A case that still disagrees, or
 * never ran undisturbed, is not steady.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CYCLES_CY_MEASURE_H
#define CYCLES_CY_MEASURE_H

#include <stdbool.h>

#include "calibrate/cy_cases.h"
#include "machine/cy_cpu.h"

#define CY_N_TABLES 5
#define CY_PASSES   9

struct cy_result {
    double cycles; /* a round; NAN: it could not be measured at all */
    bool steady;
    unsigned n_passes;
    double passes[CY_PASSES];
};

struct cy_results {
    const struct cy_insn_table *tables[CY_N_TABLES];
    struct cy_result *insns[CY_N_TABLES];   /* by case */
    struct cy_result (*forwards)[CY_N_OPS]; /* by case */
};

/* Results without figures.  The caller frees. */
struct cy_results *cy_results_new(void);

/* Measures everything that the processor can run, in at most 45 seconds. */
void cy_measure(struct cy_results *results, const struct cy_cpu *cpu);

/* Accepts NULL. */
void cy_results_free(struct cy_results *results);

/* What a link of a case takes without its `minus`; NAN if one of the two could
   not be measured.  *steady becomes false if one of the two is not steady. */
double cy_result_insn(const struct cy_results *results, unsigned table,
                      size_t i, bool *steady);

/* The cycles of a chain of a forward case; *steady becomes false if one of its
   measurements is not. */
double cy_result_forward(const struct cy_results *results, size_t i,
                         enum cy_op op, bool *steady);

/* The latency that the case of this name shows; NAN if there is none. */
double cy_result_named(const struct cy_results *results, const char *name,
                       bool *steady);

#endif
