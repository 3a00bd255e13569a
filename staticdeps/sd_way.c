/*
 * sd_way: the shortest way from a block back to itself.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "sd_way.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* How the search came to a block. */
struct sd_trail {
    uint32_t search;
    struct sd_node *from; /* NULL: from the block itself */
};

void sd_way_init(struct sd_way *way)
{
    *way = (struct sd_way){0};
}

void sd_way_fini(struct sd_way *way)
{
    free(way->steps);
    free(way->trails);
    free(way->queue);
    *way = (struct sd_way){0};
}

static void begin(struct sd_way *way)
{
    way->n_steps = 0;
    if (++way->search != 0)
        return;
    memset(way->trails, 0, way->trails_room * sizeof *way->trails);
    way->search = 1;
}

/* True if the block is new to the search. */
static bool visit(struct sd_way *way, const struct sd_node *node,
                  struct sd_node *from)
{
    size_t room = way->trails_room;

    if (node->number >= room) {
        way->trails = memory_grow(way->trails, &way->trails_room, node->number,
                                  sizeof *way->trails);
        memset(way->trails + room, 0,
               (way->trails_room - room) * sizeof *way->trails);
    }
    if (way->trails[node->number].search == way->search)
        return false;
    way->trails[node->number] = (struct sd_trail){way->search, from};
    return true;
}

static bool is_inside(const struct sd_loops *loops, uint32_t loop,
                      const struct sd_node *node)
{
    return node->loop == loop || sd_loops_child(loops, loop, node->loop) != 0;
}

/* Breadth first: the last block of the way, or NULL. */
static struct sd_node *search(struct sd_way *way, const struct sd_loops *loops,
                              struct sd_node *target)
{
    size_t n_queued = 0, n_done = 0;
    struct sd_node *node = target;

    for (;;) {
        for (unsigned i = 0; i < 2; i++) {
            struct sd_node *next = node->next[i];

            if (next == target)
                return node;
            if (next == NULL || !is_inside(loops, target->loop, next) ||
                !visit(way, next, node))
                continue;
            way->queue = memory_grow(way->queue, &way->queue_room, n_queued,
                                     sizeof *way->queue);
            way->queue[n_queued++] = next;
        }
        if (n_done == n_queued)
            return NULL;
        node = way->queue[n_done++];
    }
}

static void collect(struct sd_way *way, const struct sd_node *target,
                    struct sd_node *last)
{
    size_t n = 0, i;

    for (struct sd_node *node = last; node != target;
         node = way->trails[node->number].from)
        n++;
    if (n == 0)
        return;
    way->steps =
        memory_grow(way->steps, &way->steps_room, n - 1, sizeof *way->steps);
    way->n_steps = i = n;
    for (struct sd_node *node = last; i-- > 0;
         node = way->trails[node->number].from)
        way->steps[i] = (struct sd_step){.node = node};
}

/* Notes where the way enters loops that do not contain the block. */
static void find_inner(struct sd_way *way, const struct sd_loops *loops,
                       uint32_t outer)
{
    uint32_t last = 0;

    for (size_t i = 0; i < way->n_steps; i++) {
        struct sd_step *step = &way->steps[i];
        uint32_t inner = sd_loops_child(loops, outer, step->node->loop);

        step->inner = inner != last ? inner : 0;
        last = inner;
    }
}

bool sd_way_find(struct sd_way *way, struct sd_node *node)
{
    const struct sd_loops *loops = &node->graph->loops;
    struct sd_node *last;

    begin(way);
    if (node->loop == 0)
        return false;
    last = search(way, loops, node);
    if (last == NULL)
        return false;
    collect(way, node, last);
    find_inner(way, loops, node->loop);
    return true;
}
