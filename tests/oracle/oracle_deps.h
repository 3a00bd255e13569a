/* oracle_deps: how often each pair (src, dst) occurred, and at what
   distances. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "keys.h"

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

/* A zeroed struct has no pairs. */
struct oracle_deps {
    struct keys pairs;
    struct oracle_dep *dep; /* pairs.n of them, in no order */
    size_t room;
};

void oracle_deps_fini(struct oracle_deps *deps);

void oracle_deps_count(struct oracle_deps *deps, uint32_t src, uint32_t dst,
                       uint64_t distance, struct oracle_load load);
