/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "graph/scc.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

#define NOT_FOUND 0u
#define CLOSED    UINT32_MAX

/* index: of each node, in the order of being found, from 1; CLOSED: its
   component is complete.  lowest: the index of a node that it leads back to.
   open: the nodes that were found, and have no component yet.  path: from the
   root to the current node; n_done: how many of their successors were seen. */
struct search {
    struct scc *scc;
    const struct graph *graph;
    uint32_t n_found, n_open, n_path, n_members;
};

void scc_init(struct scc *scc)
{
    *scc = (struct scc){0};
}

void scc_fini(struct scc *scc)
{
    free(scc->members);
    *scc = (struct scc){0};
}

/* One block of memory holds all arrays. */
static void make_room(struct scc *scc, size_t n)
{
    size_t room = n + 1;
    uint32_t *all;

    if (room <= scc->room)
        return;
    room = room < 2 * scc->room ? 2 * scc->room : room;
    free(scc->members);
    all = memory_new(8 * room, sizeof *all);
    *scc = (struct scc){.members = all,
                        .first = all + room,
                        .component = all + 2 * room,
                        .index = all + 3 * room,
                        .lowest = all + 4 * room,
                        .open = all + 5 * room,
                        .path = all + 6 * room,
                        .n_done = all + 7 * room,
                        .room = room};
}

static void enter(struct search *s, uint32_t node)
{
    s->scc->index[node] = s->scc->lowest[node] = ++s->n_found;
    s->scc->open[s->n_open++] = node;
    s->scc->n_done[s->n_path] = 0;
    s->scc->path[s->n_path++] = node;
}

/* The next successor of the path's last node that was not found before;
   GRAPH_END if none is left. */
static uint32_t next_new(struct search *s)
{
    const struct scc *scc = s->scc;
    uint32_t node = scc->path[s->n_path - 1], next;

    while ((next = graph_next(s->graph, node, scc->n_done[s->n_path - 1])) !=
           GRAPH_END) {
        scc->n_done[s->n_path - 1]++;
        if (next == GRAPH_SKIP)
            continue;
        assert(next < s->graph->n);
        if (scc->index[next] == NOT_FOUND)
            return next;
        if (scc->index[next] < scc->lowest[node]) /* CLOSED is not */
            scc->lowest[node] = scc->index[next];
    }
    return GRAPH_END;
}

/* Makes a component of this open node and all open nodes after it. */
static void close_component(struct search *s, uint32_t node)
{
    struct scc *scc = s->scc;
    uint32_t member;

    scc->first[scc->n_components] = s->n_members;
    do {
        assert(s->n_open > 0);
        member = scc->open[--s->n_open];
        scc->index[member] = CLOSED;
        scc->component[member] = scc->n_components;
        scc->members[s->n_members++] = member;
    } while (member != node);
    scc->n_components++;
}

static void search_from(struct search *s, uint32_t root)
{
    struct scc *scc = s->scc;

    enter(s, root);
    while (s->n_path > 0) {
        uint32_t node = scc->path[s->n_path - 1], next = next_new(s);
        uint32_t lowest = scc->lowest[node];

        if (next != GRAPH_END) {
            enter(s, next);
            continue;
        }
        if (lowest == scc->index[node])
            close_component(s, node);
        if (--s->n_path == 0)
            return;
        node = scc->path[s->n_path - 1];
        if (lowest < scc->lowest[node])
            scc->lowest[node] = lowest;
    }
}

void scc_find(struct scc *scc, const struct graph *graph)
{
    struct search s = {.scc = scc, .graph = graph};
    uint32_t n = graph->n;

    assert(n < GRAPH_SKIP);
    make_room(scc, n);
    scc->n_components = 0;
    memset(scc->index, 0, n * sizeof *scc->index);
    for (uint32_t node = 0; node < n; node++)
        if (scc->index[node] == NOT_FOUND)
            search_from(&s, node);
    assert(s.n_members == n && s.n_open == 0);
    scc->first[scc->n_components] = n;
}
