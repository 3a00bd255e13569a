/* oracle_deps: an array of pairs, by the numbers of their keys. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "oracle_deps.h"

void oracle_deps_fini(struct oracle_deps *deps)
{
    keys_fini(&deps->pairs);
    free(deps->dep);
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
    size_t n = deps->pairs.n;
    uint32_t number = keys_add(&deps->pairs, keys_pair(src, dst));

    deps->dep = memory_grow(deps->dep, &deps->room, number, sizeof *deps->dep);

    struct oracle_dep *dep = &deps->dep[number];

    if (number == n)
        *dep = (struct oracle_dep){.src = src, .dst = dst, .min = UINT64_MAX};
    dep->occurrences++;
    if (distance < dep->min)
        dep->min = distance;
    if (distance > dep->max)
        dep->max = distance;

    struct oracle_bucket *bucket = &dep->bucket[bucket_of(distance)];

    bucket->all++;
    bucket->forward[load.forward]++;
    bucket->crossing += load.crosses;
}
