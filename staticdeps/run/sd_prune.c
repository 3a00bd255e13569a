/*
 * sd_prune: drops the operations of a block that nobody needs.
 *
 * Needed are the addresses and guards of all accesses, but for loads elsewhere
 * of which nobody needs the value; registers that the next iteration reads for
 * something needed; and what is stored, if anything that is loaded is needed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "memory.h"
#include "run/sd_trace.h"

/* Marks the operands of an operation that is kept. */
static void need_operands(struct sd_trace *code, const struct sd_op *op)
{
    uint8_t *needed = code->needed;
    unsigned first, end;

    needed[op->a] = 1;
    switch ((enum sd_opcode)op->code) {
    case SD_CALL:
        for (unsigned i = 0; i < code->calls[op->imm].n_args; i++)
            needed[code->calls[op->imm].args[i]] = 1;
        return;
    case SD_GET:
        code->live[op->imm] = true;
        return;
    case SD_PUTI:
        needed[op->dst] = 1;
        return;
    case SD_GETI:
        end = sd_op_words(op, &first);
        for (unsigned i = first; i < end; i++)
            code->live[i] = true;
        return;
    case SD_STORE:
    case SD_STOREIF:
        if (code->needs_memory)
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

static bool is_kept(const struct sd_trace *code, const struct sd_op *op)
{
    unsigned first, end;

    switch ((enum sd_opcode)op->code) {
    case SD_LOAD:
    case SD_LOADIF: /* one elsewhere makes no dependency */
        return op->insn < code->n_insns || code->needed[op->dst] != 0;
    case SD_READ:
        return op->insn < code->n_insns;
    case SD_STORE:
    case SD_STOREIF:
    case SD_WRITE:
    case SD_LOOP:
    case SD_LEAVE:
    case SD_AGAIN:
        return true;
    case SD_PUT:
        return code->live[op->imm];
    case SD_PUTI:
        end = sd_op_words(op, &first);
        while (first < end && !code->live[first])
            first++;
        return first < end;
    default:
        return code->needed[op->dst] != 0;
    }
}

/* One pass backwards.  What it finds to be needed makes more needed in the
   iteration before, so it is repeated until nothing is added: true if this
   pass added something. */
static bool mark(struct sd_trace *code)
{
    bool was_live[SD_N_WORDS], needed_memory = code->needs_memory;

    memcpy(was_live, code->live, sizeof was_live);
    memset(code->needed, 0, code->n_temps);
    for (size_t i = code->n_ops; i-- > 0;) {
        const struct sd_op *op = &code->ops[i];

        if (!is_kept(code, op))
            continue;
        if ((op->code == SD_LOAD || op->code == SD_LOADIF) &&
            code->needed[op->dst])
            code->needs_memory = true;
        need_operands(code, op);
    }
    return code->needs_memory != needed_memory ||
           memcmp(was_live, code->live, sizeof was_live) != 0;
}

/* Drops what is not needed, and the values of stores if none is. */
static void sweep(struct sd_trace *code)
{
    size_t n = 0;

    for (size_t i = 0; i < code->n_ops; i++) {
        struct sd_op op = code->ops[i];

        if (!is_kept(code, &op))
            continue;
        if (!code->needs_memory &&
            (op.code == SD_STORE || op.code == SD_STOREIF))
            op.b = SD_ZERO;
        code->ops[n++] = op;
    }
    code->n_ops = n;
}

void sd_trace_prune(struct sd_trace *code)
{
    code->needed = memory_grow(code->needed, &code->needed_room, code->n_temps,
                               sizeof *code->needed);
    while (mark(code))
        ;
    sweep(code);
}
