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

#include <stdbool.h>

#include "step/cy_step.h"
#include "window/cy_window.h"

/* A distinct instruction of the windows, by the same number as there. */
struct cy_simulated_insn {
    uint32_t object;
    uint8_t length;
    uint64_t address;
    const struct cy_window_access *accesses; /* as recorded */
    unsigned n_accesses;
    struct cy_step step; /* step.insn NULL: its code cannot be read */
    struct cy_mca_uses uses;
};

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
    bool failed;
    double cycles;
    uint64_t n;       /* forwards, or failures, in the counted part */
    uint64_t address; /* that the first of them loaded from */
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
    struct cy_window_pair *pairs; /* with the most cycles first */
    size_t n_pairs, pairs_room;
    struct cy_hop *hops; /* with the most cycles first; add up to `cycles` */
    size_t n_hops, hops_room;
    struct cy_leg *way; /* of a window that is made up, the last leg first */
    size_t n_way, way_room;
    uint32_t *hop_slots; /* a hash table of the hops, while windows run */
    size_t n_slots;
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

/* What loads of the windows met, as far as CY_FARTHEST stores went before them
   in their window: the nearest store that wrote a byte of what they load. */
#define CY_FARTHEST  128
#define CY_NEAR_BINS 9
struct cy_near {
    double bins[CY_NEAR_BINS]; /* loads, as windows weigh, whose nearest store
                                  is at most 1, 2, 4 ... CY_FARTHEST stores
                                  before; last: further, or none */
    struct cy_near_insn {
        uint64_t n;      /* such loads */
        uint32_t stores; /* the fewest to the nearest; 0: more than
                            CY_FARTHEST, always */
    } * by_insn;
};

/* Once; the caller frees by_insn. */
struct cy_near cy_simulation_take_near(struct cy_simulation *simulation);
void cy_simulation_free(struct cy_simulation *s);

/* Of some instructions, in at most some windows. */
void cy_outcome_init(struct cy_outcome *outcome, size_t n_insns,
                     size_t n_windows);

/* `fix` may be NULL. */
void cy_windows_simulate(struct cy_outcome *outcome, struct cy_simulation *s,
                         const struct cy_fix *fix);
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

#endif
