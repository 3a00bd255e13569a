/*
 * cy_program: cycles of the program and of its functions.
 *
 * If the run has windows, they are those of all that ran, by the core model.
 * Else they are sums over blocks of executions times cycles (equation 1 of
 * Bastian et al., CesASMe and Staticdeps, Inria 2024): the rounds of loops by
 * their figure, and of other code what the dispatch needs, since consecutive
 * blocks overlap.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_PROGRAM_H
#define CY_PROGRAM_H

#include "chain/cy_predict.h"
#include "core/cy_windowed.h"

struct cy_total {
    const char *function; /* NULL: not known, or the whole program */
    const char *object;   /* the path of its file; NULL: the whole program */
    uint32_t file; /* its number, among those of the windows if there are any */
    double instructions;
    double unmodelled; /* instructions that the cycles leave out */
    double cycles;
    double mended;  /* once values that go through memory stay in registers */
    double steered; /* were no branch mispredicted; by windows only */
    bool is_other;  /* not of the function that was asked for */
};

/* Adds the figures of a part. */
void cy_total_add(struct cy_total *to, const struct cy_total *part);

/* What a block takes outside the rounds of loops, in all its executions. */
struct cy_rest {
    uint32_t block;
    double cycles;
};

struct cy_program {
    bool is_known;    /* else there is nothing else */
    bool is_recorded; /* by windows */
    bool is_few;      /* by so few that only shares are known */
    double low, high; /* the cycles by other windows, with 95 %; NAN: not by
                         windows, or by few */
    struct cy_total total;
    struct cy_total *functions; /* those that were asked for, the most costly
                                   first, then the others */
    size_t n, n_all, functions_room;
    struct cy_rest *rest; /* not by windows */
    size_t n_rest;
};

/* `windowed` has no windows if its `n_insns` is 0.  Without executions, nothing
   is known; nor of one function's loops alone, which is all that the prediction
   has if `is_part`. */
void cy_program_of(struct cy_program *program, const struct cy_data *data,
                   const struct cy_prediction *prediction,
                   const struct cy_windowed *windowed, bool is_part);
void cy_program_fini(struct cy_program *program);

#endif
