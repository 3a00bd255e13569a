/*
 * cy_trail: which windows a fix leaves as they are, so that they need not be
 * simulated with it.
 *
 * A simulation without a fix notes which instructions each window has, and what
 * they leave to later windows.  A fix of parts changes nothing in a window
 * without these parts whose instructions find what they found then; nor does
 * CY_FIX_WIDE in one where no forward fails, nor another size of a cache that
 * has the same lines.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "core/cy_pipeline.h"

struct cy_trails;

struct cy_trails *cy_trails_new(size_t n_windows, size_t n_insns);
void cy_trails_free(struct cy_trails *trails);

/* Notes a window of a simulation without a fix: before it is simulated, and
   after it, with its cycles. */
void cy_trail_begin(struct cy_trails *trails, size_t number,
                    const struct cy_pipeline *core,
                    const struct cy_recorded *window,
                    const struct cy_found *found);
void cy_trail_end(struct cy_trails *trails, size_t number,
                  const struct cy_pipeline *core, double cycles);

/* If the fix changes nothing in a window, takes it as simulated by the core,
   and adds its cycles to those of the outcome. */
bool cy_trail_take(const struct cy_trails *trails, size_t number,
                   struct cy_pipeline *core, const struct cy_fix *fix,
                   const struct cy_found *found, struct cy_outcome *outcome);
