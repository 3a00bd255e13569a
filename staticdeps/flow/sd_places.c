/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "flow/sd_places.h"

#define MOST_BLOCKS (1u << 17)
#define MOST_WAYS   (1u << 21)
#define MOST_PASSES 48
/* After PATIENT_PASSES passes, a symbol that still changes where paths join
   becomes a base of its own for good, so that passes end. */
#define PATIENT_PASSES 8
#define MOST_CELLS     ((size_t)1 << 22) /* the most blocks times variables */

void sd_places_init(struct sd_places *p, const struct sd_program *program,
                    struct sd_chunks *chunks)
{
    *p = (struct sd_places){.program = program,
                            .chunks = chunks,
                            .abi = guest_abi(program->image->arch)};
    p->symbols.n_registers = p->abi.end - p->abi.first;
    p->symbols.n_variables = p->symbols.n_registers + SD_MOST_SLOTS;
    assert(p->symbols.n_variables <= SD_FIRST_MERGE - SD_FIRST_ENTRY);
    p->code.numbers =
        memory_new(program->cfg->n_nodes + 1, sizeof *p->code.numbers);
    p->code.parts = memory_new(program->n_routines + 1u, sizeof *p->code.parts);
    for (uint32_t i = 0; i < program->n_routines; i++)
        p->code.parts[i] = SD_NO_ROUTINE;
    for (uint32_t i = program->n_routines; i-- > 0;) {
        uint32_t whole = program->routines[i].whole;

        if (whole != i) {
            p->code.parts[i] = p->code.parts[whole];
            p->code.parts[whole] = i;
        }
    }
}

void sd_places_fini(struct sd_places *p)
{
    sd_flow_graph_fini(&p->graph);
    free(p->code.parts);
    free(p->code.numbers);
    free(p->code.blocks);
    free(p->code.arrivals);
    free(p->code.order);
    free(p->symbols.in);
    free(p->symbols.out);
    free(p->symbols.temps);
    free(p->contents.list);
    keys_fini(&p->contents.keys);
    free(p->bases.born);
    keys_fini(&p->bases.used);
    *p = (struct sd_places){0};
}

/* --- The blocks of a routine, and the edges between them --- */

static uint32_t add_block(struct sd_places *p, const struct sd_node *node)
{
    uint32_t *number = &p->code.numbers[node->number];

    if (*number != 0)
        return *number - 1;
    array_append(&p->graph, blocks,
                 (struct sd_stretch){.n_insns = node->n_insns});
    array_append(&p->code, blocks,
                 (struct sd_place_block){.node = node->number,
                                         .first_op = (uint32_t)p->code.n_ops,
                                         .is_root = true,
                                         .is_dirty = true});
    struct sd_place_block *b = &p->code.blocks[p->code.n_blocks - 1];
    if (node->n_insns > 0)
        b->chunk = sd_chunks_at(p->chunks, node->address);
    if (b->chunk != NULL)
        p->code.n_ops += b->chunk->n_ops;
    *number = (uint32_t)p->code.n_blocks;
    return *number - 1;
}

static void add_way(struct sd_places *p, uint32_t from, uint32_t to,
                    bool is_call)
{
    struct sd_place_block *b = &p->code.blocks[to];

    assert(from < p->code.n_blocks && to < p->code.n_blocks);
    array_reserve(&p->code, arrivals, p->graph.n_ways);
    p->code.arrivals[p->graph.n_ways] = b->arrival;
    array_append(&p->graph, ways,
                 (struct sd_way){.from = from, .to = to, .is_call = is_call});
    b->arrival = (uint32_t)p->graph.n_ways;
    b->is_root = false;
}

/* Adds the edges from a block to others of the function.  The hub of indirect
   jumps becomes a block, too. */
static void add_ways(struct sd_places *p, uint32_t from)
{
    const struct sd_cfg *cfg = p->program->cfg;
    const struct sd_node *node = &cfg->nodes[p->code.blocks[from].node];
    const struct sd_chunk *c = p->code.blocks[from].chunk;
    bool calls = c != NULL && sd_chunk_calls(c);

    p->graph.blocks[from].first_way = (uint32_t)p->graph.n_ways;
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
    p->graph.blocks[from].n_ways =
        (uint32_t)p->graph.n_ways - p->graph.blocks[from].first_way;
}

/* A block of a depth-first search, and how many of its edges were followed. */
struct visit {
    uint32_t block, n;
};

struct search {
    struct visit *stack;
    size_t room;
    bool *is_seen;
    size_t n_left; /* free elements of `order`, which is filled from its end */
};

static void search(struct sd_places *p, struct search *s, uint32_t root)
{
    size_t n = 0;

    array_push(s->stack, n, s->room, (struct visit){root, 0});
    s->is_seen[root] = true;
    while (n > 0) {
        struct visit *v = &s->stack[n - 1];
        const struct sd_stretch *b = &p->graph.blocks[v->block];

        if (v->n == b->n_ways) {
            p->code.order[--s->n_left] = v->block;
            n--;
            continue;
        }
        uint32_t to = p->graph.ways[b->first_way + v->n++].to;
        if (s->is_seen[to])
            continue;
        s->is_seen[to] = true;
        array_push(s->stack, n, s->room, (struct visit){to, 0});
    }
}

/* Sorts the blocks into reverse postorder.  A block to which no edge leads is a
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

/* Finds the blocks and edges of a routine; false if there are too many. */
static bool collect(struct sd_places *p, uint32_t routine)
{
    const struct sd_program *program = p->program;

    for (size_t i = 0; i < p->code.n_blocks; i++)
        p->code.numbers[p->code.blocks[i].node] = 0;
    p->code.n_blocks = p->code.n_ops = 0;
    for (uint32_t i = routine; i != SD_NO_ROUTINE; i = p->code.parts[i]) {
        const struct sd_routine *r = &program->routines[i];

        for (uint32_t k = r->first; k < r->first + r->n; k++)
            if (program->cfg->nodes[k].n_insns > 0 &&
                program->blocks->blocks[k].status == SD_OK)
                add_block(p, &program->cfg->nodes[k]);
        if (p->code.n_blocks > MOST_BLOCKS)
            return false;
    }
    if (p->code.n_blocks == 0 ||
        program->cfg->nodes[p->code.blocks[0].node].address !=
            program->routines[routine].start)
        return false;
    for (uint32_t i = 0; i < p->code.n_blocks; i++) { /* n_blocks grows */
        add_ways(p, i);
        if (p->graph.n_ways > MOST_WAYS)
            return false;
    }
    sort(p);
    return true;
}

/* --- The symbols of variables before and after each block --- */

/* The variables of block i in symbols.in or symbols.out. */
static struct sd_sum *row_of(const struct sd_places *p, struct sd_sum *rows,
                             size_t i)
{
    return rows + i * p->symbols.n_variables;
}

static struct sd_sum merged(const struct sd_places *p, uint32_t i, unsigned v)
{
    return (struct sd_sum){0, SD_FIRST_MERGE + i * p->symbols.n_variables + v};
}

/* The symbol of a variable before a block. */
static struct sd_sum meet(const struct sd_places *p, uint32_t i, unsigned v)
{
    const struct sd_place_block *b = &p->code.blocks[i];
    struct sd_sum symbol = {0, SD_NO_BASE};

    if (i == 0)
        symbol.base = SD_FIRST_ENTRY + v;
    else if (b->is_root)
        return merged(p, i, v);
    for (uint32_t k = b->arrival; k != 0; k = p->code.arrivals[k - 1]) {
        uint32_t from = p->graph.ways[k - 1].from;
        struct sd_sum s = row_of(p, p->symbols.out, from)[v];

        if (!p->code.blocks[from].is_placed || s.base == SD_NO_BASE)
            continue;
        if (symbol.base == SD_NO_BASE)
            symbol = s;
        else if (!sd_sums_equal(symbol, s))
            return merged(p, i, v);
    }
    return symbol;
}

/* Sets the symbols of all variables before a block. */
static void merge(struct sd_places *p, uint32_t i, bool is_patient)
{
    struct sd_place_block *b = &p->code.blocks[i];
    struct sd_sum *in = row_of(p, p->symbols.in, i);
    bool merges =
        i == 0 || (b->arrival != 0 && p->code.arrivals[b->arrival - 1] != 0);

    for (unsigned v = 0; v < p->symbols.n_variables; v++) {
        struct sd_sum symbol = meet(p, i, v);

        if (!is_patient && merges && in[v].base != SD_NO_BASE &&
            !sd_sums_equal(in[v], symbol))
            symbol = merged(p, i, v);
        in[v] = symbol;
    }
}

/* Interprets a block again; true if symbols after the block changed. */
static bool settle_block(struct sd_places *p, uint32_t i, bool is_patient)
{
    struct sd_place_block *b = &p->code.blocks[i];
    struct sd_sum row[SD_FIRST_MERGE];
    size_t size = p->symbols.n_variables * sizeof row[0];

    b->is_dirty = false;
    merge(p, i, is_patient);
    memcpy(row, row_of(p, p->symbols.in, i), size);
    sd_places_interpret(p, i, row, false);
    bool is_new = !b->is_placed;
    for (unsigned v = 0; v < p->symbols.n_variables && !is_new; v++)
        is_new = !sd_sums_equal(row[v], row_of(p, p->symbols.out, i)[v]);
    b->is_placed = true;
    if (!is_new)
        return false;
    memcpy(row_of(p, p->symbols.out, i), row, size);
    for (uint32_t k = 0; k < p->graph.blocks[i].n_ways; k++)
        p->code.blocks[p->graph.ways[p->graph.blocks[i].first_way + k].to]
            .is_dirty = true;
    return true;
}

/* Makes passes until symbols settle; false if they do not in MOST_PASSES. */
static bool settle(struct sd_places *p)
{
    bool changes = true;

    for (unsigned pass = 0; pass < MOST_PASSES && changes; pass++) {
        changes = false;
        for (size_t k = 0; k < p->code.n_blocks; k++)
            if (p->code.blocks[p->code.order[k]].is_dirty)
                changes |=
                    settle_block(p, p->code.order[k], pass < PATIENT_PASSES);
    }
    return !changes;
}

static bool returns(const struct sd_places *p, uint32_t i)
{
    const struct sd_chunk *c = p->code.blocks[i].chunk;

    return p->graph.blocks[i].n_ways == 0 && c != NULL &&
           c->leaving != SD_LEAVES_NEVER &&
           !(c->leaving == SD_LEAVES_BY_CALL && c->is_doomed[0]);
}

/* Appends the events of all blocks. */
static void emit(struct sd_places *p)
{
    struct sd_sum row[SD_FIRST_MERGE];

    for (uint32_t i = 0; i < p->code.n_blocks; i++) {
        struct sd_stretch *b = &p->graph.blocks[i];

        b->first = (uint32_t)p->graph.n_events;
        memcpy(row, row_of(p, p->symbols.in, i),
               p->symbols.n_variables * sizeof row[0]);
        sd_places_interpret(p, i, row, true);
        b->n = (uint32_t)p->graph.n_events - b->first;
        b->returns = returns(p, i);
        b->n_insns += b->n_inside;
    }
}

/* --- The graph of events, whose bases are numbered anew --- */

/* The new number of a base; SD_NO_BASE if no place has that base. */
static uint32_t number_of(const struct sd_places *p, uint32_t base)
{
    uint32_t number = keys_find(&p->bases.used, base);

    return number != NO_KEY ? number : SD_NO_BASE;
}

/* Numbers anew the bases of places, and of the places that hold these bases. */
static void number_events(struct sd_places *p)
{
    struct sd_flow_graph *g = &p->graph;
    struct keys *used = &p->bases.used;

    keys_clear(used);
    keys_add(used, SD_NO_BASE); /* this and SD_ABSOLUTE keep their numbers */
    keys_add(used, SD_ABSOLUTE);
    for (size_t i = 0; i < g->n_events; i++) {
        assert(g->events[i].place.base != SD_NO_BASE);
        g->events[i].place.base = keys_add(used, g->events[i].place.base);
    }
    for (size_t i = SD_ABSOLUTE + 1; i < used->n; i++) /* used->n grows */
        if (used->list[i] >= p->bases.first_content)
            keys_add(used,
                     p->contents.list[used->list[i] - p->bases.first_content]
                         .place.base);
    for (size_t i = 0; i < g->n_events; i++)
        g->events[i].contents = number_of(p, g->events[i].contents);
}

static struct sd_birth birth(const struct sd_places *p, uint32_t base)
{
    struct sd_birth b = {SD_BORN_NEVER, 0, SD_NO_BASE};

    if (base >= p->bases.first_content) {
        b.parent = number_of(
            p, p->contents.list[base - p->bases.first_content].place.base);
    } else if (base >= p->bases.first_result) {
        uint32_t op = base - p->bases.first_result;

        b.block = (uint32_t)array_bisect(1, p->code.n_blocks, i,
                                         p->code.blocks[i].first_op <= op) -
                  1;
        b.event = p->bases.born[op];
    } else if (base >= p->bases.first_call) {
        b.block = (base - p->bases.first_call) / p->symbols.n_variables;
        b.event = p->graph.blocks[b.block].n;
    } else if (base >= SD_FIRST_MERGE) {
        b.block = (base - SD_FIRST_MERGE) / p->symbols.n_variables;
        b.event = SD_BORN_BEFORE;
    }
    assert(b.block == SD_BORN_NEVER || b.block < p->code.n_blocks);
    return b;
}

/* Makes room for n symbols, all unknown. */
static struct sd_sum *rows(struct sd_sum *old, size_t *room, size_t n)
{
    old = memory_grow(old, room, n, sizeof *old);
    memset(old, 0, n * sizeof *old);
    return old;
}

bool sd_places_of(struct sd_places *p, uint32_t routine)
{
    struct sd_flow_graph *g = &p->graph;

    assert(p->program->routines[routine].whole == routine);
    g->n_blocks = g->n_events = g->n_ways = g->n_bases = 0;
    p->is_cut = false;
    p->symbols.n_slots = 0;
    keys_clear(&p->contents.keys);
    if (!collect(p, routine))
        return false;
    size_t cells = p->code.n_blocks * p->symbols.n_variables;
    if (cells > MOST_CELLS || p->code.n_ops > MOST_CELLS)
        return false;
    p->bases.first_call = SD_FIRST_MERGE + (uint32_t)cells;
    p->bases.first_result = p->bases.first_call + (uint32_t)cells;
    p->bases.first_content = p->bases.first_result + (uint32_t)p->code.n_ops;
    p->symbols.in = rows(p->symbols.in, &p->symbols.in_room, cells);
    p->symbols.out = rows(p->symbols.out, &p->symbols.out_room, cells);
    if (!settle(p))
        return false;
    emit(p);
    number_events(p);
    array_reserve(g, births, p->bases.used.n);
    for (size_t i = 0; i < p->bases.used.n; i++)
        g->births[i] = birth(p, (uint32_t)p->bases.used.list[i]);
    g->n_bases = p->bases.used.n;
    /* Find the part of the stack that is lost where calls return. */
    for (size_t i = 0; i < p->graph.n_ways; i++) {
        struct sd_way *way = &p->graph.ways[i];

        if (!way->is_call)
            continue;
        way->bottom = row_of(p, p->symbols.out,
                             way->from)[p->abi.stack_pointer - p->abi.first];
        way->bottom.base = number_of(p, way->bottom.base);
    }
    sd_flow_graph_end(g);
    return true;
}
