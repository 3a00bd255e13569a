/*
 * chain: the longest chain of a loop, exactly: the oracle of the core model on
 * loops that neither units nor buffers limit.
 *
 * The nodes of a graph are values: the result of a load, what an instruction
 * computes or moves, what a store puts into memory.  An edge is a wait: for a
 * register, for an address, or through memory from a store to a load.  A round
 * takes the largest ratio of cycles to rounds of all closed paths.
 *
 * Limits: fences, and instructions that are cut, have no edges.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "chain/cy_predict.h"

/* The cycles of a round of a loop of n steps. */
double chain_cycles(const struct cy_step *steps, uint32_t n,
                    const struct cy_memory_edge *edges, size_t n_edges,
                    const struct cy_model *model);
