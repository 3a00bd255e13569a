/* sd_trace_ops: the operations of a complete trace: which operations are
   needed, and which rep instructions are one large access. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "block/sd_trace.h"

/* What is needed: the addresses and guards of all accesses, except loads on the
   back path whose value is not needed; registers that the next iteration reads
   for something needed; and stored values, if any loaded value is needed. */

/* The registers of an operation; in a complete trace, GET and PUT name whole
   words. */
static unsigned words(const struct sd_op *op, unsigned *first)
{
    if (sd_op_is(op, SD_IS_INDEXED))
        return sd_op_words(op, first);
    *first = (unsigned)op->imm;
    return *first + 1;
}

/* Marks as needed the operands of an operation that is kept. */
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

/* Is an operation kept?  Loads that are not recorded make no dependency. */
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

/* Makes one pass backwards; true if the pass found more values to be needed.
   What is needed at the start of an iteration is needed at the end of the one
   before, so passes are repeated until a pass adds nothing. */
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

/* Do the operands of an operation exist, and is its result a new temporary?
 *last is the newest result of the operations before. */
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

void sd_trace_sweep(struct sd_trace *trace)
{
    uint32_t last_temp = SD_ZERO, last_site = 1;
    bool is_repeated = false;
    size_t n = 0;

    array_reserve(trace, needed, trace->n_temps);
    while (mark(trace))
        ;
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

/* --- Rep instructions that are one large access --- */

/* The most operations of an element; all rep instructions have fewer. */
#define MOST_OPS 32

/* The operation of an element that sets a temporary; NULL if none does. */
static const struct sd_op *definition(const struct sd_rep *rep, uint32_t temp)
{
    for (const struct sd_op *op = rep->begin; op < rep->end; op++)
        if (sd_op_is(op, SD_HAS_RESULT) && op->dst == temp)
            return op;
    return NULL;
}

/* The operation of an element that writes a register; NULL if none does. */
static const struct sd_op *put_of(const struct sd_rep *rep, uint64_t word)
{
    for (const struct sd_op *op = rep->begin; op < rep->end; op++)
        if (op->code == SD_PUT && op->imm == word)
            return op;
    return NULL;
}

/* The operation that reads a moving register into a temporary when an element
   begins; NULL if the temporary has another value. */
static const struct sd_op *moving(const struct sd_rep *rep, uint32_t temp)
{
    const struct sd_op *get = definition(rep, temp);

    return get != NULL && get->code == SD_GET && put_of(rep, get->imm) != NULL
               ? get
               : NULL;
}

/* Has a temporary the same value in each element? */
static bool is_fixed(const struct sd_rep *rep, uint32_t temp)
{
    const struct sd_op *op = definition(rep, temp);

    if (op == NULL)
        return true;
    return op->code == SD_GET ? put_of(rep, op->imm) == NULL
                              : op->code == SD_SHL && is_fixed(rep, op->a) &&
                                    is_fixed(rep, op->b);
}

/* Does the register of an SD_PUT move by a fixed number in each element? */
static bool moves(const struct sd_rep *rep, const struct sd_op *put)
{
    const struct sd_op *sum = definition(rep, put->a), *get;

    if (sum == NULL || (sum->code != SD_ADD && sum->code != SD_SUB) ||
        sum->width != 64 || put_of(rep, put->imm) != put)
        return false;
    get = moving(rep, sum->a);
    return get != NULL && get < put && get->imm == put->imm &&
           is_fixed(rep, sum->b);
}

static bool set_once(const struct sd_op **which, const struct sd_op *op)
{
    if (*which != NULL)
        return false;
    *which = op;
    return true;
}

static bool is_of_one(struct sd_rep *rep, const struct sd_op *op)
{
    const struct sd_op *equals;

    switch ((enum sd_opcode)op->code) {
    case SD_GET:
    case SD_CMPEQ: /* its only user, SD_LEAVE, is checked */
    case SD_ADD:   /* its SD_PUT is checked */
    case SD_SUB:
        return true;
    case SD_SHL:
        return is_fixed(rep, op->dst);
    case SD_PUT:
        return moves(rep, op);
    case SD_LEAVE:
        equals = definition(rep, op->a);
        return set_once(&rep->leave, op) && equals != NULL &&
               equals->code == SD_CMPEQ && equals->width == 64 &&
               equals->a == op->b && equals->b == SD_ZERO &&
               moving(rep, op->b) != NULL;
    case SD_LOAD:
        return rep->leave != NULL && rep->store == NULL &&
               set_once(&rep->load, op) && moving(rep, op->a) != NULL;
    case SD_STORE:
        return rep->leave != NULL && set_once(&rep->store, op) &&
               moving(rep, op->a) != NULL;
    default:
        return false;
    }
}

int64_t sd_rep_step(const struct sd_rep *rep, const struct sd_trace *trace,
                    const struct sd_op *put)
{
    const struct sd_value *t = trace->temps;
    uint32_t before = definition(rep, put->a)->a;

    assert(put->code == SD_PUT);
    return sd_is_known(t[before]) && sd_is_known(t[put->a])
               ? (int64_t)(t[put->a].bits - t[before].bits)
               : 0;
}

/* How far the register that a temporary holds moves in each element. */
static int64_t step_of(const struct sd_rep *rep, const struct sd_trace *trace,
                       uint32_t temp)
{
    return sd_rep_step(rep, trace, put_of(rep, moving(rep, temp)->imm));
}

static bool lies_beside(const struct sd_op *op, int64_t step)
{
    return op == NULL || step == op->width / 8 || step == -(op->width / 8);
}

bool sd_rep_find(struct sd_rep *rep, const struct sd_trace *trace,
                 const struct sd_op *op)
{
    const struct sd_value *t = trace->temps;

    assert(op > trace->ops && op[-1].code == SD_LOOP);
    *rep = (struct sd_rep){.begin = op, .end = op};
    while (rep->end->code != SD_AGAIN)
        rep->end++;
    if (trace->needs_memory || rep->end - rep->begin > MOST_OPS ||
        definition(rep, rep->end->a) != NULL || !sd_is_known(t[rep->end->a]) ||
        t[rep->end->a].bits == 0)
        return false;
    for (; op < rep->end; op++)
        if (!is_of_one(rep, op))
            return false;
    if (rep->leave == NULL || step_of(rep, trace, rep->leave->b) != -1)
        return false;
    if (rep->load != NULL)
        rep->load_step = step_of(rep, trace, rep->load->a);
    if (rep->store != NULL)
        rep->store_step = step_of(rep, trace, rep->store->a);
    return lies_beside(rep->load, rep->load_step) &&
           lies_beside(rep->store, rep->store_step);
}

uint64_t sd_rep_meets(const struct sd_rep *rep, const struct sd_trace *trace)
{
    const struct sd_value *t = trace->temps;

    assert(rep->leave != NULL && rep->end->code == SD_AGAIN);
    if (rep->load == NULL || rep->store == NULL)
        return UINT64_MAX;
    if (rep->load_step != rep->store_step)
        return 0;
    uint64_t ahead = t[rep->store->a].bits +
                     (uint64_t)(int64_t)rep->store->disp -
                     t[rep->load->a].bits - (uint64_t)(int64_t)rep->load->disp;
    if (rep->load_step < 0)
        ahead = 0 - ahead;
    if (ahead == 0 || (int64_t)ahead < 0)
        return UINT64_MAX;
    return ahead < rep->load->width / 8u ? 0 : ahead;
}
