/*
 * cy_fetch: what it costs to bring instructions to the dispatch.
 *
 * A processor fetches a run, that is, what lies between two taken branches, as
 * a unit.  A short run costs what the machine file says of a loop's round with
 * as many places (slots of the dispatch), a longer one its places divided by
 * the width; or any run costs what its lines of code do.  Fetching goes on
 * while the dispatch waits for room, however long.
 *
 * The predictor is some runs ahead of the fetch.  In a cycle it predicts a few
 * branches, but the next one only if the branch before goes as a two-bit
 * counter says, which is all that can be asked so fast.  Indirect jumps, calls
 * and returns end the predictor's cycle.  Calls and returns take more, as do
 * indirect jumps that go elsewhere than the last time, or that have had several
 * targets, what leads far away, a branch after several others of its line, one
 * that was not taken lately, and a return whose target is known late.  On
 * Golden Cove a branch that does not go as its two-bit counter says takes more,
 * too, but not beside or after one of these: there the slower predictor, which
 * is right, is in time.
 * Lines of code that are not in the first cache are asked for as far ahead.
 * The predictor does not know a branch that was never taken, which costs
 * nothing. Found on Zen 5, by loops of up to 40 calls and as many long runs, by
 * jumps, and by branches that eight periodic patterns decide.  It explains
 * recursive functions there: trees of 7 to 2047 calls within 5 %.
 *
 * Limits: code that is not in a loop counts as if it were.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "machine/cy_machine.h"
#include "step/cy_step.h"
#include "core/cy_outcome.h"

/* The predictor's progress: when the address of the next run is known. */
#define CY_STEERED 20 /* the most runs that prediction is ahead of fetching */

struct cy_steer {
    unsigned branches; /* predicted in a cycle; 0: unknown, no limit */
    double more;       /* extra cycles of a call or a return */
    double time;       /* when the start of the next run is known */
    unsigned left;     /* branches that may still be predicted in this cycle */
    bool was_slow;     /* the last taken branch took longer than others */
    const struct cy_dispatch *dispatch;
    uint8_t *known; /* by instruction: WAYS and IS_KNOWN of cy_fetch.c */
    uint32_t *went; /* by instruction: where it went last, or first if that
                       tells its cost, plus 1, and OTHERS of cy_fetch.c */
    uint32_t *line; /* by instruction: a number for its line of code; NULL:
                       lines do not count */
    struct cy_crowd {
        /* The branches that were taken last, plus 1; the latest one first. */
        uint32_t latest[CY_MOST_LINE_BRANCHES];
        uint32_t since; /* they were taken since restart number `since` */
    } * crowds;         /* by line */
    /* What takes more in some code than in other, for reasons that are not
       known, is as quick or as slow everywhere as it was ever seen. */
    enum cy_speed { CY_USUAL, CY_QUICKEST, CY_SLOWEST } speed;
    uint32_t n_restarts;
    double fetched[CY_STEERED]; /* when runs began to be fetched */
    uint32_t n_fetched;
};

/* Restarts prediction: at `time` it is known where the first run begins. */
void cy_steer_restart(struct cy_steer *s, double time);

/* An executed branch. */
struct cy_steered {
    uint32_t insn;
    enum cy_branch kind;
    bool is_taken;
    bool is_far;  /* it leaves the program for a shared object, or comes back */
    uint32_t to;  /* the instruction after it; CY_NO_INSN: not known */
    bool is_late; /* a return whose target is known late */
    bool is_cold; /* not among the branches that were taken last */
    bool is_split; /* it, or what fused with it, lies in two lines of code */
};

/* Predicts the next branch in the order of execution. */
void cy_steer_branch(struct cy_steer *s, const struct cy_steered *branch);

/* Notes that the fetch of the next run begins at `time`. */
void cy_steer_fetched(struct cy_steer *s, double time);

/* When instructions are ready for the dispatch.  A run is what is executed
   between two taken branches. */
struct cy_fetch {
    double width, most; /* places a cycle: of long runs; the most */
    double retired;     /* the most that retire in a cycle */
    const struct cy_dispatch *dispatch; /* NULL: costs are not known */
    struct cy_moment begin;             /* when the fetch of the run begins */
    double least; /* when its event happened: nothing is fetched earlier, by
                     rounding */
    double end;   /* when the fetch of the run ends */
    struct cy_steer steer;
    double known; /* when the predictor knows where the next run begins */
    double asked; /* when it knew where this run begins, and a cycle more for
                     each line since that was asked for */
    double came;  /* when the last line came from another cache */
    double cost, places, done;
    double apart; /* of these places, those that only the dispatch splits off */
    struct cy_lines lines;
    enum cy_cause cause; /* cause of the run's cost */
    bool is_anew;        /* `begin` is already that of the next run */
};

/* `places` has the addresses of the n_insns instructions, or any numbers with
   the same lines of 64 bytes. */
void cy_fetch_init(struct cy_fetch *f, const struct cy_model *model,
                   const uint64_t *places, size_t n_insns);
void cy_fetch_fini(struct cy_fetch *f);
void cy_fetch_restart(struct cy_fetch *f);

/* Begins a run, and adds an instruction with its places to it. */
void cy_fetch_begin(struct cy_fetch *f);
void cy_fetch_add(struct cy_fetch *f, const struct cy_fetched *insn);

/* The run is complete, and is fetched from now on. */
void cy_fetch_run(struct cy_fetch *f, struct cy_events *events);

/* When the next instruction of the run, of so many places, has been fetched. */
struct cy_moment cy_fetch_next(struct cy_fetch *f, double places);

/* How long what comes next waits for its line of code, which takes so many
   cycles: since it is reached, or since the predictor knows of it, and then one
   line comes each few cycles. */
double cy_fetch_line(struct cy_fetch *f, double cycles,
                     const struct cy_memory *memory, bool is_foreseen);

/* The rest of the run is fetched so many cycles later, after `at`. */
void cy_fetch_wait(struct cy_fetch *f, double cycles, struct cy_moment at);

/* The next run begins at `at`, after a misprediction. */
void cy_fetch_again(struct cy_fetch *f, struct cy_moment at);

/* The rest of the run is fetched again, from `at` on. */
void cy_fetch_rest(struct cy_fetch *f, struct cy_moment at);
