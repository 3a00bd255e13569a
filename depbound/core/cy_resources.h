/*
 * cy_resources: units, buffers and schedulers, and when they have room.
 *
 * A unit has a calendar: a bit for each cycle in which it is busy, in a ring
 * that moves on with time.
 *
 * An instruction with an access takes a scheduler's entry for it beside those
 * for what it computes, and one that stores a vector register a further one,
 * until the value is available.  Each load may have one of its own, of several
 * schedulers in turn: on Golden Cove, where each of three units for loads has
 * one, 24 loads that wait for data fill it if every third load waits, and 72
 * do if all do.  Before the schedulers of vector registers
 * there may be a queue, which instructions leave in order.
 *
 * Limits: work that is ready more than CY_SPAN cycles ahead waits for no unit.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "core/cy_outcome.h"
#include "core/cy_recipe.h"

/* Work that waits for a unit.  A unit takes one piece of work a cycle, and a
   rate is a unit that may take fractions.  Whoever asks first is served first,
   but a later request may get an earlier cycle that was left free: a
   processor's scheduler prefers older work, but goes out of order. */
#define CY_SPAN 8192 /* length of a unit's calendar, in cycles */

#define CY_MOST_TURNS 32

struct cy_units {
    uint64_t now; /* in units of 64 cycles: nothing asks for an earlier time */
    uint64_t full[CY_ALL_UNITS][CY_SPAN / 64];
    uint64_t n_taken[CY_ALL_UNITS];
    uint64_t bind; /* units to which work is bound when it is dispatched */
    bool by_queue; /* by how much waits for them; else in turn */
    uint64_t bound[CY_ALL_UNITS],
        n_bound; /* when work was last bound to them */
    struct cy_turns {
        uint8_t units[CY_MOST_TURNS]; /* of the next requests */
        unsigned n, next;
    } turns;
    struct cy_group { /* what is dispatched in a cycle */
        uint64_t time;
        uint64_t chosen[CY_MOST_TURNS]; /* sets of units */
        unsigned n;
        bool is_counted;
        uint16_t waits[CY_ALL_UNITS]; /* cycles of each taken before it */
    } group;
    uint64_t rate_full[CY_N_RATES][CY_SPAN / 64];
    float used[CY_N_RATES][CY_SPAN];
};

/* `bind`: units to which work is bound when it is dispatched. */
void cy_units_init(struct cy_units *u, uint64_t bind, bool by_queue);

/* Binds the next n requests to units among sets[0], sets[1], ..., as the
   dispatch does with what it dispatches in one cycle: at first those that few
   units can do; each request gets the unit to which the fewest of them are
   bound, and of these the one that has been without new work for longest.
   (Found on Zen 3 with some 70 loops of additions, rotations, moves and jumps;
   see research/tried.md.) */
void cy_units_bind(struct cy_units *u, const uint64_t *sets, unsigned n);

/* The next requests are of an instruction that is dispatched at `time`, the
   first one of a cycle or not.  By queue, a request gets the unit for which the
   fewest others wait, those of the same cycle not counted.  The n-th request of
   the cycle for one of the same units gets the n-th in that order, or the last
   before it for which fewer than three more wait than for the first.  (Like
   what A. Abel and J. Reineke, "uiCA", ICS 2022, found for Intel's cores from
   Sandy Bridge to Rocket Lake; 85 loops of additions, rotations,
   multiplications and moves on Golden Cove are predicted within 5 % in the
   mean.) */
void cy_units_dispatch(struct cy_units *u, double time, bool is_first);

/* Promises that no later request is for a cycle before `time`. */
void cy_units_advance(struct cy_units *u, double time);

/* Takes a cycle of a unit in `units` from `ready` on; returns its beginning. */
double cy_units_take(struct cy_units *u, uint64_t units, double ready);

/* Takes units for a piece of work; returns when the last of them begins.  A
   single unit takes one cycle after the other, and the latency counts from the
   first; so it does if the work is too long to be that of several units.
   *owed has the parts of cycles that the piece has still to take. */
double cy_units_take_piece(struct cy_units *u, const struct cy_piece *piece,
                           float *owed, double ready);

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
    } * list;
    uint32_t head, end; /* the first entry in use, and behind the last one */
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
    CY_LOAD_SCHEDULER,  /* the first of those that loads take in turn */
    CY_LAST_LOAD_SCHEDULER = CY_LOAD_SCHEDULER + CY_MOST_LOAD_SCHEDULERS - 1,
    CY_VECTOR_QUEUE,    /* before the schedulers of vector registers */
    CY_GENERAL_RESULTS, /* registers of results, until they retire */
    CY_VECTOR_RESULTS,
    CY_N_BUFFERS
};

struct cy_buffers {
    struct cy_queue list[CY_N_BUFFERS];
    struct cy_moment last; /* when the last instruction left CY_VECTOR_QUEUE */
    unsigned load_schedulers, turn; /* number of them; that of the next load */
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

/* When an instruction's parts no longer need their entries. */
struct cy_begun {
    struct cy_moment loads, stores; /* the accesses have begun */
    struct cy_moment computation;   /* ... the computation */
    struct cy_moment data;          /* the data of its stores is available */
};

/* Sets when the instruction's entries become free. */
void cy_schedulers_leave(struct cy_buffers *b, const struct cy_recipe *r,
                         struct cy_begun begun);
