/*
 * sd_prune: drops the operations of a trace that are not needed.
 *
 * The following are needed: the addresses and guards of all accesses, except
 * loads on the back path whose value is not needed; registers that the next
 * iteration reads for something needed; and stored values, if any loaded value
 * is needed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>
#include <string.h>

#include "array.h"
#include "run/internal.h"
#include "run/sd_trace.h"

/* The registers of an operation; in a complete trace, GET and PUT name whole
   words. */
static unsigned words(const struct sd_op *op, unsigned *first)
{
    if (sd_op_is(op, SD_IS_INDEXED))
        return sd_op_words(op, first);
    *first = (unsigned)op->imm;
    return *first + 1;
}

/* Marks the operands of a kept operation as needed. */
static void need_operands(struct sd_trace *trace, const struct sd_op *op)
{
    uint8_t *needed = trace->needed;
    unsigned info = sd_op_info[op->code], word, end;

    if (info & SD_READS_A)
        needed[op->a] = 1;
    if (info & SD_READS_B && (!(info & SD_STORES_B) || trace->needs_memory))
        needed[op->b] = 1;
    if (info & SD_READS_C)
        needed[op->c] = 1;
    if (info & SD_READS_DST)
        needed[op->dst] = 1;
    if (info & SD_GETS)
        for (end = words(op, &word); word < end; word++)
            trace->live[word] = true;
    if (op->code == SD_CALL) {
        const struct sd_call *call = &trace->calls[op->imm];

        for (unsigned i = 0; i < call->n_args; i++)
            needed[call->args[i]] = 1;
    }
}

/* Is the operation kept?  Loads that are not recorded make no dependency. */
static bool is_kept(const struct sd_trace *trace, const struct sd_op *op)
{
    unsigned info = sd_op_info[op->code], word, end;

    if (info & SD_HAS_RESULT && trace->needed[op->dst] != 0)
        return true;
    if (info & SD_PUTS) {
        for (end = words(op, &word); word < end; word++)
            if (trace->live[word])
                return true;
        return false;
    }
    return info & (SD_STORES | SD_IS_CONTROL) ||
           (info & SD_LOADS && op->site != 0);
}

/* Makes one pass backwards; true if it found more to be needed.  What is needed
   at the start of an iteration is needed at the end of the one before, so
   passes are repeated until one adds nothing. */
static bool mark(struct sd_trace *trace)
{
    bool was_live[SD_N_WORDS], needed_memory = trace->needs_memory;

    memcpy(was_live, trace->live, sizeof was_live);
    memset(trace->needed, 0, trace->n_temps);
    for (unsigned i = 0; i < trace->n_kept; i++)
        trace->needed[trace->kept[i]] = 1;
    for (size_t i = trace->n_ops; i-- > 0;) {
        const struct sd_op *op = &trace->ops[i];

        if (!is_kept(trace, op))
            continue;
        if (sd_op_is(op, SD_LOADS) && sd_op_is(op, SD_HAS_RESULT) &&
            trace->needed[op->dst])
            trace->needs_memory = true;
        need_operands(trace, op);
    }
    return trace->needs_memory != needed_memory ||
           memcmp(was_live, trace->live, sizeof was_live) != 0;
}

/* Do the operands exist, and is the result a new temporary?  `last` is the
   newest one of the operations before. */
__attribute__((unused)) static bool is_well_formed(const struct sd_trace *trace,
                                                   const struct sd_op *op,
                                                   uint32_t *last)
{
    unsigned info = sd_op_info[op->code], first;
    size_t n = info & SD_HAS_RESULT ? op->dst : trace->n_temps;

    if ((info & SD_READS_A && op->a >= n) ||
        (info & SD_READS_B && op->b >= n) ||
        (info & SD_READS_C && op->c >= n) ||
        (info & SD_READS_DST && op->dst >= n))
        return false;
    if (info & SD_HAS_RESULT) {
        if (op->dst >= trace->n_temps || op->dst <= *last)
            return false;
        *last = op->dst;
    }
    return op->site <= trace->n_sites &&
           (!(info & (SD_GETS | SD_PUTS)) || words(op, &first) <= SD_N_WORDS);
}

/* Drops operations that are not needed, and the values of stores if no loaded
   value is. */
static void sweep(struct sd_trace *trace)
{
    uint32_t last_temp = SD_ZERO, last_site = 1;
    bool is_repeated = false;
    size_t n = 0;

    for (size_t i = 0; i < trace->n_ops; i++) {
        struct sd_op op = trace->ops[i];

        if (!is_kept(trace, &op))
            continue;
        assert(is_well_formed(trace, &op, &last_temp));
        assert(op.site == 0 || op.site >= last_site);
        last_site = op.site != 0 ? op.site : last_site;
        if (op.code == SD_LOOP || op.code == SD_AGAIN) {
            assert(is_repeated == (op.code == SD_AGAIN));
            is_repeated = op.code == SD_LOOP;
        }
        if (!trace->needs_memory && sd_op_is(&op, SD_STORES_B))
            op.b = SD_ZERO;
        trace->ops[n++] = op;
    }
    assert(!is_repeated && n <= trace->n_ops);
    trace->n_ops = n;
    (void)last_temp, (void)last_site, (void)is_repeated;
}

void sd_trace_prune(struct sd_trace *trace)
{
    array_reserve(trace, needed, trace->n_temps);
    while (mark(trace))
        ;
    sweep(trace);
}
