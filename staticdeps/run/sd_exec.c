/*
 * sd_exec: runs a block's trace again and again over shadow registers and
 * shadow memory, and hands every read-after-write pair to a recorder.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "run/sd_exec.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

#define MAX_ELEMENTS 1024
#define MAX_REPEATED (1u << 16)

/* One run: what an operation needs. */
struct run {
    struct sd_exec *exec;
    struct sd_trace *trace;
    struct sd_reroll *reroll;
    unsigned site_bits;  /* of the writers */
    uint32_t iteration;  /* the time of the writers */
    uint32_t n_repeated; /* elements of rep instructions so far */
    uint64_t fresh_key;
    uint64_t n_fresh;        /* random numbers drawn so far */
    bool is_warming;         /* nothing is recorded yet */
    bool never_settles;      /* all iterations have to be run */
    uint32_t enough;         /* the iteration that shows all pairs, or 0 */
    bool needs_no_memory;    /* nor does any value depend on it */
    struct sd_probe *probes; /* NULL: nobody asks for addresses */
};

void sd_exec_init(struct sd_exec *exec, const struct sd_initial *initial)
{
    for (const struct sd_initial *r = initial; r->offset != UINT_MAX; r++)
        assert(r->offset % 8 == 0 && r->offset / 8 < SD_N_WORDS);
    *exec = (struct sd_exec){.initial = initial};
    sd_shadow_init(&exec->shadow);
}

void sd_exec_fini(struct sd_exec *exec)
{
    sd_shadow_fini(&exec->shadow);
    sd_steady_fini(&exec->steady);
    free(exec->did);
    *exec = (struct sd_exec){0};
}

static void unknown_address(const struct run *run, uint32_t site, uint8_t kind)
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

/* Records the writers of `size` bytes that a site read. */
static void record(const struct run *run, uint32_t site,
                   const uint32_t *writers, unsigned size)
{
    uint32_t last = SD_NO_WRITER;
    unsigned bits = run->site_bits;

    if (site == 0 || run->is_warming)
        return;
    for (unsigned i = 0; i < size; i++) {
        if (writers[i] == last || writers[i] == SD_NO_WRITER)
            continue;
        last = writers[i];
        run->exec->did[site] |= SD_IS_WRITTEN;
        assert(sd_writer_site(bits, last) >= 1);
        sd_reroll_add(run->reroll, sd_writer_site(bits, last) - 1, site - 1,
                      run->iteration - sd_writer_time(bits, last),
                      run->iteration);
    }
}

/* Notes the address of an access, 0 for a load and 1 for a store. */
static void probe(const struct run *run, const struct sd_op *op, int is_store,
                  uint64_t address)
{
    struct sd_probe *p = &run->probes[2 * op->site + (unsigned)is_store];

    if (op->site != 0 && run->iteration == 1 && !p->has_happened)
        *p = (struct sd_probe){address, true};
}

static struct sd_value load(const struct run *run, const struct sd_op *op)
{
    struct sd_value address = run->trace->temps[op->a], value;
    uint32_t writers[8];

    if (!sd_is_known(address)) {
        unknown_address(run, op->site, SD_UNKNOWN_LOAD);
        return sd_bottom(op->width);
    }
    if (run->probes != NULL)
        probe(run, op, 0, address.bits + (uint64_t)(int64_t)op->disp);
    if (run->needs_no_memory)
        return sd_known(0);
    value = sd_shadow_load(&run->exec->shadow,
                           address.bits + (uint64_t)(int64_t)op->disp,
                           op->width / 8u, writers);
    record(run, op->site, writers, op->width / 8u);
    return value;
}

static void store(const struct run *run, const struct sd_op *op,
                  struct sd_value value)
{
    struct sd_value address = run->trace->temps[op->a];
    uint32_t writer = SD_NO_WRITER;

    if (!sd_is_known(address)) {
        unknown_address(run, op->site, SD_UNKNOWN_STORE);
        return;
    }
    if (run->probes != NULL)
        probe(run, op, 1, address.bits + (uint64_t)(int64_t)op->disp);
    if (run->needs_no_memory)
        return;
    if (op->site != 0 && !run->is_warming)
        writer = sd_writer(run->site_bits, op->site, run->iteration);
    sd_shadow_store(&run->exec->shadow,
                    address.bits + (uint64_t)(int64_t)op->disp, op->width / 8u,
                    value, writer);
}

/* SD_READ and SD_WRITE: any number of bytes, eight at a time. */
static void access_bytes(const struct run *run, const struct sd_op *op)
{
    struct sd_op part = {.site = op->site, .a = op->a};

    for (uint32_t done = 0; done < op->c; done += part.width / 8u) {
        uint32_t left = op->c - done;

        part.width = left >= 8 ? 64 : (uint8_t)(8 * left);
        part.disp = (int16_t)done;
        if (op->code == SD_READ)
            load(run, &part);
        else
            store(run, &part, sd_bottom(part.width));
        if (run->needs_no_memory)
            break;
    }
}

/* A guarded load whose guard is bottom takes place, but whether
   its value is used is unknown. */
static struct sd_value load_if(const struct run *run, const struct sd_op *op)
{
    struct sd_value guard = run->trace->temps[op->b], value;

    if (sd_is_known(guard) && guard.bits == 0)
        return sd_known(0);
    value = load(run, op);
    return sd_is_known(guard) ? value : sd_bottom(op->width);
}

static void store_if(const struct run *run, const struct sd_op *op)
{
    struct sd_value guard = run->trace->temps[op->c];

    if (sd_is_known(guard) && guard.bits == 0)
        return;
    store(run, op,
          sd_is_known(guard) ? run->trace->temps[op->b] : sd_bottom(op->width));
}

/* The element of a rotating register file that an index names: its word, and
   where in it; false if the index is unknown. */
static bool element(const struct run *run, const struct sd_op *op,
                    unsigned *word, unsigned *shift)
{
    struct sd_value index = run->trace->temps[op->a];
    uint32_t offset;

    if (!sd_is_known(index))
        return false;
    /* The sum wraps as 32-bit numbers do, and c divides 2^32. */
    offset = op->b + ((uint32_t)index.bits + (uint32_t)op->disp) % op->c *
                         (op->width / 8u);
    assert(offset % 8 * 8 + op->width <= 64 && offset / 8 < SD_N_WORDS);
    *word = offset / 8;
    *shift = offset % 8 * 8;
    return true;
}

static struct sd_value get_indexed(const struct run *run,
                                   const struct sd_op *op)
{
    struct sd_op extract = {.code = SD_EXTRACT, .width = op->width};
    unsigned word, shift;

    if (!element(run, op, &word, &shift))
        return sd_bottom(op->width);
    extract.imm = shift;
    return sd_op_eval(&extract, run->exec->registers[word], sd_known(0),
                      sd_known(0));
}

static void put_indexed(const struct run *run, const struct sd_op *op)
{
    struct sd_op deposit = {.code = SD_DEPOSIT, .width = op->width};
    struct sd_value *registers = run->exec->registers;
    unsigned word, shift;

    if (!element(run, op, &word, &shift)) {
        unsigned end = sd_op_words(op, &word);

        for (; word < end; word++)
            registers[word] = sd_bottom(64);
        return;
    }
    deposit.imm = shift;
    registers[word] = sd_op_eval(&deposit, registers[word],
                                 run->trace->temps[op->dst], sd_known(0));
}

/* Both sequences begin at the same key, far from each other. */
static struct sd_value fresh(struct run *run, const struct sd_op *op)
{
    return sd_known(sd_random(
        run->fresh_key, op->imm != 0 ? UINT64_MAX - op->imm : run->n_fresh++));
}

static void step(struct run *run, const struct sd_op *op)
{
    struct sd_value *t = run->trace->temps;

    switch ((enum sd_opcode)op->code) {
    case SD_GET:
        t[op->dst] = run->exec->registers[op->imm];
        break;
    case SD_PUT:
        run->exec->registers[op->imm] = t[op->a];
        break;
    case SD_FRESH:
        t[op->dst] = fresh(run, op);
        break;
    case SD_LOAD:
        t[op->dst] = load(run, op);
        break;
    case SD_STORE:
        store(run, op, t[op->b]);
        break;
    case SD_LOADIF:
        t[op->dst] = load_if(run, op);
        break;
    case SD_STOREIF:
        store_if(run, op);
        break;
    case SD_READ:
    case SD_WRITE:
        if (!sd_is_known(t[op->b]) || t[op->b].bits != 0)
            access_bytes(run, op);
        break;
    case SD_GETI:
        t[op->dst] = get_indexed(run, op);
        break;
    case SD_PUTI:
        put_indexed(run, op);
        break;
    case SD_CALL:
        t[op->dst] = sd_call_eval(&run->trace->calls[op->imm], t);
        break;
    case SD_ADD: /* most of what is left of most blocks */
        if (op->width == 64 && (t[op->a].bottom | t[op->b].bottom) == 0) {
            t[op->dst] = sd_known(t[op->a].bits + t[op->b].bits);
            break;
        }
        __attribute__((fallthrough));
    default:
        t[op->dst] = sd_op_eval(op, t[op->a], t[op->b], t[op->c]);
    }
}

/* Runs the loop of a rep instruction, of which `op` is behind its SD_LOOP;
   returns what comes behind its SD_AGAIN. */
static const struct sd_op *repeat(struct run *run, const struct sd_op *op)
{
    const struct sd_value *t = run->trace->temps;
    const struct sd_op *first = op;
    bool repeats = false, leaves = false;

    for (;; op++) {
        if (op->code == SD_LEAVE) {
            leaves = sd_is_known(t[op->a]) && t[op->a].bits != 0;
            repeats = sd_is_known(t[op->b]) && t[op->b].bits <= MAX_ELEMENTS &&
                      run->n_repeated++ < MAX_REPEATED;
        } else if (op->code != SD_AGAIN) {
            if (!leaves)
                step(run, op);
        } else if (leaves || !repeats || !sd_is_known(t[op->a]) ||
                   t[op->a].bits == 0) {
            return op + 1;
        } else {
            op = first - 1;
        }
    }
}

static void iterate(struct run *run)
{
    const struct sd_op *op = run->trace->ops, *end = op + run->trace->n_ops;

    run->exec->n_rounds++;
    while (op < end) {
        if (op->code == SD_LOOP) {
            op = repeat(run, op + 1);
        } else {
            step(run, op);
            op++;
        }
    }
}

/* Do all iterations to come show the pairs that this one shows, and no others?
   Once it seems so, it has to be so as well when all pairs have occurred. */
static bool has_settled(struct run *run, uint32_t n_iterations)
{
    struct sd_steady *steady = &run->exec->steady;
    uint32_t k = run->iteration, rounds = 0;
    bool is_second = run->enough != 0;

    if (run->never_settles)
        return false;
    if (is_second ? k == run->enough : k >= 1) {
        rounds = sd_steady_rounds(steady, run->trace, n_iterations, is_second,
                                  run->exec->did, SD_IS_WRITTEN);
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

static void start(struct sd_exec *exec, const struct sd_trace *trace,
                  uint64_t key, uint64_t memory_key)
{
    for (unsigned i = 0; i < SD_N_WORDS; i++)
        if (trace->live[i]) /* nothing reads the others */
            exec->registers[i] = sd_known(sd_random(key, i));
    for (const struct sd_initial *r = exec->initial; r->offset != UINT_MAX; r++)
        exec->registers[r->offset / 8] = r->value;
    /* Another sequence than that of the registers. */
    sd_shadow_clear(&exec->shadow, sd_random(memory_key, UINT64_MAX - 1));
}

static void clear_probes(struct sd_probe *probes, const struct sd_trace *trace)
{
    memset(probes, 0, 2 * ((size_t)trace->n_sites + 1) * sizeof *probes);
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
                      .never_settles = exec->never_settles || n_iterations <= 3,
                      .probes = probes};

    assert(trace->n_sites > 0 && n_iterations > 0);
    assert(n_iterations - 1 <= UINT32_MAX >> run.site_bits);
    exec->unknown_loads = exec->unknown_stores = 0;
    exec->did = memory_grow(exec->did, &exec->did_room, trace->n_sites, 1);
    memset(exec->did, 0, trace->n_sites + 1);
    start(exec, trace, key, key);
    sd_steady_begin(&exec->steady);
    if (probes != NULL)
        clear_probes(probes, trace);
    if (trace->is_on_back_path) {
        run.is_warming = true;
        iterate(&run);
        run.is_warming = false;
        if (!run.never_settles)
            sd_steady_note(&exec->steady, trace);
    }
    for (; run.iteration < n_iterations; run.iteration++) {
        if (run.iteration >= 2 && run.n_repeated >= MAX_REPEATED)
            break;
        iterate(&run);
        if (has_settled(&run, n_iterations)) {
            sd_reroll_repeat(reroll, run.iteration, n_iterations);
            run.iteration = n_iterations;
            break;
        }
    }
    assert(run.iteration == n_iterations || run.iteration >= 2);
    assert(exec->unknown_loads <= trace->n_sites &&
           exec->unknown_stores <= trace->n_sites);
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
    clear_probes(probes, trace);
    start(exec, trace, key, memory_key);
    if (trace->is_on_back_path)
        iterate(&run);
    for (; run.iteration < 2; run.iteration++)
        iterate(&run);
}
