/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "graph/loops.h"

/* --- Strongly connected components --- */

#define NOT_FOUND 0u
#define CLOSED    UINT32_MAX

/* The arrays of struct scc.  index: numbers of nodes in the order of being
   found, from 1; CLOSED: the component is complete.  lowest: the index of a
   node to which each leads back.  open: nodes found that have no component yet.
   path: from the root to the current node; n_done: successors seen of each. */
struct scc_search {
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

    if (room <= scc->room)
        return;
    room = room < 2 * scc->room ? 2 * scc->room : room;
    free(scc->members);
    uint32_t *all = memory_new(8 * room, sizeof *all);
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

static void enter(struct scc_search *s, uint32_t node)
{
    s->scc->index[node] = s->scc->lowest[node] = ++s->n_found;
    s->scc->open[s->n_open++] = node;
    s->scc->n_done[s->n_path] = 0;
    s->scc->path[s->n_path++] = node;
}

/* The next successor of the path's last node that was not found before;
   GRAPH_END if none is left. */
static uint32_t next_new(struct scc_search *s)
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
        if (scc->index[next] < scc->lowest[node]) /* never true of CLOSED */
            scc->lowest[node] = scc->index[next];
    }
    return GRAPH_END;
}

/* Makes a component of an open node and all open nodes after it. */
static void close_component(struct scc_search *s, uint32_t node)
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

static void search_from(struct scc_search *s, uint32_t root)
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
    struct scc_search s = {.scc = scc, .graph = graph};
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

/* --- Loops --- */

/* A search through the nodes of one loop, numbered by their places. */
struct search {
    struct loops *loops;
    const struct graph *graph;
    uint32_t loop;
    uint32_t first; /* the place of the loop's first node */
    struct scc scc;
    uint32_t *done; /* nodes, component by component */
};

/* Is a node directly in the loop of the search, and none of its headers? */
static bool takes_part(const struct search *s, uint32_t node)
{
    return s->loops->innermost[node] == s->loop && !s->loops->is_header[node];
}

static uint32_t successor(const void *of, uint32_t number, uint32_t i)
{
    const struct search *s = of;
    const struct loops *loops = s->loops;
    uint32_t next = graph_next(s->graph, loops->nodes[s->first + number], i);

    if (next == GRAPH_END || next == GRAPH_SKIP)
        return next;
    return takes_part(s, next) ? loops->places[next] - s->first : GRAPH_SKIP;
}

/* Does a node lead to itself? */
static bool repeats(const struct search *s, uint32_t node)
{
    uint32_t next = GRAPH_SKIP;

    for (uint32_t i = 0; takes_part(s, node) && next != node; i++)
        if ((next = graph_next(s->graph, node, i)) == GRAPH_END)
            return false;
    return next == node;
}

/* Adds a loop for each component that is a cycle. */
static void add_loops(struct search *s)
{
    struct loops *loops = s->loops;

    for (uint32_t c = 0; c < s->scc.n_components; c++) {
        uint32_t first = s->first + s->scc.first[c];
        uint32_t end = s->first + s->scc.first[c + 1];

        assert(first < end);
        if (end == first + 1 && !repeats(s, loops->nodes[first]))
            continue;
        for (uint32_t i = first; i < end; i++)
            loops->innermost[loops->nodes[i]] = (uint32_t)loops->n;
        array_push(loops->list, loops->n, loops->room,
                   (struct loop){.parent = s->loop,
                                 .first = first,
                                 .n = end - first,
                                 .depth = loops->list[s->loop].depth + 1});
    }
}

/* Marks the headers of loops.  A loop without a known edge from outside has its
   first node as header. */
static void mark_headers(struct search *s, struct loop outer, size_t n_before)
{
    struct loops *loops = s->loops;

    for (uint32_t i = outer.first; i < outer.first + outer.n; i++) {
        uint32_t node = loops->nodes[i], next;

        for (uint32_t k = 0;
             (next = graph_next(s->graph, node, k)) != GRAPH_END; k++)
            if (next != GRAPH_SKIP && loops->innermost[next] >= n_before &&
                loops->innermost[next] != loops->innermost[node])
                loops->is_header[next] = true;
    }
    for (size_t i = n_before; i < loops->n; i++) {
        const struct loop *loop = &loops->list[i];
        uint32_t first = loops->nodes[loop->first];
        bool has_header = false;

        for (uint32_t k = loop->first; k < loop->first + loop->n; k++) {
            has_header |= loops->is_header[loops->nodes[k]];
            if (loops->nodes[k] < first)
                first = loops->nodes[k];
        }
        if (!has_header)
            loops->is_header[first] = true;
    }
}

/* Finds the loops directly inside a loop. */
static void split(struct search *s, uint32_t number)
{
    struct loops *loops = s->loops;
    struct loop outer = loops->list[number];
    uint32_t *nodes = loops->nodes + outer.first;
    size_t n_before = loops->n;

    s->loop = number;
    s->first = outer.first;
    scc_find(&s->scc,
             &(struct graph){.of = s, .n = outer.n, .next = successor});
    for (uint32_t i = 0; i < outer.n; i++)
        s->done[i] = nodes[s->scc.members[i]];
    memcpy(nodes, s->done, outer.n * sizeof *nodes);
    for (uint32_t i = 0; i < outer.n; i++)
        loops->places[nodes[i]] = outer.first + i;
    add_loops(s);
    mark_headers(s, outer, n_before);
}

/* Do the loops nest, each with a header? */
__attribute__((unused)) static bool is_nest(const struct loops *loops)
{
    for (uint32_t i = 1; i < loops->n; i++) {
        const struct loop *loop = &loops->list[i];
        const struct loop *outer = &loops->list[loop->parent];
        bool has_header = false;

        if (loop->parent >= i || loop->n == 0 ||
            loop->depth != outer->depth + 1 || loop->first < outer->first ||
            loop->first + loop->n > outer->first + outer->n)
            return false;
        for (uint32_t k = loop->first; k < loop->first + loop->n; k++)
            has_header |= loops->is_header[loops->nodes[k]];
        if (!has_header)
            return false;
    }
    return true;
}

void loops_find(struct loops *loops, const struct graph *graph)
{
    uint32_t n = graph->n;
    struct search s = {.loops = loops, .graph = graph};

    *loops = (struct loops){
        .nodes = memory_new(n, sizeof *loops->nodes),
        .places = memory_new(n, sizeof *loops->places),
        .innermost = memory_new(n, sizeof *loops->innermost),
        .is_header = memory_new(n, sizeof *loops->is_header),
    };
    for (uint32_t i = 0; i < n; i++)
        loops->nodes[i] = loops->places[i] = i;
    s.done = memory_new(n, sizeof *s.done);
    scc_init(&s.scc);
    array_push(loops->list, loops->n, loops->room, (struct loop){.n = n});
    for (uint32_t i = 0; i < loops->n; i++)
        if (loops->list[i].depth < LOOPS_DEEPEST)
            split(&s, i);
    assert(is_nest(loops));
    scc_fini(&s.scc);
    free(s.done);
}

void loops_fini(struct loops *loops)
{
    free(loops->list);
    free(loops->nodes);
    free(loops->places);
    free(loops->innermost);
    free(loops->is_header);
    *loops = (struct loops){0};
}

uint32_t loops_child(const struct loops *loops, uint32_t outer, uint32_t inner)
{
    assert(outer < loops->n && inner < loops->n);
    while (inner != 0 && inner != outer) {
        if (loops->list[inner].parent == outer)
            return inner;
        inner = loops->list[inner].parent;
    }
    return 0;
}
