/*
 * sd_path: the back path of a block, the shortest path from it to itself.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "flow/sd_path.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* Of a huge loop, or the search for each of its blocks would visit all. */
#define MAX_SEEN 16384

/* How the search came to a block. */
struct sd_trail {
    uint32_t search;
    struct sd_node *from; /* NULL: from the block itself */
};

void sd_path_init(struct sd_path *path)
{
    *path = (struct sd_path){.longest = UINT32_MAX};
}

void sd_path_fini(struct sd_path *path)
{
    free(path->steps);
    free(path->trails);
    free(path->queue);
    *path = (struct sd_path){0};
}

static void begin_search(struct sd_path *path)
{
    if (++path->search != 0)
        return;
    memset(path->trails, 0, path->trails_room * sizeof *path->trails);
    path->search = 1;
}

/* True if the block is new to the search. */
static bool visit(struct sd_path *path, const struct sd_node *node,
                  struct sd_node *from)
{
    size_t room = path->trails_room;

    if (node->number >= room) {
        path->trails = memory_grow(path->trails, &path->trails_room,
                                   node->number, sizeof *path->trails);
        memset(path->trails + room, 0,
               (path->trails_room - room) * sizeof *path->trails);
    }
    if (path->trails[node->number].search == path->search)
        return false;
    path->trails[node->number] = (struct sd_trail){path->search, from};
    return true;
}

/* Breadth first, from what `from` leads to, inside a loop: the last block
   before `target`, or, if that is NULL, the first one that returns; NULL if
   there is none among the nearest. */
static struct sd_node *search(struct sd_path *path, uint32_t loop,
                              struct sd_node *from,
                              const struct sd_node *target)
{
    const struct sd_loops *loops = &from->cfg->loops;
    size_t n_queued = 0, n_done = 0, n_near = 0;
    uint32_t distance = 0;
    struct sd_node *node = from;

    begin_search(path);
    for (;;) {
        for (uint32_t i = 0; i < sd_node_n_next(node); i++) {
            struct sd_node *next = sd_node_next(node, i);

            if (next == NULL)
                continue;
            if (next == target)
                return node;
            if (!sd_loops_hold(loops, loop, next) || !visit(path, next, node))
                continue;
            if (target == NULL && next->returns)
                return next;
            if (n_queued == MAX_SEEN)
                return NULL;
            path->queue = memory_grow(path->queue, &path->queue_room, n_queued,
                                      sizeof *path->queue);
            path->queue[n_queued++] = next;
        }
        if (n_done == n_near) { /* all at this distance, or nearer */
            n_near = n_queued;
            if (n_done == n_queued || distance++ == path->longest)
                return NULL;
        }
        node = path->queue[n_done++];
    }
}

static void add_step(struct sd_path *path, struct sd_node *node)
{
    path->steps = memory_grow(path->steps, &path->steps_room, path->n_steps,
                              sizeof *path->steps);
    path->steps[path->n_steps++] = (struct sd_step){.node = node};
}

/* Appends what the last search found: the blocks behind `from` up to `last`. */
static void collect(struct sd_path *path, const struct sd_node *from,
                    struct sd_node *last)
{
    size_t end;

    assert(last != NULL && from != NULL);
    for (struct sd_node *node = last; node != from;
         node = path->trails[node->number].from)
        add_step(path, node);
    end = path->n_steps;
    for (struct sd_node *node = last; node != from;
         node = path->trails[node->number].from)
        path->steps[--end].node = node;
}

/* Notes where the path enters loops that do not contain the block. */
static void find_inner(struct sd_path *path, const struct sd_node *target)
{
    uint32_t last = 0;

    for (size_t i = 0; i < path->n_steps; i++) {
        const struct sd_node *node = path->steps[i].node;
        uint32_t inner = 0;

        if (node != NULL)
            inner = sd_loops_child(&node->cfg->loops, target->loop, node->loop);
        if (inner != last)
            path->steps[i].inner = inner;
        last = inner;
    }
}

static bool find_in_loop(struct sd_path *path, struct sd_node *node)
{
    struct sd_node *last = search(path, node->loop, node, node);

    if (last == NULL)
        return false;
    collect(path, node, last);
    return true;
}

static bool find_by_call(struct sd_path *path, struct sd_node *node)
{
    struct sd_node *last = node, *entry = node->entry;

    if (entry == NULL)
        return false;
    if (!node->returns) {
        last = search(path, 0, node, NULL);
        if (last == NULL)
            return false;
        collect(path, node, last);
    }
    add_step(path, NULL);
    if (entry == node)
        return true;
    last = search(path, 0, entry, node);
    if (last == NULL)
        return false;
    add_step(path, entry);
    collect(path, entry, last);
    return true;
}

__attribute__((unused)) static bool leads_to(const struct sd_node *from,
                                             const struct sd_node *to)
{
    for (uint32_t i = 0; i < sd_node_n_next(from); i++)
        if (sd_node_next(from, i) == to)
            return true;
    return false;
}

/* Does control go from the block along all steps, and back to it? */
__attribute__((unused)) static bool is_connected(const struct sd_path *path,
                                                 const struct sd_node *node)
{
    const struct sd_node *last = node;

    for (size_t i = 0; i < path->n_steps; i++) {
        const struct sd_node *next = path->steps[i].node;
        bool is_call = next == NULL;

        if (is_call) { /* from a return to the function's first block */
            next = i + 1 < path->n_steps ? path->steps[++i].node : node;
            if (!last->returns || next != node->entry)
                return false;
        } else if (!leads_to(last, next)) {
            return false;
        }
        last = next;
        if (is_call && i + 1 >= path->n_steps && last == node)
            return true;
    }
    return leads_to(last, node);
}

bool sd_path_find(struct sd_path *path, struct sd_node *node)
{
    path->n_steps = 0;
    if (node->loop != 0 ? !find_in_loop(path, node) : !find_by_call(path, node))
        return false;
    find_inner(path, node);
    assert(is_connected(path, node));
    return true;
}
