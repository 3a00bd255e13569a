/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "walk/sd_chunk.h"

#define MOST ((size_t)256 << 20) /* bytes to keep: about 300,000 chunks */

void sd_chunks_init(struct sd_chunks *chunks, const struct sd_program *program)
{
    *chunks = (struct sd_chunks){.program = program, .most = MOST};
}

static void free_all(struct sd_chunks *chunks)
{
    for (size_t i = 0; i < chunks->addresses.n; i++) {
        free(chunks->list[i]->walks->loop_test);
        free(chunks->list[i]);
    }
    assert(chunks->size > 0 || chunks->addresses.n == 0);
    chunks->size = 0;
}

void sd_chunks_fini(struct sd_chunks *chunks)
{
    free_all(chunks);
    free(chunks->list);
    keys_fini(&chunks->addresses);
    sd_trace_fini(&chunks->trace);
}

void sd_chunks_trim(struct sd_chunks *chunks)
{
    if (chunks->size <= chunks->most)
        return;
    free_all(chunks);
    keys_clear(&chunks->addresses);
}

/* The operation of a chunk that makes a condition, plus 1; 0: there is none. */
static uint32_t find_test(const struct sd_chunk *c, uint32_t temp)
{
    for (size_t i = c->n_ops; i-- > 0;) {
        const struct sd_op *op = &c->ops[i];

        if (!sd_op_is(op, SD_HAS_RESULT) || op->dst != temp)
            continue;
        if (op->code == SD_EXTRACT && op->imm == 0) {
            temp = op->a;
            continue;
        }
        return sd_op_is(op, SD_ONE_BIT) ||
                       (op->code == SD_CALL &&
                        sd_flags_is_condition(&c->calls[op->imm]))
                   ? (uint32_t)i + 1
                   : 0;
    }
    return 0;
}

static void find_operands(struct sd_chunk *c, const struct sd_trace *trace)
{
    c->test = find_test(c, c->cond);
    assert(c->test <= c->n_ops);
    if (c->test == 0)
        return;
    const struct sd_op *op = &c->ops[c->test - 1];
    c->is_const = trace->widths[op->code == SD_CALL ? c->calls[op->imm].args[3]
                                                    : op->b] == 0;
}

/* Finds the constants that are added to make the addresses of loads. */
static void find_distances(struct sd_chunk *c, size_t n_temps)
{
    AUTO_FREE int64_t *added = memory_new(n_temps + 1, sizeof *added);

    for (size_t i = 0; i < c->n_ops; i++) {
        const struct sd_op *op = &c->ops[i];

        if (sd_op_is(op, SD_LOADS))
            c->distances[op->imm] = (int32_t)(added[op->a] + op->disp);
        if (op->code == SD_ADD && op->width == 64 &&
            c->temps[op->b].bottom == 0)
            added[op->dst] = (int64_t)c->temps[op->b].bits;
    }
}

/* Makes a chunk from the fields of *made and the trace, in one piece of memory,
   in the order in which a walk reads them.  Stores its bytes into *size. */
static struct sd_chunk *chunk_of(const struct sd_chunk *made,
                                 const struct sd_trace *trace, size_t *size)
{
    size_t n_loads = 0, n_temps = trace->n_temps;
    size_t walks = sizeof *made;
    size_t ops = walks + sizeof *made->walks;
    size_t temps = ops + trace->n_ops * sizeof *made->ops;
    size_t calls = temps + n_temps * sizeof *made->temps;
    size_t seen = calls + trace->n_calls * sizeof *made->calls, distances;

    for (size_t i = 0; i < trace->n_ops; i++)
        n_loads += sd_op_is(&trace->ops[i], SD_LOADS);
    distances = seen + n_loads * sizeof *made->walks->seen;
    *size = distances + n_loads * sizeof *made->distances;
    char *at = memory_new(*size, 1);
    struct sd_chunk *c = (struct sd_chunk *)(void *)at;
    *c = *made;
    c->n_ops = trace->n_ops;
    c->n_temps = n_temps;
    c->ops = (struct sd_op *)(void *)(at + ops);
    c->temps = (struct sd_value *)(void *)(at + temps);
    c->calls = (struct sd_call *)(void *)(at + calls);
    c->walks = (struct sd_chunk_walks *)(void *)(at + walks);
    c->walks->seen = (struct sd_seen *)(void *)(at + seen);
    c->distances = (int32_t *)(void *)(at + distances);
    n_loads = 0;
    for (size_t i = 0; i < c->n_ops; i++) {
        c->ops[i] = trace->ops[i];
        if (sd_op_is(&c->ops[i], SD_LOADS))
            c->ops[i].imm = n_loads++;
    }
    assert(distances + n_loads * sizeof *c->distances == *size);
    if (trace->n_calls > 0)
        memcpy(c->calls, trace->calls, trace->n_calls * sizeof *c->calls);
    memcpy(c->temps, trace->temps, n_temps * sizeof *c->temps);
    sd_index_mark(c->ops, c->n_ops, n_temps);
    find_distances(c, n_temps);
    return c;
}

/* Notes where control goes after a chunk. */
static void set_exit(struct sd_chunk *c, struct sd_trace *trace,
                     const struct sd_exit *exit, uint64_t address)
{
    c->to[0] = address + (uint64_t)exit->next;
    if (!exit->is_direct)
        c->target = sd_trace_keep(trace, exit->target);
    switch (exit->flow) {
    case SD_FLOW_CALL:
        c->leaving =
            exit->is_direct ? SD_LEAVES_BY_CALL : SD_LEAVES_BY_INDIRECT_CALL;
        return;
    case SD_FLOW_RETURN:
        c->leaving = SD_LEAVES_BY_RETURN;
        if (exit->is_direct)
            c->leaving = SD_LEAVES_NEVER;
        return;
    case SD_FLOW_TRAP:
        c->leaving = SD_LEAVES_NEVER;
        return;
    default:
        c->leaving = exit->is_direct ? SD_LEAVES_STRAIGHT : SD_LEAVES_INDIRECT;
    }
    if (!exit->is_guarded || !exit->is_direct)
        return;
    c->leaving = SD_LEAVES_BY_TEST;
    c->cond = sd_trace_keep(trace, exit->guard);
    c->to[1] = address + (uint64_t)exit->taken;
}

/* Notes to which function a call or tail call at the end of a chunk leads. */
static void find_callee(struct sd_chunk *c, const struct sd_program *p)
{
    if (sd_chunk_calls(c))
        c->pad = sd_program_landing(p, c->to[1] - 1);
    if (c->leaving != SD_LEAVES_BY_CALL && c->leaving != SD_LEAVES_STRAIGHT)
        return;
    if (c->leaving == SD_LEAVES_BY_CALL)
        c->model = sd_program_model(p, sd_program_slot(p, c->to[0]));
    uint32_t routine = sd_program_routine(p, c->to[0]);
    if (routine == SD_NO_ROUTINE)
        return;
    c->is_final = sd_program_is_final(p, routine);
    if (c->leaving == SD_LEAVES_BY_CALL)
        c->is_doomed[0] = !sd_program_returns(p, routine);
}

/* Notes which successors stay in the loop, and which never return. */
static void find_ways(struct sd_chunk *c, const struct sd_program *p)
{
    const struct loops *loops = &p->cfg->loops;
    uint32_t loop = p->cfg->nodes[c->block].loop;

    for (unsigned i = 0; i < 2; i++) {
        uint32_t block = sd_program_block(p, c->to[i]);

        if (block == SD_NO_BLOCK)
            continue;
        c->is_doomed[i] = !p->leads_on[block];
        c->stays[i] = loop != 0 && loops_hold(loops, loop, block);
    }
}

/* Lifts the instructions from `at` on; false if one cannot be lifted. */
static bool lift(struct sd_chunks *chunks, struct sd_chunk *c,
                 const struct sd_block *block, uint32_t first, uint64_t at)
{
    const uint8_t *insns = chunks->program->blocks->insns + block->first;
    struct sd_trace *trace = &chunks->trace;

    for (uint32_t i = first; i < block->n_insns; i++) {
        unsigned length = insns[i] & (SD_NO_EFFECT - 1u);
        bool is_last = i + 1 == block->n_insns;
        const struct sd_insn *insn;

        if (insns[i] & SD_NO_EFFECT && (!is_last || !block->last.ends_block)) {
            sd_trace_skip(trace);
            c->to[0] = at + length;
        } else {
            insn = sd_lift(chunks->program->image->arch,
                           block->bytes + (at - block->address), length);
            if (insn->status != SD_OK)
                return false;
            sd_trace_add(trace, insn, at);
            if (is_last)
                set_exit(c, trace, &insn->exit, at);
        }
        at += length;
    }
    if (sd_chunk_calls(c))
        c->to[1] = at;
    return true;
}

static struct sd_chunk *make(struct sd_chunks *chunks, uint64_t address)
{
    const struct sd_program *p = chunks->program;
    uint32_t number = sd_program_block(p, address), first = 0;
    uint64_t at;
    size_t size;

    if (number == SD_NO_BLOCK)
        return NULL;
    const struct sd_block *block = &p->blocks->blocks[number];
    if (block->status != SD_OK || block->n_insns == 0)
        return NULL;
    for (at = block->address; at < address; first++)
        at += p->blocks->insns[block->first + first] & (SD_NO_EFFECT - 1u);
    if (at != address)
        return NULL;
    struct sd_chunk made = (struct sd_chunk){
        .address = address,
        .block = number,
        .n_insns = block->n_insns - first,
        .site = (uint32_t)(block->first + first),
        .loop = p->cfg->nodes[number].loop,
        .is_header = first == 0 && p->cfg->nodes[number].is_header};
    assert(made.n_insns > 0 && made.site + made.n_insns <= p->blocks->n_insns);
    sd_trace_begin(&chunks->trace, true);
    if (!lift(chunks, &made, block, first, at))
        made.leaving = SD_LEAVES_NEVER;
    sd_trace_end(&chunks->trace);
    struct sd_chunk *c = chunk_of(&made, &chunks->trace, &size);
    assert(c->cond < c->n_temps && c->target < c->n_temps);
    chunks->size += size;
    find_callee(c, p);
    if (c->leaving == SD_LEAVES_BY_TEST) {
        find_operands(c, &chunks->trace);
        find_ways(c, p);
    }
    return c;
}

struct sd_chunk *sd_chunks_at(struct sd_chunks *chunks, uint64_t address)
{
    uint32_t i = keys_find(&chunks->addresses, address);

    if (i != NO_KEY)
        return chunks->list[i];
    struct sd_chunk *c = make(chunks, address);
    if (c == NULL)
        return NULL;
    i = keys_add(&chunks->addresses, address);
    assert(i + 1 == chunks->addresses.n && c->address == address);
    array_push(chunks->list, i, chunks->room, c);
    return c;
}
