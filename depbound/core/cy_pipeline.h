/*
 * cy_pipeline: an out-of-order core that executes windows by instruction.
 *
 * Of each register's value the model knows the time when it is available, so a
 * result is available when the last operand is, plus the latency.  Time is in
 * cycles since the window began.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "keys.h"
#include "core/cy_caches.h"
#include "core/cy_fetch.h"
#include "core/cy_habits.h"
#include "core/cy_outcome.h"
#include "core/cy_recipe.h"
#include "core/cy_resources.h"

/* Cycles of a mispredicted comparison and branch, between what was measured on
   Zen 3 (16) and Zen 5 (22). */
#define CY_TYPICAL_PENALTY 18

/* When a register's or a load's value is available, and what it comes from. */
struct cy_value {
    struct cy_moment at;
    double begin;    /* when its instruction began to compute */
    uint32_t figure; /* `figure` of the recipe that made it; 0: none */
    /* When the load at the start of the value's longest chain had its value
       (-1: no load), that load, and whether more than moves followed. */
    double origin;
    uint32_t origin_insn;
    bool computes;
    uint64_t base; /* changes with each write to the register, but for additions
                      of constants and copies; 0: of no register */
};

static inline void cy_value_copy(struct cy_value *to,
                                 const struct cy_value *from)
{
    cy_moment_copy(&to->at, &from->at);
    to->begin = from->begin;
    to->figure = from->figure;
    to->origin = from->origin;
    to->origin_insn = from->origin_insn;
    to->computes = from->computes;
    to->base = from->base;
}

/* The operand that a result waits for last, and when the result is done. */
struct cy_arrival {
    const struct cy_value *last;
    double done;
};

/* An executed store of the window. */
struct cy_stored {
    uint64_t address;
    uint8_t size;
    uint32_t insn, count; /* count: how often the instruction ran before */
    uint64_t stamp, base; /* cy_pipeline_stamp and _base of its address */
    bool is_settled;      /* its base is that of the execution before */
    struct cy_value data; /* `at`: when the data can be forwarded */
    struct cy_moment placed, left; /* address known; left: the buffer */
    uint32_t origin;               /* cy_pipeline_origin of its address */
};

/* A load that began before an earlier store's address was known. */
struct cy_early {
    uint32_t store; /* the store that the load should have waited for */
    uint8_t left;   /* how many more executions of the load wait */
    double until;   /* an execution dispatched before this time waits, too */
};

/* The machine file's cost of a transfer from a store to a load. */
struct cy_answer {
    struct cy_asked {
        uint32_t store, load; /* instructions */
        uint8_t relation;
        uint8_t rounds; /* how often the store's instruction ran since, up to
                           the most that a machine file may tell apart */
        bool is_inside, is_copy, is_moved;
    } asked;
    bool is_found; /* the machine file has a rule */
    struct cy_cost cost;
};

#define CY_PREFETCHED 32 /* the most of them */
#define CY_STRAYS     16 /* mispredicted branches that are known */
struct cy_pipeline {
    const struct cy_recipes *recipes;
    const struct cy_fix *fix;
    struct cy_outcome *outcome;
    double penalty, vector_penalty; /* vector_penalty: how much more it is while
                                       VECTORS_WAIT */
    double waiting;  /* share of the last instructions that compute in vector
                        registers and waited for operands */
    bool has_failed; /* a forward of the window failed */
    unsigned n_prefetched; /* the next misses whose lines count as asked for by
                              prefetch instructions */
    bool is_made_up;       /* the rounds of the window are */
    bool is_misread; /* a load of the present instruction was renamed wrongly */
    bool penalty_is_typical;
    /* Cycles from the value of a load, or of a store's data, to the
       instruction's completion; other instructions complete when their result
       is available. */
    double load_completion, store_completion;
    bool is_counted;
    bool is_load_early; /* a load of the window began too early */
    uint32_t insn;      /* the instruction that is executed now */
    uint32_t number;    /* number of this execution in the window */
    struct cy_value words[FLOW_WORDS];
    uint64_t stamps[FLOW_WORDS]; /* by word: changes with each write to it */
    uint64_t n_stamps;
    uint64_t *load_bases, *store_bases; /* by instruction: cy_pipeline_base of
                                           its last access */
    enum cy_upper {
        CY_UPPER_UNKNOWN,
        CY_UPPER_ZERO,
        CY_UPPER_FULL
    } uppers[FLOW_WORDS]; /* is each word's value known to be 0? */
    enum cy_upper *met;   /* by instruction: last state of the half it keeps */
    uint32_t *counts;     /* by instruction: executions */
    struct cy_owed {
        float cycles;     /* parts of cycles still to be taken */
        uint32_t window;  /* ... in this window; in others: none */
    } * owed;             /* by instruction and piece */
    uint32_t *first_owed; /* by instruction: index of its first piece's */
    uint32_t owing;       /* of the present instruction: the index of a piece in
                             `owed` minus that in the recipes, modulo 2^32 */
    uint32_t window;      /* number of the window, counted over simulations */
    uint32_t *read_in;    /* by instruction: the last window in which another
                             one loaded what it stored, before that left */
    struct cy_habits *habits;
    struct cy_early *early; /* loads that began too early, by instruction */
    uint32_t *early_loads;  /* those of the window */
    size_t n_early_loads, early_loads_room;
    struct cy_stray {
        uint32_t number; /* of a mispredicted branch, like `number` above */
        double cycles;   /* from its dispatch to the fetch of what follows */
    } strays[CY_STRAYS]; /* the last ones, in a ring */
    unsigned n_strays;
    struct cy_moment dispatched, retired, left;
    struct cy_leaving {
        uint64_t block; /* of the last store that left, if another one to it
                           can leave with it, plus 1; 0: none can */
    } leaving;
    struct cy_moment ordered; /* end of the last turn of an atomic or fence */
    struct cy_moment placed;  /* when all stores' addresses so far were known */
    struct cy_value entered;  /* entry to a scheduler, maybe after a queue */
    double cycles_before;     /* dispatch cycles of the last instruction */
    struct cy_given {         /* by the present cycle of the dispatch */
        double places, insns;
    } given;
    struct cy_stored *stores;
    size_t n_stores, stores_room;
    struct cy_written *written;
    struct keys asked_keys;    /* hashes of the answers' `asked` */
    struct cy_answer *answers; /* cached: looking up the machine file is slow */
    size_t n_answers, answers_room;
    struct cy_events events;
    struct cy_fetch fetch;
    struct cy_buffers buffers;
    const struct cy_memory *memory; /* NULL: all is in the first caches */
    struct cy_caches caches;
    const struct cy_found *found; /* of this window; or NULL */
    uint32_t first_access;        /* of this execution, in `found` */
    struct cy_units units;
    struct cy_calls calls;
    double begun; /* sum of the times at which work began */
    size_t n_begun;
    size_t settled; /* made-up window: index after which all loads read the same
                       stores as a round before */
};

/* What is known of an executed instruction before it is simulated. */
struct cy_turn {
    bool is_missed : 1; /* a mispredicted branch */
    bool is_taken : 1;  /* control goes elsewhere after the instruction */
    bool is_late : 1;   /* a return whose target is known late */
    bool is_cold : 1;   /* a taken branch that is not near */
    bool is_round : 1;  /* a round of a string instruction, but not the first */
    bool is_fused : 1;  /* a jump that fused with the instruction before */
    bool is_first : 1;  /* the next one is such a jump, and does its work */
};

struct cy_pipeline *cy_pipeline_new(const struct cy_recipes *recipes,
                                    const struct cy_model *model);
void cy_pipeline_free(struct cy_pipeline *core);

/* Forgets what windows leave to the next ones, before all windows are
   simulated, so that simulations differ only in their fix. */
void cy_pipeline_forget(struct cy_pipeline *core);

/* Resets the core for a new window, with `core->fix`. */
void cy_pipeline_restart(struct cy_pipeline *core);

/* Begins a run of a loop: nothing waits for values that registers have now. */
void cy_pipeline_enter(struct cy_pipeline *core);

/* Executes `core->insn`, whose accesses have these addresses. */
void cy_pipeline_execute(struct cy_pipeline *core, const uint64_t *addresses,
                         struct cy_turn turn);

/* Executes a round of a string instruction after the first, which costs
   nothing; what it stores is in the cache. */
void cy_pipeline_repeat(struct cy_pipeline *core, const uint64_t *addresses);

/* Places (slots) of the dispatch that an execution takes. */
static inline unsigned cy_pipeline_places(const struct cy_recipe *r,
                                          struct cy_turn turn)
{
    return turn.is_round || turn.is_fused ? 0 : r->places;
}

/* --- What only the files of depbound/core use --- */

#define CY_PAGE 4096 /* bytes of a page of data; a line has CY_LINE */

static inline bool cy_crosses(uint64_t address, unsigned size,
                              unsigned boundary)
{
    return address / boundary != (address + size - 1) / boundary;
}

static inline double cy_later(double a, double b)
{
    return a > b ? a : b;
}

/* Moves *last to `time` and `event` if they are later. */
static inline void cy_last_at(struct cy_moment *last, double time,
                              uint32_t event)
{
    if (time > last->time)
        *last = (struct cy_moment){time, event};
}

/* Adds an event of the present instruction, for which it waited since `from`;
   `delay` cycles of that were for a unit. */
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

/* Nothing waits for the value that the word has now. */
static inline void cy_word_forget(struct cy_pipeline *c, unsigned word)
{
    c->stamps[word] = ++c->n_stamps;
    c->words[word] = (struct cy_value){
        .origin = -1, .origin_insn = CY_NO_INSN, .base = c->n_stamps};
}

/* Finds the needed value that is waited for longest.  The instruction's latency
   is added to registers if `computes`, and to its loads if `load_computes`. */
struct cy_arrival cy_pipeline_wait(const struct cy_pipeline *c,
                                   const struct cy_recipe *r,
                                   const struct cy_needs *needs,
                                   const struct cy_value *loads, bool computes,
                                   bool load_computes);

/* A stamp of an address: equal if made of the same registers, which nothing
   wrote in between. */
uint64_t cy_pipeline_stamp(const struct cy_pipeline *c,
                           const struct cy_needs *address);

/* The same, where constants may have been added. */
uint64_t cy_pipeline_base(const struct cy_pipeline *c,
                          const struct cy_needs *address);

/* Takes units for ready work; returns when it begins.  Both lists may be
   NULL. */
double cy_pipeline_start(struct cy_pipeline *c, double ready,
                         const struct cy_pieces *work, const float *rates);

/* Executes load number l of the instruction, whose accesses have these
   addresses.  *issue grows to when the load begins for the last time. */
void cy_pipeline_load(struct cy_pipeline *c, const struct cy_recipe *r,
                      unsigned l, const uint64_t *addresses,
                      struct cy_value *value, struct cy_moment *issue);

/* Executes store number s; returns when its data and its address are known. */
struct cy_moment
cy_pipeline_store(struct cy_pipeline *c, const struct cy_recipe *r, unsigned s,
                  const uint64_t *addresses, const struct cy_value *loads,
                  const struct cy_value *result, struct cy_moment *issue);

/* The load that an address comes from, if it is in the window; else
   CY_NO_INSN. */
uint32_t cy_pipeline_origin(const struct cy_pipeline *c,
                            const struct cy_needs *address);

/* When an access of the present instruction, number `access` of it, has its
   line, if it would have it at `at` from the first cache, and asks for it at
   `time`.  `origin` is that of its address. */
struct cy_moment cy_pipeline_line(struct cy_pipeline *c, enum cy_missing kind,
                                  unsigned access, uint64_t address,
                                  uint32_t origin, double time,
                                  struct cy_moment at);

/* Must the code of execution number i of the window be decoded? */
bool cy_pipeline_decodes(const struct cy_pipeline *c, size_t i);

/* Lets the fetch wait for the code of execution number i of the window. */
void cy_pipeline_code(struct cy_pipeline *c, size_t i);

/* Lets the stores of the retired instruction leave the store buffer. */
void cy_pipeline_leave(struct cy_pipeline *c, const struct cy_recipe *r);
