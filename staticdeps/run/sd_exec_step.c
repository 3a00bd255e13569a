/*
 * sd_exec_step: executes the operations of an iteration.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "run/sd_exec.h"

#include <assert.h>
#include <string.h>

#include "forward.h"
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

static struct sd_value load(const struct sd_run *run, const struct sd_op *op)
{
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
    writers = sd_shadow_peek(&run->exec->shadow, address_of(run, op),
                             op->width / 8u, &value);
    if (writers == NULL) {
        value = sd_shadow_load(&run->exec->shadow, address_of(run, op),
                               op->width / 8u, copy);
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

static void store(const struct sd_run *run, const struct sd_op *op,
                  struct sd_value value)
{
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
    sd_shadow_store(&run->exec->shadow, address_of(run, op), op->width / 8u,
                    value, writer);
}

/* Executes SD_READ and SD_WRITE, which access any number of bytes, eight at a
   time. */
static void access_bytes(const struct sd_run *run, const struct sd_op *op)
{
    struct sd_op part = {
        .site = op->site, .a = op->a, .c = op->c, .imm = op->imm};

    for (uint32_t done = 0; done < op->c; done += part.width / 8u) {
        uint32_t left = op->c - done;

        part.width = left >= 8 ? 64 : (uint8_t)(8 * left);
        part.disp = (int16_t)done;
        run->exec->work += done > 0;
        if (op->code == SD_READ)
            load(run, &part);
        else
            store(run, &part, sd_bottom(part.width));
        if (run->needs_no_memory)
            break;
    }
}

/* A load with an unknown guard is executed, but its result is unknown. */
static struct sd_value load_if(const struct sd_run *run, const struct sd_op *op)
{
    struct sd_value guard = run->trace->temps[op->b], value;

    if (sd_is_known(guard) && guard.bits == 0)
        return sd_known(0);
    value = load(run, op);
    return sd_is_known(guard) ? value : sd_bottom(op->width);
}

static void store_if(const struct sd_run *run, const struct sd_op *op)
{
    struct sd_value guard = run->trace->temps[op->c];

    if (sd_is_known(guard) && guard.bits == 0)
        return;
    store(run, op,
          sd_is_known(guard) ? run->trace->temps[op->b] : sd_bottom(op->width));
}

/* Finds the element of a rotating register file that an index selects: its
   word, and its place in the word; false if the index is unknown. */
static bool element(const struct sd_run *run, const struct sd_op *op,
                    unsigned *word, unsigned *shift)
{
    struct sd_value index = run->trace->temps[op->a];
    uint32_t offset;

    if (!sd_is_known(index))
        return false;
    /* The sum wraps at 32 bits, and c divides 2^32. */
    offset = op->b + ((uint32_t)index.bits + (uint32_t)op->disp) % op->c *
                         (op->width / 8u);
    assert(offset % 8 * 8 + op->width <= 64 && offset / 8 < SD_N_WORDS);
    *word = offset / 8;
    *shift = offset % 8 * 8;
    return true;
}

static struct sd_value get_indexed(const struct sd_run *run,
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

static void put_indexed(const struct sd_run *run, const struct sd_op *op)
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

/* Two sequences with one key, which start far from each other. */
static struct sd_value fresh(struct sd_run *run, const struct sd_op *op)
{
    return sd_known(sd_random(
        run->fresh_key, op->imm != 0 ? UINT64_MAX - op->imm : run->n_fresh++));
}

/* Inlined in both callers, to save a call for each operation. */
__attribute__((always_inline)) static inline void step(struct sd_run *run,
                                                       const struct sd_op *op)
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
    case SD_ADD: /* the three most frequent pure operations */
        t[op->dst] = (t[op->a].bottom | t[op->b].bottom) != 0
                         ? sd_bottom(op->width)
                         : sd_known((t[op->a].bits + t[op->b].bits) &
                                    sd_mask(op->width));
        break;
    case SD_EXTRACT:
        t[op->dst] = sd_op_extract(op, t[op->a]);
        break;
    case SD_DEPOSIT:
        t[op->dst] = sd_op_deposit(op, t[op->a], t[op->b]);
        break;
    default:
        t[op->dst] = sd_op_eval(op, t[op->a], t[op->b], t[op->c]);
    }
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
        sd_shadow_fill(&run->exec->shadow, address, to - from,
                       writer_of(run, op->site));
    else
        sd_shadow_writers(&run->exec->shadow, address, to - from, record_read,
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

/* Runs the loop of a rep instruction; `op` is the operation after its SD_LOOP.
   Returns the operation after its SD_AGAIN. */
static const struct sd_op *repeat(struct sd_run *run, const struct sd_op *op)
{
    const struct sd_value *t = run->trace->temps;
    const struct sd_op *first = op;
    bool repeats = false, leaves = false, is_first = true;
    uint64_t n = 0; /* the number of elements, if `repeats` */

    for (;; op++) {
        if (op->code == SD_LEAVE) {
            n = t[op->b].bits;
            leaves = sd_is_known(t[op->a]) && t[op->a].bits != 0;
            repeats = sd_is_known(t[op->b]) && n <= MAX_ELEMENTS &&
                      run->n_repeated++ < MAX_REPEATED;
            run->n_elements += !is_first && !leaves;
        } else if (op->code != SD_AGAIN) {
            run->exec->n_steps++;
            run->exec->work++;
            if (!leaves)
                step(run, op);
        } else if (leaves || !repeats || !sd_is_known(t[op->a]) ||
                   t[op->a].bits == 0 ||
                   (is_first && repeat_at_once(run, first, n - 1))) {
            return op + 1;
        } else {
            op = first - 1;
            is_first = false;
        }
    }
}

void sd_exec_iterate(struct sd_run *run)
{
    const struct sd_op *op = run->trace->ops, *end = op + run->trace->n_ops;

    run->exec->n_rounds++;
    run->exec->work += run->trace->n_ops;
    while (op < end) {
        if (op->code == SD_LOOP) {
            op = repeat(run, op + 1);
        } else {
            step(run, op);
            op++;
        }
    }
}
