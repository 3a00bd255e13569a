/*
 * cy_pipeline: the core, through which windows go instruction by instruction.
 *
 * The value of each register is known by the time when it is there, so an
 * instruction is done when the last of its values is, after what it adds.  Time
 * is in cycles since the window began.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_PIPELINE_H
#define CY_PIPELINE_H

#include "keys.h"
#include "core/cy_fetch.h"
#include "core/cy_habits.h"
#include "core/cy_outcome.h"
#include "core/cy_recipe.h"
#include "core/cy_resources.h"

/* Cycles of a comparison and branch if it is mispredicted, between what was
   measured on Zen 3 (16) and Zen 5 (22). */
#define CY_TYPICAL_PENALTY 18

/* Cycles from a value to the completion of the load or the store that has it;
   other results complete when they are forwarded.  (As in depbound/chain.) */
#define CY_TO_COMPLETE 1.0

/* A value on its way. */
struct cy_value {
    struct cy_moment at;
    double begin;    /* when its instruction began to compute */
    uint32_t figure; /* of the recipe whose result it is; 0: of none */
    /* What load it comes from by the longest way, or -1 and none, and whether
       more than moves happened since. */
    double origin;
    uint32_t origin_insn;
    bool computes;
};

/* The last of some values, and when that and what is added are done. */
struct cy_arrival {
    const struct cy_value *last;
    double done;
};

/* A store of the window. */
struct cy_stored {
    uint64_t address;
    uint8_t size;
    uint32_t insn, count; /* count: how often the instruction ran before */
    uint64_t stamp;       /* of the registers of its address */
    struct cy_value data; /* when it can be forwarded */
    struct cy_moment placed, left; /* placed: its address is known */
};

/* What a load learnt that began too early. */
struct cy_early {
    uint32_t store; /* that it read then */
    uint8_t left;   /* how many more of its times wait */
    double until;   /* what was dispatched before this time waits, too */
};

/* What a passage through memory costs, as the machine file says. */
struct cy_answer {
    struct cy_asked {
        uint32_t store, load; /* instructions */
        uint8_t relation;
        uint8_t rounds; /* how often the store's instruction ran since; or as
                           many as a machine file may tell */
        bool is_inside, is_copy;
    } asked;
    bool is_found; /* in the machine file */
    struct cy_cost cost;
};

struct cy_pipeline {
    const struct cy_recipes *recipes;
    const struct cy_fix *fix;
    struct cy_outcome *outcome;
    double penalty;
    bool is_misread; /* a load of the present instruction was renamed wrongly */
    bool penalty_is_typical;
    bool is_counted;
    uint32_t insn;   /* that is executed now */
    uint32_t number; /* of this execution in the window */
    struct cy_value words[FLOW_WORDS];
    uint64_t stamps[FLOW_WORDS]; /* of the last write to each word */
    uint64_t n_stamps;
    enum cy_upper {
        CY_UPPER_UNKNOWN,
        CY_UPPER_ZERO,
        CY_UPPER_FULL
    } uppers[FLOW_WORDS]; /* what is known of each word's value */
    enum cy_upper *met; /* by instruction: what was known last of the half that
                           it keeps */
    uint32_t *counts;   /* by instruction: executions */
    float *owed;        /* by piece: parts of cycles that were not taken yet */
    struct cy_habits *habits;
    struct cy_early *early; /* by instruction */
    struct cy_moment dispatched, retired, left;
    struct cy_moment ordered; /* the last turn of an atomic or a fence ended */
    struct cy_moment placed;  /* the addresses of all stores so far are known */
    struct cy_value entered;  /* a scheduler; later than dispatched, if it
                                 waited in a queue */
    double cycles_before;     /* that the last one takes in the dispatch */
    struct cy_stored *stores;
    size_t n_stores, stores_room;
    struct cy_written *written;
    struct keys asked_keys;    /* hashes of what is asked */
    struct cy_answer *answers; /* kept, since they are looked up one by one */
    size_t n_answers, answers_room;
    struct cy_events events;
    struct cy_fetch fetch;
    struct cy_queue reorder, load_buffer, store_buffer;
    struct cy_schedulers schedulers;
    struct cy_units units;
    struct cy_calls calls;
    double begun; /* the times of all work that began, added up */
    size_t n_begun;
    size_t settled; /* made up: the loads of later instructions meet what they
                       met a round before */
};

/* What is known of an executed instruction before its time is. */
struct cy_turn {
    bool is_missed : 1; /* a mispredicted branch */
    bool is_taken : 1;  /* control goes elsewhere after it */
    bool is_round : 1;  /* a further one of a string instruction */
    bool is_fused : 1;  /* a jump that takes no place after what it follows */
};

struct cy_pipeline *cy_pipeline_new(const struct cy_recipes *recipes,
                                    const struct cy_model *model);
void cy_pipeline_free(struct cy_pipeline *core);

/* Begins a window, of which nothing was executed. */
void cy_pipeline_restart(struct cy_pipeline *core);

/* A run of a loop begins: nothing waits for the registers that there are. */
void cy_pipeline_enter(struct cy_pipeline *core);

/* Executes `core->insn`, with the addresses of its accesses. */
void cy_pipeline_execute(struct cy_pipeline *core, const uint64_t *addresses,
                         struct cy_turn turn);

/* A round of a string instruction after the first, which costs nothing; what it
   stores is in the cache. */
void cy_pipeline_repeat(struct cy_pipeline *core, const uint64_t *addresses);

/* Places in the dispatch. */
static inline unsigned cy_pipeline_places(const struct cy_recipe *r,
                                          struct cy_turn turn)
{
    return turn.is_round || turn.is_fused ? 0 : r->places;
}

/* --- Inside --- */

static inline double cy_later(double a, double b)
{
    return a > b ? a : b;
}

/* The later one, in *issue. */
static inline void cy_issue_at(struct cy_moment *issue, double time,
                               uint32_t event)
{
    if (time > issue->time)
        *issue = (struct cy_moment){time, event};
}

/* Something happens to the instruction at this time, `delay` cycles of which it
   waited for a unit. */
static inline struct cy_moment
cy_pipeline_event(struct cy_pipeline *c, double time, struct cy_moment from,
                  enum cy_cause cause, double delay)
{
    *cy_events_new(&c->events) = (struct cy_event){.time = time,
                                                   .from = from.event,
                                                   .insn = c->insn,
                                                   .store = CY_NO_INSN,
                                                   .number = c->number,
                                                   .delay = (float)delay,
                                                   .cause = (uint8_t)cause};
    return (struct cy_moment){time, cy_events_last(&c->events)};
}

/* Finds the last of the values that are needed, where registers cost what the
   instruction does if `computes`, and its loads if `load_computes`. */
struct cy_arrival cy_pipeline_wait(const struct cy_pipeline *c,
                                   const struct cy_recipe *r,
                                   const struct cy_needs *needs,
                                   const struct cy_value *loads, bool computes,
                                   bool load_computes);

/* Addresses have equal stamps if they are made of the same registers, which
   nothing wrote in between. */
uint64_t cy_pipeline_stamp(const struct cy_pipeline *c,
                           const struct cy_needs *address);

/* When work that is ready begins; either may be NULL. */
double cy_pipeline_start(struct cy_pipeline *c, double ready,
                         const struct cy_pieces *work, const float *rates);

/* Load number l of the instruction. `addresses` are those of its
   accesses; *issue grows to when it begins, after its last wait. */
struct cy_value cy_pipeline_load(struct cy_pipeline *c,
                                 const struct cy_recipe *r, unsigned l,
                                 const uint64_t *addresses,
                                 struct cy_moment *issue);

/* Store number s: when what it stores is known, and where. */
struct cy_moment
cy_pipeline_store(struct cy_pipeline *c, const struct cy_recipe *r, unsigned s,
                  const uint64_t *addresses, const struct cy_value *loads,
                  const struct cy_value *result, struct cy_moment *issue);

/* The stores of the instruction, which has retired, leave their buffer. */
void cy_pipeline_leave(struct cy_pipeline *c, const struct cy_recipe *r);

#endif
