/*
 * cy_figure: what one round of each loop takes, and why, by the core model.
 *
 * If windows have enough rounds of a loop, its figures are theirs.  Else the
 * rounds are made up (cy_madeup): as they are; with all values that go
 * through memory in registers; with no load that reads what the loop stored;
 * and with nothing that waits for a value.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_FIGURE_H
#define CY_FIGURE_H

#include "chain/cy_predict.h"
#include "core/cy_windowed.h"

/* Fills in what cy_predict leaves open, and orders the loops.  `windowed` may
   be NULL. */
void cy_figures_of(struct cy_prediction *prediction, const struct cy_data *data,
                   struct cy_code *code, const struct cy_choice *choice,
                   const struct cy_windowed *windowed);

/* Do recorded rounds take clearly more or less than such rounds in the long
   run? */
bool cy_figure_is_apart(const struct cy_cycles *cycles);

/* --- cy_chain: what rounds wait for, from one instruction to the next --- */

/* The chain of rounds that are made up and take some cycles each; without
   links, if none repeats.  The caller frees the links, here and below. */
struct cy_chain cy_chain_of(const struct cy_cost_of_loop *loop,
                            const struct cy_outcome *outcome, double cycles);

/* What takes most of recorded rounds; `rounds` of them, weighed. */
struct cy_chain cy_chain_recorded(const struct cy_cost_of_loop *loop,
                                  const struct cy_windowed *windowed,
                                  double rounds);

/* All waits for registers, in no order. */
struct cy_chain cy_waits_of(const struct cy_cost_of_loop *loop,
                            const struct cy_model *model);

/* A load that met a store of the loop. */
struct cy_link cy_link_of_passage(const struct cy_cost_of_loop *loop,
                                  const struct cy_hop *passage);

/* cy_madeup: what the rounds of a loop take by the core model, without a run of
   it.

   The loop goes around by itself, with addresses that are made up such that its
   loads read what its edges through memory say, and nothing else of its stores
   unless the same registers with the same factors lead there.

   Limits: as those of cy_simulate.  Calls take no time but their own, and all
   that they leave in registers is there in time; branches go the way of the
   loop, and are predicted.  No access crosses a line because of where its base
   lies. */

struct cy_madeup;

/* Which of a loop's edges hold. */
enum cy_held {
    CY_HELD_NONE, /* no two accesses are at the same address */
    CY_HELD_SURE, /* those that all walks see, or a run */
    CY_HELD_EDGES,
    CY_HELD_ALL /* those that few walks see, too */
};

struct cy_madeup_choice {
    enum cy_held held;
    bool is_unrolled;
    size_t per_run; /* rounds, after which the loop begins anew; 0: it never
                       does */
};

/* Rounds of a loop, which must live as long.  *n_impossible: how many of its
   edges contradict others. */
struct cy_madeup *cy_madeup_new(const struct cy_model *model,
                                const struct cy_cost_of_loop *loop,
                                const struct cy_madeup_choice *choice,
                                size_t *n_impossible);

/* Accepts NULL. */
void cy_madeup_free(struct cy_madeup *madeup);

/* The cycles of a round, with all that the fix is for.  The caller calls
   cy_outcome_fini; the instructions of *outcome are steps of the loop. */
double cy_madeup_run(struct cy_madeup *madeup, enum cy_fix_kind fix,
                     struct cy_outcome *outcome);

/* Used inside: addresses of a loop's accesses, such that these of its edges
   hold, but for *n_impossible, which contradict others. */
struct cy_places;

struct cy_places *cy_places_new(const struct cy_cost_of_loop *loop,
                                enum cy_held held, size_t *n_impossible);
void cy_places_free(struct cy_places *places);

/* Of number i of a step's loads or stores, in a round and a run of the loop,
   both from 0 on; rounds are counted through all runs. */
uint64_t cy_places_load(const struct cy_places *places, uint32_t step,
                        unsigned i, size_t round, size_t run);
uint64_t cy_places_store(const struct cy_places *places, uint32_t step,
                         unsigned i, size_t round, size_t run);

/* --- Cycles of the program and of its functions --- */

/* If the run has windows, they are those of all that ran, by the core model.
   Else they are sums over blocks of executions times cycles (equation 1 of
   Bastian et al., CesASMe and Staticdeps, Inria 2024): the rounds of loops by
   their figure, and of other code what the dispatch needs, since consecutive
   blocks overlap. */

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
