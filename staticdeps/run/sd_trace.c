/*
 * sd_trace: the operations of a whole block, ready to be run many times.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "run/sd_trace.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

#define NONE    UINT32_MAX
#define UNKNOWN (UINT32_MAX - 1)
#define ENTRY   (UINT32_MAX - 2)

void sd_trace_init(struct sd_trace *code)
{
    *code = (struct sd_trace){0};
}

void sd_trace_fini(struct sd_trace *code)
{
    free(code->ops);
    free(code->calls);
    free(code->temps);
    free(code->widths);
    free(code->needed);
    free(code->map);
    *code = (struct sd_trace){0};
}

/* A new temporary with that value, which an operation may overwrite. */
static uint32_t new_temp(struct sd_trace *code, struct sd_value value,
                         unsigned width)
{
    uint32_t temp = (uint32_t)code->n_temps++;

    code->temps =
        memory_grow(code->temps, &code->temps_room, temp, sizeof *code->temps);
    code->widths = memory_grow(code->widths, &code->widths_room, temp,
                               sizeof *code->widths);
    /* A constant is known by its width of 0. */
    code->temps[temp] = value;
    code->widths[temp] = (uint8_t)width;
    return temp;
}

static uint32_t new_const(struct sd_trace *code, struct sd_value value)
{
    if (value.bottom == 0 && value.bits == 0)
        return SD_ZERO;
    return new_temp(code, value, 0);
}

static bool is_const(const struct sd_trace *code, uint32_t temp)
{
    return code->widths[temp] == 0;
}

void sd_trace_begin(struct sd_trace *code)
{
    code->n_ops = code->n_calls = code->n_temps = 0;
    code->n_insns = code->n_elsewhere = 0;
    code->loads = code->stores = code->needs_memory = false;
    code->is_elsewhere = false;
    memset(code->live, 0, sizeof code->live);
    memset(code->is_read, 0, sizeof code->is_read);
    memset(code->current, 0xff, sizeof code->current);
    memset(code->dirty, 0, sizeof code->dirty);
    new_temp(code, sd_bottom(64), 0);
    new_temp(code, sd_known(0), 0);
}

/* Ends an instruction. */
static void count(struct sd_trace *code)
{
    if (code->is_elsewhere)
        code->n_elsewhere++;
    else
        code->n_insns++;
}

void sd_trace_skip(struct sd_trace *code)
{
    count(code);
}

/* No bit of the result above this one is set. */
static unsigned result_width(const struct sd_trace *code,
                             const struct sd_op *op)
{
    unsigned end;

    if (op->code >= SD_CMPEQ && op->code <= SD_CMPLES)
        return 1;
    if (op->code != SD_DEPOSIT)
        return op->width;
    end = (unsigned)op->imm + op->width;
    if (is_const(code, op->a))
        return op->a == SD_ZERO ? end : 64;
    return code->widths[op->a] > end ? code->widths[op->a] : end;
}

static uint32_t append(struct sd_trace *code, struct sd_op op, bool has_result)
{
    code->ops =
        memory_grow(code->ops, &code->ops_room, code->n_ops, sizeof *code->ops);
    op.insn = code->n_insns;
    if (has_result)
        op.dst = new_temp(code, sd_known(0), result_width(code, &op));
    code->ops[code->n_ops++] = op;
    return op.dst;
}

/* Does the operation leave one of its operands as it is? */
static uint32_t as_operand(const struct sd_trace *code, const struct sd_op *op)
{
    bool b_is_zero = op->b == SD_ZERO;

    switch (op->code) {
    case SD_EXTRACT:
        if (op->imm == 0 && !is_const(code, op->a) &&
            code->widths[op->a] <= op->width)
            return op->a;
        return NONE;
    case SD_DEPOSIT:
        return op->width == 64 ? op->b : NONE;
    case SD_ADD:
    case SD_OR:
    case SD_XOR:
        if (b_is_zero)
            return op->a;
        return op->a == SD_ZERO ? op->b : NONE;
    case SD_SUB:
    case SD_SHL:
    case SD_SHR:
    case SD_SAR:
        return b_is_zero ? op->a : NONE;
    case SD_ITE:
        return op->b == op->c ? op->b : NONE;
    default:
        return NONE;
    }
}

/* Appends a pure operation, or finds its value without it. */
static uint32_t pure(struct sd_trace *code, struct sd_op op)
{
    const struct sd_value *t = code->temps;
    uint32_t same = as_operand(code, &op);

    if (same != NONE)
        return same;
    if (op.a == op.b && (op.code == SD_SUB || op.code == SD_XOR))
        return SD_ZERO; /* the idiom that clears a register, bottom or not */
    if (op.code == SD_ITE && is_const(code, op.a)) {
        if (!sd_is_known(t[op.a]))
            return SD_BOTTOM;
        return t[op.a].bits != 0 ? op.b : op.c;
    }
    if (is_const(code, op.a) && is_const(code, op.b) && is_const(code, op.c))
        return new_const(code, sd_op_eval(&op, t[op.a], t[op.b], t[op.c]));
    return append(code, op, true);
}

static uint32_t bits(struct sd_trace *code, enum sd_opcode opcode,
                     unsigned width, unsigned at, uint32_t a, uint32_t b)
{
    return pure(code, (struct sd_op){.code = (uint8_t)opcode,
                                     .width = (uint8_t)width,
                                     .a = a,
                                     .b = b,
                                     .c = SD_ZERO,
                                     .imm = at});
}

/* The temporary that holds a whole register. */
static uint32_t word(struct sd_trace *code, unsigned number)
{
    struct sd_op op = {.code = SD_GET, .width = 64, .imm = number};

    assert(number < SD_N_WORDS);
    if (code->current[number] < ENTRY)
        return code->current[number];
    if (code->current[number] == NONE)
        code->is_read[number] = true;
    else
        op = (struct sd_op){.code = SD_FRESH,
                            .width = 64,
                            .a = SD_ZERO,
                            .b = SD_ZERO,
                            .c = SD_ZERO,
                            .imm = code->current[number] == ENTRY ? number + 1
                                                                  : 0};
    return code->current[number] = append(code, op, true);
}

static uint32_t get(struct sd_trace *code, const struct sd_op *op)
{
    assert(op->width + 8 * (op->imm % 8) <= 64);
    return bits(code, SD_EXTRACT, op->width, 8 * (unsigned)(op->imm % 8),
                word(code, (unsigned)op->imm / 8), SD_ZERO);
}

static void put(struct sd_trace *code, const struct sd_op *op, uint32_t value)
{
    unsigned number = (unsigned)op->imm / 8;

    assert(number < SD_N_WORDS && op->width + 8 * (op->imm % 8) <= 64);
    if (op->width < 64)
        value = bits(code, SD_DEPOSIT, op->width, 8 * (unsigned)(op->imm % 8),
                     word(code, number), value);
    code->current[number] = value;
    code->dirty[number] = true;
}

/* Writes a register back, so that an indexed access finds it. */
static void flush(struct sd_trace *code, unsigned number)
{
    if (code->dirty[number])
        append(code,
               (struct sd_op){.code = SD_PUT,
                              .width = 64,
                              .a = word(code, number),
                              .imm = number},
               false);
    code->dirty[number] = false;
}

/* Where code may come from elsewhere, all values are in their registers. */
static void forget_registers(struct sd_trace *code)
{
    for (unsigned i = 0; i < SD_N_WORDS; i++)
        flush(code, i);
    memset(code->current, 0xff, sizeof code->current);
}

static uint32_t indexed(struct sd_trace *code, struct sd_op op)
{
    unsigned first, end = sd_op_words(&op, &first);
    uint32_t result;

    assert(end <= SD_N_WORDS);
    for (unsigned i = first; i < end; i++) {
        flush(code, i);
        code->is_read[i] = true;
    }
    result = append(code, op, op.code == SD_GETI);
    for (unsigned i = first; i < end && op.code == SD_PUTI; i++)
        code->current[i] = NONE;
    return result;
}

static uint32_t call(struct sd_trace *code, struct sd_call c, struct sd_op op)
{
    for (unsigned i = 0; i < c.n_args; i++) {
        c.args[i] = code->map[c.args[i]];
        if (c.args[i] == SD_BOTTOM)
            return SD_BOTTOM;
    }
    code->calls = memory_grow(code->calls, &code->calls_room, code->n_calls,
                              sizeof *code->calls);
    code->calls[code->n_calls] = c;
    op.imm = code->n_calls++;
    return append(code, op, true);
}

static void translate(struct sd_trace *code, const struct sd_insn *insn,
                      struct sd_op op, uint64_t address)
{
    uint32_t *map = code->map;
    uint32_t dst = op.dst;

    if (op.code < SD_N_PURE) {
        op.a = map[op.a], op.b = map[op.b], op.c = map[op.c];
        map[dst] = pure(code, op);
        return;
    }
    switch ((enum sd_opcode)op.code) {
    case SD_CONST:
        map[dst] = new_const(code, sd_known(op.imm));
        return;
    case SD_CONST_PC:
        map[dst] = new_const(code, sd_known(op.imm + address));
        return;
    case SD_CONST_PAGE:
        address &= ~UINT64_C(0xfff);
        map[dst] = new_const(code, sd_known(op.imm + address));
        return;
    case SD_CALL:
        map[dst] = call(code, insn->calls[op.imm], op);
        return;
    case SD_GET:
        map[dst] = get(code, &op);
        return;
    case SD_PUT:
        put(code, &op, map[op.a]);
        return;
    case SD_GETI:
        op.a = map[op.a];
        map[dst] = indexed(code, op);
        return;
    case SD_PUTI:
        op.a = map[op.a], op.dst = map[op.dst];
        indexed(code, op);
        return;
    case SD_LOAD:
    case SD_LOADIF:
        op.a = map[op.a], op.b = map[op.b];
        map[dst] = append(code, op, true);
        return;
    case SD_LOOP:
    case SD_AGAIN:
        forget_registers(code);
        op.a = map[op.a];
        append(code, op, false);
        return;
    case SD_STORE:
    case SD_STOREIF:
        op.c = map[op.c];
        __attribute__((fallthrough));
    default: /* LEAVE; READ, WRITE: c is a size */
        op.a = map[op.a], op.b = map[op.b];
        append(code, op, false);
    }
}

void sd_trace_add(struct sd_trace *code, const struct sd_insn *insn,
                  uint64_t address)
{
    code->map = memory_grow(code->map, &code->map_room, insn->n_temps,
                            sizeof *code->map);
    code->map[SD_BOTTOM] = SD_BOTTOM;
    code->map[SD_ZERO] = SD_ZERO;
    for (size_t i = 0; i < insn->n_ops; i++)
        translate(code, insn, insn->ops[i], address);
    if (!code->is_elsewhere) {
        code->loads |= insn->loads;
        code->stores |= insn->stores;
    }
    count(code);
}

void sd_trace_leave(struct sd_trace *code)
{
    code->is_elsewhere = true;
}

/* Registers that hold what `kind` stands for, or what `initial` has. */
static void set_all(struct sd_trace *code, const struct sd_regset *words,
                    uint32_t kind, const struct sd_initial *initial)
{
    for (unsigned i = 0; i < SD_N_WORDS; i++)
        if (sd_regset_has(words, i)) {
            code->current[i] = kind;
            code->dirty[i] = true;
        }
    for (; initial->offset != UINT_MAX; initial++)
        if (sd_regset_has(words, initial->offset / 8))
            code->current[initial->offset / 8] =
                sd_is_known(initial->value) ? new_const(code, initial->value)
                                            : SD_BOTTOM;
}

void sd_trace_havoc(struct sd_trace *code, const struct sd_regset *words,
                    const struct sd_initial *initial)
{
    set_all(code, words, UNKNOWN, initial);
}

void sd_trace_reenter(struct sd_trace *code, const struct sd_initial *initial)
{
    struct sd_regset all;

    memset(&all, 0xff, sizeof all);
    set_all(code, &all, ENTRY, initial);
}

void sd_trace_advance(struct sd_trace *code, unsigned number, uint64_t distance)
{
    struct sd_op sum = {.code = SD_ADD, .width = 64, .c = SD_ZERO};

    sum.a = word(code, number);
    sum.b = new_const(code, sd_known(distance));
    code->current[number] = pure(code, sum);
    code->dirty[number] = true;
}

void sd_trace_end(struct sd_trace *code)
{
    for (unsigned i = 0; i < SD_N_WORDS; i++)
        if (code->is_read[i])
            flush(code, i); /* or the next iteration has no use for it */
    sd_trace_prune(code);
}
