/*
 * cy_fetch: what the way of instructions to the dispatch costs.
 *
 * A processor fetches what lies between two taken branches as a unit, so a
 * short run costs what the machine file says of a loop's round of as many
 * places; a longer one its places by the width; or both what their lines of
 * code do.  Fetching goes on while the dispatch waits for room, however
 * long.
 *
 * The predictor goes some runs ahead of the fetch.  In a cycle it tells the
 * ways of a few branches, but of one after another only if the first one goes
 * as a counter of two bits says, which is all that can be asked so fast.
 * Indirect jumps, calls and returns end its cycle, and the last two take more.
 * A branch that was never taken is not known to it, and costs nothing.  Found
 * on Zen 5, by loops of up to 40 calls and as many long runs, by jumps, and by
 * branches that eight periodic patterns decide.  It explains recursive
 * functions there: trees of 7 to 2047 calls within 5 %.
 *
 * Limits: code that is not in a loop counts as if it were.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_FETCH_H
#define CY_FETCH_H

#include "machine/cy_machine.h"
#include "step/cy_step.h"
#include "core/cy_outcome.h"

/* When it is known where code goes on. */
#define CY_STEERED 20 /* runs that are ahead of the fetch, at most */

struct cy_steer {
    unsigned branches; /* in a cycle; 0: unknown, and all is known in time */
    double more;       /* cycles of a call or a return, beside its own */
    double time;       /* when the begin of the next run is known */
    unsigned left;     /* branches for which the cycle has time */
    uint8_t *known;    /* by instruction: where it went */
    double fetched[CY_STEERED]; /* when runs began to be fetched */
    uint32_t n_fetched;
};

/* It is known at `time` where the first run begins. */
void cy_steer_restart(struct cy_steer *s, double time);

/* The next branch in the order of execution. */
void cy_steer_branch(struct cy_steer *s, uint32_t insn, enum cy_branch kind,
                     bool is_taken);

/* The next run begins to be fetched. */
void cy_steer_fetched(struct cy_steer *s, double time);

/* When instructions are there to be dispatched.  What is executed between two
   taken branches is a run. */
struct cy_fetch {
    double width, most; /* places a cycle: of long runs; after a stall */
    const struct cy_dispatch *dispatch; /* NULL: unknown */
    struct cy_moment begin;             /* of the run */
    double end;                         /* of the run; the next begins then */
    struct cy_steer steer;
    double known; /* when it is known where the next run begins */
    double cost, places, done;
    struct cy_lines lines;
    enum cy_cause cause; /* of what it costs */
    bool is_anew;        /* `begin` is that of the next run */
};

void cy_fetch_init(struct cy_fetch *f, const struct cy_model *model,
                   size_t n_insns);
void cy_fetch_fini(struct cy_fetch *f);
void cy_fetch_restart(struct cy_fetch *f);

/* A run begins, and its instructions. */
void cy_fetch_begin(struct cy_fetch *f);
void cy_fetch_add(struct cy_fetch *f, uint64_t address, unsigned places);

/* The run is complete, and is fetched from now on. */
void cy_fetch_run(struct cy_fetch *f, struct cy_events *events);

/* When the next instruction of the run is there. */
struct cy_moment cy_fetch_next(struct cy_fetch *f, double places);

/* The next run begins at `at`, after a misprediction. */
void cy_fetch_again(struct cy_fetch *f, struct cy_moment at);

/* The rest of the run is fetched again, from `at` on. */
void cy_fetch_rest(struct cy_fetch *f, struct cy_moment at);

/* --- A predictor of branches, as processors have it --- */

/* Conditional branches go by TAGE (Seznec and Michaud, "A case for (partially)
   tagged geometric history length branch prediction", JILP 2006): tables of
   counters, each with a tag and a longer history of branches than the one
   before; the longest history that is known predicts.  Loops with a steady
   number of rounds have a table of their own (Seznec's loop predictor).  Other
   targets go by the last one after the longest history that is known (as in
   Seznec's ITTAGE, 2011).  Returns are taken for predicted: processors have a
   stack for them.

   Limits: it sees the branches of windows alone, so a branch that is seldom
   executed is learnt late.  Sizes are those of no certain processor.  A return
   to elsewhere than its call costs nothing, nor one from deeper than the stack.
 */

struct cy_predictor;

/* `longest`: the most rounds of a loop whose exit is predicted, if it always
   has as many. */
struct cy_predictor *cy_predictor_new(unsigned longest);
void cy_predictor_free(struct cy_predictor *p);

/* What was executed before is not known. */
void cy_predictor_restart(struct cy_predictor *p);

/* A branch at `address` went to `to`; what follows it in the code is at `next`.
   Is that as predicted?  Learns it. */
bool cy_predictor_branch(struct cy_predictor *p, enum cy_branch kind,
                         uint64_t address, uint64_t next, uint64_t to);

#endif
