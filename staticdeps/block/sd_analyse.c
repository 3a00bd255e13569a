/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "block/sd_analyse.h"

const char *const sd_scope_names[] = {[SD_SCOPE_BLOCK] = "block",
                                      [SD_SCOPE_LOOP] = "loop",
                                      [SD_SCOPE_FUNCTION] = "function",
                                      [SD_SCOPE_PROGRAM] = "program",
                                      NULL};

/* --- Pairs and their support --- */

void sd_reroll_fini(struct sd_reroll *reroll)
{
    keys_fini(&reroll->keys);
    free(reroll->pairs);
    free(reroll->deps);
    *reroll = (struct sd_reroll){0};
}

void sd_reroll_begin(struct sd_reroll *reroll)
{
    keys_clear(&reroll->keys);
    reroll->n_deps = 0;
    reroll->is_later = false;
}

/* A hash of src, dst and delta_k. */
static uint64_t hash_of(uint32_t src, uint32_t dst, uint32_t delta_k)
{
    uint64_t both = keys_pair(src, dst) * UINT64_C(0x9e3779b97f4a7c15);

    return both ^ both >> 29 ^ delta_k;
}

/* A pair of the current run; NULL if the run has not shown the pair. */
static struct sd_pair *find(const struct sd_reroll *reroll, uint32_t src,
                            uint32_t dst, uint32_t delta_k)
{
    const struct sd_pair *p = reroll->pairs;
    uint32_t number = keys_match(&reroll->keys, hash_of(src, dst, delta_k), i,
                                 p[i].src == src && p[i].dst == dst &&
                                     p[i].delta_k == delta_k);

    return number != NO_KEY ? &reroll->pairs[number] : NULL;
}

void sd_reroll_add(struct sd_reroll *reroll, uint32_t src, uint32_t dst,
                   uint32_t delta_k, uint32_t k, struct sd_overlap overlap)
{
    struct sd_pair *p = find(reroll, src, dst, delta_k);

    assert(delta_k <= k);
    if (p == NULL) {
        size_t n = keys_append(&reroll->keys, hash_of(src, dst, delta_k));

        array_push(reroll->pairs, n, reroll->room,
                   (struct sd_pair){src, dst, delta_k, 1, k, overlap});
        return;
    }
    if (p->last != k) {
        assert(p->last < k);
        p->count++;
        p->last = k;
    }
    if (!sd_overlap_is(p->overlap, overlap))
        p->overlap = sd_overlap_join(p->overlap, overlap);
}

void sd_reroll_repeat(struct sd_reroll *reroll, uint32_t last,
                      uint32_t n_iterations)
{
    assert(last < n_iterations);
    for (size_t i = 0; i < reroll->keys.n; i++) {
        struct sd_pair *p = &reroll->pairs[i];

        if (p->last != last)
            continue;
        p->count += n_iterations - 1 - last;
        p->last = n_iterations - 1;
    }
}

ARRAY_ORDER(compare, struct sd_dep,
            array_order(a->src, b->src)
                ?: array_order(a->dst, b->dst)
                ?: array_order(a->delta_k, b->delta_k))

static double support(const struct sd_pair *p, uint32_t n_iterations)
{
    assert(p->last < n_iterations && p->count <= n_iterations - p->delta_k);
    return (double)p->count / (double)(n_iterations - p->delta_k);
}

static void keep_confirmed(struct sd_reroll *reroll, uint32_t n_iterations,
                           double threshold)
{
    size_t n = 0;

    for (size_t i = 0; i < reroll->n_deps; i++) {
        struct sd_dep dep = reroll->deps[i];
        const struct sd_pair *p = find(reroll, dep.src, dep.dst, dep.delta_k);

        if (p == NULL || support(p, n_iterations) < threshold)
            continue;
        if (support(p, n_iterations) < dep.support)
            dep.support = support(p, n_iterations);
        dep.overlap = sd_overlap_join(dep.overlap, p->overlap);
        reroll->deps[n++] = dep;
    }
    reroll->n_deps = n;
}

/* Are the dependencies sorted and distinct, with a support in range? */
__attribute__((unused)) static bool is_sorted(const struct sd_reroll *reroll)
{
    for (size_t i = 0; i < reroll->n_deps; i++)
        if (reroll->deps[i].support <= 0 || reroll->deps[i].support > 1 ||
            (i > 0 && compare(&reroll->deps[i - 1], &reroll->deps[i]) >= 0))
            return false;
    return true;
}

void sd_reroll_end_run(struct sd_reroll *reroll, uint32_t n_iterations,
                       double threshold)
{
    assert(threshold >= 0 && threshold <= 1);
    if (reroll->is_later)
        keep_confirmed(reroll, n_iterations, threshold);
    else {
        for (size_t i = 0; i < reroll->keys.n; i++) {
            const struct sd_pair *p = &reroll->pairs[i];

            if (support(p, n_iterations) >= threshold)
                array_append(reroll, deps,
                             (struct sd_dep){p->src, p->dst, p->delta_k,
                                             support(p, n_iterations),
                                             p->overlap});
        }
        array_sort(reroll->deps, reroll->n_deps, compare);
    }
    assert(is_sorted(reroll));
    reroll->is_later = true;
    keys_clear(&reroll->keys);
}

/* --- What addresses are computed from --- */

#define MOST_BASES 4096 /* in a block; limited, since the search is linear */

enum { FIRST, OTHER_MEMORY, OTHER_REGISTERS };

/* The number of a base, from 1 on; 0 if the block has too many bases. */
static uint16_t number_of(struct sd_origin *o, struct sd_base base)
{
    for (size_t i = o->n_bases; i-- > 0;)
        if (o->bases[i].by_memory == base.by_memory &&
            o->bases[i].by_registers == base.by_registers)
            return (uint16_t)(i + 1);
    if (o->n_bases == MOST_BASES)
        return 0;
    array_append(o, bases, base);
    return (uint16_t)o->n_bases;
}

static void add(struct sd_origin *o, uint32_t insn, bool is_store)
{
    size_t at = 2 * ((size_t)insn + 1) + is_store; /* probe of its site */
    const struct sd_probe *first = &o->probes[FIRST][at],
                          *memory = o->has_memory ? &o->probes[OTHER_MEMORY][at]
                                                  : first,
                          *registers = &o->probes[OTHER_REGISTERS][at];
    struct sd_base base;

    if (!first->has_happened && !memory->has_happened &&
        !registers->has_happened)
        return;
    if (!first->has_happened || !memory->has_happened ||
        !registers->has_happened) {
        array_push(o->accesses, o->n, o->room,
                   (struct sd_access){insn, is_store, 0, 0});
        return;
    }
    base.by_memory = memory->address - first->address;
    base.by_registers = registers->address - first->address;
    uint16_t number = number_of(o, base);
    if (number != SD_FIRST_BASE || base.by_memory != 0)
        array_push(
            o->accesses, o->n, o->room,
            (struct sd_access){insn, is_store, base.by_memory != 0, number});
}

/* Room for the probes of a run, none of which has happened yet. */
static struct sd_probe *probes(struct sd_origin *o, int which,
                               const struct sd_trace *trace)
{
    size_t n = 2 * ((size_t)trace->n_sites + 1);
    struct sd_probe *p = memory_grow(o->probes[which], &o->probes_room[which],
                                     n, sizeof **o->probes);

    memset(p, 0, n * sizeof *p);
    return o->probes[which] = p;
}

static void origin_find(struct sd_origin *o, struct sd_exec *exec,
                        struct sd_trace *trace, uint64_t key)
{
    uint64_t other = sd_random(key, UINT64_MAX - 3);

    o->has_memory = trace->needs_memory;
    if (o->has_memory)
        sd_exec_probe(exec, trace, key, other, probes(o, OTHER_MEMORY, trace));
    sd_exec_probe(exec, trace, other, key, probes(o, OTHER_REGISTERS, trace));
    o->n = o->n_bases = 0;
    for (uint32_t i = 0; i < trace->n_sites; i++) {
        add(o, i, false);
        add(o, i, true);
    }
}

/* --- The analysis of a block --- */

void sd_analyser_init(struct sd_analyser *a, const struct sd_settings *s)
{
    struct sd_abi abi = guest_abi(s->arch);

    *a = (struct sd_analyser){.settings = *s};
    sd_path_init(&a->path, s->arch, s->rob);
    sd_exec_init(&a->exec, guest_of(s->arch)->initial);
    a->exec.is_same = s->is_same;
    for (unsigned i = abi.first; i < abi.end && s->is_same; i++)
        /* Harnesses give stack and frame pointers other values. */
        if (i != abi.stack_pointer && i != abi.frame_pointer)
            sd_regset_add(&a->exec.same, i);
    a->counts = memory_new(1, sizeof *a->counts);
}

void sd_analyser_fini(struct sd_analyser *a)
{
    sd_trace_fini(&a->trace);
    sd_path_fini(&a->path);
    sd_exec_fini(&a->exec);
    sd_reroll_fini(&a->reroll);
    for (unsigned i = 0; i < 3; i++)
        free(a->origin.probes[i]);
    free(a->origin.bases);
    free(a->origin.accesses);
    free(a->unknowns);
    free(a->counts);
    a->counts = NULL;
}

/* Removes the results of the last block. */
static void clear(struct sd_analyser *a)
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

/* Sums up a block; continues after an instruction that cannot be lifted, so
   that all instructions are counted. */
static struct sum sum_up(const struct sd_analyser *a,
                         const struct sd_block *block, const uint8_t *insns)
{
    struct sum sum = {.status = SD_OK};
    uint32_t offset = 0;

    for (uint32_t i = 0; i < block->n_insns; i++) {
        unsigned length = insns[i] & (SD_NO_EFFECT - 1u);
        const struct sd_insn *insn;

        offset += length;
        if (insns[i] & SD_NO_EFFECT)
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

/* Builds the trace of a block; false if the trace is too long. */
static bool build(struct sd_analyser *a, const struct sd_block *block,
                  const uint8_t *insns)
{
    uint32_t offset = 0;

    sd_trace_begin(&a->trace, false);
    for (uint32_t i = 0; i < block->n_insns; i++) {
        unsigned length = insns[i] & (SD_NO_EFFECT - 1u);

        if (insns[i] & SD_NO_EFFECT)
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
        sd_path_append(&a->path, &a->trace, block->node);
    sd_trace_end(&a->trace);
    return true;
}

/* The number of iterations that have at least rob + n instructions, if block
   and back path have n instructions. */
static uint32_t iterations(const struct sd_settings *s, uint32_t n)
{
    uint64_t k = ((uint64_t)s->rob + n + n - 1) / n;

    assert(s->rob >= 1 && k >= 2 && k <= UINT32_MAX);
    return (uint32_t)k;
}

static void collect_unknowns(struct sd_analyser *a, uint32_t n_insns)
{
    for (uint32_t i = 0; i < n_insns; i++) {
        uint8_t kinds = a->exec.did[i + 1] & /* the site of instruction i */
                        (SD_UNKNOWN_LOAD | SD_UNKNOWN_STORE);

        if (kinds == 0)
            continue;
        array_append(a, unknowns,
                     (struct sd_unknown){i, (kinds & SD_UNKNOWN_LOAD) != 0,
                                         (kinds & SD_UNKNOWN_STORE) != 0});
    }
}

/* Runs the block with each seed; false if the runs took too much work. */
static bool run_seeds(struct sd_analyser *a, const struct sd_block *block)
{
    const struct sd_settings *s = &a->settings;
    uint32_t n = iterations(s, block->n_insns + a->trace.n_back);

    assert(a->reroll.n_deps == 0 && a->n_unknowns == 0);
    for (uint32_t i = 0; i < s->n_seeds; i++) {
        uint64_t key = sd_random(s->seed + i, block->salt);

        uint32_t done =
            sd_exec_run(&a->exec, &a->trace, key, n, &a->reroll,
                        i == 0 ? probes(&a->origin, FIRST, &a->trace) : NULL);

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
    origin_find(&a->origin, &a->exec, &a->trace,
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

enum sd_status sd_analyse(struct sd_analyser *a, const struct sd_blocks *blocks,
                          const struct sd_block *block)
{
    const uint8_t *insns = blocks->insns + block->first;

    clear(a);
    a->exec.work = 0;
    if (block->status != SD_OK || block->n_insns == 0)
        return block->status;
    assert(block->first + block->n_insns <= blocks->n_insns);
    struct sum sum = sum_up(a, block, insns);
    bool can_depend = sum.loads && sum.stores;
    a->exec.work = can_depend ? SD_WORK_OF_BLOCK : 0;
    if (sum.status != SD_OK)
        return sum.status;
    /* A trace has less than twice the operations of its instructions, so this
       block is not too long. */
    if (!can_depend && 2 * sum.n_ops <= SD_MOST_OPS)
        return SD_OK;
    if (a->exec.work > a->exec.most_work)
        return SD_TOO_COSTLY;
    if (!build(a, block, insns))
        return SD_TOO_LONG;
    if (!can_depend || run_seeds(a, block))
        return SD_OK;
    clear(a);
    return SD_TOO_COSTLY;
}
