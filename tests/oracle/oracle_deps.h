/*
 * oracle_deps: how often each pair (src, dst) occurred, and at what distances.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ORACLE_DEPS_H
#define ORACLE_DEPS_H

#include <stddef.h>
#include <stdint.h>

/* A distance belongs to bucket i if it is above 2^(i-1) and not above 2^i; the
   last bucket takes what is above 2^20. */
#define ORACLE_BUCKETS 22

struct oracle_dep {
    uint32_t src, dst; /* sites */
    uint64_t occurrences, min, max;
    uint64_t bucket[ORACLE_BUCKETS];
};

struct oracle_deps;

struct oracle_deps *oracle_deps_new(void);
void oracle_deps_free(struct oracle_deps *deps);

void oracle_deps_count(struct oracle_deps *deps, uint32_t src, uint32_t dst,
                       uint64_t distance);

/* All pairs, in no order; valid until the next is counted. */
const struct oracle_dep *oracle_deps_all(const struct oracle_deps *deps,
                                         size_t *n);

#endif
