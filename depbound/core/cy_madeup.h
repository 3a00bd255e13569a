/*
 * cy_madeup: what the rounds of a loop take by the core model, without a run of
 * it.
 *
 * The loop goes around by itself, with addresses that are made up such that its
 * loads read what its edges through memory say, and nothing else of its stores
 * unless the same registers with the same factors lead there.
 *
 * Limits: as those of cy_simulate.  Calls take no time but their own, and all
 * that they leave in registers is there in time; branches go the way of the
 * loop, and are predicted.  No access crosses a line because of where its base
 * lies.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_MADEUP_H
#define CY_MADEUP_H

#include "chain/cy_predict.h"
#include "core/cy_simulate.h"

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

#endif
