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
#include "core/cy_outcome.h"
#include "core/cy_recipe.h"
#include "core/cy_window.h"

/* cy_resources: units, buffers and schedulers, and when there is room in them.

   A unit has a calendar: a bit for each cycle in which it is busy, in a ring
   that moves on with time.

   An access has an entry of a scheduler beside that of what its instruction
   computes, and a stored vector register a third one, which is left when its
   value is there.  Before the schedulers of vector registers there may be a
   queue, which is left in order.

   Limits: work that is ready more than CY_SPAN cycles ahead waits for no unit.
 */

/* Work that waits for a unit.  A unit does one cycle's work in a cycle, and a
   rate is a unit that may do parts of it.  What asks first is served first, but
   what asks later may begin in an earlier cycle that was left free: the
   scheduler of a processor prefers what is older, and needs no order. */
#define CY_SPAN 8192 /* cycles that are looked ahead, at most */

struct cy_units {
    uint64_t now; /* nothing asks for an earlier cycle */
    uint64_t full[CY_ALL_UNITS][CY_SPAN / 64];
    uint64_t n_taken[CY_ALL_UNITS];
    uint64_t rate_full[CY_N_RATES][CY_SPAN / 64];
    float used[CY_N_RATES][CY_SPAN];
};

void cy_units_init(struct cy_units *u);

/* Nothing asks for a cycle before `time` from now on. */
void cy_units_advance(struct cy_units *u, double time);

/* One cycle's work of one of `units`, from `ready` on: when it begins. */
double cy_units_take(struct cy_units *u, uint64_t units, double ready);

/* Work of some rates, `cost[rate]` cycles of each that is not 0: when it
   begins. */
double cy_units_take_rates(struct cy_units *u, const float cost[CY_N_RATES],
                           double ready);

/* Entries of a buffer; as many as it has may be taken at a time. */
struct cy_queue {
    unsigned size; /* 0: unlimited */
    unsigned used;
    struct cy_queued {
        double until;
        uint32_t event, entries;
    } * ring;
    uint32_t head, n, room; /* room: a power of two */
};

void cy_queue_init(struct cy_queue *q, unsigned size);
void cy_queue_fini(struct cy_queue *q);
void cy_queue_clear(struct cy_queue *q);

/* When there is room for `entries` more, from `time` on; *event is what made
   it, if that is later. */
double cy_queue_room(struct cy_queue *q, unsigned entries, double time,
                     uint32_t *event);

/* They are left at `until`, not before those of the calls before, as those of
   the reorder buffer and of the load and store buffers are. */
void cy_queue_add(struct cy_queue *q, unsigned entries, double until,
                  uint32_t event);

/* One is left at `until`, whatever was added before, as in a scheduler. */
void cy_queue_insert(struct cy_queue *q, double until, uint32_t event);

/* All buffers of the core; one whose size is not known has room for everything.
 */
enum cy_buffer {
    CY_REORDER_BUFFER,
    CY_LOAD_BUFFER,
    CY_STORE_BUFFER,
    CY_SCHEDULER,        /* of what computes in general registers */
    CY_VECTOR_SCHEDULER, /* in vector registers */
    CY_ACCESS_SCHEDULER,
    CY_STORE_SCHEDULER, /* of vector registers that are stored */
    CY_VECTOR_QUEUE,    /* before the schedulers of vector registers */
    CY_N_BUFFERS
};

struct cy_buffers {
    struct cy_queue list[CY_N_BUFFERS];
    struct cy_moment last; /* that left CY_VECTOR_QUEUE */
};

void cy_buffers_init(struct cy_buffers *b, const struct cy_window *sizes);
void cy_buffers_fini(struct cy_buffers *b);
void cy_buffers_clear(struct cy_buffers *b);

/* From when on is there room, in the schedulers or the queue before some?  If
   that is after `time`, *event is what made it. */
double cy_schedulers_room(struct cy_buffers *b, const struct cy_recipe *r,
                          double time, uint32_t *event);

/* When a dispatched instruction leaves the queue; false: it was in none.  Then
   cy_schedulers_entered says what event that is. */
bool cy_schedulers_enter(struct cy_buffers *b, const struct cy_recipe *r,
                         struct cy_moment dispatched, struct cy_moment *at);
void cy_schedulers_entered(struct cy_buffers *b, struct cy_moment at);

/* When the instruction's accesses and its computation have begun, and what it
   stores is there. */
void cy_schedulers_leave(struct cy_buffers *b, const struct cy_recipe *r,
                         struct cy_moment access, struct cy_moment computation,
                         struct cy_moment data);

/* cy_habits: which store wrote each byte of memory last, and which loads meet
   the same store so often that the processor takes them for one register.

   A store is the same if it is as many stores ago, as with arguments on the
   stack; or if its instruction is, and ran as often later, as with a position
   that one function stores and another one loads.  A load that meets another
   store of the last ones must learn anew.  One that meets none of them, since
   its bytes were stored long ago, loses little.  In both cases a load that was
   taken for a register had a wrong value, so that what came after it begins
   anew when it retires.

   What the machine file does not say is of Zen 5: by a histogram of one value
   with another one every so often, by one of runs of a value, and by code that
   is new to the processor. */

/* The store that wrote each byte last. */
#define CY_NO_STORE UINT32_MAX

struct cy_written;

struct cy_written *cy_written_new(void);
void cy_written_free(struct cy_written *w);

/* Forgets all stores. */
void cy_written_clear(struct cy_written *w);

void cy_written_store(struct cy_written *w, uint64_t address, unsigned size,
                      uint32_t store);

/* The stores that wrote `size` bytes last, in `stores`: CY_NO_STORE of bytes
   that none wrote.  Returns how many differ. */
#define CY_MOST_WRITERS 64
unsigned cy_written_load(struct cy_written *w, uint64_t address, unsigned size,
                         uint32_t stores[CY_MOST_WRITERS]);

/* Is it the first access since the last clearing to its line of 64 bytes? */
bool cy_written_is_first(struct cy_written *w, uint64_t address);

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

/* Which loads the processor renames by what they met before. */
struct cy_habits;

/* `renamed_after`: times in a row that a load meets the same store before it is
   renamed; 0: as many as is typical. */
struct cy_habits *cy_habits_new(size_t n_insns, unsigned renamed_after);
void cy_habits_free(struct cy_habits *habits);

#define CY_LONG_AGO SIZE_MAX /* the distance of a store before the window */

/* How often the instruction of a store ran after this store, which it did
   `before` times before, and `executed` times by now.  The store itself is not
   counted; a store of the instruction that loads is not counted yet. */
static inline uint32_t cy_rounds_since(uint32_t executed, uint32_t before)
{
    uint32_t rounds = executed - before;

    return rounds - (rounds > 0);
}

/* What the processor took a load's value for. */
enum cy_habit {
    CY_NO_HABIT, /* for none that it knew: the load met others before */
    CY_HABIT,    /* for the right one, as so often before */
    CY_BROKEN    /* for that of another store, since the load was renamed; what
                    went on with the wrong value begins anew */
};

/* A load of this instruction meets a store of the instruction `store`, which
   ran `rounds` times since, and `distance` stores ago, from 1 on.  If it is
   learnt, the next time the load is renamed if `is_renamed`.  With CY_LONG_AGO
   it meets none of a window, and the rest does not matter. */
enum cy_habit cy_habits_meet(struct cy_habits *habits, uint32_t insn,
                             size_t distance, uint32_t store, uint32_t rounds,
                             bool is_renamed);

/* What all loads that were learnt met; the caller frees by_insn. */
struct cy_near cy_habits_take_near(struct cy_habits *habits);

/* Learns what the loads of a window meet, as if it was executed.  Forgets what
   was written.  Returns the last instruction whose loads met others than the
   last time. */
size_t cy_habits_learn(struct cy_habits *habits,
                       const struct cy_recipes *recipes,
                       struct cy_written *written,
                       const struct cy_recorded *window);

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
    bool is_load_early; /* a load of the window began too early */
    uint32_t insn;      /* that is executed now */
    uint32_t number;    /* of this execution in the window */
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
    struct cy_buffers buffers;
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

/* When store number s of an instruction knows its data and its address. */
struct cy_moment
cy_pipeline_store(struct cy_pipeline *c, const struct cy_recipe *r, unsigned s,
                  const uint64_t *addresses, const struct cy_value *loads,
                  const struct cy_value *result, struct cy_moment *issue);

/* The stores of the instruction, which has retired, leave their buffer. */
void cy_pipeline_leave(struct cy_pipeline *c, const struct cy_recipe *r);

#endif
