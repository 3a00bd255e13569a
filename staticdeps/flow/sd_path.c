/*
 * sd_path: the shortest way from a block back to itself.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "flow/sd_path.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* Of a huge loop, or all blocks would be looked at for each. */
#define MAX_SEEN 16384

/* How the search came to a block. */
struct sd_trail {
    uint32_t search;
    struct sd_node *from; /* NULL: from the block itself */
};

void sd_path_init(struct sd_path *way)
{
    *way = (struct sd_path){.longest = UINT32_MAX};
}

void sd_path_fini(struct sd_path *way)
{
    free(way->steps);
    free(way->trails);
    free(way->queue);
    *way = (struct sd_path){0};
}

static void begin_search(struct sd_path *way)
{
    if (++way->search != 0)
        return;
    memset(way->trails, 0, way->trails_room * sizeof *way->trails);
    way->search = 1;
}

/* True if the block is new to the search. */
static bool visit(struct sd_path *way, const struct sd_node *node,
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

/* Breadth first, from what `from` leads to, inside a loop: the last block
   before `target`, or, if that is NULL, the first one that returns; NULL if
   there is none among the nearest. */
static struct sd_node *search(struct sd_path *way, uint32_t loop,
                              struct sd_node *from,
                              const struct sd_node *target)
{
    const struct sd_loops *loops = &from->graph->loops;
    size_t n_queued = 0, n_done = 0, n_near = 0;
    uint32_t distance = 0;
    struct sd_node *node = from;

    begin_search(way);
    for (;;) {
        for (uint32_t i = 0; i < sd_node_n_next(node); i++) {
            struct sd_node *next = sd_node_next(node, i);

            if (next == NULL)
                continue;
            if (next == target)
                return node;
            if (!sd_loops_hold(loops, loop, next) || !visit(way, next, node))
                continue;
            if (target == NULL && next->returns)
                return next;
            if (n_queued == MAX_SEEN)
                return NULL;
            way->queue = memory_grow(way->queue, &way->queue_room, n_queued,
                                     sizeof *way->queue);
            way->queue[n_queued++] = next;
        }
        if (n_done == n_near) { /* all at this distance, or nearer */
            n_near = n_queued;
            if (n_done == n_queued || distance++ == way->longest)
                return NULL;
        }
        node = way->queue[n_done++];
    }
}

static void add_step(struct sd_path *way, struct sd_node *node)
{
    way->steps = memory_grow(way->steps, &way->steps_room, way->n_steps,
                             sizeof *way->steps);
    way->steps[way->n_steps++] = (struct sd_step){.node = node};
}

/* Appends what the last search found: the blocks behind `from` up to `last`. */
static void collect(struct sd_path *way, const struct sd_node *from,
                    struct sd_node *last)
{
    size_t end;

    for (struct sd_node *node = last; node != from;
         node = way->trails[node->number].from)
        add_step(way, node);
    end = way->n_steps;
    for (struct sd_node *node = last; node != from;
         node = way->trails[node->number].from)
        way->steps[--end].node = node;
}

/* Notes where the way enters loops that do not contain the block. */
static void find_inner(struct sd_path *way, const struct sd_node *target)
{
    uint32_t last = 0;

    for (size_t i = 0; i < way->n_steps; i++) {
        const struct sd_node *node = way->steps[i].node;
        uint32_t inner = 0;

        if (node != NULL)
            inner =
                sd_loops_child(&node->graph->loops, target->loop, node->loop);
        if (inner != last)
            way->steps[i].inner = inner;
        last = inner;
    }
}

static bool find_in_loop(struct sd_path *way, struct sd_node *node)
{
    struct sd_node *last = search(way, node->loop, node, node);

    if (last == NULL)
        return false;
    collect(way, node, last);
    return true;
}

static bool find_by_call(struct sd_path *way, struct sd_node *node)
{
    struct sd_node *last = node, *entry = node->entry;

    if (entry == NULL)
        return false;
    if (!node->returns) {
        last = search(way, 0, node, NULL);
        if (last == NULL)
            return false;
        collect(way, node, last);
    }
    add_step(way, NULL);
    if (entry == node)
        return true;
    last = search(way, 0, entry, node);
    if (last == NULL)
        return false;
    add_step(way, entry);
    collect(way, entry, last);
    return true;
}

bool sd_path_find(struct sd_path *way, struct sd_node *node)
{
    way->n_steps = 0;
    if (node->loop != 0 ? !find_in_loop(way, node) : !find_by_call(way, node))
        return false;
    find_inner(way, node);
    return true;
}
