/*
 * sd_reroll: turns the pairs of an unrolled block into dependencies.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "block/sd_reroll.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"

#define FIRST_BITS 8
#define N_TABLES   (sizeof((struct sd_reroll *)0)->tables / sizeof(void *))

/* Uses a table, none of whose entries belong to this run. */
static void use_table(struct sd_reroll *reroll, unsigned bits)
{
    assert(bits < N_TABLES);
    if (reroll->tables[bits] == NULL)
        reroll->tables[bits] =
            memory_new((size_t)1 << bits, sizeof *reroll->table);
    reroll->table = reroll->tables[bits];
    reroll->bits = bits;
}

void sd_reroll_init(struct sd_reroll *reroll)
{
    *reroll = (struct sd_reroll){.generation = 1};
    sd_reroll_begin(reroll);
}

void sd_reroll_fini(struct sd_reroll *reroll)
{
    for (unsigned bits = 0; bits < N_TABLES; bits++)
        free(reroll->tables[bits]);
    free(reroll->deps);
    *reroll = (struct sd_reroll){0};
}

static void forget_pairs(struct sd_reroll *reroll)
{
    reroll->n_used = 0;
    use_table(reroll, FIRST_BITS);
    if (++reroll->generation != 0)
        return;
    for (unsigned bits = 0; bits < N_TABLES; bits++)
        if (reroll->tables[bits] != NULL)
            memset(reroll->tables[bits], 0,
                   ((size_t)1 << bits) * sizeof *reroll->table);
    reroll->generation = 1;
}

void sd_reroll_begin(struct sd_reroll *reroll)
{
    forget_pairs(reroll);
    reroll->n_deps = 0;
    reroll->is_first = true;
}

/* The pair's place, or the free place for it. */
static struct sd_pair *place(const struct sd_reroll *reroll, uint32_t src,
                             uint32_t dst, uint32_t delta_k)
{
    size_t mask = ((size_t)1 << reroll->bits) - 1;
    uint64_t key = ((uint64_t)src << 32 | dst) * UINT64_C(0x9e3779b97f4a7c15);
    size_t i;

    key = (key ^ key >> 29 ^ delta_k) * UINT64_C(0xbf58476d1ce4e5b9);
    i = (size_t)(key >> (64 - reroll->bits));
    for (;; i = (i + 1) & mask) {
        struct sd_pair *p = &reroll->table[i];

        if (p->generation != reroll->generation ||
            (p->src == src && p->dst == dst && p->delta_k == delta_k))
            return p;
    }
}

static void grow(struct sd_reroll *reroll)
{
    const struct sd_pair *old = reroll->table;
    size_t n = (size_t)1 << reroll->bits;

    use_table(reroll, reroll->bits + 1);
    for (size_t i = 0; i < n; i++)
        if (old[i].generation == reroll->generation)
            *place(reroll, old[i].src, old[i].dst, old[i].delta_k) = old[i];
    assert(2 * reroll->n_used <= (size_t)1 << reroll->bits);
}

void sd_reroll_add(struct sd_reroll *reroll, uint32_t src, uint32_t dst,
                   uint32_t delta_k, uint32_t k, struct sd_overlap overlap)
{
    struct sd_pair *p = place(reroll, src, dst, delta_k);

    assert(delta_k <= k);
    if (p->generation != reroll->generation) {
        if (2 * ++reroll->n_used > (size_t)1 << reroll->bits) {
            grow(reroll);
            p = place(reroll, src, dst, delta_k);
        }
        *p = (struct sd_pair){src,    dst, delta_k, 1, k, reroll->generation,
                              overlap};
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
    for (size_t i = 0; reroll->n_used > 0 && i < (size_t)1 << reroll->bits;
         i++) {
        struct sd_pair *p = &reroll->table[i];

        if (p->generation != reroll->generation || p->last != last)
            continue;
        p->count += n_iterations - 1 - last;
        p->last = n_iterations - 1;
    }
}

static int compare(const void *x, const void *y)
{
    const struct sd_dep *a = x, *b = y;

    return array_order(a->src, b->src)
               ?: array_order(a->dst, b->dst)
               ?: array_order(a->delta_k, b->delta_k);
}

static double support(const struct sd_pair *p, uint32_t n_iterations)
{
    assert(p->last < n_iterations && p->count <= n_iterations - p->delta_k);
    return (double)p->count / (double)(n_iterations - p->delta_k);
}

static void keep_all(struct sd_reroll *reroll, uint32_t n_iterations,
                     double threshold)
{
    for (size_t i = 0; reroll->n_used > 0 && i < (size_t)1 << reroll->bits;
         i++) {
        const struct sd_pair *p = &reroll->table[i];

        if (p->generation != reroll->generation ||
            support(p, n_iterations) < threshold)
            continue;
        array_append(reroll, deps,
                     (struct sd_dep){p->src, p->dst, p->delta_k,
                                     support(p, n_iterations), p->overlap});
    }
    array_sort(reroll->deps, reroll->n_deps, compare);
}

static void keep_confirmed(struct sd_reroll *reroll, uint32_t n_iterations,
                           double threshold)
{
    size_t n = 0;

    for (size_t i = 0; i < reroll->n_deps; i++) {
        struct sd_dep dep = reroll->deps[i];
        const struct sd_pair *p = place(reroll, dep.src, dep.dst, dep.delta_k);

        if (p->generation != reroll->generation ||
            support(p, n_iterations) < threshold)
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
    if (reroll->is_first)
        keep_all(reroll, n_iterations, threshold);
    else
        keep_confirmed(reroll, n_iterations, threshold);
    assert(is_sorted(reroll));
    reroll->is_first = false;
    forget_pairs(reroll);
}
