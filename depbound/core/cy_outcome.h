/*
 * cy_outcome: what the simulation of windows says: cycles, and what they were
 * spent on.
 *
 * Each event has the time of its last wait's end, and that wait began at an
 * earlier event.  So the waits from the last event back to the first follow one
 * another without a gap, and add up to all the time.
 *
 * A call opens a frame, and what returns to the instruction after it closes
 * that and all above.  A return to no open frame closes one that was open when
 * the window began; its time is that of the instruction that it returns to,
 * since which one called is not known.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_OUTCOME_H
#define CY_OUTCOME_H

#include <stdbool.h>
#include <stdint.h>

#include "keys.h"
#include "machine/cy_machine.h"

/* Why time passed. */
enum cy_cause {
    CY_CAUSE_REGISTERS, /* an instruction computed */
    CY_CAUSE_LOADS,     /* a load, not of a recent store */
    CY_CAUSE_FORWARDED, /* a value went from a store to a load */
    CY_CAUSE_FAILED,    /* a load waited for stores to leave their buffer */
    CY_CAUSE_ADDRESSES, /* a load waited until it was known where stores write,
                           since it went ahead of one to the same place before;
                           or it was renamed to another store than its own */
    CY_CAUSE_UNITS,     /* work waited for a unit */
    CY_CAUSE_DISPATCH,  /* the width */
    CY_CAUSE_FETCH,     /* taken branches */
    CY_CAUSE_MISPREDICTION,
    CY_CAUSE_RETIREMENT, /* stores left their buffer */
    CY_CAUSE_ORDER,      /* atomics and fences took their turns */
    CY_N_CAUSES
};

/* Waits that are removed. */
struct cy_fix {
    enum cy_fix_kind {
        CY_FIX_NONE,
        CY_FIX_REGISTER,  /* what a load gets from a store is in a register */
        CY_FIX_WIDE,      /* no forward of the pair fails */
        CY_FIX_PREDICTED, /* no branch is mispredicted */
        CY_FIX_FREE,      /* nothing waits for a value */
        CY_FIX_MENDED,    /* CY_FIX_WIDE for loads whose bytes no single store
                             has, and CY_FIX_REGISTER for others */
    } kind;
    const bool *parts; /* by instruction: is it a store or load that the fix is
                          for?  NULL: all are */
    unsigned every;    /* only each window whose number, from 0, this divides;
                          0: all */
};

/* Time that a pair of store and load is the reason of. */
struct cy_window_pair {
    uint32_t store, load; /* instructions */
    struct cy_passed {
        double cycles;
        uint64_t n;       /* in the counted part */
        uint64_t address; /* that the first of them loaded from */
    } forwarded, failed;
};

/* Time on the way to the end of a window: an instruction `to` waited, after
   what `from` did.  CY_NO_INSN stands for the begin, or for code that is
   fetched. */
#define CY_NO_INSN UINT32_MAX
struct cy_hop {
    uint32_t from, to;
    uint32_t store; /* of a passage through memory; else CY_NO_INSN */
    enum cy_cause cause;
    double cycles;
    uint64_t n; /* of a passage, with `from` CY_NO_INSN and no cycles: how many
                   there were in the counted part, on the way or not; and how
                   the first of them went: */
    struct cy_met {
        enum cy_how how;
        enum cy_relation relation;
        uint32_t since; /* how often the store's instruction ran later */
        double cycles;  /* that it costs */
        uint64_t address;
        bool is_guessed;
        bool varies; /* `since` of others differs */
    } passage;
};

/* A hop of the way to the end of a window that is made up, once. */
struct cy_leg {
    uint32_t from, to, store; /* as those of a hop */
    uint32_t begun, ended;    /* executions, of `from` and `to` */
    enum cy_cause cause;
    bool retires; /* it ends when `to` retires */
    double cycles;
};

enum cy_full {
    CY_FULL_REORDER,
    CY_FULL_SCHEDULER,
    CY_FULL_LOADS,
    CY_FULL_STORES,
    CY_N_FULL
};

/* The counted part of a window, with its weight. */
struct cy_weighed {
    int64_t run;
    double cycles, instructions;
};

/* Waits of this share of all cycles are those of the first and the last round,
   or chance. */
#define CY_HARDLY 0.05

/* Sums over the counted parts of windows; all cycles are weighed. */
struct cy_outcome {
    double weight; /* of the present window */
    double cycles;
    uint64_t instructions;
    double causes[CY_N_CAUSES]; /* add up to `cycles` */
    double *by_insn;            /* cycles until each retired, after the one
                                   before; they add up to `cycles` */
    uint64_t *executed;         /* by instruction */
    double *weighed;            /* the same, with weights */
    double *called; /* by instruction: cycles of what it calls, with all that is
                       called there; and of what returned to it, of which the
                       windows do not have the call */
    bool *recurses; /* by instruction: what it calls was open already, or what
                       returned to it was, so that its time is not its own */
    double *cut; /* of these: cycles of what began before the counted part, or
                    ended after it */
    size_t n_insns;
    struct cy_weighed *windows; /* those of a run follow each other */
    size_t n_windows;
    struct cy_window_pair *pairs; /* sorted by store and load */
    size_t n_pairs, pairs_room;
    struct cy_hop *hops; /* with the most cycles first; add up to `cycles` */
    size_t n_hops, hops_room;
    struct cy_leg *way; /* of a window that is made up, the last leg first */
    size_t n_way, way_room;
    struct keys hop_keys;   /* of the hops, while windows run */
    double full[CY_N_FULL]; /* cycles that the dispatch stood still for a
                               buffer; other waits may hide them */
    uint64_t n_branches, n_missed;
    /* What is not modelled. */
    uint64_t n_first_touches; /* of lines of 64 bytes, in a window */
    uint64_t n_system_calls;
    uint64_t n_unknown;  /* instructions whose flow is not known */
    uint64_t n_guessed;  /* instructions whose cost is not known */
    uint64_t n_ordered;  /* atomics and fences whose cost is not known */
    uint64_t n_rounds;   /* of string instructions, after the first */
    uint64_t n_no_rules; /* forwards without a rule in the machine file, or with
                            a guessed one */
    bool penalty_is_typical;
};

/* Of some instructions, in at most some windows. */
void cy_outcome_init(struct cy_outcome *outcome, size_t n_insns,
                     size_t n_windows);
void cy_outcome_fini(struct cy_outcome *outcome);

/* Cycles of each instruction, and the bounds of an interval that has them with
   95 % probability, by drawing the windows of each run again; runs with few of
   them are taken together, with the weights that they have.  False if all are
   too few to tell. */
struct cy_interval {
    double mean, low, high;
};
bool cy_outcome_interval(const struct cy_outcome *outcome,
                         struct cy_interval *interval);

/* --- While windows run --- */

/* Adds time, or passages, to those of a hop between the same ends. */
void cy_outcome_hop(struct cy_outcome *outcome, struct cy_hop hop);

/* Adds up the passages between the same ends, and sorts what was found. */
void cy_outcome_conclude(struct cy_outcome *outcome);

/* Something that happened, after a last wait. */
#define CY_NO_EVENT 0 /* the window began */
struct cy_event {
    double time;
    uint32_t from;
    uint32_t insn, store; /* store: of a passage through memory */
    uint32_t number;      /* of the execution in the window */
    float delay;          /* for a unit, of the time since `from` */
    uint8_t cause;        /* enum cy_cause, of the rest */
    bool retires;         /* it is the retirement of the instruction */
};

struct cy_events {
    struct cy_event *list; /* the first one is CY_NO_EVENT */
    size_t n, room;
};

void cy_events_clear(struct cy_events *events);
void cy_events_grow(struct cy_events *events);

/* Adds an event, which is filled where it lies: what is built elsewhere and
   copied waits for its stores. */
static inline struct cy_event *cy_events_new(struct cy_events *events)
{
    if (events->n == events->room)
        cy_events_grow(events);
    return &events->list[events->n++];
}

static inline uint32_t cy_events_last(const struct cy_events *events)
{
    return (uint32_t)events->n - 1;
}

/* Adds the time between two moments to the outcome, by the causes of the waits
   before `last`, which ends it. */
void cy_causes_of(struct cy_outcome *outcome, const struct cy_events *events,
                  uint32_t last, double begin, double end);

/* Gives the outcome the legs of the way to an event. */
void cy_way_of(struct cy_outcome *outcome, const struct cy_events *events,
               uint32_t last);

/* A time, and the event that it is the time of, or is after. */
struct cy_moment {
    double time;
    uint32_t event;
};

/* How long what instructions call takes, in the counted part of a
   window, with what that calls. */
struct cy_calls {
    struct cy_frame {
        uint32_t insn;  /* that calls */
        uint32_t entry; /* that it calls */
        bool recurses;  /* what it calls is open already */
        uint64_t back;  /* the place after it, as cy_place_of has them */
        double since;
    } * list;
    size_t n, list_room;
    double begin; /* of the counted part */
};

void cy_calls_fini(struct cy_calls *calls);
void cy_calls_restart(struct cy_calls *calls); /* a window begins */
void cy_calls_count(struct cy_calls *calls, double now);
void cy_calls_call(struct cy_calls *calls, uint32_t insn, uint32_t entry,
                   uint64_t back, double now);

/* Control returned to the instruction `insn` at the place `to`.  `outcome` is
   NULL before the counted part. */
void cy_calls_return(struct cy_calls *calls, struct cy_outcome *outcome,
                     uint32_t insn, uint64_t to, double now);

/* The window ends. */
void cy_calls_end(struct cy_calls *calls, struct cy_outcome *outcome,
                  double now);

#endif
