/*
 * cy_program: cycles of functions and of the program, from what a round of each
 * loop and an execution of each other block takes (equation 1 of Bastian et
 * al., CesASMe and Staticdeps, Inria 2024).
 *
 * Loops have two figures: one if all chains continue from run to run, and one
 * if those that can end with each run do.  Other code takes what the units
 * need, since consecutive blocks overlap.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_PROGRAM_H
#define CY_PROGRAM_H

#include "bound/cy_predict.h"

struct cy_total {
    const char *function; /* NULL: not known, or the whole program */
    uint64_t instructions;
    uint64_t unmodelled; /* instructions that the cycles leave out */
    double mca;          /* cycles that llvm-mca itself predicts */
    /* Cycles if runs of loops overlap: once values stay in registers, and as it
       is.  Then if all chains go on from run to run: without dependencies
       through memory, and with them. */
    double low_mended, low;
    double high_without, high;
};

/* What a block takes outside the rounds of loops, in all its executions. */
struct cy_rest {
    uint32_t block;
    double cycles;
};

struct cy_program {
    struct cy_total total;
    struct cy_rest *rest;
    size_t n_rest;
    struct cy_total *functions; /* the most costly first */
    size_t n;
};

/* Without executions, or without `mca`, there are no figures. */
int cy_program_of(struct cy_program *program, const struct cy_data *data,
                  const struct cy_prediction *prediction, struct cy_code *code,
                  struct cy_mca *mca, struct diag *d);
void cy_program_fini(struct cy_program *program);

#endif
