/*
 * cy_pipeline: an out-of-order core that executes windows by instruction.
 *
 * Of each register's value the model knows the time when it is available, so a
 * result is available when the last operand is, plus the latency.  Time is in
 * cycles since the window began.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_PIPELINE_H
#define CY_PIPELINE_H

#include "keys.h"
#include "core/cy_fetch.h"
#include "core/cy_outcome.h"
#include "core/cy_recipe.h"
#include "core/cy_window.h"

/* cy_resources: units, buffers and schedulers, and when they have room.

   A unit has a calendar: a bit for each cycle in which it is busy, in a ring
   that moves on with time.

   An instruction with an access takes a scheduler's entry for it beside that
   for what it computes, and one that stores a vector register a third, until
   the value is available.  Before the schedulers of vector registers there may
   be a queue, which instructions leave in order.

   Limits: work that is ready more than CY_SPAN cycles ahead waits for no unit.
 */

/* Work that waits for a unit.  A unit takes one piece of work a cycle, and a
   rate is a unit that may take fractions.  Whoever asks first is served first,
   but a later request may get an earlier cycle that was left free: a
   processor's scheduler prefers older work, but goes out of order. */
#define CY_SPAN 8192 /* length of a unit's calendar, in cycles */

struct cy_units {
    uint64_t now; /* in units of 64 cycles: nothing asks for an earlier time */
    uint64_t full[CY_ALL_UNITS][CY_SPAN / 64];
    uint64_t n_taken[CY_ALL_UNITS];
    uint64_t rate_full[CY_N_RATES][CY_SPAN / 64];
    float used[CY_N_RATES][CY_SPAN];
};

void cy_units_init(struct cy_units *u);

/* Promises that no later request is for a cycle before `time`. */
void cy_units_advance(struct cy_units *u, double time);

/* Takes a cycle of a unit in `units` from `ready` on; returns its beginning. */
double cy_units_take(struct cy_units *u, uint64_t units, double ready);

/* Takes `cost[rate]` cycles of each rate whose cost is not 0, from `ready` on;
   returns when the work begins. */
double cy_units_take_rates(struct cy_units *u, const float cost[CY_N_RATES],
                           double ready);

/* A buffer with a number of entries, and when those in use become free. */
struct cy_queue {
    unsigned size; /* number of entries; 0: unlimited */
    unsigned used;
    struct cy_queued {
        double until;
        uint32_t event, entries;
    } * ring;
    uint32_t head, n, room; /* room: of the ring, a power of two */
};

void cy_queue_init(struct cy_queue *q, unsigned size);
void cy_queue_fini(struct cy_queue *q);

/* When the buffer has room for `entries` more, from `time` on.  If that is
   later, *event is what freed the last of them. */
double cy_queue_room(struct cy_queue *q, unsigned entries, double time,
                     uint32_t *event);

/* Takes `entries` until `until`, which is not before that of earlier calls: the
   reorder, load and store buffers free entries in order. */
void cy_queue_add(struct cy_queue *q, unsigned entries, double until,
                  uint32_t event);

/* Takes one entry until `until`, in any order, as in a scheduler. */
void cy_queue_insert(struct cy_queue *q, double until, uint32_t event);

/* All buffers of the core; one whose size is not known has room for everything.
 */
enum cy_buffer {
    CY_REORDER_BUFFER,
    CY_LOAD_BUFFER,
    CY_STORE_BUFFER,
    CY_SCHEDULER,        /* for computation in general registers */
    CY_VECTOR_SCHEDULER, /* for computation in vector registers */
    CY_ACCESS_SCHEDULER,
    CY_STORE_SCHEDULER, /* for data of vector stores */
    CY_VECTOR_QUEUE,    /* before the schedulers of vector registers */
    CY_N_BUFFERS
};

struct cy_buffers {
    struct cy_queue list[CY_N_BUFFERS];
    struct cy_moment last; /* when the last instruction left CY_VECTOR_QUEUE */
};

void cy_buffers_init(struct cy_buffers *b, const struct cy_window *sizes);
void cy_buffers_fini(struct cy_buffers *b);
void cy_buffers_clear(struct cy_buffers *b);

/* When there is room, from `time` on, in an instruction's schedulers or the
   queue before them.  If that is later, *event is what made room. */
double cy_schedulers_room(struct cy_buffers *b, const struct cy_recipe *r,
                          double time, uint32_t *event);

/* When a dispatched instruction leaves the vector queue; false: it was in
   none.  If true, call cy_schedulers_entered with the event of leaving. */
bool cy_schedulers_enter(struct cy_buffers *b, const struct cy_recipe *r,
                         struct cy_moment dispatched, struct cy_moment *at);
void cy_schedulers_entered(struct cy_buffers *b, struct cy_moment at);

/* Sets when the instruction's entries become free: when its accesses and its
   computation have begun, and the data of its stores is available. */
void cy_schedulers_leave(struct cy_buffers *b, const struct cy_recipe *r,
                         struct cy_moment access, struct cy_moment computation,
                         struct cy_moment data);

/* cy_habits: which store wrote each byte of memory last, and which loads read
   from the same store so often that the processor renames them to the register
   that was stored.

   A store counts as the same if it is as many stores before the load, as with
   arguments on the stack; or if its instruction is the same and ran as often
   since, as with a position that one function stores and another loads.  A load
   that meets another recent store must learn anew.  A load whose bytes were
   stored long ago loses little.  In both cases a renamed load had a wrong
   value, and what came after it begins anew when it retires.

   Figures that are not the machine file's were measured on Zen 5: with
   histograms of one value and another every so often, and of runs of a value,
   and with code that is new to the processor. */

/* The store that wrote each byte last. */
#define CY_NO_STORE UINT32_MAX

struct cy_written;

struct cy_written *cy_written_new(void);
void cy_written_free(struct cy_written *w);

/* Forgets all stores. */
void cy_written_clear(struct cy_written *w);

void cy_written_store(struct cy_written *w, uint64_t address, unsigned size,
                      uint32_t store);

/* Puts the distinct stores that wrote the bytes last into `stores`, with
   CY_NO_STORE for bytes that none wrote.  Returns their number. */
#define CY_MOST_WRITERS 64
unsigned cy_written_load(struct cy_written *w, uint64_t address, unsigned size,
                         uint32_t stores[CY_MOST_WRITERS]);

/* Is this the first access since the last clearing to a line of 64 bytes? */
bool cy_written_is_first(struct cy_written *w, uint64_t address);

/* How many stores before loads the nearest store was that wrote one of their
   bytes, for loads after at least CY_FARTHEST stores of their window. */
#define CY_FARTHEST  128
#define CY_NEAR_BINS 9
struct cy_near {
    double bins[CY_NEAR_BINS]; /* weighted loads whose nearest store is at most
                                  1, 2, 4 ... CY_FARTHEST stores back; last:
                                  further, or none */
    struct cy_near_insn {
        uint64_t n;      /* loads that count */
        uint32_t stores; /* the least distance; 0: always more than
                            CY_FARTHEST */
    } * by_insn;
};

/* Which loads the processor renames, by the stores that they read before. */
struct cy_habits;

/* `renamed_after`: how many times in a row a load must read the same store's
   bytes to be renamed; 0: a typical number. */
struct cy_habits *cy_habits_new(size_t n_insns, unsigned renamed_after);
void cy_habits_free(struct cy_habits *habits);

#define CY_LONG_AGO SIZE_MAX /* the distance of a store before the window */

/* How often a store's instruction ran again after the store.  It had run
   `before` times before, and has run `executed` times by now, without the
   present execution of the load's own instruction. */
static inline uint32_t cy_rounds_since(uint32_t executed, uint32_t before)
{
    uint32_t rounds = executed - before;

    return rounds - (rounds > 0);
}

/* Whether the processor predicted the store that a load reads. */
enum cy_habit {
    CY_NO_HABIT, /* no prediction: the load read other stores before */
    CY_HABIT,    /* predicted the right store, as so often before */
    CY_BROKEN    /* the load was renamed to another store; what used the wrong
                    value begins anew */
};

/* A load of `insn` reads bytes of a store `distance` stores ago, from 1 on, by
   the instruction `store`, which ran `rounds` times since.  Once the store is
   learnt, the next such load is renamed if `is_renamed`.  With CY_LONG_AGO the
   load reads no store of the window, and the other arguments do not matter. */
enum cy_habit cy_habits_meet(struct cy_habits *habits, uint32_t insn,
                             size_t distance, uint32_t store, uint32_t rounds,
                             bool is_renamed);

/* The distances of all loads that were learnt; the caller frees by_insn. */
struct cy_near cy_habits_take_near(struct cy_habits *habits);

/* Learns which stores the loads of a window read.  Clears `written` first.
   Returns the index of the last execution whose loads read other stores than
   the instruction's loads did the time before. */
size_t cy_habits_learn(struct cy_habits *habits,
                       const struct cy_recipes *recipes,
                       struct cy_written *written,
                       const struct cy_recorded *window);

/* Cycles of a mispredicted comparison and branch, between what was measured on
   Zen 3 (16) and Zen 5 (22). */
#define CY_TYPICAL_PENALTY 18

/* Cycles from the value of a load or of a store's data to the instruction's
   completion; other instructions complete when their result is available. */
#define CY_TO_COMPLETE 1.0

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
};

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
    uint64_t stamp;       /* cy_pipeline_stamp of its address */
    struct cy_value data; /* `at`: when the data can be forwarded */
    struct cy_moment placed, left; /* address known; left: the buffer */
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
        bool is_inside, is_copy;
    } asked;
    bool is_found; /* the machine file has a rule */
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
    bool is_load_early; /* a load of the window began too early */
    uint32_t insn;      /* the instruction that is executed now */
    uint32_t number;    /* number of this execution in the window */
    struct cy_value words[FLOW_WORDS];
    uint64_t stamps[FLOW_WORDS]; /* by word: changes with each write to it */
    uint64_t n_stamps;
    enum cy_upper {
        CY_UPPER_UNKNOWN,
        CY_UPPER_ZERO,
        CY_UPPER_FULL
    } uppers[FLOW_WORDS]; /* is each word's value known to be 0? */
    enum cy_upper *met;   /* by instruction: last state of the half it keeps */
    uint32_t *counts;     /* by instruction: executions */
    float *owed;          /* by piece: parts of cycles still to be taken */
    struct cy_habits *habits;
    struct cy_early *early; /* loads that began too early, by instruction */
    struct cy_moment dispatched, retired, left;
    struct cy_moment ordered; /* end of the last turn of an atomic or fence */
    struct cy_moment placed;  /* when all stores' addresses so far were known */
    struct cy_value entered;  /* entry to a scheduler, maybe after a queue */
    double cycles_before;     /* dispatch cycles of the last instruction */
    struct cy_stored *stores;
    size_t n_stores, stores_room;
    struct cy_written *written;
    struct keys asked_keys;    /* hashes of the answers' `asked` */
    struct cy_answer *answers; /* cached: looking up the machine file is slow */
    size_t n_answers, answers_room;
    struct cy_events events;
    struct cy_fetch fetch;
    struct cy_buffers buffers;
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
    bool is_round : 1;  /* a round of a string instruction, but not the first */
    bool is_fused : 1;  /* a jump that fused with the instruction before */
};

struct cy_pipeline *cy_pipeline_new(const struct cy_recipes *recipes,
                                    const struct cy_model *model);
void cy_pipeline_free(struct cy_pipeline *core);

/* Resets the core for a new window. */
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

/* --- Inside --- */

static inline double cy_later(double a, double b)
{
    return a > b ? a : b;
}

/* Moves *issue to `time` and `event` if they are later. */
static inline void cy_issue_at(struct cy_moment *issue, double time,
                               uint32_t event)
{
    if (time > issue->time)
        *issue = (struct cy_moment){time, event};
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

/* Takes units for ready work; returns when it begins.  Both lists may be
   NULL. */
double cy_pipeline_start(struct cy_pipeline *c, double ready,
                         const struct cy_pieces *work, const float *rates);

/* Executes load number l of the instruction, whose accesses have these
   addresses.  *issue grows to when the load begins for the last time. */
struct cy_value cy_pipeline_load(struct cy_pipeline *c,
                                 const struct cy_recipe *r, unsigned l,
                                 const uint64_t *addresses,
                                 struct cy_moment *issue);

/* Executes store number s; returns when its data and its address are known. */
struct cy_moment
cy_pipeline_store(struct cy_pipeline *c, const struct cy_recipe *r, unsigned s,
                  const uint64_t *addresses, const struct cy_value *loads,
                  const struct cy_value *result, struct cy_moment *issue);

/* Lets the stores of the retired instruction leave the store buffer. */
void cy_pipeline_leave(struct cy_pipeline *c, const struct cy_recipe *r);

#endif
