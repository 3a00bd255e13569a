/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "block/sd_analyse.h"

#include <limits.h>

#include "occurrence.h"
#include "interpret/sd_interpret.h"

#define MAX_ELEMENTS 1024
#define MAX_REPEATED (1u << 16)
#define CHEAP        16 /* so many granules of a large access cost 1 */

/* The state of one run. */
struct run {
    struct sd_exec *exec;
    struct sd_trace *trace;
    struct sd_reroll *reroll;
    unsigned site_bits;  /* the bits of a site in writers */
    uint32_t iteration;  /* number of the iteration: the time of writers */
    uint32_t n_repeated; /* times that a rep instruction tested its count */
    uint64_t n_elements; /* elements, without the first of each instruction */
    uint64_t fresh_key;
    uint64_t n_fresh;        /* random numbers drawn up to now */
    bool is_warming;         /* in the iteration that is not recorded */
    bool never_settles;      /* all iterations have to be run */
    uint32_t enough;         /* the iteration that shows all pairs, or 0 */
    bool needs_no_memory;    /* no address depends on a loaded value */
    struct sd_probe *probes; /* NULL: addresses are not noted */
    struct sd_bytes *stored; /* by site - 1: its last store in this iteration */
};

/* The bytes that a site read, and their writers. */
struct reading {
    uint32_t site;
    const uint32_t *writers;
    struct sd_bytes bytes;
};

/* Is a store near its load, in the sense of common/occurrence.h? */
static bool is_near(const struct run *run, const struct reading *r,
                    uint32_t writer)
{
    uint64_t n_insns = (uint64_t)run->trace->n_sites + run->trace->n_back;
    uint32_t time = sd_writer_time(run->site_bits, writer);

    return writer != SD_NO_WRITER &&
           (run->iteration - time) * n_insns + r->site -
                   sd_writer_site(run->site_bits, writer) <=
               FORWARD_NEAR;
}

/* How the bytes of a load lie to the bytes of a store, which is one of the
   writers of the load. */
static struct sd_overlap overlap(const struct run *run, const struct reading *r,
                                 uint32_t writer)
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
static void record(const struct run *run, const struct reading *r,
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
static void record_part(const struct run *run, const struct sd_op *op,
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
static void probe(const struct run *run, const struct sd_op *op, int is_store,
                  uint64_t address)
{
    struct sd_probe *p = &run->probes[2 * op->site + (unsigned)is_store];

    if (op->site != 0 && run->iteration == 1 && !p->has_happened)
        *p = (struct sd_probe){address, true};
}

/* The address of an access, which must be known. */
static uint64_t address_of(const struct run *run, const struct sd_op *op)
{
    return run->trace->temps[op->a].bits + (uint64_t)(int64_t)op->disp;
}

static struct sd_value load(void *of, const struct sd_op *op)
{
    const struct run *run = of;
    struct sd_value value;
    uint32_t copy[8];

    if (!sd_is_known(run->trace->temps[op->a])) {
        run->exec->did[op->site] |= SD_UNKNOWN_LOAD;
        return sd_bottom(op->width);
    }
    if (run->probes != NULL)
        probe(run, op, 0, address_of(run, op));
    if (run->needs_no_memory)
        return sd_known(0);
    const uint32_t *writers = sd_memory_peek(
        &run->exec->memory, address_of(run, op), op->width / 8u, &value);
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

static uint32_t writer_of(const struct run *run, uint32_t site)
{
    return site != 0 && !run->is_warming
               ? sd_writer(run->site_bits, site, run->iteration)
               : SD_NO_WRITER;
}

static void store(void *of, const struct sd_op *op, struct sd_value value)
{
    const struct run *run = of;

    if (!sd_is_known(run->trace->temps[op->a])) {
        run->exec->did[op->site] |= SD_UNKNOWN_STORE;
        return;
    }
    if (run->probes != NULL)
        probe(run, op, 1, address_of(run, op));
    if (run->needs_no_memory)
        return;
    uint32_t writer = writer_of(run, op->site);
    if (writer != SD_NO_WRITER && op->disp == 0)
        run->stored[op->site - 1] =
            (struct sd_bytes){address_of(run, op), (uint32_t)op->imm};
    sd_memory_store(&run->exec->memory, address_of(run, op), op->width / 8u,
                    value, writer);
}

/* How many bytes to access: the first part will do if no value is needed. */
static uint32_t extent(void *of, const struct sd_op *op)
{
    const struct run *run = of;

    if (run->needs_no_memory)
        return op->c < 8 ? op->c : 8;
    assert(op->c > 0);
    run->exec->work += (op->c - 1) / 8;
    return op->c;
}

static struct sd_value unknown(void *of, unsigned width)
{
    (void)of;
    return sd_bottom(width);
}

/* Draws from two sequences of one key, which start far from each other. */
static struct sd_value fresh(void *of, const struct sd_op *op)
{
    struct run *run = of;

    return sd_known(sd_random(
        run->fresh_key, op->imm != 0 ? UINT64_MAX - op->imm : run->n_fresh++));
}

static struct sd_value call(void *of, const struct sd_op *op)
{
    const struct run *run = of;

    return sd_call_eval(&run->trace->calls[op->imm], run->trace->temps);
}

static struct sd_value eval(void *of, const struct sd_op *op)
{
    const struct run *run = of;
    const struct sd_value *t = run->trace->temps;

    return sd_op_eval(op, t[op->a], t[op->b], t[op->c]);
}

/* A site that reads the elements of a rep instruction. */
struct reader {
    const struct run *run;
    uint32_t site;
};

static void record_read(void *context, const uint32_t *writers, unsigned n)
{
    const struct reader *reader = context;

    record(reader->run, &(struct reading){reader->site, writers, {0, 0}}, n);
}

/* Accesses bytes `from` up to `to` of all bytes of a rep instruction, counted
   from the start of the first element in the direction of the instruction. */
static void access_elements(const struct run *run, const struct sd_op *op,
                            int64_t step, uint64_t from, uint64_t to)
{
    uint64_t address =
        address_of(run, op) + (step > 0 ? from : op->width / 8u - to);
    struct reader reader = {run, op->site};

    if (to <= from)
        return;
    uint64_t granules = (address % 8 + to - from + 7) / 8;
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
   executed.  Bytes up to `meets` are loaded before the stores, others after. */
static void access_all(const struct run *run, const struct sd_rep *rep,
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

/* Executes at once the elements of a rep instruction after the first, and its
   last test of the count; false if it is not one large access. */
static bool repeat_at_once(struct run *run, const struct sd_op *first,
                           uint64_t n)
{
    struct sd_value *registers = run->exec->registers;
    struct sd_rep rep;

    if (run->exec->never_joins || n == 0 ||
        run->n_repeated + n >= MAX_REPEATED ||
        !sd_rep_find(&rep, run->trace, first))
        return false;
    uint64_t meets = sd_rep_meets(&rep, run->trace);
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
    struct run *run = of;
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
    struct run *run = of;
    struct sd_value again = run->trace->temps[op->a];
    uint64_t n_ops = (uint64_t)(op - r->first) - 1; /* without SD_LEAVE */

    assert(op > r->first && op->code == SD_AGAIN);
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

static void iterate(struct run *run)
{
    const struct sd_machine machine = {run->trace->temps, run->exec->registers,
                                       run};

    run->exec->n_rounds++;
    run->exec->work += run->trace->n_ops;
    sd_interpret(&policy, &machine, run->trace->ops, run->trace->n_ops);
}

void sd_exec_init(struct sd_exec *exec, const struct sd_initial *initial)
{
    for (const struct sd_initial *r = initial; r->offset != UINT_MAX; r++)
        assert(r->offset % 8 == 0 && r->offset / 8 < SD_N_WORDS);
    *exec = (struct sd_exec){.initial = initial, .most_work = UINT64_MAX};
}

void sd_exec_fini(struct sd_exec *exec)
{
    sd_memory_fini(&exec->memory);
    sd_steady_fini(&exec->steady);
    free(exec->did);
    free(exec->stored);
    *exec = (struct sd_exec){0};
}

/* Will all further iterations show exactly the pairs of this one?  When
   sd_steady first says yes, it is asked again after the iteration in which all
   pairs have occurred. */
static bool has_settled(struct run *run, uint32_t n_iterations)
{
    struct sd_steady *steady = &run->exec->steady;
    uint32_t k = run->iteration, rounds = 0;
    bool is_second = run->enough != 0;

    if (run->never_settles)
        return false;
    if (is_second ? k == run->enough : k >= 1) {
        rounds = sd_steady_rounds(steady, run->trace, n_iterations, is_second,
                                  run->exec->did);
        if (rounds == 1 || (is_second && rounds != 0))
            return true;
        run->never_settles = is_second || rounds >= n_iterations - k ||
                             (rounds == 0 && steady->n_notes == SD_MAX_NOTES);
        run->enough = rounds == 0 ? 0 : k - 1 + rounds;
    }
    if (run->enough == 0 || k + 1 == run->enough)
        sd_steady_note(steady, run->trace);
    return false;
}

/* Do at least as many instructions precede the last iteration as there are in
   n_iterations without elements of rep instructions? */
static bool is_long_enough(const struct run *run, uint32_t n_iterations,
                           uint64_t n_elements)
{
    uint64_t n_insns = (uint64_t)run->trace->n_sites + run->trace->n_back;

    return run->iteration >= n_iterations ||
           (run->iteration >= 2 &&
            run->iteration * n_insns + n_elements >= n_iterations * n_insns);
}

static void start(struct sd_exec *exec, const struct sd_trace *trace,
                  uint64_t key, uint64_t memory_key)
{
    for (unsigned i = 0; i < SD_N_WORDS; i++)
        if (trace->live[i]) /* other registers are not read */
            exec->registers[i] = sd_known(
                sd_regset_has(&exec->same, i) ? SD_SAME : sd_random(key, i));
    for (const struct sd_initial *r = exec->initial; r->offset != UINT_MAX; r++)
        exec->registers[r->offset / 8] = r->value;
    /* Memory draws from another sequence than the registers. */
    sd_memory_clear(&exec->memory, exec->is_same
                                       ? SD_SAME_KEY
                                       : sd_random(memory_key, UINT64_MAX - 1));
}

uint32_t sd_exec_run(struct sd_exec *exec, struct sd_trace *trace, uint64_t key,
                     uint32_t n_iterations, struct sd_reroll *reroll,
                     struct sd_probe *probes)
{
    struct run run = {.exec = exec,
                      .trace = trace,
                      .reroll = reroll,
                      .site_bits = sd_site_bits(trace->n_sites),
                      .fresh_key = sd_random(key, UINT64_MAX - 2),
                      .never_settles = exec->never_settles || exec->is_same ||
                                       n_iterations <= 3,
                      .probes = probes};
    uint64_t n_elements = 0; /* elements before the last iteration */
    size_t first;

    assert(trace->n_sites > 0 && n_iterations > 0);
    assert(n_iterations - 1 <= UINT32_MAX >> run.site_bits);
    array_reserve(exec, did, trace->n_sites);
    memset(exec->did, 0, trace->n_sites + 1);
    start(exec, trace, key, key);
    exec->steady.n_notes = 0;
    if (trace->is_on_back_path) {
        run.is_warming = true;
        iterate(&run);
        run.is_warming = false;
        run.n_elements = 0;
        if (!run.never_settles)
            sd_steady_note(&exec->steady, trace);
    }
    for (; !is_long_enough(&run, n_iterations, n_elements); run.iteration++) {
        n_elements = run.n_elements;
        first = (size_t)run.iteration * trace->n_sites;
        array_reserve(exec, stored, first + trace->n_sites - 1);
        run.stored = exec->stored + first;
        iterate(&run);
        if (exec->work > exec->most_work)
            return 0;
        if (has_settled(&run, n_iterations)) {
            sd_reroll_repeat(reroll, run.iteration, n_iterations);
            run.iteration = n_iterations;
            break;
        }
    }
    assert(run.iteration == n_iterations || run.iteration >= 2);
    return run.iteration;
}

void sd_exec_probe(struct sd_exec *exec, struct sd_trace *trace, uint64_t key,
                   uint64_t memory_key, struct sd_probe *probes)
{
    struct run run = {.exec = exec,
                      .trace = trace,
                      .site_bits = sd_site_bits(trace->n_sites),
                      .fresh_key = sd_random(key, UINT64_MAX - 2),
                      .is_warming = true,
                      .needs_no_memory = !trace->needs_memory,
                      .probes = probes};

    assert(trace->n_sites > 0 && exec->did_room > trace->n_sites);
    start(exec, trace, key, memory_key);
    if (trace->is_on_back_path)
        iterate(&run);
    for (; run.iteration < 2; run.iteration++)
        iterate(&run);
}
