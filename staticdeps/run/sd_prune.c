/*
 * sd_prune: drops the operations of a trace that nothing needs.
 *
 * Needed are the addresses and guards of all accesses, except for loads on the
 * back path whose value is not needed; registers that the next iteration reads
 * for something needed; and what is stored, if anything that is loaded is
 * needed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "memory.h"
#include "run/sd_trace.h"

/* Marks the operands of an operation that is kept. */
static void need_operands(struct sd_trace *trace, const struct sd_op *op)
{
    uint8_t *needed = trace->needed;
    unsigned first, end;

    needed[op->a] = 1;
    switch ((enum sd_opcode)op->code) {
    case SD_CALL:
        for (unsigned i = 0; i < trace->calls[op->imm].n_args; i++)
            needed[trace->calls[op->imm].args[i]] = 1;
        return;
    case SD_GET:
        trace->live[op->imm] = true;
        return;
    case SD_PUTI:
        needed[op->dst] = 1;
        return;
    case SD_GETI:
        end = sd_op_words(op, &first);
        for (unsigned i = first; i < end; i++)
            trace->live[i] = true;
        return;
    case SD_STORE:
    case SD_STOREIF:
        if (trace->needs_memory)
            needed[op->b] = 1;
        needed[op->c] = 1;
        return;
    case SD_READ:
    case SD_WRITE: /* c is a size */
        needed[op->b] = 1;
        return;
    default:
        needed[op->b] = 1;
        needed[op->c] = 1;
    }
}

static bool is_kept(const struct sd_trace *trace, const struct sd_op *op)
{
    unsigned first, end;

    switch ((enum sd_opcode)op->code) {
    case SD_LOAD:
    case SD_LOADIF: /* one that is not recorded makes no dependency */
        return op->site != 0 || trace->needed[op->dst] != 0;
    case SD_READ:
        return op->site != 0;
    case SD_STORE:
    case SD_STOREIF:
    case SD_WRITE:
    case SD_LOOP:
    case SD_LEAVE:
    case SD_AGAIN:
        return true;
    case SD_PUT:
        return trace->live[op->imm];
    case SD_PUTI:
        end = sd_op_words(op, &first);
        while (first < end && !trace->live[first])
            first++;
        return first < end;
    default:
        return trace->needed[op->dst] != 0;
    }
}

/* One pass backwards.  What it finds to be needed makes more needed in the
   iteration before, so it is repeated until nothing is added: true if this
   pass added something. */
static bool mark(struct sd_trace *trace)
{
    bool was_live[SD_N_WORDS], needed_memory = trace->needs_memory;

    memcpy(was_live, trace->live, sizeof was_live);
    memset(trace->needed, 0, trace->n_temps);
    for (size_t i = trace->n_ops; i-- > 0;) {
        const struct sd_op *op = &trace->ops[i];

        if (!is_kept(trace, op))
            continue;
        if ((op->code == SD_LOAD || op->code == SD_LOADIF) &&
            trace->needed[op->dst])
            trace->needs_memory = true;
        need_operands(trace, op);
    }
    return trace->needs_memory != needed_memory ||
           memcmp(was_live, trace->live, sizeof was_live) != 0;
}

/* Drops what is not needed, and the values of stores if none is. */
static void sweep(struct sd_trace *trace)
{
    size_t n = 0;

    for (size_t i = 0; i < trace->n_ops; i++) {
        struct sd_op op = trace->ops[i];

        if (!is_kept(trace, &op))
            continue;
        if (!trace->needs_memory &&
            (op.code == SD_STORE || op.code == SD_STOREIF))
            op.b = SD_ZERO;
        trace->ops[n++] = op;
    }
    trace->n_ops = n;
}

void sd_trace_prune(struct sd_trace *trace)
{
    trace->needed = memory_grow(trace->needed, &trace->needed_room,
                                trace->n_temps, sizeof *trace->needed);
    while (mark(trace))
        ;
    sweep(trace);
}
