/* oracle_deps: an array of pairs, and a hash table of indices into it. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "oracle_deps.h"

#include "basics.h"

struct oracle_deps {
    struct oracle_dep *dep;
    size_t n, capacity;
    size_t *slot; /* index + 1 into dep, or 0 */
    size_t n_slots;
};

struct oracle_deps *oracle_deps_new(void)
{
    struct oracle_deps *deps = memory_new(1, sizeof(*deps));

    deps->n_slots = 1 << 12;
    deps->slot = memory_new(deps->n_slots, sizeof(*deps->slot));
    return deps;
}

void oracle_deps_free(struct oracle_deps *deps)
{
    if (deps == NULL)
        return;
    free(deps->dep);
    free(deps->slot);
    free(deps);
}

/* The slot that holds the pair, or the empty one where it belongs. */
static size_t *find(const struct oracle_deps *deps, uint32_t src, uint32_t dst)
{
    uint64_t key = (uint64_t)src << 32 | dst;
    size_t i = (key * 0x9E3779B97F4A7C15u) >> 20;

    for (;; i++) {
        size_t *slot = &deps->slot[i % deps->n_slots];
        const struct oracle_dep *dep;

        if (*slot == 0)
            return slot;
        dep = &deps->dep[*slot - 1];
        if (dep->src == src && dep->dst == dst)
            return slot;
    }
}

static void double_slots(struct oracle_deps *deps)
{
    free(deps->slot);
    deps->n_slots *= 2;
    deps->slot = memory_new(deps->n_slots, sizeof(*deps->slot));
    for (size_t i = 0; i < deps->n; i++)
        *find(deps, deps->dep[i].src, deps->dep[i].dst) = i + 1;
}

static struct oracle_dep *add(struct oracle_deps *deps, uint32_t src,
                              uint32_t dst)
{
    if (2 * (deps->n + 1) > deps->n_slots)
        double_slots(deps);
    deps->dep =
        memory_grow(deps->dep, &deps->capacity, deps->n, sizeof(*deps->dep));
    deps->dep[deps->n] =
        (struct oracle_dep){.src = src, .dst = dst, .min = UINT64_MAX};
    *find(deps, src, dst) = deps->n + 1;
    return &deps->dep[deps->n++];
}

static int bucket_of(uint64_t distance)
{
    int i = 0;

    while (i < ORACLE_BUCKETS - 1 && distance > (uint64_t)1 << i)
        i++;
    return i;
}

void oracle_deps_count(struct oracle_deps *deps, uint32_t src, uint32_t dst,
                       uint64_t distance, struct oracle_load load)
{
    struct oracle_bucket *bucket;
    size_t slot = *find(deps, src, dst);
    struct oracle_dep *dep =
        slot != 0 ? &deps->dep[slot - 1] : add(deps, src, dst);

    dep->occurrences++;
    if (distance < dep->min)
        dep->min = distance;
    if (distance > dep->max)
        dep->max = distance;
    bucket = &dep->bucket[bucket_of(distance)];
    bucket->all++;
    bucket->forward[load.forward]++;
    bucket->crossing += load.crosses;
}

const struct oracle_dep *oracle_deps_all(const struct oracle_deps *deps,
                                         size_t *n)
{
    *n = deps->n;
    return deps->dep;
}
