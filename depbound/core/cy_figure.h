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

/* A link that does not lead through memory. */
struct cy_link cy_plain_link(uint32_t from, uint32_t to, enum cy_wait wait,
                             uint32_t rounds, double cycles);

#endif
