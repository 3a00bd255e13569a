/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "block/sd_trace.h"

#define NONE    UINT32_MAX
#define UNKNOWN (UINT32_MAX - 1)
#define ENTRY   (UINT32_MAX - 2)

/* Adds a temporary of a value and width, which an operation may overwrite. */
static uint32_t new_temp(struct sd_trace *trace, struct sd_value value,
                         unsigned width)
{
    uint32_t temp = (uint32_t)trace->n_temps++;

    assert(width <= 64 && (value.bits & value.bottom) == 0);

    array_reserve(trace, temps, temp);
    array_reserve(trace, widths, temp);
    /* A width of 0 marks a constant. */
    trace->temps[temp] = value;
    trace->widths[temp] = (uint8_t)width;
    return temp;
}

static uint32_t constant(struct sd_trace *trace, struct sd_value value)
{
    if (value.bottom == 0 && value.bits == 0)
        return SD_ZERO;
    return new_temp(trace, value, 0);
}

static bool is_const(const struct sd_trace *trace, uint32_t temp)
{
    return trace->widths[temp] == 0;
}

/* The width of the result of an operation: all higher bits are 0. */
static unsigned result_width(const struct sd_trace *trace,
                             const struct sd_op *op)
{
    if (sd_op_is(op, SD_ONE_BIT))
        return 1;
    if (op->code != SD_DEPOSIT)
        return op->width;
    unsigned end = (unsigned)op->imm + op->width;
    if (is_const(trace, op->a))
        return op->a == SD_ZERO ? end : 64;
    return trace->widths[op->a] > end ? trace->widths[op->a] : end;
}

/* Appends an operation; returns the temporary of its result. */
static uint32_t append(struct sd_trace *trace, struct sd_op op)
{
    array_reserve(trace, ops, trace->n_ops);
    assert(op.width <= 64);
    if (sd_op_is(&op, SD_LOADS | SD_STORES) && !trace->is_on_back_path)
        op.site = trace->n_sites + 1;
    if (sd_op_is(&op, SD_STORES) && op.disp == 0) {
        /* Make the sizes of the stores of an instruction unknown if there are
           several, since writers name an instruction, not one of its stores. */
        if (trace->last_store != 0) {
            struct sd_op *last = &trace->ops[trace->last_store - 1];

            if (last->site == op.site)
                last->imm = op.imm = 0;
        }
        trace->last_store = trace->n_ops + 1;
    }
    if (sd_op_is(&op, SD_HAS_RESULT))
        op.dst = new_temp(trace, sd_known(0), result_width(trace, &op));
    trace->ops[trace->n_ops++] = op;
    return op.dst;
}

/* The operand whose value the result of an operation has, if there is one. */
static uint32_t as_operand(const struct sd_trace *trace, const struct sd_op *op)
{
    bool b_is_zero = op->b == SD_ZERO;

    switch (op->code) {
    case SD_EXTRACT:
        if (op->imm == 0 && !is_const(trace, op->a) &&
            trace->widths[op->a] <= op->width)
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

/* Appends a pure operation, if needed; returns the temporary of its value. */
static uint32_t pure(struct sd_trace *trace, struct sd_op op)
{
    const struct sd_value *t = trace->temps;
    uint32_t same = as_operand(trace, &op);

    if (same != NONE)
        return same;
    if (op.a == op.b && (op.code == SD_SUB || op.code == SD_XOR))
        return SD_ZERO; /* the idiom that clears a register */
    if (op.code == SD_ITE && is_const(trace, op.a)) {
        if (!sd_is_known(t[op.a]))
            return SD_BOTTOM;
        return t[op.a].bits != 0 ? op.b : op.c;
    }
    if (is_const(trace, op.a) && is_const(trace, op.b) && is_const(trace, op.c))
        return constant(trace, sd_op_eval(&op, t[op.a], t[op.b], t[op.c]));
    return append(trace, op);
}

void sd_trace_fini(struct sd_trace *trace)
{
    free(trace->ops);
    free(trace->calls);
    free(trace->temps);
    free(trace->widths);
    free(trace->needed);
    free(trace->map);
    *trace = (struct sd_trace){0};
}

void sd_trace_begin(struct sd_trace *trace, bool is_open)
{
    trace->n_ops = trace->n_calls = trace->n_temps = 0;
    trace->n_sites = trace->n_back = 0;
    trace->needs_memory = false;
    trace->is_on_back_path = false;
    trace->is_open = is_open;
    trace->n_kept = 0;
    trace->last_store = 0;
    memset(trace->live, 0, sizeof trace->live);
    memset(trace->is_read, 0, sizeof trace->is_read);
    memset(trace->current, 0xff, sizeof trace->current);
    memset(trace->dirty, 0, sizeof trace->dirty);
    new_temp(trace, sd_bottom(64), 0);
    new_temp(trace, sd_known(0), 0);
}

uint32_t sd_trace_keep(struct sd_trace *trace, uint32_t temp)
{
    assert(trace->n_kept < sizeof trace->kept / sizeof trace->kept[0]);
    return trace->kept[trace->n_kept++] = trace->map[temp];
}

void sd_trace_skip(struct sd_trace *trace)
{
    if (trace->is_on_back_path)
        trace->n_back++;
    else
        trace->n_sites++;
}

static uint32_t bits(struct sd_trace *trace, enum sd_opcode opcode,
                     unsigned width, unsigned at, uint32_t a, uint32_t b)
{
    return pure(trace, (struct sd_op){.code = (uint8_t)opcode,
                                      .width = (uint8_t)width,
                                      .a = a,
                                      .b = b,
                                      .c = SD_ZERO,
                                      .imm = at});
}

/* A temporary with random number `imm` of the run; if 0, with a new number. */
static uint32_t fresh(struct sd_trace *trace, uint64_t imm)
{
    return append(trace, (struct sd_op){.code = SD_FRESH,
                                        .width = 64,
                                        .a = SD_ZERO,
                                        .b = SD_ZERO,
                                        .c = SD_ZERO,
                                        .imm = imm});
}

/* The temporary that holds a whole register. */
static uint32_t word(struct sd_trace *trace, unsigned number)
{
    uint32_t *current = &trace->current[number];

    assert(number < SD_N_WORDS);
    if (*current == UNKNOWN || *current == ENTRY) {
        *current = fresh(trace, *current == ENTRY ? number + 1 : 0);
    } else if (*current == NONE) {
        trace->is_read[number] = true;
        *current = append(
            trace, (struct sd_op){.code = SD_GET, .width = 64, .imm = number});
    }
    return *current;
}

static void put(struct sd_trace *trace, const struct sd_op *op, uint32_t value)
{
    unsigned number = (unsigned)op->imm / 8;

    assert(number < SD_N_WORDS && op->width + 8 * (op->imm % 8) <= 64);
    if (op->width < 64)
        value = bits(trace, SD_DEPOSIT, op->width, 8 * (unsigned)(op->imm % 8),
                     word(trace, number), value);
    trace->current[number] = value;
    trace->dirty[number] = true;
}

/* Writes the value of a register back, so that an indexed access finds it. */
static void flush(struct sd_trace *trace, unsigned number)
{
    if (trace->dirty[number])
        append(trace, (struct sd_op){.code = SD_PUT,
                                     .width = 64,
                                     .a = word(trace, number),
                                     .imm = number});
    trace->dirty[number] = false;
}

static uint32_t indexed(struct sd_trace *trace, struct sd_op op)
{
    unsigned first, end = sd_op_words(&op, &first);

    assert(end <= SD_N_WORDS);
    for (unsigned i = first; i < end; i++) {
        flush(trace, i);
        trace->is_read[i] = true;
    }
    uint32_t result = append(trace, op);
    for (unsigned i = first; i < end && op.code == SD_PUTI; i++)
        trace->current[i] = NONE;
    return result;
}

static uint32_t call(struct sd_trace *trace, struct sd_call c, struct sd_op op)
{
    assert(c.n_args <= SD_CALL_ARGS);
    for (unsigned i = 0; i < c.n_args; i++) {
        c.args[i] = trace->map[c.args[i]];
        if (c.args[i] == SD_BOTTOM)
            return SD_BOTTOM;
    }
    array_reserve(trace, calls, trace->n_calls);
    trace->calls[trace->n_calls] = c;
    op.imm = trace->n_calls++;
    return append(trace, op);
}

/* Replaces the instruction's temporaries among operands by the trace's. */
static void rename_operands(const struct sd_trace *trace, struct sd_op *op)
{
    unsigned info = sd_op_info[op->code];
    const uint32_t *map = trace->map;

    if (info & SD_READS_A)
        op->a = map[op->a];
    if (info & SD_READS_B)
        op->b = map[op->b];
    if (info & SD_READS_C)
        op->c = map[op->c];
    if (info & SD_READS_DST)
        op->dst = map[op->dst];
}

/* Adds an operation that is not pure; returns the temporary of its result, if
   there is one. */
static uint32_t add(struct sd_trace *trace, const struct sd_insn *insn,
                    struct sd_op *op, uint64_t address)
{
    rename_operands(trace, op);
    switch ((enum sd_opcode)op->code) {
    case SD_CONST:
        return constant(trace, sd_known(op->imm));
    case SD_CONST_PC:
        return constant(trace, sd_known(op->imm + address));
    case SD_CONST_PAGE:
        address &= ~UINT64_C(0xfff);
        return constant(trace, sd_known(op->imm + address));
    case SD_CALL:
        return call(trace, insn->calls[op->imm], *op);
    case SD_GET:
        assert(op->width + 8 * (op->imm % 8) <= 64);
        return bits(trace, SD_EXTRACT, op->width, 8 * (unsigned)(op->imm % 8),
                    word(trace, (unsigned)op->imm / 8), SD_ZERO);
    case SD_PUT:
        put(trace, op, op->a);
        return SD_BOTTOM;
    case SD_GETI:
    case SD_PUTI:
        return indexed(trace, *op);
    case SD_LOOP:
    case SD_AGAIN:
        /* Control comes from several places: all registers are written. */
        for (unsigned i = 0; i < SD_N_WORDS; i++)
            flush(trace, i);
        memset(trace->current, 0xff, sizeof trace->current);
        return append(trace, *op);
    default:
        return append(trace, *op);
    }
}

void sd_trace_add(struct sd_trace *trace, const struct sd_insn *insn,
                  uint64_t address)
{
    uint32_t *map = memory_grow(trace->map, &trace->map_room, insn->n_temps,
                                sizeof *trace->map);

    trace->map = map;
    map[SD_BOTTOM] = trace->is_open ? fresh(trace, 0) : SD_BOTTOM;
    map[SD_ZERO] = SD_ZERO;
    for (size_t i = 0; i < insn->n_ops; i++) {
        struct sd_op op = insn->ops[i];
        uint32_t dst = op.dst, result;

        if (sd_op_is(&op, SD_IS_PURE)) { /* the most frequent case */
            op.a = map[op.a], op.b = map[op.b], op.c = map[op.c];
            map[dst] = pure(trace, op);
            continue;
        }
        result = add(trace, insn, &op, address);
        if (sd_op_is(&op, SD_HAS_RESULT))
            map[dst] = result;
    }
    sd_trace_skip(trace);
}

void sd_trace_leave(struct sd_trace *trace)
{
    assert(!trace->is_on_back_path && trace->n_sites > 0);
    trace->is_on_back_path = true;
}

/* Sets registers (NULL: all) to `kind`, or to their values in `initial`. */
static void set_all(struct sd_trace *trace, const struct sd_regset *words,
                    uint32_t kind, const struct sd_initial *initial)
{
    assert(trace->is_on_back_path);
    for (unsigned i = 0; i < SD_N_WORDS; i++)
        if (words == NULL || sd_regset_has(words, i)) {
            trace->current[i] = kind;
            trace->dirty[i] = true;
        }
    for (; initial->offset != UINT_MAX; initial++)
        if (words == NULL || sd_regset_has(words, initial->offset / 8))
            trace->current[initial->offset / 8] =
                sd_is_known(initial->value) ? constant(trace, initial->value)
                                            : SD_BOTTOM;
}

void sd_trace_havoc(struct sd_trace *trace, const struct sd_regset *words,
                    const struct sd_initial *initial)
{
    set_all(trace, words, UNKNOWN, initial);
}

void sd_trace_reenter(struct sd_trace *trace, const struct sd_initial *initial)
{
    set_all(trace, NULL, ENTRY, initial);
}

void sd_trace_advance(struct sd_trace *trace, unsigned number,
                      uint64_t distance)
{
    struct sd_op sum = {.code = SD_ADD, .width = 64, .c = SD_ZERO};

    assert(trace->is_on_back_path);
    sum.a = word(trace, number);
    sum.b = constant(trace, sd_known(distance));
    trace->current[number] = pure(trace, sum);
    trace->dirty[number] = true;
}

void sd_trace_end(struct sd_trace *trace)
{
    for (unsigned i = 0; i < SD_N_WORDS; i++)
        if (trace->is_read[i] || trace->is_open)
            flush(trace, i); /* the next iteration reads the register */
    if (trace->is_open) {
        memset(trace->live, 1, sizeof trace->live);
        trace->needs_memory = true;
    }
    sd_trace_sweep(trace);
}
