/*
 * cy_model_error: how far a program's cycles may be from the predicted ones.
 *
 * The machine file says how far they were for programs that were measured
 * (struct cy_model_error); this program is taken for one more of their kind.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_MODEL_ERROR_H
#define CY_MODEL_ERROR_H

#include "machine/cy_machine.h"

/* The cycles between which 95 of 100 such programs lie, from the predicted
   cycles and the 95 % interval by the choice of windows, from `low` to `high`.
   False if that is NAN, or the machine file has no error of the model. */
bool cy_model_range(const struct cy_model_error *error, double cycles,
                    double low, double high, double *least, double *most);

#endif
