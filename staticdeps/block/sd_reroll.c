/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "block/sd_reroll.h"

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
