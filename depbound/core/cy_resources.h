/*
 * cy_resources: units, buffers and schedulers, and when there is room in them.
 *
 * A unit has a calendar: a bit for each cycle in which it is busy, in a ring
 * that moves on with time.
 *
 * An access has an entry of a scheduler beside that of what its instruction
 * computes, and a stored vector register a third one, which is left when its
 * value is there.  Before the schedulers of vector registers there may be a
 * queue, which is left in order.
 *
 * Limits: work that is ready more than CY_SPAN cycles ahead waits for no unit.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_RESOURCES_H
#define CY_RESOURCES_H

#include "core/cy_outcome.h"
#include "core/cy_recipe.h"

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

/* Entries that are left in the order in which they were taken, as those of the
   reorder buffer and of the load and store buffers; and in any order, as those
   of schedulers. */
struct cy_queue {
    unsigned size; /* 0: unlimited */
    unsigned used;
    struct cy_queued {
        double until;
        unsigned entries;
        uint32_t event;
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

/* They are left at `until`, not before those of the calls before. */
void cy_queue_add(struct cy_queue *q, unsigned entries, double until,
                  uint32_t event);

struct cy_pool {
    unsigned size; /* 0: unlimited */
    struct cy_pooled {
        double until;
        uint32_t event;
    } * ring;               /* the earliest first */
    uint32_t head, n, room; /* room: a power of two */
};

void cy_pool_init(struct cy_pool *p, unsigned size);
void cy_pool_fini(struct cy_pool *p);
void cy_pool_clear(struct cy_pool *p);
double cy_pool_room(struct cy_pool *p, double time, uint32_t *event);
void cy_pool_add(struct cy_pool *p, double until, uint32_t event);

/* The schedulers; one of size 0 is not known, and has room for everything. */
struct cy_schedulers {
    struct cy_pool general; /* of what computes, in general registers */
    struct cy_pool vector;  /* in vector registers */
    struct cy_pool access, vector_stores;
    struct cy_queue queue; /* before those of vector registers */
    struct cy_moment last; /* that left the queue */
};

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

#endif
