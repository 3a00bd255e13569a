/*
 * cy_chain: what the rounds of a loop wait for, from one instruction to the
 * next.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_CHAIN_H
#define CY_CHAIN_H

#include "bound/cy_predict.h"
#include "window/cy_windowed.h"

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
