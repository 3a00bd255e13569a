/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "flow/sd_places.h"

#define UNIT 8 /* bytes */

/* --- What is noted of a graph before stores are followed --- */

/* Compares two sums by base, then by offset. */
ARRAY_ORDER(compare, struct sd_sum,
            array_order(a->base, b->base) ?: array_order(a->offset, b->offset))

void sd_flow_graph_fini(struct sd_flow_graph *g)
{
    free(g->blocks);
    free(g->events);
    free(g->ways);
    free(g->births);
    free(g->ends);
    *g = (struct sd_flow_graph){.blocks = NULL};
}

/* Each base has one of 64 bits.  A block that lacks the bits of a place's base,
   and of the bases that hold that base, has nothing to do with the place. */
static uint64_t bit(uint32_t base)
{
    return base == SD_NO_BASE
               ? 0
               : UINT64_C(1) << (base * UINT32_C(0x9e3779b9) >> 26);
}

static void find_ends(struct sd_flow_graph *g)
{
    g->n_ends = 0;
    for (size_t i = 0; i < g->n_events; i++) {
        const struct sd_event *e = &g->events[i];

        if (!e->is_store || !e->is_certain)
            continue;
        array_append(g, ends, e->place);
        array_append(g, ends, sd_sum_add(e->place, e->size));
    }
    array_sort(g->ends, g->n_ends, compare);
}

void sd_flow_graph_end(struct sd_flow_graph *g)
{
    for (size_t i = 0; i < g->n_blocks; i++) {
        struct sd_stretch *b = &g->blocks[i];

        assert(b->first + b->n <= g->n_events && b->n_inside <= b->n_insns);
        assert(b->first_way + b->n_ways <= g->n_ways);
        b->bases = 0;
        for (uint32_t k = b->first; k < b->first + b->n; k++)
            b->bases |=
                bit(g->events[k].place.base) | bit(g->events[k].contents);
    }
    for (size_t i = 0; i < g->n_ways; i++)
        assert(g->ways[i].to < g->n_blocks);
    find_ends(g);
    for (size_t i = SD_ABSOLUTE + 1; i < g->n_bases; i++) {
        assert(g->births[i].parent < g->n_bases);
        if (g->births[i].block != SD_BORN_NEVER)
            g->blocks[g->births[i].block].bases |= bit((uint32_t)i);
    }
}

/* The number of bytes of an access, from byte number `byte` on, of which each
   certain store of the graph covers either all or none. */
static uint32_t piece_of(const struct sd_flow_graph *g,
                         const struct sd_event *e, uint32_t byte)
{
    struct sd_sum place = sd_sum_add(e->place, byte);
    size_t i = array_bisect(0, g->n_ends, k, compare(&g->ends[k], &place) <= 0);

    assert(byte < e->size || e->size == 0);
    if (i == g->n_ends || g->ends[i].base != place.base)
        return e->size - byte;
    uint64_t size = (uint64_t)g->ends[i].offset - (uint64_t)place.offset;
    return size < e->size - byte ? (uint32_t)size : e->size - byte;
}

/* The unit that holds a byte of an access. */
static struct sd_sum unit(const struct sd_event *e, uint32_t byte)
{
    uint64_t offset = (uint64_t)e->place.offset + byte;

    return (struct sd_sum){(int64_t)(offset / UNIT), e->place.base};
}

static uint32_t next_byte(const struct sd_event *e, uint32_t byte)
{
    return byte + UNIT - (uint32_t)(((uint64_t)e->place.offset + byte) % UNIT);
}

void sd_touched_find(struct sd_touched *t, const struct sd_flow_graph *g,
                     bool are_stores)
{
    t->n = 0;
    for (size_t i = 0; i < g->n_events; i++) {
        const struct sd_event *e = &g->events[i];

        for (uint32_t k = 0; e->is_store == are_stores && k < e->size;
             k = next_byte(e, k))
            array_push(t->units, t->n, t->room, unit(e, k));
    }
    array_sort(t->units, t->n, compare);
}

bool sd_touched_has(const struct sd_touched *t, const struct sd_event *e)
{
    for (uint32_t k = 0; t->n > 0 && k < e->size; k = next_byte(e, k)) {
        struct sd_sum key = unit(e, k);

        if (array_find(&key, t->units, t->n, compare) != NULL)
            return true;
    }
    return false;
}

/* --- Which loads the current piece of a store reaches --- */

/* A block at whose beginning the bytes of the store are still in memory. */
struct sd_reached {
    uint32_t block;
    uint32_t next; /* the next block of the same distance, plus 1 */
};

void sd_reach_init(struct sd_reaching *r, uint32_t most_insns)
{
    *r = (struct sd_reaching){.most_insns = most_insns};
    r->heads = memory_new((size_t)most_insns + 1, sizeof *r->heads);
}

void sd_reach_fini(struct sd_reaching *r)
{
    free(r->heads);
    free(r->seen);
    free(r->queue);
    free(r->loaded.units);
    *r = (struct sd_reaching){0};
}

/* --- Whether bases are born, and what they depend on --- */

/* Is a base, or a base that holds it, born before this event of a block? */
static bool is_born(const struct sd_flow_graph *g, uint32_t base,
                    uint32_t block, uint32_t event)
{
    for (; base > SD_ABSOLUTE; base = g->births[base].parent)
        if (g->births[base].block == block && g->births[base].event == event)
            return true;
    return false;
}

/* Is a base, or a base that holds it, the base `contents`? */
static bool depends_on(const struct sd_flow_graph *g, uint32_t base,
                       uint32_t contents)
{
    for (; base > SD_ABSOLUTE; base = g->births[base].parent)
        if (base == contents)
            return true;
    return false;
}

/* --- Paths through the blocks of the graph --- */

static void leave(struct sd_reaching *r, uint32_t block, uint64_t distance)
{
    const struct sd_flow_graph *g = r->graph;
    const struct sd_stretch *b = &g->blocks[block];
    const struct sd_sum *place = &r->place;

    if (distance > r->most_insns)
        return;
    if (b->returns && r->sees_returns)
        r->found(r->argument, r->store, NULL, (uint32_t)distance);
    for (uint32_t i = b->first_way; i < b->first_way + b->n_ways; i++) {
        const struct sd_way *way = &g->ways[i];

        if ((way->bottom.base == place->base &&
             place->offset < way->bottom.offset) ||
            r->seen[way->to] == r->n_pieces ||
            is_born(g, place->base, way->to, SD_BORN_BEFORE))
            continue;
        array_append(r, queue,
                     (struct sd_reached){way->to, r->heads[distance]});
        r->heads[distance] = (uint32_t)r->n_queue;
        r->n_waiting++;
    }
}

static bool covers(const struct sd_event *e, const struct sd_reaching *r)
{
    uint64_t distance = (uint64_t)r->place.offset - (uint64_t)e->place.offset;

    return e->is_certain && e->place.base == r->place.base &&
           e->size >= r->size && distance <= e->size - r->size;
}

/* Follows the piece of a store through a block, from event number `from` on.
   `start`: instructions from the store to the beginning of the block. */
static void pass(struct sd_reaching *r, uint32_t block, uint32_t from,
                 int64_t start)
{
    const struct sd_flow_graph *g = r->graph;
    const struct sd_stretch *b = &g->blocks[block];
    uint32_t base = r->place.base, n_own = b->n_insns - b->n_inside;

    if ((b->bases & r->bases) == 0) {
        leave(r, block, (uint64_t)(start + b->n_insns));
        return;
    }
    for (uint32_t i = from; i < b->n; i++) {
        const struct sd_event *e = &g->events[b->first + i];

        r->n_looks++;
        if (start + e->insn > r->most_insns && e->insn < n_own)
            return; /* all later events are further away */
        if (is_born(g, base, block, i))
            return;
        if (!e->is_store) {
            if (e->place.base == base &&
                sd_offsets_meet(e->place.offset, e->size, r->place.offset,
                                r->size) &&
                start + e->insn <= r->most_insns)
                r->found(r->argument, r->store, e, (uint32_t)(start + e->insn));
        } else if (covers(e, r) || (e->contents != SD_NO_BASE &&
                                    depends_on(g, base, e->contents))) {
            return;
        }
    }
    if (!is_born(g, base, block, b->n))
        leave(r, block, (uint64_t)(start + b->n_insns));
}

static bool follow(struct sd_reaching *r)
{
    for (uint32_t d = 0; r->n_waiting > 0; d++) {
        assert(d <= r->most_insns);
        while (r->heads[d] != 0) {
            const struct sd_reached *reached = &r->queue[r->heads[d] - 1];
            uint32_t block = reached->block;

            r->heads[d] = reached->next;
            r->n_waiting--;
            if (r->seen[block] == r->n_pieces)
                continue;
            r->seen[block] = r->n_pieces;
            if (r->left == 0)
                return false;
            r->left--;
            pass(r, block, 0, d);
        }
    }
    return true;
}

/* Follows the current piece from event number `from` of a block on.  Returns
   false if no more blocks may be looked at. */
static bool follow_piece(struct sd_reaching *r, uint32_t block, uint32_t from,
                         int64_t start)
{
    r->n_queue = r->n_waiting = 0;
    if (r->n_pieces++ == UINT32_MAX) {
        memset(r->seen, 0, r->seen_room * sizeof *r->seen);
        r->n_pieces = 1;
    }
    pass(r, block, from, start);
    if (follow(r))
        return true;
    memset(r->heads, 0, ((size_t)r->most_insns + 1) * sizeof *r->heads);
    r->n_waiting = 0;
    return false;
}

/* Follows the bytes of an access from event number `from` of a block on. */
static bool follow_from(struct sd_reaching *r, const struct sd_event *store,
                        uint32_t block, uint32_t from, int64_t start)
{
    uint32_t done = 0, base = store->place.base;

    assert(block < r->graph->n_blocks && from <= r->graph->blocks[block].n);
    r->store = store;
    r->bases = bit(base);
    for (; base > SD_ABSOLUTE; base = r->graph->births[base].parent)
        r->bases |= bit(base);
    do {
        r->place = sd_sum_add(store->place, done);
        r->size = piece_of(r->graph, store, done);
        done += r->size;
        if (!follow_piece(r, block, from, start))
            return false;
    } while (done < store->size);
    return true;
}

static void begin(struct sd_reaching *r, const struct sd_flow_graph *graph,
                  uint64_t most_blocks, sd_reach_found *found, void *argument)
{
    assert(graph->n_blocks > 0 && r->n_waiting == 0);
    r->graph = graph;
    r->left = most_blocks;
    r->found = found;
    r->argument = argument;
    if (graph->n_blocks >= r->seen_room) {
        array_reserve(r, seen, graph->n_blocks);
        r->n_pieces = UINT32_MAX; /* makes follow_piece() clear r->seen */
    }
}

bool sd_reach_run(struct sd_reaching *r, const struct sd_flow_graph *graph,
                  uint64_t most_blocks, sd_reach_found *found, void *argument)
{
    begin(r, graph, most_blocks, found, argument);
    sd_touched_find(&r->loaded, graph, false);
    for (uint32_t i = 0; i < graph->n_blocks; i++)
        for (uint32_t k = 0; k < graph->blocks[i].n; k++) {
            const struct sd_event *e =
                &graph->events[graph->blocks[i].first + k];

            if (e->is_store &&
                (r->follows_all || sd_touched_has(&r->loaded, e)) &&
                !follow_from(r, e, i, k + 1, -(int64_t)e->insn))
                return false;
        }
    return true;
}

bool sd_reach_enter(struct sd_reaching *r, const struct sd_flow_graph *graph,
                    uint64_t most_blocks, const struct sd_event *event,
                    sd_reach_found *found, void *argument)
{
    static const struct sd_event nothing;

    begin(r, graph, most_blocks, found, argument);
    return follow_from(r, event != NULL ? event : &nothing, 0, 0, 0);
}
