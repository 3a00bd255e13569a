/*
 * cy_simulate: the cycles of recorded windows, by a model of an out-of-order
 * core, and what they are spent on.
 *
 * One pass over the instructions in the order in which they ran.  Each is
 * dispatched in order, when there is room in the buffers; each of its parts
 * waits for its registers, its bytes in memory, and a unit; and it retires in
 * order.  Since nothing waits for what comes after it, each time is known when
 * the pass gets there.
 *
 * The first quarter of a window warms buffers and predictor, and is not
 * counted.  Cycles, and executions that they are divided by, count as often as
 * the window weighs.
 *
 * The predictor of branches and that of renamed loads see every window once,
 * before the first simulation: what they learn does not depend on time, and the
 * processor has mostly seen this code before.
 *
 * What was not recorded in between takes no time here, and what comes after it
 * begins when all before it has retired: each recorded part is by itself.
 *
 * Limits: all data is in the first cache.  Loads never wait for the address of
 * a store whose bytes they do not read.  The wrong way after a mispredicted
 * branch has no effect but its time.  Code is in the cache of decoded
 * instructions.  All rounds of a string instruction take what the first does.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_SIMULATE_H
#define CY_SIMULATE_H

#include "core/cy_pipeline.h"

/* Where windows come from. */
struct cy_window_source {
    const void *context;
    size_t n;
    void (*expand)(const void *context, size_t i, struct cy_recorded *window);
};

/* Windows that can be simulated more than once. */
struct cy_simulation;

/* `source` and `insns` stay the caller's, and must live as long. */
struct cy_simulation *cy_simulation_new(const struct cy_window_source *source,
                                        const struct cy_simulated_insn *insns,
                                        size_t n_insns,
                                        const struct cy_model *model);

/* Once; the caller frees by_insn. */
struct cy_near cy_simulation_take_near(struct cy_simulation *simulation);
void cy_simulation_free(struct cy_simulation *s);

/* `fix` may be NULL. */
void cy_windows_simulate(struct cy_outcome *outcome, struct cy_simulation *s,
                         const struct cy_fix *fix);

/* --- Inside --- */

/* Adds to the outcome what a window takes. */
void cy_simulate_window(struct cy_pipeline *core,
                        const struct cy_recorded *window,
                        const struct cy_turn *turns, const struct cy_fix *fix,
                        struct cy_outcome *outcome);

/* What is known of number i, but for is_missed. */
struct cy_turn cy_turn_of(const struct cy_recipes *recipes,
                          const struct cy_recorded *window, size_t i);

/* Do rounds that are made up take what those before them did?  They go on as
   before if instructions are dispatched and retire and stores leave their
   buffer at one pace, so that nothing fills, and by turns in the same times for
   some rounds. */
#define CY_STEADY 16              /* rounds that are looked at, at most */
#define CY_ENDS   (CY_STEADY + 1) /* their ends, and that before them */
#define CY_N_ENDS 4

struct cy_steady {
    size_t n; /* rounds that have ended */
    double ends[CY_ENDS][CY_N_ENDS];
};

/* A round of some instructions has ended: its last instruction was dispatched,
   its work began (in the mean), it has retired, and the last store so far has
   left its buffer (0: there was none).  Returns how many more rounds are as
   good as any number; 0: the last ones differ. */
size_t cy_steady_round(struct cy_steady *steady, size_t n_insns,
                       const double ends[CY_N_ENDS]);

#endif
