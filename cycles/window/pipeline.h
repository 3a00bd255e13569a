/*
 * pipeline: the state of the core model while a window goes through.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_WINDOW_PIPELINE_H
#define CY_WINDOW_PIPELINE_H

#include "window/internal.h"

/* Cycles of a comparison and branch if it is mispredicted, between what was
   measured on Zen 3 (16) and Zen 5 (22). */
#define CY_TYPICAL_PENALTY 18

/* Cycles from a value to the completion of the load or the store that has it;
   other results complete when they are forwarded.  (As in cycles/bound.) */
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

/* The schedulers; one of size 0 is not known, and has room for everything. */
struct cy_schedulers {
    struct cy_pool general; /* of what computes, in general registers */
    struct cy_pool vector;  /* in vector registers */
    struct cy_pool access, vector_stores;
    struct cy_queue queue; /* before those of vector registers */
    struct cy_moment last; /* that left the queue */
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
    struct cy_value words[CY_WORDS];
    uint64_t stamps[CY_WORDS]; /* of the last write to each word */
    uint64_t n_stamps;
    enum cy_upper {
        CY_UPPER_UNKNOWN,
        CY_UPPER_ZERO,
        CY_UPPER_FULL
    } uppers[CY_WORDS]; /* what is known of each word's value */
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
    struct cy_rules *rules;
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

/* cy_passage: load number l of the instruction. `addresses` are those of its
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

/* cy_early: loads that begin before it is known where older stores write.  An
   address of a store is known. */
void cy_early_store(struct cy_pipeline *c, struct cy_moment at);

/* Lets *at, when the instruction's load could begin, grow to when it does.
   True: it waits. */
bool cy_early_wait(struct cy_pipeline *c, struct cy_moment *at);

/* It begins at this time. */
void cy_early_begin(struct cy_pipeline *c, double time);

/* It reads what this store wrote.  It begins at this time, or could have begun
   then if it has waited. */
void cy_early_meet(struct cy_pipeline *c, const struct cy_stored *s,
                   double time, bool has_waited);

/* cy_schedulers: what dispatched instructions wait in until their work begins.
 */
void cy_schedulers_init(struct cy_schedulers *s, const struct cy_window *sizes);
void cy_schedulers_fini(struct cy_schedulers *s);
void cy_schedulers_clear(struct cy_schedulers *s);

/* From when on is there room, in the schedulers or the queue before some?  If
   that is after `time`, *event is what made it. */
double cy_schedulers_room(struct cy_schedulers *s, const struct cy_recipe *r,
                          double time, uint32_t *event);

/* When a dispatched instruction leaves the queue; false: it was in none.  Then
   cy_schedulers_entered says what event that is. */
bool cy_schedulers_enter(struct cy_schedulers *s, const struct cy_recipe *r,
                         struct cy_moment dispatched, struct cy_moment *at);
void cy_schedulers_entered(struct cy_schedulers *s, struct cy_moment at);

/* When the instruction's accesses and its computation have begun, and what it
   stores is there. */
void cy_schedulers_leave(struct cy_schedulers *s, const struct cy_recipe *r,
                         struct cy_moment access, struct cy_moment computation,
                         struct cy_moment data);

/* cy_rules: what passages through memory cost, kept since rules are looked up
   one by one. */
struct cy_rules *cy_rules_new(const struct cy_machine *machine);
void cy_rules_free(struct cy_rules *rules);

/* A passage, as the machine file asks for it. */
struct cy_asked {
    uint32_t store, load; /* instructions */
    uint8_t relation;
    uint8_t rounds; /* how often the store's instruction ran since; at most
                       CY_MOST_ROUNDS */
    bool is_inside, is_copy;
};
#define CY_MOST_ROUNDS 62

/* False: the file has no rule. */
bool cy_rules_find(struct cy_rules *rules, const struct cy_recipes *recipes,
                   const struct cy_asked *asked, struct cy_cost *cost);

#endif
