/*
 * sd_places_interpret: how a block changes symbols.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "reach/internal.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "array.h"

#define MOST_BACK 256 /* operations of a block that lose_content() changes */

struct run {
    struct sd_places *p;
    struct sd_place_block *block;
    const struct sd_chunk *chunk;
    struct sd_sum *row;
    uint32_t number, first_event;
    bool emits, is_repeated; /* inside a rep prefix */
};

static struct sd_sum absolute(uint64_t address)
{
    return (struct sd_sum){(int64_t)address, SD_ABSOLUTE};
}

/* The base for the result of an operation. */
static struct sd_sum result(const struct run *r, const struct sd_op *op)
{
    uint32_t number = r->block->first_op + (uint32_t)(op - r->chunk->ops);

    return (struct sd_sum){0, r->p->bases.first_result + number};
}

/* Temporaries to which no operation assigns are constants. */
static void begin(struct run *r)
{
    const struct sd_chunk *c = r->chunk;
    struct sd_places *p = r->p;

    array_reserve(&p->symbols, temps, c->n_temps);
    for (size_t i = 0; i < c->n_temps; i++)
        p->symbols.temps[i] = c->temps[i].drawn == 0
                                  ? absolute(c->temps[i].bits)
                                  : (struct sd_sum){0, SD_NO_BASE};
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

/* The variable of a register's word; UINT_MAX: it has none. */
static unsigned variable(const struct run *r, uint64_t word)
{
    const struct sd_abi *abi = &r->p->abi;

    return word >= abi->first && word < abi->end ? (unsigned)word - abi->first
                                                 : UINT_MAX;
}

/* Loses the symbols of words of the frame that a store may change. */
static void lose_slots(struct run *r, const struct sd_op *op,
                       struct sd_sum place, unsigned size)
{
    struct sd_places *p = r->p;

    if (place.base != sd_places_frame(p))
        return;
    for (unsigned i = 0; i < p->symbols.n_slots; i++)
        if (sd_offsets_meet(p->symbols.slots[i], 8, place.offset, size))
            r->row[p->symbols.n_registers + i] = result(r, op);
}

static void add_event(struct run *r, const struct sd_op *op,
                      const struct sd_event *event)
{
    struct sd_event e = *event;
    bool is_return_address = event->is_store && op->site == r->block->n_insns &&
                             sd_chunk_calls(r->chunk);

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

/* The symbol that a load finds. */
static struct sd_sum found(struct run *r, const struct sd_op *op,
                           struct sd_sum place)
{
    struct sd_places *p = r->p;
    unsigned v = sd_places_slot(p, place, false);
    uint64_t bits;
    uint32_t content;

    if (op->width != 64)
        return result(r, op);
    if (v != UINT_MAX && r->row[v].base != SD_NO_BASE)
        return r->row[v];
    if (place.base == SD_ABSOLUTE && place.offset % 8 == 0 &&
        p->program->contents != NULL &&
        sd_contents_at(p->program->contents, (uint64_t)place.offset / 8,
                       &bits) == 0)
        return absolute(bits);
    content = sd_places_content(p, place, true);
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

/* Renames a content that is overwritten: variables and temporaries that hold it
   keep their number, which memory no longer holds. */
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
    unsigned v;

    if (op->code == SD_WRITE)
        event.size = op->c;
    lose_slots(r, op, place, event.size);
    if (r->is_repeated)
        return;
    if (op->code == SD_STORE && op->width == 64)
        value = p->symbols.temps[op->b];
    v = sd_places_slot(p, place, value.base != SD_NO_BASE);
    if (v != UINT_MAX && value.base != SD_NO_BASE)
        r->row[v] = value;
    if (v == UINT_MAX)
        event.contents = sd_places_content(p, place, false);
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
        /* After a rep prefix a register is what no single round leaves. */
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

/* Loses the symbols that a call may change. */
static void call(struct run *r)
{
    struct sd_places *p = r->p;
    const struct sd_abi *abi = &p->abi;
    uint32_t first = p->bases.first_call + r->number * p->symbols.n_variables;
    struct sd_sum *sp = &r->row[abi->stack_pointer - abi->first];

    for (unsigned i = 0; i < abi->n_arguments; i++) {
        unsigned v =
            sd_places_slot(p, r->row[abi->arguments[i] - abi->first], false);

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
                    .row = row,
                    .number = i,
                    .first_event = (uint32_t)p->graph.n_events,
                    .emits = emits};

    if (r.chunk == NULL)
        return;
    if (emits)
        array_reserve(&p->bases, born, r.block->first_op + r.chunk->n_ops);
    begin(&r);
    for (size_t k = 0; k < r.chunk->n_ops; k++)
        step(&r, &r.chunk->ops[k]);
    if (sd_chunk_calls(r.chunk)) {
        if (emits)
            sd_places_add_callee(p, i, row);
        call(&r);
    }
}
