/*
 * cy_simulate: the cycles of recorded windows, by a model of an out-of-order
 * core, and what they are spent on.
 *
 * The simulation is one pass over the instructions in the order in which they
 * ran.  An instruction is dispatched in order, when the buffers have room;
 * each of its parts waits for its registers, its bytes in memory, and a unit;
 * and it retires in order.  Since nothing waits for what comes later, all
 * times of an instruction are known when the pass has handled it.
 *
 * The first quarter of a window warms buffers and predictor, and is not
 * counted.  Cycles, and executions that they are divided by, count as often as
 * the window weighs.
 *
 * The predictor of branches and that of renamed loads see every window once,
 * before the first simulation: what they learn does not depend on time, and the
 * processor has mostly seen this code before.
 *
 * A gap between recorded parts of a window takes no time, and what comes after
 * it begins when all before it has retired: each part is simulated by itself.
 *
 * Limits: without reuse times, and without caches in the machine file, all data
 * is in the first cache, and code in that of decoded instructions.  Loads never
 * wait for the address of a store whose bytes they do not read.  The wrong path
 * after a mispredicted branch has no effect but its time.  A string instruction
 * takes what its first round does.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "core/cy_pipeline.h"
#include "core/cy_predictor.h"

/* --- Which windows a fix leaves as they are (cy_state) ---

   These need not be simulated with it.

   A simulation without a fix notes which instructions each window has, and what
   they leave to later windows.  A fix of parts changes nothing in a window
   without these parts whose instructions find what they found then; nor does
   CY_FIX_WIDE in one where no forward fails, nor another size of a cache that
   has the same lines. */

struct cy_trails;

struct cy_trails *cy_trails_new(size_t n_windows, size_t n_insns);
void cy_trails_free(struct cy_trails *trails);
void cy_trails_forget(struct cy_trails *trails);

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

/* Where windows come from: `take` returns window number i, which is valid until
   the next call. */
struct cy_window_source {
    void *context;
    size_t n;
    const struct cy_recorded *(*take)(void *context, size_t i);
    struct cy_reuse *reuse; /* of these; NULL: all is in the first caches */
    struct cy_training *training; /* NULL: no branches before them are known */
};

/* Windows that can be simulated more than once. */
struct cy_simulation;

/* `source` must live as long as the simulation.  Takes over the recipes. */
struct cy_simulation *cy_simulation_new(const struct cy_window_source *source,
                                        struct cy_recipes *recipes);

/* What the windows' loads read.  Call it once; the caller frees by_insn. */
struct cy_near cy_simulation_take_near(struct cy_simulation *simulation);
void cy_simulation_free(struct cy_simulation *s);

/* Simulates all windows that `fix` chooses; it may be NULL: no fix. */
void cy_windows_simulate(struct cy_outcome *outcome, struct cy_simulation *s,
                         const struct cy_fix *fix);

/* --- What only the files of depbound/core use --- */

/* Simulates one window, and adds its time to the outcome. */
void cy_simulate_window(struct cy_pipeline *core,
                        const struct cy_recorded *window,
                        const struct cy_turn *turns, const struct cy_fix *fix,
                        const struct cy_found *found,
                        struct cy_outcome *outcome);

/* What is known of execution number i of a window, but for is_missed. */
struct cy_turn cy_turn_of(const struct cy_recipes *recipes,
                          const struct cy_recorded *window, size_t i);

/* Are made-up rounds in a steady state?  They are if instructions are
   dispatched and retire, and stores leave their buffer, at one pace, so that no
   buffer fills, and the times of rounds repeat with some period. */
#define CY_STEADY 16              /* the most rounds that are compared */
#define CY_ENDS   (CY_STEADY + 1) /* their ends, and that before them */
#define CY_N_ENDS 4

struct cy_steady {
    size_t n; /* rounds that have ended */
    double ends[CY_ENDS][CY_N_ENDS];
};

/* Notes that a round of n_insns instructions has ended.  `ends` has the times
   when its last instruction was dispatched, when its work began (the mean),
   when it retired, and when the last store left its buffer (0: no store).
   Returns how many more rounds are as good as any number; 0: they differ. */
size_t cy_steady_round(struct cy_steady *steady, size_t n_insns,
                       const double ends[CY_N_ENDS]);
