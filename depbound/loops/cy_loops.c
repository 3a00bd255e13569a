/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "loops/internal.h"

/* The most blocks that all loops together may have, for each block of the
   program.  A block counts once for each loop that it lies in. */
#define MOST_NESTED 64

/* An inner loop with at most this many rounds for each round of the outer one
   counts as straight code of the outer one. */
#define MOST_INNER_ROUNDS 1.5

/* Each pass decides some of the edges that the one before left open; further
   passes would decide hardly any. */
#define MOST_PASSES 16

/* --- The graph --- */

/* The block at an address that a block leads to, or CY_NO_BLOCK. */
static uint32_t next_at(struct cy_finder *f, uint32_t block, uint64_t address)
{
    const struct cy_data *data = f->data;
    uint32_t next = cy_data_block(data, data->blocks[block].object, address);

    f->nodes[block].has_other |=
        next == CY_NO_BLOCK || data->blocks[next].start != address;
    return next;
}

static int take_successors(struct cy_finder *f, struct diag *d)
{
    const struct cy_data *data = f->data;

    for (uint32_t i = 0; i < data->n_blocks; i++) {
        const struct cy_block *b = &data->blocks[i];
        struct cy_node *node = &f->nodes[i];
        struct flow last;

        *node = (struct cy_node){.next = {CY_NO_BLOCK, CY_NO_BLOCK}};
        if (data->has_executions && b->executions == 0)
            continue;
        if (cy_code_last(f->code, b, &last, d) != 0)
            return -1;
        node->calls = last.leave == FLOW_CALL;
        if (last.falls_through || !last.is_known)
            node->next[0] = next_at(f, i, b->end);
        if (last.taken != FLOW_NOWHERE)
            node->next[1] = next_at(f, i, last.taken);
        if (node->next[1] == node->next[0])
            node->next[1] = CY_NO_BLOCK;
        for (int j = 0; j < 2; j++)
            if (node->next[j] != CY_NO_BLOCK && data->has_executions &&
                cy_heat(f, node->next[j]) == 0)
                node->next[j] = CY_NO_BLOCK;
    }
    return 0;
}

static void take_predecessors(struct cy_finder *f)
{
    size_t n = f->data->n_blocks;

    f->first_before = memory_new(n + 2, sizeof *f->first_before);
    f->before = memory_new(2 * n, sizeof *f->before);
    for (size_t i = 0; i < n; i++)
        for (int j = 0; j < 2; j++)
            if (f->nodes[i].next[j] != CY_NO_BLOCK)
                f->first_before[f->nodes[i].next[j] + 2]++;
    for (size_t i = 2; i < n + 2; i++)
        f->first_before[i] += f->first_before[i - 1];
    assert(f->first_before[n] <= 2 * n);
    for (uint32_t i = 0; i < n; i++)
        for (int j = 0; j < 2; j++)
            if (f->nodes[i].next[j] != CY_NO_BLOCK)
                f->before[f->first_before[f->nodes[i].next[j] + 1]++] = i;
}

/* --- Executions of edges --- */

/* The executions of the edges from a block add up to the block's own, unless it
   leads elsewhere, too; those of the edges to a block do not exceed its own.
   So the bounds of an edge narrow those of its neighbours, until none change.

   Limits: where branches join other branches, the counts of blocks may give
   bounds only.  An execution that a signal or an exit ended counts as if it had
   gone on. */

static uint64_t least_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t less(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

/* Raises each lower bound of the edges from a block to the executions that the
   other edge cannot have had; false if nothing changed. */
static bool narrow_after(struct cy_finder *f, uint32_t block)
{
    struct cy_node *node = &f->nodes[block];
    bool changed = false;

    for (int j = 0; j < 2 && !node->has_other; j++) {
        uint64_t least =
            least_of(node->most[j], less(cy_heat(f, block), node->most[!j]));

        if (node->next[j] == CY_NO_BLOCK || least <= node->least[j])
            continue;
        node->least[j] = least;
        changed = true;
    }
    return changed;
}

/* Narrows the bounds of the edges to a block; false if nothing changed. */
static bool narrow_before(struct cy_finder *f, uint32_t block)
{
    uint64_t least = cy_come_to(f, block, false);
    bool changed = false;

    for (uint32_t i = f->first_before[block]; i < f->first_before[block + 1];
         i++) {
        struct cy_node *node = &f->nodes[f->before[i]];
        int j = cy_edge_to(f, f->before[i], block);
        uint64_t most = less(cy_heat(f, block), less(least, node->least[j]));

        /* Inconsistent counts say nothing. */
        if (most >= node->most[j] || most < node->least[j])
            continue;
        node->most[j] = most;
        changed = true;
    }
    return changed;
}

uint64_t cy_come_to(const struct cy_finder *f, uint32_t block, bool most)
{
    uint64_t n = 0;

    for (uint32_t i = f->first_before[block]; i < f->first_before[block + 1];
         i++) {
        const struct cy_node *node = &f->nodes[f->before[i]];
        int j = cy_edge_to(f, f->before[i], block);

        n += most ? node->most[j] : node->least[j];
    }
    return n;
}

static void count_edges(struct cy_finder *f)
{
    uint32_t n = (uint32_t)f->data->n_blocks;
    bool changed = f->data->has_executions;

    for (uint32_t i = 0; i < n && changed; i++)
        for (int j = 0; j < 2; j++) {
            struct cy_node *node = &f->nodes[i];

            if (node->next[j] != CY_NO_BLOCK)
                node->most[j] =
                    least_of(cy_heat(f, i), cy_heat(f, node->next[j]));
        }
    for (int pass = 0; pass < MOST_PASSES && changed; pass++) {
        changed = false;
        for (uint32_t i = 0; i < n; i++)
            changed |= narrow_after(f, i);
        for (uint32_t i = 0; i < n; i++)
            changed |= narrow_before(f, i);
    }
}

/* --- Natural loops --- */

/* Searches from a block on, depth first; `path` holds the open blocks. */
static void search(struct cy_finder *f, uint32_t root, uint32_t *path,
                   uint32_t *order)
{
    size_t n = 0;

    path[n++] = root;
    f->nodes[root].order = ++*order;
    f->nodes[root].is_open = true;
    while (n > 0) {
        uint32_t block = path[n - 1], next;
        struct cy_node *node = &f->nodes[block];

        if (node->n_tried == 2) {
            node->is_open = false;
            n--;
            continue;
        }
        next = node->next[node->n_tried++];
        if (next == CY_NO_BLOCK)
            continue;
        if (f->nodes[next].is_open) {
            array_append(f, edges, (struct cy_back_edge){next, block});
        } else if (f->nodes[next].order == 0) {
            f->nodes[next].order = ++*order;
            f->nodes[next].is_open = true;
            assert(n < f->data->n_blocks); /* a block is on the path once */
            path[n++] = next;
        }
    }
}

/* Searches from the starts of functions, and then from blocks that only
   indirect jumps lead to. */
static void search_all(struct cy_finder *f)
{
    const struct cy_data *data = f->data;
    AUTO_FREE uint32_t *path = memory_new(data->n_blocks, sizeof *path);
    uint32_t order = 0;

    for (uint32_t i = 0; i < data->n_blocks; i++)
        if (f->nodes[i].order == 0 &&
            f->first_before[i] == f->first_before[i + 1])
            search(f, i, path, &order);
    for (uint32_t i = 0; i < data->n_blocks; i++)
        if (f->nodes[i].order == 0)
            search(f, i, path, &order);
}

ARRAY_ORDER(edge_order, struct cy_back_edge,
            array_order(a->header, b->header)
                ?: array_order(a->latch, b->latch))

static void add_member(struct cy_finder *f, uint32_t block)
{
    uint32_t number = (uint32_t)f->n_bodies + 1;

    assert(block < f->data->n_blocks);
    if (f->in_loop[block] == number)
        return;
    f->in_loop[block] = number;
    array_append(f, members, block);
}

/* Adds the body of the loop with n back edges to one header. */
static void add_body(struct cy_finder *f, const struct cy_back_edge *edges,
                     size_t n)
{
    struct cy_body body = {edges[0].header, f->n_members, 0};

    assert(n > 0);
    add_member(f, body.header);
    for (size_t i = 0; i < n; i++)
        add_member(f, edges[i].latch);
    for (size_t i = body.first + 1; i < f->n_members; i++) {
        uint32_t block = f->members[i];

        for (uint32_t j = f->first_before[block];
             j < f->first_before[block + 1]; j++)
            /* A block that the search reached before the header is a second
               entry of the loop. */
            if (f->nodes[f->before[j]].order > f->nodes[body.header].order)
                add_member(f, f->before[j]);
    }
    body.n = f->n_members - body.first;
    assert(body.n > 0 && f->members[body.first] == body.header);
    array_append(f, bodies, body);
}

static void add_bodies(struct cy_finder *f)
{
    size_t most = MOST_NESTED * f->data->n_blocks;

    array_sort(f->edges, f->n_edges, edge_order);
    for (size_t i = 0, n; i < f->n_edges; i += n) {
        for (n = 1;
             i + n < f->n_edges && f->edges[i + n].header == f->edges[i].header;
             n++)
            ;
        if (f->n_members > most)
            return;
        add_body(f, &f->edges[i], n);
    }
}

/* Do the inner loops have so few rounds that they are part of this loop's
   path? */
static bool is_straight(const struct cy_finder *f, const struct cy_loop *loop)
{
    for (size_t i = 0; i < loop->n_blocks; i++)
        if ((double)cy_heat(f, loop->blocks[i]) >
            MOST_INNER_ROUNDS * (double)cy_heat(f, loop->blocks[0]))
            return false;
    return f->data->has_executions;
}

static void loop_fini(struct cy_loop *loop)
{
    free(loop->blocks);
    free(loop->body);
}

/* Removes the inner loops that share a block with an outer one. */
static void drop_inner(struct cy_finder *f, const struct cy_loop *outer)
{
    struct cy_loops *all = f->loops;
    size_t n = 0;

    for (size_t i = 0; i < outer->n_blocks; i++)
        f->in_loop[outer->blocks[i]] = UINT32_MAX;
    for (size_t i = 0; i < all->n; i++) {
        struct cy_loop *loop = &all->loops[i];
        bool is_inner = false;

        for (size_t j = 0; j < loop->n_blocks; j++)
            is_inner |= f->in_loop[loop->blocks[j]] == UINT32_MAX;
        if (is_inner)
            loop_fini(loop);
        else
            all->loops[n++] = *loop;
    }
    all->n = n;
    for (size_t i = 0; i < outer->n_blocks; i++)
        f->in_loop[outer->blocks[i]] = 0;
}

static void add_loop(struct cy_finder *f, const struct cy_body *body,
                     uint32_t number, bool has_inner)
{
    struct cy_loops *all = f->loops;
    struct cy_loop loop;

    if (!cy_follow(f, body, number, &loop) ||
        (has_inner && !is_straight(f, &loop))) {
        loop_fini(&loop);
        return;
    }
    assert(loop.n_blocks > 0 && loop.blocks[0] == body->header);
    if (has_inner)
        drop_inner(f, &loop);
    array_push(all->loops, all->n, all->room, loop);
}

ARRAY_ORDER(body_order, struct cy_body,
            array_order(a->n, b->n) ?: array_order(a->header, b->header))

/* Adds the loops of all bodies, the smallest body first: one that shares a
   block with an earlier body surrounds it. */
static void add_loops(struct cy_finder *f)
{
    array_sort(f->bodies, f->n_bodies, body_order);
    for (size_t i = 0; i < f->data->n_blocks; i++)
        f->in_loop[i] = 0;
    for (uint32_t i = 0; i < f->n_bodies; i++) {
        const struct cy_body *body = &f->bodies[i];
        bool has_inner = false;

        for (size_t j = 0; j < body->n; j++) {
            uint32_t *innermost = &f->innermost[f->members[body->first + j]];

            has_inner |= *innermost != 0;
            if (*innermost == 0)
                *innermost = i + 1;
            else if (f->around[*innermost - 1] == 0)
                f->around[*innermost - 1] = i + 1;
        }
        add_loop(f, body, i + 1, has_inner);
    }
}

/* Sets the addresses of the smallest loop around a loop, if there is one. */
static void surround(const struct cy_finder *f, struct cy_loop *loop)
{
    uint32_t number = f->around[f->innermost[loop->blocks[0]] - 1];

    if (number == 0)
        return;
    const struct cy_body *body = &f->bodies[number - 1];
    loop->outer_start = UINT64_MAX;
    for (size_t i = 0; i < body->n; i++) {
        const struct cy_block *b =
            &f->data->blocks[f->members[body->first + i]];

        if (b->start < loop->outer_start)
            loop->outer_start = b->start;
        if (b->end > loop->outer_end)
            loop->outer_end = b->end;
    }
}

int cy_loops_find(struct cy_loops *loops, const struct cy_data *data,
                  struct cy_code *code, struct diag *d)
{
    size_t n = data->n_blocks;
    struct cy_finder f = {.data = data, .code = code, .loops = loops};

    *loops = (struct cy_loops){0};
    f.nodes = memory_new(n, sizeof *f.nodes);
    f.in_loop = memory_new(n, sizeof *f.in_loop);
    f.innermost = memory_new(n, sizeof *f.innermost);
    int rc = take_successors(&f, d);
    if (rc == 0) {
        take_predecessors(&f);
        count_edges(&f);
        search_all(&f);
        add_bodies(&f);
        f.around = memory_new(f.n_bodies, sizeof *f.around);
        add_loops(&f);
        for (size_t i = 0; i < loops->n; i++)
            surround(&f, &loops->loops[i]);
    }
    free(f.nodes);
    free(f.first_before);
    free(f.before);
    free(f.edges);
    free(f.bodies);
    free(f.members);
    free(f.in_loop);
    free(f.innermost);
    free(f.around);
    free(f.traits);
    return rc;
}

int cy_loops_of_regions(struct cy_loops *loops, const struct cy_data *data,
                        struct cy_code *code, struct diag *d)
{
    *loops = (struct cy_loops){0};
    for (uint32_t i = 0; i < data->n_blocks; i++) {
        struct cy_loop loop = {.object = data->blocks[i].object, .n_blocks = 1};
        AUTO_FREE struct cy_code_insn *insns = NULL;
        size_t n = 0, room = 0;

        if (cy_code_block(code, &data->blocks[i], &insns, &n, &room, d) != 0)
            return -1;
        for (size_t j = 0; j < n; j++)
            loop.has_call |= insns[j].flow.leave == FLOW_CALL;
        loop.blocks = memory_new(1, sizeof *loop.blocks);
        loop.blocks[0] = i;
        loop.body = memory_new(1, sizeof *loop.body);
        loop.body[0] = i;
        loop.n_body = 1;
        array_push(loops->loops, loops->n, loops->room, loop);
    }
    return 0;
}

void cy_loops_fini(struct cy_loops *loops)
{
    for (size_t i = 0; i < loops->n; i++)
        loop_fini(&loops->loops[i]);
    free(loops->loops);
    *loops = (struct cy_loops){0};
}
