/*
 * cy_training: a predictor learns the branches that a thread executed just
 * before a window.
 *
 * A lead has conditional and indirect branches only (cy_window).  The direct
 * jumps, calls and returns between them, which a predictor's history has too,
 * are found in the code: from where a branch led, they lead to the next one.
 *
 * Limits: a return is not known to lead anywhere if its call came before the
 * lead; what follows it, up to the next branch of the lead, is left out.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "code/cy_code.h"
#include "core/cy_predictor.h"
#include "core/cy_window.h"

struct cy_training;

/* Both live as long as what is returned. */
struct cy_training *cy_training_new(const struct cy_windows *windows,
                                    struct cy_code *code, enum arch arch);
void cy_training_free(struct cy_training *training);

/* Tells the predictor the branches before window number i. */
void cy_train(struct cy_training *training, size_t i, struct cy_predictor *p);
