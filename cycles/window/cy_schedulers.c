/*
 * cy_schedulers: what dispatched instructions wait in until their work begins.
 *
 * An access has an entry beside that of what its instruction computes, and a
 * stored vector register a third one, which is left when its value is there.
 * Before the schedulers of vector registers there may be a queue, which is left
 * in order.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "window/pipeline.h"

#include <assert.h>

void cy_schedulers_init(struct cy_schedulers *s, const struct cy_window *sizes)
{
    cy_pool_init(&s->general, sizes->scheduler);
    cy_pool_init(&s->vector, sizes->vector_scheduler);
    cy_pool_init(&s->access, sizes->address_scheduler);
    cy_pool_init(&s->vector_stores, sizes->vector_stores);
    cy_queue_init(&s->queue, sizes->vector_queue);
    s->last = (struct cy_moment){0};
}

void cy_schedulers_fini(struct cy_schedulers *s)
{
    cy_pool_fini(&s->general);
    cy_pool_fini(&s->vector);
    cy_pool_fini(&s->access);
    cy_pool_fini(&s->vector_stores);
    cy_queue_fini(&s->queue);
}

void cy_schedulers_clear(struct cy_schedulers *s)
{
    cy_pool_clear(&s->general);
    cy_pool_clear(&s->vector);
    cy_pool_clear(&s->access);
    cy_pool_clear(&s->vector_stores);
    cy_queue_clear(&s->queue);
    s->last = (struct cy_moment){0};
}

static bool has_access(const struct cy_recipe *r)
{
    return r->n_loads + r->n_stores > 0;
}

/* The scheduler of what an instruction computes, and, unless accesses have one
   of their own, of what it loads and stores. */
static struct cy_pool *computing(struct cy_schedulers *s,
                                 const struct cy_recipe *r)
{
    if (!cy_computes(r) && (s->access.size > 0 || !has_access(r)))
        return NULL;
    return r->is_vector && s->vector.size > 0 ? &s->vector : &s->general;
}

/* Does what it stores wait in the scheduler of vector stores? */
static bool stores_vector(const struct cy_schedulers *s,
                          const struct cy_recipe *r)
{
    return r->is_vector && r->n_stores > 0 && s->vector_stores.size > 0;
}

/* Room in those that may have a queue before them. */
static double room_behind(struct cy_schedulers *s, const struct cy_recipe *r,
                          double time, uint32_t *event)
{
    struct cy_pool *own = computing(s, r);

    if (own != NULL)
        time = cy_pool_room(own, time, event);
    if (stores_vector(s, r))
        time = cy_pool_room(&s->vector_stores, time, event);
    return time;
}

static bool is_queued(struct cy_schedulers *s, const struct cy_recipe *r)
{
    return r->is_vector && s->vector.size > 0 && s->queue.size > 0 &&
           (computing(s, r) != NULL || stores_vector(s, r));
}

double cy_schedulers_room(struct cy_schedulers *s, const struct cy_recipe *r,
                          double time, uint32_t *event)
{
    if (has_access(r))
        time = cy_pool_room(&s->access, time, event);
    return is_queued(s, r) ? cy_queue_room(&s->queue, 1, time, event)
                           : room_behind(s, r, time, event);
}

bool cy_schedulers_enter(struct cy_schedulers *s, const struct cy_recipe *r,
                         struct cy_moment dispatched, struct cy_moment *at)
{
    if (!is_queued(s, r))
        return false;
    *at = s->last.time > dispatched.time ? s->last : dispatched;
    at->time = room_behind(s, r, at->time, &at->event);
    return true;
}

void cy_schedulers_entered(struct cy_schedulers *s, struct cy_moment at)
{
    assert(at.time >= s->last.time);
    s->last = at;
    cy_queue_add(&s->queue, 1, at.time, at.event);
}

void cy_schedulers_leave(struct cy_schedulers *s, const struct cy_recipe *r,
                         struct cy_moment access, struct cy_moment computation,
                         struct cy_moment data)
{
    struct cy_pool *own = computing(s, r);

    if (has_access(r))
        cy_pool_add(&s->access, access.time, access.event);
    if (s->access.size == 0 && access.time > computation.time)
        computation = access;
    if (own != NULL)
        cy_pool_add(own, computation.time, computation.event);
    if (stores_vector(s, r))
        cy_pool_add(&s->vector_stores, data.time, data.event);
}
