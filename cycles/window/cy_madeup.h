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

#include "bound/cy_predict.h"
#include "window/cy_simulate.h"

struct cy_madeup {
    double cycles;       /* of a round */
    size_t n_impossible; /* edges that cannot hold together with the others */
    struct cy_hop *path; /* what each hop adds to a round, the most first, but
                            for what adds little; its ends are steps */
    size_t n_path;
};

/* By loop of the prediction.  `machine` may be NULL. */
struct cy_madeup *cy_madeup_all(const struct cy_prediction *prediction,
                                const struct cy_choice *choice,
                                const struct cy_machine *machine);

/* Frees those of n loops; `all` may be NULL. */
void cy_madeup_free(struct cy_madeup *all, size_t n);

#endif
