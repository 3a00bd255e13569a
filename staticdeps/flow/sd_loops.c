/*
 * sd_loops: the loops of a graph, and which lies in which.
 *
 * The strongly connected components of all blocks, then those of each of them
 * without its headers, and so on.  (Tarjan: Depth-first search and linear
 * graph algorithms, SIAM Journal on Computing 1, 1972.)  The search keeps its
 * path in an array: that through a large function would be too long for the
 * stack.
 *
 * The cost is one pass over a function's blocks for each level of its loops.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "flow/sd_loops.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "flow/sd_node.h"

#define NOT_FOUND 0u
#define CLOSED    UINT32_MAX

struct visit {
    struct sd_node *node;
    uint32_t n_done; /* successors */
};

/* The search through the blocks of one loop. */
struct search {
    struct sd_loops *loops;
    uint32_t loop;
    uint32_t n_found;
    uint32_t *index;       /* by a block's number, in the order of being found,
                              from 1; CLOSED: its component is complete */
    uint32_t *lowest;      /* index of a block that it leads back to */
    uint32_t *component;   /* the number of its component */
    struct sd_node **open; /* found, and of no component yet */
    struct visit *path;    /* to the current block */
    struct sd_node **done; /* component by component */
    size_t n_open, n_path, n_done;
};

/* Does the search go on to this block? */
static bool takes_part(const struct search *s, const struct sd_node *node)
{
    return node != NULL && node->loop == s->loop && !node->is_header;
}

/* Is the block alone a loop? */
static bool repeats(const struct search *s, const struct sd_node *node)
{
    return takes_part(s, node) && sd_node_follows_itself(node);
}

static void enter(struct search *s, struct sd_node *node)
{
    s->index[node->number] = s->lowest[node->number] = ++s->n_found;
    s->open[s->n_open++] = node;
    s->path[s->n_path++] = (struct visit){node, 0};
}

/* A block that the one on the path leads to, and that was not found before;
   NULL if there is none left. */
static struct sd_node *next_new(struct search *s, struct visit *visit)
{
    while (visit->n_done < sd_node_n_next(visit->node)) {
        struct sd_node *next = sd_node_next(visit->node, visit->n_done++);
        uint32_t *lowest = &s->lowest[visit->node->number];

        if (!takes_part(s, next))
            continue;
        if (s->index[next->number] == NOT_FOUND)
            return next;
        if (s->index[next->number] < *lowest) /* CLOSED is not */
            *lowest = s->index[next->number];
    }
    return NULL;
}

/* Takes the open blocks from this one on as a component, numbered by where it
   begins. */
static void close_component(struct search *s, const struct sd_node *node)
{
    uint32_t number = (uint32_t)s->n_done;
    struct sd_node *member;

    do {
        member = s->open[--s->n_open];
        s->index[member->number] = CLOSED;
        s->component[member->number] = number;
        s->done[s->n_done++] = member;
    } while (member != node);
}

static void search_from(struct search *s, struct sd_node *root)
{
    enter(s, root);
    while (s->n_path > 0) {
        struct visit *visit = &s->path[s->n_path - 1];
        struct sd_node *node = visit->node, *next = next_new(s, visit);
        uint32_t lowest = s->lowest[node->number];

        if (next != NULL) {
            enter(s, next);
            continue;
        }
        if (lowest == s->index[node->number])
            close_component(s, node);
        if (--s->n_path == 0)
            return;
        node = s->path[s->n_path - 1].node;
        if (lowest < s->lowest[node->number])
            s->lowest[node->number] = lowest;
    }
}

/* Adds the cycles among the components, from `first` on in the order. */
static void add_loops(struct search *s, uint32_t first)
{
    struct sd_loops *loops = s->loops;

    for (size_t i = 0, end; i < s->n_done; i = end) {
        for (end = i + 1; end < s->n_done; end++)
            if (s->component[s->done[end]->number] != i)
                break;
        if (end == i + 1 && !repeats(s, s->done[i]))
            continue;
        loops->list = memory_grow(loops->list, &loops->room, loops->n,
                                  sizeof *loops->list);
        loops->list[loops->n] =
            (struct sd_loop){.parent = s->loop,
                             .first = first + (uint32_t)i,
                             .n = (uint32_t)(end - i),
                             .depth = loops->list[s->loop].depth + 1};
        for (size_t k = i; k < end; k++)
            s->done[k]->loop = (uint32_t)loops->n;
        loops->n++;
    }
}

/* The header of a loop that nothing known leads into is its first block. */
static void mark_heads(struct sd_loops *loops, struct sd_loop outer,
                       size_t n_before)
{
    for (uint32_t i = outer.first; i < outer.first + outer.n; i++) {
        const struct sd_node *node = loops->nodes[i];

        for (uint32_t k = 0; k < sd_node_n_next(node); k++) {
            struct sd_node *next = sd_node_next(node, k);

            if (next != NULL && next->loop >= n_before &&
                next->loop != node->loop)
                next->is_header = true;
        }
    }
    for (size_t i = n_before; i < loops->n; i++) {
        const struct sd_loop *loop = &loops->list[i];
        struct sd_node *first = loops->nodes[loop->first];
        bool has_head = false;

        for (uint32_t k = loop->first; k < loop->first + loop->n; k++) {
            has_head |= loops->nodes[k]->is_header;
            if (loops->nodes[k]->number < first->number)
                first = loops->nodes[k];
        }
        if (!has_head)
            first->is_header = true;
    }
}

/* Finds the loops that lie directly in one. */
static void split(struct search *s, uint32_t number)
{
    struct sd_loops *loops = s->loops;
    struct sd_loop outer = loops->list[number];
    struct sd_node **nodes = loops->nodes + outer.first;
    size_t n_before = loops->n;

    s->loop = number;
    s->n_found = 0;
    s->n_done = 0;
    for (uint32_t i = 0; i < outer.n; i++)
        s->index[nodes[i]->number] = NOT_FOUND;
    for (uint32_t i = 0; i < outer.n; i++)
        if (s->index[nodes[i]->number] == NOT_FOUND)
            search_from(s, nodes[i]);
    memcpy(nodes, s->done, outer.n * sizeof *nodes);
    add_loops(s, outer.first);
    mark_heads(loops, outer, n_before);
}

void sd_loops_init(struct sd_loops *loops, struct sd_node *nodes, size_t n)
{
    struct search s = {.loops = loops};

    *loops = (struct sd_loops){0};
    loops->nodes = memory_new(n, sizeof *loops->nodes);
    for (size_t i = 0; i < n; i++)
        loops->nodes[i] = &nodes[i];
    s.index = memory_new(n, sizeof *s.index);
    s.lowest = memory_new(n, sizeof *s.lowest);
    s.component = memory_new(n, sizeof *s.component);
    s.open = memory_new(n, sizeof *s.open);
    s.path = memory_new(n, sizeof *s.path);
    s.done = memory_new(n, sizeof *s.done);
    loops->list =
        memory_grow(loops->list, &loops->room, loops->n, sizeof *loops->list);
    loops->list[loops->n++] = (struct sd_loop){.n = (uint32_t)n};
    for (uint32_t i = 0; i < loops->n; i++)
        if (loops->list[i].depth < SD_DEEPEST)
            split(&s, i);
    for (uint32_t i = 0; i < n; i++)
        loops->nodes[i]->place = i;
    free(s.index);
    free(s.lowest);
    free(s.component);
    free(s.open);
    free(s.path);
    free(s.done);
}

void sd_loops_fini(struct sd_loops *loops)
{
    free(loops->list);
    free(loops->nodes);
    *loops = (struct sd_loops){0};
}

bool sd_loops_hold(const struct sd_loops *loops, uint32_t loop,
                   const struct sd_node *node)
{
    return node->place - loops->list[loop].first < loops->list[loop].n;
}

uint32_t sd_loops_child(const struct sd_loops *loops, uint32_t outer,
                        uint32_t inner)
{
    while (inner != 0 && inner != outer) {
        if (loops->list[inner].parent == outer)
            return inner;
        inner = loops->list[inner].parent;
    }
    return 0;
}
