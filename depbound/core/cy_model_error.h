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

#include "core/cy_figure.h"

/* The cycles between which 95 of 100 such programs lie, by the choice of
   windows, by the error of the model, if the machine file (or NULL) has it, and
   by how much of the last cache the program has.  False if the first is not
   known, or if it is all. */
bool cy_model_range(const struct cy_facts *machine,
                    const struct cy_program *program, double *least,
                    double *most);

#endif
