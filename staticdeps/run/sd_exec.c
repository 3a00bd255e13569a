/*
 * sd_exec: runs a block's trace many times on shadow registers and shadow
 * memory, and records each read-after-write pair.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "run/sd_exec.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "run/internal.h"

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

/* Will all further iterations show exactly the pairs of this one?  If sd_steady
   first says so, it is asked again after the iteration in which all pairs have
   occurred. */
static bool has_settled(struct sd_run *run, uint32_t n_iterations)
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

/* Do at least as many instructions precede the last iteration as in n
   iterations without elements of rep instructions? */
static bool is_long_enough(const struct sd_run *run, uint32_t n_iterations,
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
        if (trace->live[i]) /* the others are not read */
            exec->registers[i] = sd_known(
                sd_regset_has(&exec->same, i) ? SD_SAME : sd_random(key, i));
    for (const struct sd_initial *r = exec->initial; r->offset != UINT_MAX; r++)
        exec->registers[r->offset / 8] = r->value;
    /* The registers have another sequence. */
    sd_memory_clear(&exec->memory, exec->is_same
                                       ? SD_SAME_KEY
                                       : sd_random(memory_key, UINT64_MAX - 1));
}

/* Makes room for the stores of an iteration. */
static void begin_stores(struct sd_run *run)
{
    size_t first = (size_t)run->iteration * run->trace->n_sites;

    array_reserve(run->exec, stored, first + run->trace->n_sites - 1);
    run->stored = run->exec->stored + first;
}

static void clear_probes(struct sd_probe *probes, const struct sd_trace *trace)
{
    memset(probes, 0, 2 * ((size_t)trace->n_sites + 1) * sizeof *probes);
}

uint32_t sd_exec_run(struct sd_exec *exec, struct sd_trace *trace, uint64_t key,
                     uint32_t n_iterations, struct sd_reroll *reroll,
                     struct sd_probe *probes)
{
    struct sd_run run = {.exec = exec,
                         .trace = trace,
                         .reroll = reroll,
                         .site_bits = sd_site_bits(trace->n_sites),
                         .fresh_key = sd_random(key, UINT64_MAX - 2),
                         .never_settles = exec->never_settles ||
                                          exec->is_same || n_iterations <= 3,
                         .probes = probes};
    uint64_t n_elements = 0; /* before the last iteration */

    assert(trace->n_sites > 0 && n_iterations > 0);
    assert(n_iterations - 1 <= UINT32_MAX >> run.site_bits);
    exec->unknown_loads = exec->unknown_stores = 0;
    array_reserve(exec, did, trace->n_sites);
    memset(exec->did, 0, trace->n_sites + 1);
    start(exec, trace, key, key);
    sd_steady_begin(&exec->steady);
    if (probes != NULL)
        clear_probes(probes, trace);
    if (trace->is_on_back_path) {
        run.is_warming = true;
        sd_exec_iterate(&run);
        run.is_warming = false;
        run.n_elements = 0;
        if (!run.never_settles)
            sd_steady_note(&exec->steady, trace);
    }
    for (; !is_long_enough(&run, n_iterations, n_elements); run.iteration++) {
        n_elements = run.n_elements;
        begin_stores(&run);
        sd_exec_iterate(&run);
        if (exec->work > exec->most_work)
            return 0;
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
    struct sd_run run = {.exec = exec,
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
        sd_exec_iterate(&run);
    for (; run.iteration < 2; run.iteration++)
        sd_exec_iterate(&run);
}
