/*
 * sd_loops: finds the loops of a graph, and how they nest.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "flow/sd_loops.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "scc.h"

/* A search through the blocks of one loop, which are numbered by place. */
struct search {
    struct sd_loops *loops;
    uint32_t loop;
    uint32_t first; /* the place of the loop's first block */
    struct scc scc;
    struct sd_node **done; /* blocks, component by component */
};

/* Does the search visit this block? */
static bool takes_part(const struct search *s, const struct sd_node *node)
{
    return node != NULL && node->loop == s->loop && !node->is_header;
}

/* Does the block lead to itself? */
static bool repeats(const struct search *s, const struct sd_node *node)
{
    return takes_part(s, node) && sd_node_follows_itself(node);
}

static uint32_t successor(const void *graph, uint32_t number, uint32_t i)
{
    const struct search *s = graph;
    const struct sd_node *node = s->loops->nodes[s->first + number], *next;

    if (i >= sd_node_n_next(node))
        return SCC_END;
    next = sd_node_next(node, i);
    assert(next == NULL || s->loops->nodes[next->place] == next);
    return takes_part(s, next) ? next->place - s->first : SCC_SKIP;
}

/* Adds a loop for each component that is a cycle. */
static void add_loops(struct search *s)
{
    struct sd_loops *loops = s->loops;

    for (uint32_t c = 0; c < s->scc.n_components; c++) {
        uint32_t first = s->first + s->scc.first[c];
        uint32_t end = s->first + s->scc.first[c + 1];

        assert(first < end);
        if (end == first + 1 && !repeats(s, loops->nodes[first]))
            continue;
        for (uint32_t i = first; i < end; i++)
            loops->nodes[i]->loop = (uint32_t)loops->n;
        array_push(loops->list, loops->n, loops->room,
                   (struct sd_loop){.parent = s->loop,
                                    .first = first,
                                    .n = end - first,
                                    .depth = loops->list[s->loop].depth + 1});
    }
}

/* Marks the headers of loops.  A loop without a known edge into it has its
   first block as header. */
static void mark_headers(struct sd_loops *loops, struct sd_loop outer,
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
        bool has_header = false;

        for (uint32_t k = loop->first; k < loop->first + loop->n; k++) {
            has_header |= loops->nodes[k]->is_header;
            if (loops->nodes[k]->number < first->number)
                first = loops->nodes[k];
        }
        if (!has_header)
            first->is_header = true;
    }
}

/* Orders the blocks of a loop by their components. */
static void reorder(struct search *s, uint32_t n)
{
    struct sd_node **nodes = s->loops->nodes + s->first;

    for (uint32_t i = 0; i < n; i++)
        s->done[i] = nodes[s->scc.members[i]];
    memcpy(nodes, s->done, n * sizeof *nodes);
    for (uint32_t i = 0; i < n; i++)
        nodes[i]->place = s->first + i;
}

/* Finds the loops directly inside a loop. */
static void split(struct search *s, uint32_t number)
{
    struct sd_loops *loops = s->loops;
    struct sd_loop outer = loops->list[number];
    size_t n_before = loops->n;

    s->loop = number;
    s->first = outer.first;
    scc_find(&s->scc, outer.n, successor, s);
    reorder(s, outer.n);
    add_loops(s);
    mark_headers(loops, outer, n_before);
}

/* Do the loops nest, with the blocks of each adjacent? */
__attribute__((unused)) static bool is_nest(const struct sd_loops *loops)
{
    for (uint32_t i = 1; i < loops->n; i++) {
        const struct sd_loop *loop = &loops->list[i];
        const struct sd_loop *outer = &loops->list[loop->parent];
        bool has_header = false;

        if (loop->parent >= i || loop->n == 0 ||
            loop->depth != outer->depth + 1 || loop->first < outer->first ||
            loop->first + loop->n > outer->first + outer->n)
            return false;
        for (uint32_t k = loop->first; k < loop->first + loop->n; k++)
            has_header |= loops->nodes[k]->is_header;
        if (!has_header)
            return false;
    }
    return true;
}

void sd_loops_init(struct sd_loops *loops, struct sd_node *nodes, size_t n)
{
    struct search s = {.loops = loops};

    *loops = (struct sd_loops){0};
    loops->nodes = memory_new(n, sizeof *loops->nodes);
    for (size_t i = 0; i < n; i++) {
        loops->nodes[i] = &nodes[i];
        nodes[i].place = (uint32_t)i;
    }
    s.done = memory_new(n, sizeof *s.done);
    scc_init(&s.scc);
    array_push(loops->list, loops->n, loops->room,
               (struct sd_loop){.n = (uint32_t)n});
    for (uint32_t i = 0; i < loops->n; i++)
        if (loops->list[i].depth < SD_DEEPEST)
            split(&s, i);
    assert(is_nest(loops));
    scc_fini(&s.scc);
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
    assert(loop < loops->n);
    return node->place - loops->list[loop].first < loops->list[loop].n;
}

uint32_t sd_loops_child(const struct sd_loops *loops, uint32_t outer,
                        uint32_t inner)
{
    assert(outer < loops->n && inner < loops->n);
    while (inner != 0 && inner != outer) {
        if (loops->list[inner].parent == outer)
            return inner;
        inner = loops->list[inner].parent;
    }
    return 0;
}
