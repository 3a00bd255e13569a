/*
 * cy_queues: entries of the reorder buffer and of the load and store buffers,
 * which are left in the order in which they were taken, and of schedulers,
 * which are left in any order.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "window/internal.h"

#include <assert.h>
#include <stdlib.h>

#include "memory.h"

void cy_queue_init(struct cy_queue *q, unsigned size)
{
    uint32_t room = 1;

    while (room <= size)
        room *= 2;
    *q = (struct cy_queue){
        .size = size, .room = room, .ring = memory_new(room, sizeof *q->ring)};
}

void cy_queue_fini(struct cy_queue *q)
{
    free(q->ring);
    *q = (struct cy_queue){0};
}

void cy_queue_clear(struct cy_queue *q)
{
    q->used = q->head = q->n = 0;
}

double cy_queue_room(struct cy_queue *q, unsigned entries, double time,
                     uint32_t *event)
{
    if (q->size == 0 || entries == 0)
        return time;
    while (q->n > 0) {
        const struct cy_queued *first = &q->ring[q->head];

        if (first->until > time) {
            if (q->used + entries <= q->size)
                break;
            time = first->until;
            *event = first->event;
        }
        q->used -= first->entries;
        q->head = (q->head + 1) & (q->room - 1);
        q->n--;
    }
    return time;
}

void cy_queue_add(struct cy_queue *q, unsigned entries, double until,
                  uint32_t event)
{
    if (q->size == 0 || entries == 0)
        return;
    /* What takes more than the buffer has waits until it is empty. */
    assert(q->n < q->room);
    q->ring[(q->head + q->n++) & (q->room - 1)] =
        (struct cy_queued){until, entries, event};
    q->used += entries;
}

void cy_pool_init(struct cy_pool *p, unsigned size)
{
    uint32_t room = 1;

    while (room <= size)
        room *= 2;
    *p = (struct cy_pool){
        .size = size, .room = room, .ring = memory_new(room, sizeof *p->ring)};
}

void cy_pool_fini(struct cy_pool *p)
{
    free(p->ring);
    *p = (struct cy_pool){0};
}

void cy_pool_clear(struct cy_pool *p)
{
    p->head = p->n = 0;
}

double cy_pool_room(struct cy_pool *p, double time, uint32_t *event)
{
    uint32_t mask = p->room - 1;

    if (p->size == 0)
        return time;
    if (p->n == p->size && p->ring[p->head & mask].until > time) {
        time = p->ring[p->head & mask].until;
        *event = p->ring[p->head & mask].event;
    }
    while (p->n > 0 && p->ring[p->head & mask].until <= time) {
        p->head++;
        p->n--;
    }
    return time;
}

void cy_pool_add(struct cy_pool *p, double until, uint32_t event)
{
    uint32_t mask = p->room - 1, at;

    if (p->size == 0)
        return;
    assert(p->n < p->size);
    /* Most are left in the order in which they were taken, or nearly so.  (They
       are moved by fields, since both have just been written.) */
    for (at = p->head + p->n++; at != p->head; at--) {
        const struct cy_pooled *before = &p->ring[(at - 1) & mask];
        struct cy_pooled *to = &p->ring[at & mask];

        if (before->until <= until)
            break;
        to->until = before->until;
        to->event = before->event;
    }
    p->ring[at & mask] = (struct cy_pooled){until, event};
}
