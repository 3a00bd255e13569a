/*
 * sd_analyse: finds the dependencies of one block of machine code.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "run/sd_analyse.h"

#include <assert.h>
#include <stdlib.h>

#include "array.h"
#include "lift/sd_lift.h"

const char *const sd_scope_names[] = {[SD_SCOPE_BLOCK] = "block",
                                      [SD_SCOPE_LOOP] = "loop",
                                      [SD_SCOPE_FUNCTION] = "function",
                                      [SD_SCOPE_PROGRAM] = "program",
                                      NULL};

/* Harnesses put the stack and the frame elsewhere. */
static void begin_same(struct sd_exec *exec, enum arch arch)
{
    struct sd_abi abi = guest_abi(arch);

    exec->is_same = true;
    for (unsigned i = abi.first; i < abi.end; i++)
        if (i != abi.stack_pointer && i != abi.frame_pointer)
            sd_regset_add(&exec->same, i);
}

void sd_analyser_init(struct sd_analyser *a, const struct sd_settings *s)
{
    *a = (struct sd_analyser){.settings = *s};
    sd_splice_init(&a->splice, s->arch, s->rob);
    sd_exec_init(&a->exec, guest_initial(s->arch));
    if (s->is_same)
        begin_same(&a->exec, s->arch);
    sd_reroll_init(&a->reroll);
    a->counts = memory_new(1, sizeof *a->counts);
}

void sd_analyser_fini(struct sd_analyser *a)
{
    sd_trace_fini(&a->trace);
    sd_splice_fini(&a->splice);
    sd_exec_fini(&a->exec);
    sd_reroll_fini(&a->reroll);
    sd_origin_fini(&a->origin);
    free(a->unknowns);
    free(a->counts);
    a->counts = NULL;
}

void sd_analyser_clear(struct sd_analyser *a)
{
    sd_reroll_begin(&a->reroll);
    a->n_unknowns = 0;
    a->origin.n = 0;
}

/* The sums over all instructions of a block. */
struct sum {
    enum sd_status status;
    size_t n_ops;
    bool loads, stores;
};

/* Continues after an instruction that cannot be lifted, so that all are
   counted. */
static struct sum sum_up(const struct sd_analyser *a,
                         const struct sd_code_block *block)
{
    struct sum sum = {.status = SD_OK};
    uint32_t offset = 0;

    for (uint32_t i = 0; i < block->n_insns; i++) {
        unsigned length = block->insns[i] & (SD_NO_EFFECT - 1u);
        const struct sd_insn *insn;

        offset += length;
        if (block->insns[i] & SD_NO_EFFECT)
            continue;
        insn =
            sd_lift(a->settings.arch, block->bytes + offset - length, length);
        if (insn->status != SD_OK)
            sum.status = insn->status;
        else if (insn->length != length)
            a->counts->n_lengths_differ++;
        a->counts->n_by_operands += insn->by_operands;
        for (size_t k = 0; k < insn->n_unsupported; k++)
            a->counts->n_unsupported[insn->unsupported[k]]++;
        sum.n_ops += insn->n_ops;
        sum.loads |= insn->loads;
        sum.stores |= insn->stores;
    }
    return sum;
}

/* Builds the block's trace; false if it is too long. */
static bool build(struct sd_analyser *a, const struct sd_code_block *block)
{
    uint32_t offset = 0;

    sd_trace_begin(&a->trace);
    for (uint32_t i = 0; i < block->n_insns; i++) {
        unsigned length = block->insns[i] & (SD_NO_EFFECT - 1u);

        if (block->insns[i] & SD_NO_EFFECT)
            sd_trace_skip(&a->trace);
        else if (a->trace.n_ops > SD_MOST_OPS)
            return false;
        else
            sd_trace_add(
                &a->trace,
                sd_lift(a->settings.arch, block->bytes + offset, length),
                block->address + offset);
        offset += length;
    }
    assert(a->trace.n_sites == block->n_insns);
    if (block->node != NULL)
        sd_splice_add(&a->splice, &a->trace, block->node);
    sd_trace_end(&a->trace);
    return true;
}

/* The number of iterations that have at least rob + n instructions, if the
   block and its back path have n. */
static uint32_t iterations(const struct sd_settings *s, uint32_t n)
{
    uint64_t k = ((uint64_t)s->rob + n + n - 1) / n;

    assert(s->rob >= 1 && k >= 2 && k <= UINT32_MAX);
    return (uint32_t)k;
}

static void collect_unknowns(struct sd_analyser *a, uint32_t n_insns)
{
    for (uint32_t i = 0; i < n_insns; i++) {
        uint8_t kinds = a->exec.did[i + 1] & /* the site */
                        (SD_UNKNOWN_LOAD | SD_UNKNOWN_STORE);

        if (kinds == 0)
            continue;
        array_append(a, unknowns,
                     (struct sd_unknown){i, (kinds & SD_UNKNOWN_LOAD) != 0,
                                         (kinds & SD_UNKNOWN_STORE) != 0});
    }
}

/* Runs the block with each seed; false if that took too much work. */
static bool run_seeds(struct sd_analyser *a, const struct sd_code_block *block)
{
    const struct sd_settings *s = &a->settings;
    uint32_t n = iterations(s, block->n_insns + a->trace.n_back);

    assert(a->reroll.n_deps == 0 && a->n_unknowns == 0);
    for (uint32_t i = 0; i < s->n_seeds; i++) {
        uint64_t key = sd_random(s->seed + i, block->salt);

        uint32_t done = sd_exec_run(
            &a->exec, &a->trace, key, n, &a->reroll,
            i == 0 ? sd_origin_probes(&a->origin, &a->trace) : NULL);

        if (done == 0)
            return false;
        sd_reroll_end_run(&a->reroll, done, s->threshold);
        assert(a->reroll.n_deps == 0 ||
               a->reroll.deps[a->reroll.n_deps - 1].src < block->n_insns);
        if (i == 0)
            collect_unknowns(a, block->n_insns);
        if (a->reroll.n_deps == 0)
            break; /* no dependency has survived */
    }
    sd_origin_find(&a->origin, &a->exec, &a->trace,
                   sd_random(s->seed, block->salt));
    if (a->exec.work > a->exec.most_work)
        return false;
    a->counts->n_run++;
    for (size_t i = 0; i < a->n_unknowns; i++) {
        a->counts->n_unknown_loads += a->unknowns[i].loads;
        a->counts->n_unknown_stores += a->unknowns[i].stores;
    }
    return true;
}

enum sd_status sd_analyse(struct sd_analyser *a,
                          const struct sd_code_block *block)
{
    struct sum sum = sum_up(a, block);
    bool can_depend = sum.loads && sum.stores;

    sd_analyser_clear(a);
    a->exec.work = can_depend ? SD_WORK_OF_BLOCK : 0;
    if (sum.status != SD_OK)
        return sum.status;
    /* A trace may have more operations than its instructions, but less than
       twice as many: such a block cannot be too long. */
    if (!can_depend && 2 * sum.n_ops <= SD_MOST_OPS)
        return SD_OK;
    if (a->exec.work > a->exec.most_work)
        return SD_TOO_COSTLY;
    if (!build(a, block))
        return SD_TOO_LONG;
    if (!can_depend || run_seeds(a, block))
        return SD_OK;
    sd_analyser_clear(a);
    return SD_TOO_COSTLY;
}
