/*
 * cy_figure: what one round of each loop takes, and why, by the core model.
 *
 * The rounds are made up (cy_madeup): as they are; with all values that go
 * through memory in registers; with no load that reads what the loop stored;
 * and with nothing that waits for a value.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_FIGURE_H
#define CY_FIGURE_H

#include "bound/cy_predict.h"

/* Fills in what cy_predict leaves open, and orders the loops.  `machine` may be
   NULL. */
void cy_figures_of(struct cy_prediction *prediction, const struct cy_data *data,
                   struct cy_code *code, const struct cy_choice *choice,
                   const struct cy_machine *machine);

#endif
