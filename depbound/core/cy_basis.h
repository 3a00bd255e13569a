/*
 * cy_basis: how much of the cycles rests on figures that were measured, that
 * others published, and that are guessed.
 *
 * Limits: what is a rule of the model, and no figure of the machine file,
 * counts as the file does.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_BASIS_H
#define CY_BASIS_H

#include "core/cy_outcome.h"
#include "core/cy_recipe.h"

/* Adds the outcome's cycles to those by what they rest on; they add up to all
   of them.  Call it after cy_outcome_conclude. */
void cy_basis_add(double cycles[CY_N_BASES], const struct cy_outcome *outcome,
                  const struct cy_simulated_insn *insns,
                  const struct cy_model *model);

#endif
