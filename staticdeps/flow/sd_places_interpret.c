/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "flow/sd_places.h"

#include <limits.h>

#define MOST_BACK     256 /* most operations that lose_content() changes */
#define MOST_EVENTS   (1u << 20)
#define MOST_CONTENTS 2048 /* places of a function with a base for contents */
#define MOST_CALLEES  SD_MOST_CANDIDATES /* callees of an indirect call */

/* The base for what memory holds at a place, or SD_NO_BASE.  If `makes`, a
   place without such a base gets one. */
static uint32_t content_of(struct sd_places *p, struct sd_sum place, bool makes)
{
    struct sd_place_contents *c = &p->contents;
    uint32_t first = p->bases.first_content, number;
    uint64_t hash = (uint64_t)place.base ^
                    (uint64_t)place.offset * UINT64_C(0xd6e8feb86659fd93);
    unsigned depth = 1;
    size_t n = c->keys.n;

    number =
        keys_match(&c->keys, hash, i, sd_sums_equal(c->list[i].place, place));
    if (number != NO_KEY)
        return first + number;
    if (place.base >= first)
        depth += c->list[place.base - first].depth;
    if (!makes || place.base == SD_NO_BASE || depth > 3 || n == MOST_CONTENTS)
        return SD_NO_BASE;
    assert(place.base < first + n);
    number = keys_append(&c->keys, hash);
    array_push(c->list, n, c->room, (struct sd_content){place, depth});
    return first + number;
}

/* The base of the frame: the stack pointer at the entry. */
static uint32_t frame_of(const struct sd_places *p)
{
    return SD_FIRST_ENTRY + p->abi.stack_pointer - p->abi.first;
}

/* The variable for a place that is a word of the frame; UINT_MAX if there is
   none.  If `makes`, a word without a variable gets one. */
static unsigned slot_of(struct sd_places *p, struct sd_sum place, bool makes)
{
    if (place.base != frame_of(p) || place.offset % 8 != 0)
        return UINT_MAX;
    for (unsigned i = 0; i < p->symbols.n_slots; i++)
        if (p->symbols.slots[i] == place.offset)
            return p->symbols.n_registers + i;
    if (!makes || p->symbols.n_slots == SD_MOST_SLOTS)
        return UINT_MAX;
    p->symbols.slots[p->symbols.n_slots] = place.offset;
    return p->symbols.n_registers + p->symbols.n_slots++;
}

struct run {
    struct sd_places *p;
    const struct sd_place_block *block;
    const struct sd_chunk *chunk;
    uint32_t n_insns; /* instructions of the block */
    struct sd_sum *row;
    uint32_t number, first_event;
    bool emits, is_repeated; /* is_repeated: in a rep instruction */
};

static struct sd_sum absolute(uint64_t address)
{
    return (struct sd_sum){(int64_t)address, SD_ABSOLUTE};
}

/* The symbol for the unknown result of an operation. */
static struct sd_sum result(const struct run *r, const struct sd_op *op)
{
    uint32_t number = r->block->first_op + (uint32_t)(op - r->chunk->ops);

    return (struct sd_sum){0, r->p->bases.first_result + number};
}

static bool is_known(const struct sd_sum *s)
{
    return s->base == SD_ABSOLUTE;
}

/* The symbol for the result of a pure operation. */
static struct sd_sum computed(const struct run *r, const struct sd_op *op)
{
    const struct sd_sum *t = r->p->symbols.temps;
    struct sd_sum a = t[op->a], b = t[op->b];

    if (op->code == SD_ADD && op->width == 64 &&
        (is_known(&a) || is_known(&b))) {
        uint32_t base = is_known(&a) ? b.base : a.base;

        if (base == SD_NO_BASE)
            return result(r, op);
        return (struct sd_sum){
            (int64_t)((uint64_t)a.offset + (uint64_t)b.offset), base};
    }
    if (op->code == SD_SUB && op->width == 64 && a.base != SD_NO_BASE &&
        (is_known(&b) || a.base == b.base))
        return (struct sd_sum){
            (int64_t)((uint64_t)a.offset - (uint64_t)b.offset),
            is_known(&b) ? a.base : SD_ABSOLUTE};
    if (op->code == SD_EXTRACT && op->width == 64 && op->imm == 0 &&
        a.base != SD_NO_BASE)
        return a;
    if (op->code == SD_ITE && sd_sums_equal(b, t[op->c]) &&
        b.base != SD_NO_BASE)
        return b;
    if ((!sd_op_is(op, SD_READS_A) || is_known(&a)) &&
        (!sd_op_is(op, SD_READS_B) || is_known(&b)) &&
        (!sd_op_is(op, SD_READS_C) || is_known(&t[op->c]))) {
        struct sd_value v = sd_op_eval(op, sd_known((uint64_t)a.offset),
                                       sd_known((uint64_t)b.offset),
                                       sd_known((uint64_t)t[op->c].offset));

        if (sd_is_known(v))
            return absolute(v.bits);
    }
    return result(r, op);
}

/* The variable of a register, given its word; UINT_MAX if there is none. */
static unsigned variable(const struct run *r, uint64_t word)
{
    const struct sd_abi *abi = &r->p->abi;

    return word >= abi->first && word < abi->end ? (unsigned)word - abi->first
                                                 : UINT_MAX;
}

static void add_event(struct run *r, const struct sd_op *op,
                      const struct sd_event *event)
{
    struct sd_event e = *event;
    bool is_return_address =
        event->is_store && op->site == r->n_insns && sd_chunk_calls(r->chunk);

    if (!r->emits || op->site == 0 || event->place.base == SD_NO_BASE ||
        is_return_address)
        return;
    e.insn = op->site;
    e.site = r->chunk->site + op->site;
    array_append(&r->p->graph, events, e);
}

static struct sd_sum place_of(const struct run *r, const struct sd_op *op)
{
    return sd_sum_add(r->p->symbols.temps[op->a], op->disp);
}

/* The symbol for the value that a load finds. */
static struct sd_sum found(struct run *r, const struct sd_op *op,
                           struct sd_sum place)
{
    struct sd_places *p = r->p;
    unsigned v = slot_of(p, place, false);
    uint64_t bits;

    if (op->width != 64)
        return result(r, op);
    if (v != UINT_MAX && r->row[v].base != SD_NO_BASE)
        return r->row[v];
    if (place.base == SD_ABSOLUTE && place.offset % 8 == 0 &&
        p->program->contents != NULL &&
        sd_contents_at(p->program->contents, (uint64_t)place.offset / 8,
                       &bits) == 0)
        return absolute(bits);
    uint32_t content = content_of(p, place, true);
    return content != SD_NO_BASE ? (struct sd_sum){0, content} : result(r, op);
}

static void load(struct run *r, const struct sd_op *op)
{
    struct sd_sum place = place_of(r, op);
    struct sd_event event = {.place = place, .size = op->width / 8u};

    event.is_certain = op->code == SD_LOAD;
    if (op->code == SD_READ)
        event.size = op->c;
    if (!r->is_repeated)
        add_event(r, op, &event);
    if (sd_op_is(op, SD_HAS_RESULT))
        r->p->symbols.temps[op->dst] =
            op->code == SD_LOAD ? found(r, op, place) : result(r, op);
}

/* Replaces the base of a content that is overwritten in all variables and
   temporaries: their number stays, but memory no longer holds it. */
static void lose_content(struct run *r, const struct sd_op *op,
                         uint32_t content)
{
    uint32_t former = result(r, op).base;

    for (unsigned v = 0; v < r->p->symbols.n_variables; v++)
        if (r->row[v].base == content)
            r->row[v].base = former;
    for (const struct sd_op *o = op - r->chunk->ops > MOST_BACK ? op - MOST_BACK
                                                                : r->chunk->ops;
         o < op; o++)
        if (sd_op_is(o, SD_HAS_RESULT) &&
            r->p->symbols.temps[o->dst].base == content)
            r->p->symbols.temps[o->dst].base = former;
}

static void store(struct run *r, const struct sd_op *op)
{
    struct sd_places *p = r->p;
    struct sd_sum place = place_of(r, op), value = {0, SD_NO_BASE};
    struct sd_event event = {.place = place,
                             .size = op->width / 8u,
                             .is_store = true,
                             .is_certain = op->code == SD_STORE};

    if (op->code == SD_WRITE)
        event.size = op->c;
    for (unsigned i = 0; i < p->symbols.n_slots; i++)
        if (place.base == frame_of(p) &&
            sd_offsets_meet(p->symbols.slots[i], 8, place.offset, event.size))
            r->row[p->symbols.n_registers + i] = result(r, op);
    if (r->is_repeated)
        return;
    if (op->code == SD_STORE && op->width == 64)
        value = p->symbols.temps[op->b];
    unsigned v = slot_of(p, place, value.base != SD_NO_BASE);
    if (v != UINT_MAX && value.base != SD_NO_BASE)
        r->row[v] = value;
    if (v == UINT_MAX)
        event.contents = content_of(p, place, false);
    if (event.contents != SD_NO_BASE)
        lose_content(r, op, event.contents);
    add_event(r, op, &event);
}

static void step(struct run *r, const struct sd_op *op)
{
    struct sd_sum *t = r->p->symbols.temps;
    unsigned v;

    switch ((enum sd_opcode)op->code) {
    case SD_GET:
        v = variable(r, op->imm);
        t[op->dst] = v != UINT_MAX && r->row[v].base != SD_NO_BASE
                         ? r->row[v]
                         : result(r, op);
        break;
    case SD_PUT:
        v = variable(r, op->imm);
        /* After rep, a register holds what no single round leaves. */
        if (v != UINT_MAX)
            r->row[v] = r->is_repeated || t[op->a].base == SD_NO_BASE
                            ? result(r, op)
                            : t[op->a];
        break;
    case SD_LOAD:
    case SD_LOADIF:
    case SD_READ:
        load(r, op);
        break;
    case SD_STORE:
    case SD_STOREIF:
    case SD_WRITE:
        store(r, op);
        break;
    case SD_LOOP:
    case SD_AGAIN:
        r->is_repeated = op->code == SD_LOOP;
        break;
    default:
        if (!sd_op_is(op, SD_HAS_RESULT))
            break;
        t[op->dst] = sd_op_is(op, SD_IS_PURE) ? computed(r, op) : result(r, op);
    }
    if (r->emits && (sd_op_is(op, SD_HAS_RESULT) || op->code == SD_PUT ||
                     sd_op_is(op, SD_STORES)))
        r->p->bases.born[r->block->first_op + (size_t)(op - r->chunk->ops)] =
            (uint32_t)r->p->graph.n_events - r->first_event;
}

/* --- What calls access and change --- */

/* The place of an access of a callee, in terms of the caller. */
static struct sd_sum translate(struct sd_places *p, const struct sd_sum *row,
                               const struct sd_impact *e)
{
    struct sd_sum place = {e->offsets[0], SD_ABSOLUTE};

    assert(e->n_steps > 0 && e->n_steps <= SD_MOST_STEPS);
    assert(e->root == SD_ABSOLUTE ||
           e->root - SD_FIRST_ENTRY < p->symbols.n_registers);
    if (e->root != SD_ABSOLUTE)
        place = sd_sum_add(row[e->root - SD_FIRST_ENTRY], e->offsets[0]);
    for (uint32_t i = 1; i < e->n_steps; i++) {
        unsigned v = slot_of(p, place, false);

        place = v != UINT_MAX ? row[v]
                              : (struct sd_sum){0, content_of(p, place, true)};
        if (place.base == SD_NO_BASE)
            break;
        place = sd_sum_add(place, e->offsets[i]);
    }
    return place;
}

struct callees {
    uint32_t list[MOST_CALLEES];
    unsigned n;
    bool is_cut; /* there are more callees */
};

static void add_callee(const struct sd_places *p, struct callees *c,
                       uint64_t address)
{
    const struct sd_program *program = p->program;
    uint64_t slot_value = sd_program_slot(program, address);
    uint32_t routine =
        sd_program_routine(program, slot_value != 0 ? slot_value : address);

    if (routine == SD_NO_ROUTINE)
        return;
    routine = program->routines[routine].whole;
    for (unsigned i = 0; i < c->n; i++)
        if (c->list[i] == routine)
            return;
    if (c->n == MOST_CALLEES)
        c->is_cut = true;
    else
        c->list[c->n++] = routine;
}

/* Adds the functions that tables of functions have at the offset from which the
   target was loaded. */
static void add_entries(const struct sd_places *p, struct callees *c,
                        struct sd_sum target)
{
    const struct sd_tables *tables = &p->program->tables;
    size_t first;

    if (target.offset != 0 || target.base < p->bases.first_content ||
        target.base >= p->bases.first_content + p->contents.keys.n)
        return;
    struct sd_sum place =
        p->contents.list[target.base - p->bases.first_content].place;
    if (place.base == SD_ABSOLUTE)
        return;
    size_t n = sd_tables_at(tables, place.offset, &first);
    for (size_t i = 0; i < n && !c->is_cut; i++)
        add_callee(p, c, tables->list[first + i].function);
}

/* The functions that a block may call; none if there are too many. */
static struct callees callees_of(const struct sd_places *p,
                                 const struct sd_chunk *chunk)
{
    struct callees c = {.n = 0};

    if (chunk->leaving == SD_LEAVES_BY_CALL) {
        add_callee(p, &c, chunk->to[0]);
    } else if (chunk->leaving == SD_LEAVES_BY_INDIRECT_CALL &&
               p->calls_tables) {
        struct sd_sum target = p->symbols.temps[chunk->target];

        if (target.base == SD_ABSOLUTE)
            add_callee(p, &c, (uint64_t)target.offset);
        else
            add_entries(p, &c, target);
    }
    if (c.is_cut)
        c.n = 0;
    return c;
}

/* Appends the loads or the stores of a callee, after n_insns instructions. */
static void add_events(struct sd_places *p, uint32_t n_insns,
                       const struct sd_sum *row,
                       const struct sd_impacts *impacts, bool stores)
{
    for (uint32_t k = 0; k < impacts->n; k++) {
        const struct sd_impact *e = &impacts->list[k];
        struct sd_event event = {.size = e->size,
                                 .insn = n_insns,
                                 .site = e->site,
                                 .is_store = e->is_store};

        if (e->is_store != stores)
            continue;
        event.place = translate(p, row, e);
        if (event.place.base == SD_NO_BASE)
            continue;
        if (!e->is_store)
            event.insn += e->n_insns;
        else if (impacts->n_insns > e->n_insns)
            event.insn += impacts->n_insns - e->n_insns;
        array_append(&p->graph, events, event);
    }
}

/* Appends events for the accesses of the functions that block i may call, if
   their accesses are known; *row are the variables at the call. */
static void add_callees(struct sd_places *p, uint32_t i,
                        const struct sd_sum *row)
{
    struct sd_stretch *block = &p->graph.blocks[i];

    if (p->find_impacts == NULL)
        return;
    struct callees c = callees_of(p, p->code.blocks[i].chunk);
    p->is_cut |= c.n > 0 && p->graph.n_events >= MOST_EVENTS;
    if (p->graph.n_events >= MOST_EVENTS)
        return;
    /* The loads of all callees come first: only one callee is called. */
    for (unsigned k = 0; k < c.n; k++) {
        const struct sd_impacts *impacts =
            p->find_impacts(p->callees, c.list[k]);

        p->is_cut |= impacts->is_cut;
        if (k == 0 || impacts->n_insns < block->n_inside)
            block->n_inside = impacts->n_insns;
        add_events(p, block->n_insns, row, impacts, false);
    }
    for (unsigned k = 0; k < c.n; k++)
        add_events(p, block->n_insns, row,
                   p->find_impacts(p->callees, c.list[k]), true);
}

/* Makes unknown the symbols that a call may change. */
static void call(struct run *r)
{
    struct sd_places *p = r->p;
    const struct sd_abi *abi = &p->abi;
    uint32_t first = p->bases.first_call + r->number * p->symbols.n_variables;
    struct sd_sum *sp = &r->row[abi->stack_pointer - abi->first];

    for (unsigned i = 0; i < abi->n_arguments; i++) {
        unsigned v = slot_of(p, r->row[abi->arguments[i] - abi->first], false);

        if (v != UINT_MAX)
            r->row[v] = (struct sd_sum){0, first + v};
    }
    for (unsigned v = 0; v < p->symbols.n_registers; v++)
        if (sd_regset_has(&abi->caller_saved, abi->first + v))
            r->row[v] = (struct sd_sum){0, first + v};
    *sp = sd_sum_add(*sp, abi->return_address_size);
}

void sd_places_interpret(struct sd_places *p, uint32_t i, struct sd_sum *row,
                         bool emits)
{
    struct run r = {.p = p,
                    .block = &p->code.blocks[i],
                    .chunk = p->code.blocks[i].chunk,
                    .n_insns = p->graph.blocks[i].n_insns,
                    .row = row,
                    .number = i,
                    .first_event = (uint32_t)p->graph.n_events,
                    .emits = emits};

    assert(i < p->code.n_blocks);
    if (r.chunk == NULL)
        return;
    assert(r.block->first_op + r.chunk->n_ops <= p->code.n_ops);
    if (emits)
        array_reserve(&p->bases, born, r.block->first_op + r.chunk->n_ops);
    /* Temporaries that no operation sets are constants. */
    array_reserve(&p->symbols, temps, r.chunk->n_temps);
    for (size_t k = 0; k < r.chunk->n_temps; k++)
        p->symbols.temps[k] = r.chunk->temps[k].bottom == 0
                                  ? absolute(r.chunk->temps[k].bits)
                                  : (struct sd_sum){0, SD_NO_BASE};
    for (size_t k = 0; k < r.chunk->n_ops; k++)
        step(&r, &r.chunk->ops[k]);
    if (sd_chunk_calls(r.chunk)) {
        if (emits)
            add_callees(p, i, row);
        call(&r);
    }
}
