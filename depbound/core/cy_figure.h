/*
 * cy_figure: what one round of each loop takes, and why, by the core model.
 *
 * If windows have enough rounds of a loop, its figures come from them.  Else
 * rounds are made up (cy_madeup) and simulated in four variants: as they are;
 * with all values that go through memory in registers; with no load that reads
 * what the loop stored; and with nothing that waits for a value.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "chain/cy_predict.h"
#include "keys.h"
#include "core/cy_windowed.h"

/* Fills in what cy_predict leaves open, and orders the loops.  `windowed` may
   be NULL. */
void cy_figures_of(struct cy_prediction *prediction, const struct cy_data *data,
                   struct cy_code *code, const struct cy_choice *choice,
                   const struct cy_windowed *windowed);

/* Do recorded rounds take clearly more or less than the steady rounds that
   cy_madeup makes up? */
bool cy_figure_is_apart(const struct cy_cycles *cycles);

/* --- cy_chain: what a loop's rounds wait for, by instruction --- */

/* The chain of made-up rounds that take `cycles` each; without links, if no
   chain repeats.  The caller frees the links of all chains. */
struct cy_chain cy_chain_of(const struct cy_cost_of_loop *loop,
                            const struct cy_outcome *outcome, double cycles);

/* The waits that take most of `rounds` recorded rounds (a weighted number). */
struct cy_chain cy_chain_recorded(const struct cy_cost_of_loop *loop,
                                  const struct cy_windowed *windowed,
                                  double rounds);

/* All waits of the loop for registers, in no order. */
struct cy_chain cy_waits_of(const struct cy_cost_of_loop *loop,
                            const struct cy_model *model);

/* The link from a store of the loop to a load that read its bytes. */
struct cy_link cy_link_of_passage(const struct cy_cost_of_loop *loop,
                                  const struct cy_hop *passage);

/* cy_madeup: what the rounds of a loop take by the core model, found without a
   recorded run of the loop.

   The loop's rounds follow one another, with addresses made up such that loads
   read what the edges through memory say, and no other store of the loop unless
   both addresses are sums of the same registers with the same factors.

   Limits: as those of cy_simulate.  A call takes only the time of the call
   instruction, and what the callee leaves in registers is never waited for;
   branches follow the loop's path, and are predicted.  No access crosses a
   cache line only because of where its base lies. */

struct cy_madeup;

/* Which of a loop's edges through memory made-up addresses obey. */
enum cy_held {
    CY_HELD_NONE, /* no two accesses are at the same address */
    CY_HELD_SURE, /* edges that all walks through the code or a run see */
    CY_HELD_EDGES,
    CY_HELD_ALL /* edges that only few walks see, too */
};

struct cy_madeup_choice {
    enum cy_held held;
    bool is_unrolled;
    size_t per_run; /* rounds after which the loop begins anew; 0: it never
                       does */
};

/* Makes up rounds of a loop, which must live as long.  Sets *n_impossible to
   the number of the loop's edges that contradict others. */
struct cy_madeup *cy_madeup_new(const struct cy_model *model,
                                const struct cy_cost_of_loop *loop,
                                const struct cy_madeup_choice *choice,
                                size_t *n_impossible);

/* Accepts NULL. */
void cy_madeup_free(struct cy_madeup *madeup);

/* The cycles of a round, with the fix applied to all instructions.  The caller
   calls cy_outcome_fini; the instructions of *outcome are steps of the loop. */
double cy_madeup_run(struct cy_madeup *madeup, enum cy_fix_kind fix,
                     struct cy_outcome *outcome);

/* Made-up addresses of a loop's accesses, used inside; they obey the chosen
   edges but for *n_impossible that contradict others. */
struct cy_places;

struct cy_places *cy_places_new(const struct cy_cost_of_loop *loop,
                                enum cy_held held, size_t *n_impossible);
void cy_places_free(struct cy_places *places);

/* The address of load or store number i of a step, in a round and a run of the
   loop, both from 0 on; rounds are counted through all runs. */
uint64_t cy_places_load(const struct cy_places *places, uint32_t step,
                        unsigned i, size_t round, size_t run);
uint64_t cy_places_store(const struct cy_places *places, uint32_t step,
                         unsigned i, size_t round, size_t run);

/* --- Cycles of the program and of its functions --- */

/* If the run has windows, the cycles are those of all that ran, by the core
   model.  Else they are sums over blocks of executions times cycles (equation 1
   of Bastian et al., CesASMe and Staticdeps, Inria 2024): the rounds of loops
   take their figure, and other code what the dispatch needs, since consecutive
   blocks overlap. */

struct cy_total {
    const char *function; /* NULL: not known, or the whole program */
    const char *object;   /* the path of its file; NULL: the whole program */
    uint32_t file; /* its number, among the files of the windows if any */
    double instructions;
    double unmodelled; /* instructions that the cycles leave out */
    double cycles;
    double mended; /* once values that go through memory stay in registers */
    /* By windows only: if no branch were mispredicted, and if nothing missed
       the first caches. */
    double steered, cached;
    double quick, slow; /* by windows: at the core's quickest and slowest, as
                           far as it has several speeds for one code */
    double same;   /* of the windows that were simulated again, as they are */
    bool is_other; /* not of the function that the user asked for */
};

/* Adds a part's instructions and cycles to a sum. */
void cy_total_add(struct cy_total *to, const struct cy_total *part);

/* Do the core's speeds make more than a tenth? */
bool cy_total_is_unsteady(const struct cy_total *total);

/* What a block takes outside the rounds of loops, in all its executions. */
struct cy_rest {
    uint32_t block;
    double cycles;
};

struct cy_program {
    bool is_known;    /* false: nothing else here is set */
    bool is_recorded; /* the cycles come from windows */
    bool is_few;      /* from so few windows that only shares are known */
    double low, high; /* 95 % confidence interval of the cycles; NAN: no
                         windows, or too few */
    double with_most, with_least; /* cycles if the program has the most, or the
                                     least, of the last cache; NAN likewise */
    double unread; /* cycles of the instructions in windows that could not be
                      read or are not known: the least that they can take */
    struct cy_total total;
    struct cy_total *functions; /* the functions that the user asked for, the
                                   most costly first, then the others */
    size_t n, n_all, functions_room;
    struct keys keys;     /* of the functions, while they are summed */
    struct cy_rest *rest; /* only without windows */
    size_t n_rest;
};

/* `windowed` has no windows if its `n_insns` is 0.  Then nothing is known
   without counts of executions, nor if `is_part`: the prediction has only the
   loops of one function. */
void cy_program_of(struct cy_program *program, const struct cy_data *data,
                   const struct cy_prediction *prediction,
                   const struct cy_windowed *windowed, bool is_part);
void cy_program_fini(struct cy_program *program);

/* --- cy_basis --- */

/* The cycles between which 95 of 100 such programs lie, by the choice of
   windows, by the error of the model, if the machine file (or NULL) has it, by
   how much of the last cache the program has, and up to where code that could
   not be read takes as long as the rest.  False if the first is not known, if
   it is all, or if hardly any code could be read. */
bool cy_model_range(const struct cy_facts *machine,
                    const struct cy_program *program, double *least,
                    double *most);

/* The cycles that such programs take in the mean, by the error of the model. */
double cy_model_likely(const struct cy_facts *machine,
                       const struct cy_program *program);
