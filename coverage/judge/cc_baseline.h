/*
 * cc_baseline: an earlier JSON report, read again.  The one door to jansson.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_BASELINE_H
#define COVERAGE_CC_BASELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "diag.h"

/* A figure in percent, or no data. */
struct cc_old_figure {
    bool has_data;
    double percent;
};

struct cc_old_bound {
    uint64_t bound;
    struct cc_old_figure cov_u, cov_w;
};

/* What identifies a dependency from build to build.  Unknown texts are
   NULL. */
struct cc_identity {
    const char *build_id, *function;
    uint64_t src, dst;
    uint64_t function_start;
    /* "FILE:LINE", the first of where the function starts. */
    const char *function_line, *src_line, *dst_line;
};

struct cc_baseline {
    struct cc_old_bound *bounds;
    size_t n_bounds;
    struct cc_old_figure precision;
    struct cc_identity *found;
    size_t n_found;
    void *document; /* what the texts belong to */
};

/* Reads a report that `covcheck --format=json` printed.  The caller calls
   cc_baseline_fini, after a failure too. */
int cc_baseline_read(struct cc_baseline *baseline, const char *path,
                     struct diag *d);

void cc_baseline_fini(struct cc_baseline *baseline);

#endif
