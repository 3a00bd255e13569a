/*
 * sd_trace_append: appends operations to a trace, unless their value is found
 * without them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "run/sd_trace.h"

#include <assert.h>

#include "memory.h"
#include "run/internal.h"

#define NONE UINT32_MAX

uint32_t sd_trace_temp(struct sd_trace *trace, struct sd_value value,
                       unsigned width)
{
    uint32_t temp = (uint32_t)trace->n_temps++;

    assert(width <= 64 && (value.bits & value.bottom) == 0);

    trace->temps = memory_grow(trace->temps, &trace->temps_room, temp,
                               sizeof *trace->temps);
    trace->widths = memory_grow(trace->widths, &trace->widths_room, temp,
                                sizeof *trace->widths);
    /* A width of 0 marks a constant. */
    trace->temps[temp] = value;
    trace->widths[temp] = (uint8_t)width;
    return temp;
}

uint32_t sd_trace_const(struct sd_trace *trace, struct sd_value value)
{
    if (value.bottom == 0 && value.bits == 0)
        return SD_ZERO;
    return sd_trace_temp(trace, value, 0);
}

static bool is_const(const struct sd_trace *trace, uint32_t temp)
{
    return trace->widths[temp] == 0;
}

/* The width of the result: all higher bits are 0. */
static unsigned result_width(const struct sd_trace *trace,
                             const struct sd_op *op)
{
    unsigned end;

    if (sd_op_is(op, SD_ONE_BIT))
        return 1;
    if (op->code != SD_DEPOSIT)
        return op->width;
    end = (unsigned)op->imm + op->width;
    if (is_const(trace, op->a))
        return op->a == SD_ZERO ? end : 64;
    return trace->widths[op->a] > end ? trace->widths[op->a] : end;
}

uint32_t sd_trace_append(struct sd_trace *trace, struct sd_op op)
{
    trace->ops = memory_grow(trace->ops, &trace->ops_room, trace->n_ops,
                             sizeof *trace->ops);
    assert(op.width <= 64);
    if (sd_op_is(&op, SD_LOADS | SD_STORES) && !trace->is_on_back_path)
        op.site = trace->n_sites + 1;
    if (sd_op_is(&op, SD_HAS_RESULT))
        op.dst = sd_trace_temp(trace, sd_known(0), result_width(trace, &op));
    trace->ops[trace->n_ops++] = op;
    return op.dst;
}

/* The operand whose value the operation leaves unchanged, if there is one. */
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

uint32_t sd_trace_pure(struct sd_trace *trace, struct sd_op op)
{
    const struct sd_value *t = trace->temps;
    uint32_t same = as_operand(trace, &op);

    if (same != NONE)
        return same;
    if (op.a == op.b && (op.code == SD_SUB || op.code == SD_XOR))
        return SD_ZERO; /* the idiom to clear a register, also if it is bottom
                         */
    if (op.code == SD_ITE && is_const(trace, op.a)) {
        if (!sd_is_known(t[op.a]))
            return SD_BOTTOM;
        return t[op.a].bits != 0 ? op.b : op.c;
    }
    if (is_const(trace, op.a) && is_const(trace, op.b) && is_const(trace, op.c))
        return sd_trace_const(trace,
                              sd_op_eval(&op, t[op.a], t[op.b], t[op.c]));
    return sd_trace_append(trace, op);
}
