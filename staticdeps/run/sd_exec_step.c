/*
 * sd_exec_step: executes the operations of an iteration.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "run/sd_exec.h"

#include <assert.h>
#include <string.h>

#include "forward.h"
#include "random/sd_interpret.h"
#include "run/internal.h"

#define MAX_ELEMENTS 1024
#define MAX_REPEATED (1u << 16)
#define CHEAP        16 /* granules of a large access that cost as much as one */

static void unknown_address(const struct sd_run *run, uint32_t site,
                            uint8_t kind)
{
    struct sd_exec *exec = run->exec;

    if (site == 0 || exec->did[site] & kind)
        return;
    exec->did[site] |= kind;
    if (kind == SD_UNKNOWN_LOAD)
        exec->unknown_loads++;
    else
        exec->unknown_stores++;
}

/* The bytes that a site read, and their writers. */
struct reading {
    uint32_t site;
    const uint32_t *writers;
    struct sd_bytes bytes;
};

/* Is a store of the trace near its load, as common/forward.h says? */
static bool is_near(const struct sd_run *run, const struct reading *r,
                    uint32_t writer)
{
    uint64_t n_insns = (uint64_t)run->trace->n_sites + run->trace->n_back;
    uint32_t time = sd_writer_time(run->site_bits, writer);

    return writer != SD_NO_WRITER &&
           (run->iteration - time) * n_insns + r->site -
                   sd_writer_site(run->site_bits, writer) <=
               FORWARD_NEAR;
}

/* How the bytes of a load lie to those of the store that one of its writers
   is. */
static struct sd_overlap overlap(const struct sd_run *run,
                                 const struct reading *r, uint32_t writer)
{
    size_t row =
        (size_t)sd_writer_time(run->site_bits, writer) * run->trace->n_sites;
    bool are_several = false;
    unsigned n = 0;

    for (unsigned i = 0; i < r->bytes.size; i++)
        if (r->writers[i] == writer)
            n++;
        else
            are_several |= is_near(run, r, r->writers[i]);
    return sd_overlap_of(
        &r->bytes,
        &run->exec->stored[row + sd_writer_site(run->site_bits, writer) - 1], n,
        are_several && is_near(run, r, writer) ? SD_SEVERAL : SD_PARTIAL);
}

/* Records the writers of `size` bytes that a site read, which are all bytes of
   an access, unless their size is not known. */
static void record(const struct sd_run *run, const struct reading *r,
                   unsigned size)
{
    uint32_t last = SD_NO_WRITER;
    unsigned bits = run->site_bits;

    if (r->site == 0 || run->is_warming)
        return;
    for (unsigned i = 0; i < size; i++) {
        if (r->writers[i] == last || r->writers[i] == SD_NO_WRITER)
            continue;
        last = r->writers[i];
        run->exec->did[r->site] |= SD_IS_WRITTEN;
        assert(sd_writer_site(bits, last) >= 1);
        sd_reroll_add(run->reroll, sd_writer_site(bits, last) - 1, r->site - 1,
                      run->iteration - sd_writer_time(bits, last),
                      run->iteration,
                      r->bytes.size != 0 ? overlap(run, r, last)
                                         : (struct sd_overlap){0});
    }
}

/* Records the writers of a part of a load, at the load's last part. */
static void record_part(const struct sd_run *run, const struct sd_op *op,
                        const uint32_t *writers)
{
    uint32_t *all = run->exec->reading,
             end = (uint32_t)op->disp + op->width / 8u;

    assert(end <= op->c);
    memcpy(&all[op->disp], writers, op->width / 8u * sizeof *writers);
    if (end == op->c)
        record(run,
               &(struct reading){
                   op->site, all, {run->trace->temps[op->a].bits, op->c}},
               op->c);
}

/* Notes the address of an access; `is_store` is 0 or 1. */
static void probe(const struct sd_run *run, const struct sd_op *op,
                  int is_store, uint64_t address)
{
    struct sd_probe *p = &run->probes[2 * op->site + (unsigned)is_store];

    if (op->site != 0 && run->iteration == 1 && !p->has_happened)
        *p = (struct sd_probe){address, true};
}

/* The address of an access, which must be known. */
static uint64_t address_of(const struct sd_run *run, const struct sd_op *op)
{
    return run->trace->temps[op->a].bits + (uint64_t)(int64_t)op->disp;
}

static struct sd_value load(void *of, const struct sd_op *op)
{
    const struct sd_run *run = of;
    struct sd_value value;
    const uint32_t *writers;
    uint32_t copy[8];

    if (!sd_is_known(run->trace->temps[op->a])) {
        unknown_address(run, op->site, SD_UNKNOWN_LOAD);
        return sd_bottom(op->width);
    }
    if (run->probes != NULL)
        probe(run, op, 0, address_of(run, op));
    if (run->needs_no_memory)
        return sd_known(0);
    writers = sd_memory_peek(&run->exec->memory, address_of(run, op),
                             op->width / 8u, &value);
    if (writers == NULL) {
        value = sd_memory_load(&run->exec->memory, address_of(run, op),
                               op->width / 8u, false, copy);
        writers = copy;
    }
    if (op->c > op->width / 8u && op->c <= SD_MOST_OVERLAP)
        record_part(run, op, writers);
    else if (writers != SD_UNWRITTEN)
        record(run,
               &(struct reading){
                   op->site,
                   writers,
                   {address_of(run, op), op->c <= SD_MOST_OVERLAP ? op->c : 0}},
               op->width / 8u);
    return value;
}

static uint32_t writer_of(const struct sd_run *run, uint32_t site)
{
    return site != 0 && !run->is_warming
               ? sd_writer(run->site_bits, site, run->iteration)
               : SD_NO_WRITER;
}

static void store(void *of, const struct sd_op *op, struct sd_value value)
{
    const struct sd_run *run = of;
    uint32_t writer;

    if (!sd_is_known(run->trace->temps[op->a])) {
        unknown_address(run, op->site, SD_UNKNOWN_STORE);
        return;
    }
    if (run->probes != NULL)
        probe(run, op, 1, address_of(run, op));
    if (run->needs_no_memory)
        return;
    writer = writer_of(run, op->site);
    if (writer != SD_NO_WRITER && op->disp == 0)
        run->stored[op->site - 1] =
            (struct sd_bytes){address_of(run, op), (uint32_t)op->imm};
    sd_memory_store(&run->exec->memory, address_of(run, op), op->width / 8u,
                    value, writer);
}

/* If no value is needed, the first part tells the address. */
static uint32_t extent(void *of, const struct sd_op *op)
{
    const struct sd_run *run = of;

    if (run->needs_no_memory)
        return op->c < 8 ? op->c : 8;
    run->exec->work += op->c > 0 ? (op->c - 1) / 8 : 0;
    return op->c;
}

static struct sd_value unknown(void *of, unsigned width)
{
    (void)of;
    return sd_bottom(width);
}

/* Two sequences with one key, which start far from each other. */
static struct sd_value fresh(void *of, const struct sd_op *op)
{
    struct sd_run *run = of;

    return sd_known(sd_random(
        run->fresh_key, op->imm != 0 ? UINT64_MAX - op->imm : run->n_fresh++));
}

static struct sd_value call(void *of, const struct sd_op *op)
{
    const struct sd_run *run = of;

    return sd_call_eval(&run->trace->calls[op->imm], run->trace->temps);
}

static struct sd_value eval(void *of, const struct sd_op *op)
{
    const struct sd_run *run = of;
    const struct sd_value *t = run->trace->temps;

    return sd_op_eval(op, t[op->a], t[op->b], t[op->c]);
}

/* The site that reads the elements of a rep instruction. */
struct reader {
    const struct sd_run *run;
    uint32_t site;
};

static void record_read(void *context, const uint32_t *writers, unsigned n)
{
    const struct reader *reader = context;

    record(reader->run, &(struct reading){reader->site, writers, {0, 0}}, n);
}

/* Accesses bytes `from` up to `to` of what all elements of a rep instruction
   access, counted in its direction from the start of the first element. */
static void access_elements(const struct sd_run *run, const struct sd_op *op,
                            int64_t step, uint64_t from, uint64_t to)
{
    uint64_t address =
        address_of(run, op) + (step > 0 ? from : op->width / 8u - to);
    struct reader reader = {run, op->site};
    uint64_t granules;

    if (to <= from)
        return;
    granules = (address % 8 + to - from + 7) / 8;
    run->exec->n_steps += granules;
    run->exec->work += granules / CHEAP;
    if (op->code == SD_STORE)
        sd_memory_fill(&run->exec->memory, address, to - from,
                       writer_of(run, op->site));
    else
        sd_memory_writers(&run->exec->memory, address, to - from, record_read,
                          &reader);
}

/* Accesses all elements of a rep instruction but the first, which was just
   executed.  Loads up to `meets` come before the stores, the others after. */
static void access_all(const struct sd_run *run, const struct sd_rep *rep,
                       uint64_t n, uint64_t meets)
{
    uint64_t size = (rep->load != NULL ? rep->load : rep->store)->width / 8u;
    uint64_t end = (n + 1) * size;
    uint64_t own = meets < end ? meets : end;

    if (rep->load != NULL)
        access_elements(run, rep->load, rep->load_step, size, own);
    if (rep->store != NULL)
        access_elements(run, rep->store, rep->store_step, size, end);
    if (rep->load != NULL)
        access_elements(run, rep->load, rep->load_step, own, end);
}

/* Executes the elements of a rep instruction after the first at once, and its
   last test of the count; false if that is not possible. */
static bool repeat_at_once(struct sd_run *run, const struct sd_op *first,
                           uint64_t n)
{
    struct sd_value *registers = run->exec->registers;
    struct sd_rep rep;
    uint64_t meets;

    if (run->exec->never_joins || n == 0 ||
        run->n_repeated + n >= MAX_REPEATED ||
        !sd_rep_find(&rep, run->trace, first))
        return false;
    meets = sd_rep_meets(&rep, run->trace);
    if (meets == 0)
        return false;
    if (!run->needs_no_memory && (rep.load != NULL || rep.store != NULL))
        access_all(run, &rep, n, meets);
    for (const struct sd_op *op = rep.begin; op < rep.end; op++)
        if (op->code == SD_PUT)
            registers[op->imm].bits +=
                n * (uint64_t)sd_rep_step(&rep, run->trace, op);
    run->n_repeated += (uint32_t)n + 1;
    run->n_elements += n;
    return true;
}

/* Is the number of elements known, and not too large to be executed? */
static bool leaves(void *of, const struct sd_op *op, struct sd_repeat *r)
{
    struct sd_run *run = of;
    struct sd_value end = run->trace->temps[op->a],
                    left = run->trace->temps[op->b];
    bool leaves = sd_is_known(end) && end.bits != 0;

    r->n = left.bits;
    r->is_counted = sd_is_known(left) && left.bits <= MAX_ELEMENTS &&
                    run->n_repeated++ < MAX_REPEATED;
    run->n_elements += r->n_done > 0 && !leaves;
    return leaves;
}

static bool goes_on(void *of, const struct sd_op *op, struct sd_repeat *r)
{
    struct sd_run *run = of;
    struct sd_value again = run->trace->temps[op->a];
    uint64_t n_ops = (uint64_t)(op - r->first) - 1; /* without the SD_LEAVE */

    run->exec->n_steps += n_ops;
    run->exec->work += n_ops;
    return !r->leaves && r->is_counted && sd_is_known(again) &&
           again.bits != 0 &&
           !(r->n_done == 0 && repeat_at_once(run, r->first, r->n - 1));
}

static const struct sd_policy policy = {.draws = false,
                                        .unknown = unknown,
                                        .fresh = fresh,
                                        .load = load,
                                        .store = store,
                                        .call = call,
                                        .eval = eval,
                                        .extent = extent,
                                        .leaves = leaves,
                                        .goes_on = goes_on};

void sd_exec_iterate(struct sd_run *run)
{
    const struct sd_machine machine = {run->trace->temps, run->exec->registers,
                                       run};

    run->exec->n_rounds++;
    run->exec->work += run->trace->n_ops;
    sd_interpret(&policy, &machine, run->trace->ops, run->trace->n_ops);
}
