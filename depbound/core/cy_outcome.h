/*
 * cy_outcome: what the simulation of windows says: cycles, and what they were
 * spent on.
 *
 * An event's time is the end of its last wait, and that wait began at an
 * earlier event.  So the waits from the last event back to the first follow
 * one another without a gap, and add up to the whole time.
 *
 * A call opens a frame, and a return to the instruction after the call closes
 * that frame and all above it.  A return to no open frame closes one that was
 * open when the window began; that frame's time counts for the instruction
 * returned to, since the caller is not known.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "keys.h"
#include "machine/cy_machine.h"

/* What an instruction waited for while time passed. */
enum cy_cause {
    CY_CAUSE_REGISTERS, /* an instruction computed */
    CY_CAUSE_LOADS,     /* a load that reads no recent store */
    CY_CAUSE_FORWARDED, /* a value went from a store to a load */
    CY_CAUSE_FAILED,    /* a load waited for stores to leave their buffer */
    CY_CAUSE_ADDRESSES, /* a load waited for the addresses of stores, since it
                           had once begun before a store to the same place; or
                           it was renamed to the wrong store */
    CY_CAUSE_UNITS,     /* work waited for a unit */
    CY_CAUSE_DISPATCH,  /* the width of the dispatch */
    CY_CAUSE_FETCH,     /* the fetch after taken branches */
    CY_CAUSE_MISPREDICTION,
    CY_CAUSE_RETIREMENT, /* stores left their buffer */
    CY_CAUSE_ORDER,      /* atomics and fences took their turns */
    CY_CAUSE_L2,         /* data came from the second cache */
    CY_CAUSE_L3,
    CY_CAUSE_MEMORY,
    CY_CAUSE_PAGES, /* the first TLB did not have the page of data */
    CY_CAUSE_CODE,  /* code was not in the first cache */
    CY_N_CAUSES
};

/* Did data not lie in the first cache, or in pages of the first TLB? */
static inline bool cy_cause_is_miss(enum cy_cause cause)
{
    return cause >= CY_CAUSE_L2 && cause <= CY_CAUSE_PAGES;
}

/* Waits that a simulation leaves out. */
struct cy_fix {
    enum cy_fix_kind {
        CY_FIX_NONE,
        CY_FIX_REGISTER,  /* what loads get from stores is in registers */
        CY_FIX_WIDE,      /* no forward fails */
        CY_FIX_PREDICTED, /* no branch is mispredicted */
        CY_FIX_FREE,      /* nothing waits for a value */
        CY_FIX_MENDED,    /* CY_FIX_WIDE for loads whose bytes no single store
                             has, and CY_FIX_REGISTER for others */
        CY_FIX_CACHED,    /* data are in the first cache; if the fix is for all,
                             code is, too */
        CY_FIX_EARLY,     /* data were asked for early enough */
        CY_FIX_QUICK,     /* not a fix: branches are at their quickest, and all
                             loads are renamed that may be, */
        CY_FIX_SLOW,      /* or at their slowest, and no load is renamed that
                             may be forwarded */
        CY_N_FIXES
    } kind;
    const bool *parts; /* by instruction: is it a store or load that the fix is
                          for?  NULL: the fix is for all */
    unsigned every;    /* simulate only each window whose number, from 0, this
                          divides; 0: all windows */
    bool is_brief;     /* of the outcome, causes, hops and what follows from
                          them are not wanted; with parts, and of
                          CY_FIX_WIDE, only the cycles are */
    bool is_noted;     /* windows are noted for later simulations, which are to
                          take those that they leave as they are; so are those
                          of a brief one without a fix */
    const struct cy_memory *memory; /* NULL: the machine's */
};

/* Time that loads waited because of a pair of store and load. */
struct cy_window_pair {
    uint32_t store, load; /* instructions */
    struct cy_passed {
        double cycles;
        uint64_t n;       /* transfers in the counted parts of windows */
        uint64_t address; /* of the first transfer's load */
        enum cy_basis basis;
    } forwarded, failed;
};

/* Time on the critical path to the end of a window: instruction `to` waited for
   `from`.  CY_NO_INSN stands for the window's start, or for the fetch. */
#define CY_NO_INSN UINT32_MAX
struct cy_hop {
    uint32_t from, to;
    uint32_t store; /* for a transfer through memory; for a wait for a line, the
                       instruction that asked for it; else CY_NO_INSN */
    enum cy_cause cause;
    double cycles;
    uint64_t n; /* if `from` is CY_NO_INSN and `cycles` 0: transfers from
                   `store` to `to` in the counted part, on the critical path or
                   not; `passage` is the first of them */
    struct cy_met {
        double cycles; /* cycles that the transfer costs */
        uint64_t address;
        uint32_t since; /* executions of the store's instruction since */
        enum cy_how how : 8;
        enum cy_relation relation : 8;
        enum cy_basis basis : 8;
        bool is_guessed : 1;
        bool varies : 1; /* `since` of other transfers differs */
    } passage;
};

/* One wait on the critical path to the end of a made-up window. */
struct cy_leg {
    uint32_t from, to, store; /* as in struct cy_hop */
    uint32_t begun, ended;    /* numbers of the executions of `from` and `to` */
    enum cy_cause cause;
    bool retires; /* the wait ends when `to` retires */
    double cycles;
};

/* An access, or an instruction's code, that was not in the first cache, or
   whose page was not in the first TLB. */
struct cy_missed {
    uint32_t insn;
    uint32_t origin; /* the load that its address comes from; or CY_NO_INSN */
    float weight;
    uint8_t place, distance; /* cy_reuse */
    enum cy_missing { CY_MISSING_LOAD, CY_MISSING_STORE, CY_MISSING_CODE } kind;
};

enum cy_full {
    CY_FULL_REORDER,
    CY_FULL_SCHEDULER,
    CY_FULL_LOADS,
    CY_FULL_STORES,
    CY_N_FULL
};

/* Cycles and instructions of a window's counted part, both weighted. */
struct cy_weighed {
    int64_t run;
    double cycles, instructions;
};

/* Waits of up to this share of all cycles are ignored: they are those of the
   first and the last round, or chance. */
#define CY_HARDLY 0.05

/* The counted time of calls by one instruction of one function, with all that
   the function calls, but without calls of it in itself. */
struct cy_called {
    uint32_t caller; /* the call; or what was returned to, if the call is in no
                        window */
    uint32_t callee; /* an instruction of the function */
    uint32_t entry;  /* the first one of what was called, which may have jumped
                        to  the function */
    double cycles;
};

/* Sums over the counted parts of windows; all cycles are weighted. */
struct cy_outcome {
    double weight; /* weight of the present window */
    double cycles;
    uint64_t instructions;
    double causes[CY_N_CAUSES]; /* cycles by cause; the sum is `cycles` */
    double *by_insn;            /* cycles from the retirement of the instruction
                                   before to its own; they add up to `cycles` */
    uint64_t *executed;         /* executions, by instruction */
    double *weighed;            /* by instruction: executions, weighted */
    double *called; /* by instruction: cycles of its callees, with all that they
                       call; and of functions that returned to it, if no window
                       has their call */
    bool *recurses; /* by instruction: its callee, or what returned to it, was
                       active already, so that `called` counts time twice */
    bool *hides;    /* by instruction: it called code that cannot be read, whose
                       return is not seen */
    double *cut;    /* part of `called`: of calls that began before the counted
                       part, or ended after it */
    struct cy_called *calls;
    size_t n_calls, calls_room;
    struct keys call_keys; /* pairs of caller and callee */
    size_t n_insns;
    struct cy_weighed *windows; /* the windows of a run follow each other */
    size_t n_windows;
    struct cy_window_pair *pairs; /* sorted by store and load */
    size_t n_pairs, pairs_room;
    struct cy_hop *hops; /* the most cycles first; they add up to `cycles` */
    size_t n_hops, hops_room;
    struct cy_leg *way; /* critical path of a made-up window, last leg first */
    size_t n_way, way_room;
    struct cy_missed *away; /* in the order of execution */
    size_t n_away, away_room;
    struct keys hop_keys;   /* hashes of the hops, while windows run */
    double full[CY_N_FULL]; /* cycles that the dispatch waited for room in each
                               kind of buffer; other waits may hide them */
    uint64_t n_branches, n_missed;
    /* How much of the windows the simulation does not model. */
    uint64_t n_first_touches; /* first accesses to 64-byte lines in a window */
    uint64_t n_system_calls;
    uint64_t n_unknown; /* instructions whose flow is not known */
    uint64_t n_guessed; /* instructions whose cost is not known */
    uint64_t n_ordered; /* atomics and fences whose cost is not known */
    uint64_t n_prefetches;
    uint64_t n_rounds;   /* rounds of string instructions but the first */
    uint64_t n_no_rules; /* forwards for which the machine file has no rule, or
                            a guessed one */
    bool penalty_is_typical;
};

/* Begins an outcome of n_insns instructions and at most n_windows windows. */
void cy_outcome_init(struct cy_outcome *outcome, size_t n_insns,
                     size_t n_windows);
void cy_outcome_fini(struct cy_outcome *outcome);

/* The mean cycles of an instruction and its 95 % confidence interval, by
   resampling the windows of each run (bootstrap); runs with few windows are
   taken together, with the weights of their windows.  False if there are too
   few windows in all. */
struct cy_interval {
    double mean, low, high;
};
bool cy_outcome_interval(const struct cy_outcome *outcome,
                         struct cy_interval *interval);

/* --- While windows run --- */

/* Adds cycles or transfers to those of the hop with equal ends and cause. */
void cy_outcome_hop(struct cy_outcome *outcome, struct cy_hop hop);

/* Makes pairs of store and load from the hops, and sorts both. */
void cy_outcome_conclude(struct cy_outcome *outcome);

/* Something that happened to an instruction, and the last wait before it. */
#define CY_NO_EVENT 0 /* the window began */
struct cy_event {
    double time;
    uint32_t from;
    uint32_t insn, store; /* store: as in struct cy_hop */
    uint32_t number;      /* number of the execution in the window */
    float delay;          /* the part of the wait that was for a unit */
    uint8_t cause;        /* enum cy_cause of the rest of the wait */
    bool retires;         /* the event is the retirement of the instruction */
};

/* Events that nobody follows back are forgotten after a while, so that those
   that are written stay in the first cache. */
#define CY_EVENTS_KEPT 256
struct cy_events {
    struct cy_event *list; /* the first one is CY_NO_EVENT */
    size_t n, end, room;   /* n < end <= room after a call */
    bool forgets;
};

void cy_events_clear(struct cy_events *events, bool forgets);
void cy_events_full(struct cy_events *events);

/* Adds an event, which the caller fills in place: the loads of copying a struct
   that was just built would wait for its stores. */
static inline struct cy_event *cy_events_new(struct cy_events *events)
{
    if (events->n == events->end)
        cy_events_full(events);
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

/* Adds the legs of the critical path to event `last` to the outcome. */
void cy_way_of(struct cy_outcome *outcome, const struct cy_events *events,
               uint32_t last);

/* A time, and the event that happens then, or that the time is counted from. */
struct cy_moment {
    double time;
    uint32_t event;
};

/* Copies by members: one load of both would fail to forward from the stores of
   the members, and wait until these have left. */
static inline void cy_moment_copy(struct cy_moment *to,
                                  const struct cy_moment *from)
{
    to->time = from->time;
    to->event = from->event;
}

/* How long callees take in the counted part of a window, with all that they
   call in turn. */
struct cy_calls {
    struct cy_frame {
        uint32_t insn;   /* the call instruction */
        uint32_t entry;  /* the first instruction of the callee ... */
        uint32_t callee; /* ... or of what a stub at `entry` jumps to */
        uint32_t number; /* of the call's execution in the window */
        bool recurses;   /* the callee is active in an outer frame, too */
        uint64_t back;   /* the return address, in the form of cy_place_of */
        double since;
    } * list;
    size_t n, list_room;
    double begin; /* when the counted part begins */
};

void cy_calls_fini(struct cy_calls *calls);
void cy_calls_restart(struct cy_calls *calls); /* at the start of a window */
void cy_calls_count(struct cy_calls *calls, double now);
void cy_calls_call(struct cy_calls *calls, uint32_t insn, uint32_t entry,
                   uint64_t back, uint32_t number, double now);

/* Execution number `number` jumped to instruction `to` by a pointer.  If a call
   was just before, it called a stub of the linker, which jumps to a function of
   another file. */
void cy_calls_jump(struct cy_calls *calls, uint32_t to, uint32_t number);

/* Instruction `from` returned to instruction `insn` at the place `to`
   (cy_place_of).  `outcome` is NULL before the counted part. */
void cy_calls_return(struct cy_calls *calls, struct cy_outcome *outcome,
                     uint32_t from, uint32_t insn, uint64_t to, double now);

/* Closes all open frames at the end of a window. */
void cy_calls_end(struct cy_calls *calls, struct cy_outcome *outcome,
                  double now);
