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
    *p = (struct cy_pool){.size = size,
                          .heap = memory_new(size + 1, sizeof *p->heap)};
}

void cy_pool_fini(struct cy_pool *p)
{
    free(p->heap);
    *p = (struct cy_pool){0};
}

void cy_pool_clear(struct cy_pool *p)
{
    p->n = 0;
}

/* Takes the earliest entry out of the heap. */
static void drop(struct cy_pool *p)
{
    struct cy_pooled last = p->heap[--p->n];
    unsigned at = 0, next;

    while ((next = 2 * at + 1) < p->n) {
        if (next + 1 < p->n && p->heap[next + 1].until < p->heap[next].until)
            next++;
        if (last.until <= p->heap[next].until)
            break;
        p->heap[at] = p->heap[next];
        at = next;
    }
    p->heap[at] = last;
}

double cy_pool_room(struct cy_pool *p, double time, uint32_t *event)
{
    if (p->size == 0)
        return time;
    while (p->n > 0 && p->heap[0].until <= time)
        drop(p);
    if (p->n == p->size) {
        time = p->heap[0].until;
        *event = p->heap[0].event;
        drop(p);
    }
    return time;
}

void cy_pool_add(struct cy_pool *p, double until, uint32_t event)
{
    unsigned at;

    if (p->size == 0)
        return;
    assert(p->n < p->size);
    for (at = p->n++; at > 0 && p->heap[(at - 1) / 2].until > until;
         at = (at - 1) / 2)
        p->heap[at] = p->heap[(at - 1) / 2];
    p->heap[at] = (struct cy_pooled){until, event};
}
