/*
 * cy_measure: the cases of the calibration, and what they take here.
 *
 * Cases are loops that are measured: a chain whose links are all of one kind,
 * so that the cycles of a round divided by its links are the latency of the
 * kind; or independent instructions, whose cycles are the time that they occupy
 * their unit. cases.txt has them all.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CYCLES_CY_MEASURE_H
#define CYCLES_CY_MEASURE_H

#include <stdio.h>

#include "calibrate/cy_clock.h"
#include "machine/cy_machine.h"

enum cy_kind {
    CY_LATENCY,
    CY_OCCUPANCY,
    CY_UNITS, /* how many of its kind begin in a cycle */
    CY_LOAD,
    CY_IDIOM,  /* it is an idiom if its round is short */
    CY_ACCESS, /* how long one access takes the units for it; its name is its
                  key in JSON */
    CY_WIDTH,  /* its links are instructions that only the dispatch limits */
    CY_ROUND,  /* a round of some instructions, and the jump back */
    CY_FUSED, /* two share a place in the dispatch, if its round is shorter than
                 that of "dispatch" */
    CY_BESIDE,  /* the case NAME_beside: latency of NAME beside other
                   instructions; the case NAME has nothing else in its chain */
    CY_FORWARD, /* what goes through memory */
};

/* The chains of a forward case: of moves alone, and with arithmetic between
   load and store.  Other cases have the first only. */
enum cy_op { CY_COPY, CY_ADD, CY_MUL, CY_N_OPS };

struct cy_case {
    const char *name;
    enum cy_kind kind;
    const char *class; /* of registers; NULL: it is no forward case */
    const char *keys; /* of the figure in JSON, or mnemonics; of a forward case,
                         how it differs from the first of its class */
    const char *flag; /* that the processor needs, as /proc/cpuinfo has it */
    double links;     /* in a round */
    bool is_whole;    /* it takes whole cycles; the loop often somewhat less */
    const char
        *minus[CY_N_OPS];     /* a case whose latency each link includes, too */
    cy_loop *loops[CY_N_OPS]; /* NULL: there is no such chain */
};

extern const struct cy_case cy_cases[];
extern const size_t cy_n_cases;

/* The first case of this name, which others have only if no name refers to
   them; cy_n_cases: there is none. */
size_t cy_case_named(const char *name);

/* Has the processor what the case needs? */
bool cy_case_runs(const struct cy_case *c, const struct cy_cpu *cpu);

/* Each loop is measured in several passes, as far apart in time as possible.
   The figure is their median.  Loops whose passes disagree get more passes, and
   the quickest speed that repeats counts, in half cycles, since some processors
   have several speeds for the same code.  A loop with none, or that never ran
   undisturbed, is not steady. */
#define CY_PASSES 24

struct cy_result {
    double cycles; /* a round; NAN: it could not be measured at all */
    bool steady;
    unsigned n_passes;
    double passes[CY_PASSES];
};

struct cy_results {
    struct cy_result (*cases)[CY_N_OPS]; /* as cy_cases */
    struct cy_window window;             /* 0: no clear figure */
    double undisturbed;                  /* the share of all samples */
};

/* Results without figures.  The caller frees. */
struct cy_results *cy_results_new(void);

/* Accepts NULL. */
void cy_results_free(struct cy_results *results);

/* Measures everything that the processor can run, in at most 60 seconds. */
void cy_measure(struct cy_results *results, const struct cy_cpu *cpu);

/* What a link of a chain takes without its `minus`; NAN: there is no such
   chain, or one of the two could not be measured. */
double cy_result_of(const struct cy_results *results, size_t i, enum cy_op op);

/* The latency that the case of this name shows; NAN if there is none. */
double cy_result_named(const struct cy_results *results, const char *name);

/* For tests: sets the figure from the passes so far. */
void cy_result_settle(struct cy_result *result);

/* For tests: the index of the last round before the clearest jump of n rounds
   that get longer; SIZE_MAX: no jump is clear.  NAN: a round could not be
   measured. */
size_t cy_jump(const double *rounds, size_t n);

/* --- cy_derive: rules for what goes through memory, from measured chains ---
 */

/* A class of registers has a plain case, and cases that each differ from it in
   one respect.  A case that costs what the plain one does needs no rule.  The
   others come slowest first, and the plain one last, so that an access that
   differs in several respects costs what the slowest of these does.
   Instructions that both load and store a cell have rules of their own before
   these.  */

/* Rounds a figure to what repeats: to a whole number if one is within 1.5 %; or
   below 4 to halves, thirds, quarters, fifths or sixths within 2.5 %, as units
   that share the work have them.  Else to hundredths, tenths from 1 on,
   quarters from 4 on, halves from 10 on, and whole cycles from 40 on. */
double cy_rounded(double cycles);

/* What a case costs; NAN: there is no such chain. */
struct cy_derived {
    size_t index; /* of the case */
    double copy;  /* of moves alone */
    double other; /* with arithmetic */
    double at_least;
};

/* The rules of a class in their order, at most as many as there are cases.
   Returns how many.  *agree becomes false if a case that rules cannot tell from
   the plain one costs something else. */
size_t cy_derive(const struct cy_results *results, const char *class,
                 struct cy_derived *rules, bool *agree);

/* Writes a case's rule as JSON, or two rules, with a comma between, if moves
   alone cost something else. */
void cy_derived_write(FILE *out, const struct cy_derived *rule);

#endif
