/* oracle_deps: how often each pair (src, dst) occurred, and at what
   distances. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A distance belongs to bucket i if it is above 2^(i-1) and not above 2^i; the
   last bucket takes what is above 2^20. */
#define ORACLE_BUCKETS 22

/* How a load's bytes lie to a store: it wrote them all and no others; it wrote
   them all and more; it wrote some, and the others have no writer, or one that
   is too old to count; other stores wrote some, too, and all these stores are
   at most ORACLE_NEAR instructions old. */
#define ORACLE_NEAR 512
enum oracle_forward {
    ORACLE_SAME,
    ORACLE_CONTAINED,
    ORACLE_PARTIAL,
    ORACLE_SEVERAL,
    ORACLE_FORWARDS
};

struct oracle_load {
    enum oracle_forward forward;
    bool crosses; /* does the load cross a line of 64 bytes? */
};

struct oracle_dep {
    uint32_t src, dst; /* numbers of sites */
    uint64_t occurrences, min, max;
    struct oracle_bucket {
        uint64_t all, forward[ORACLE_FORWARDS], crossing;
    } bucket[ORACLE_BUCKETS];
};

struct oracle_deps;

struct oracle_deps *oracle_deps_new(void);
void oracle_deps_free(struct oracle_deps *deps);

void oracle_deps_count(struct oracle_deps *deps, uint32_t src, uint32_t dst,
                       uint64_t distance, struct oracle_load load);

/* All pairs, in no order; valid until the next occurrence is counted. */
const struct oracle_dep *oracle_deps_all(const struct oracle_deps *deps,
                                         size_t *n);
