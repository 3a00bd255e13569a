/*
 * sd_places_collect: the blocks of a routine, and the ways between them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "reach/internal.h"

#include <assert.h>
#include <stdlib.h>

#include "array.h"

#define MOST_BLOCKS (1u << 17)
#define MOST_WAYS   (1u << 21)

static uint32_t add_block(struct sd_places *p, const struct sd_node *node)
{
    uint32_t *number = &p->code.numbers[node->number];
    struct sd_place_block *b;

    if (*number != 0)
        return *number - 1;
    array_reserve(&p->code, blocks, p->code.n_blocks);
    b = &p->code.blocks[p->code.n_blocks++];
    *b = (struct sd_place_block){.node = node->number,
                                 .n_insns = node->n_insns,
                                 .first_op = (uint32_t)p->code.n_ops,
                                 .is_root = true,
                                 .is_dirty = true};
    if (node->n_insns > 0)
        b->chunk = sd_chunks_at(p->chunks, node->address);
    if (b->chunk != NULL)
        p->code.n_ops += b->chunk->n_ops;
    *number = (uint32_t)p->code.n_blocks;
    return *number - 1;
}

static void add_routine(struct sd_places *p, const struct sd_routine *r)
{
    const struct sd_program *program = p->program;

    for (uint32_t i = r->first; i < r->first + r->n; i++) {
        const struct sd_node *node = &program->cfg->nodes[i];

        if (node->n_insns == 0 || program->blocks->blocks[i].status != SD_OK)
            continue;
        add_block(p, node);
    }
}

static void add_way(struct sd_places *p, uint32_t from, uint32_t to,
                    bool is_call)
{
    array_append(&p->code, ways, (struct sd_place_way){from, to, is_call});
    p->code.blocks[to].n_arrivals++;
    p->code.blocks[to].is_root = false;
}

/* Adds the ways from a block to others of the function.  The node at which
   indirect jumps meet becomes a block, too. */
static void add_ways(struct sd_places *p, uint32_t from)
{
    const struct sd_cfg *cfg = p->program->cfg;
    const struct sd_node *node = &cfg->nodes[p->code.blocks[from].node];
    const struct sd_chunk *c = p->code.blocks[from].chunk;
    bool calls = c != NULL && sd_chunk_calls(c);

    p->code.blocks[from].first_way = (uint32_t)p->code.n_ways;
    for (uint32_t i = 0; i < sd_node_n_next(node); i++) {
        const struct sd_node *to = sd_node_next(node, i);

        if (to == NULL || (i == 1 && to == node->next[0]))
            continue;
        if (calls && i == 0 && c->leaving == SD_LEAVES_BY_CALL &&
            c->is_doomed[0])
            continue;
        if (to->number >= p->program->n_blocks)
            add_block(p, to);
        if (p->code.numbers[to->number] != 0)
            add_way(p, from, p->code.numbers[to->number] - 1, calls);
    }
    if (calls && c->pad != 0) {
        uint32_t pad = sd_program_block(p->program, c->pad);

        if (pad != SD_NO_BLOCK && p->code.numbers[pad] != 0 &&
            cfg->nodes[pad].address == c->pad)
            add_way(p, from, p->code.numbers[pad] - 1, true);
    }
    p->code.blocks[from].n_ways =
        (uint32_t)p->code.n_ways - p->code.blocks[from].first_way;
}

/* Lists the ways by the block that they come to. */
static void find_arrivals(struct sd_places *p)
{
    uint32_t n = 0;

    array_reserve(&p->code, arrivals, p->code.n_ways);
    for (size_t i = 0; i < p->code.n_blocks; i++) {
        p->code.blocks[i].first_arrival = n;
        n += p->code.blocks[i].n_arrivals;
        p->code.blocks[i].n_arrivals = 0;
    }
    for (uint32_t i = 0; i < p->code.n_ways; i++) {
        struct sd_place_block *to = &p->code.blocks[p->code.ways[i].to];

        p->code.arrivals[to->first_arrival + to->n_arrivals++] = i;
    }
}

/* A block of a depth-first search, and how many of its ways were followed. */
struct visit {
    uint32_t block, n;
};

struct search {
    struct visit *stack;
    size_t room;
    bool *is_seen;
    size_t n_left; /* free places of the order, which is filled from its end */
};

static void search(struct sd_places *p, struct search *s, uint32_t root)
{
    size_t n = 0;

    array_push(s->stack, n, s->room, (struct visit){root, 0});
    s->is_seen[root] = true;
    while (n > 0) {
        struct visit *v = &s->stack[n - 1];
        const struct sd_place_block *b = &p->code.blocks[v->block];
        uint32_t to;

        if (v->n == b->n_ways) {
            p->code.order[--s->n_left] = v->block;
            n--;
            continue;
        }
        to = p->code.ways[b->first_way + v->n++].to;
        if (s->is_seen[to])
            continue;
        s->is_seen[to] = true;
        array_push(s->stack, n, s->room, (struct visit){to, 0});
    }
}

/* Sorts the blocks into reverse postorder.  A block that no way leads to is a
   root. */
static void sort(struct sd_places *p)
{
    struct search s = {.is_seen = memory_new(p->code.n_blocks, 1),
                       .n_left = p->code.n_blocks};

    array_reserve(&p->code, order, p->code.n_blocks);
    p->code.blocks[0].is_root = true;
    for (uint32_t i = (uint32_t)p->code.n_blocks; i-- > 1;)
        if (p->code.blocks[i].is_root)
            search(p, &s, i);
    if (!s.is_seen[0])
        search(p, &s, 0);
    for (uint32_t i = 0; i < p->code.n_blocks; i++)
        if (!s.is_seen[i]) {
            p->code.blocks[i].is_root = true;
            search(p, &s, i);
        }
    assert(s.n_left == 0);
    free(s.stack);
    free(s.is_seen);
}

bool sd_places_collect(struct sd_places *p, uint32_t routine)
{
    for (size_t i = 0; i < p->code.n_blocks; i++)
        p->code.numbers[p->code.blocks[i].node] = 0;
    p->code.n_blocks = p->code.n_ways = p->code.n_ops = 0;
    for (uint32_t i = routine; i != SD_NO_ROUTINE; i = p->code.parts[i]) {
        add_routine(p, &p->program->routines[i]);
        if (p->code.n_blocks > MOST_BLOCKS)
            return false;
    }
    if (p->code.n_blocks == 0 ||
        p->program->cfg->nodes[p->code.blocks[0].node].address !=
            p->program->routines[routine].start)
        return false;
    for (uint32_t i = 0; i < p->code.n_blocks; i++) { /* it grows */
        add_ways(p, i);
        if (p->code.n_ways > MOST_WAYS)
            return false;
    }
    find_arrivals(p);
    sort(p);
    return true;
}
