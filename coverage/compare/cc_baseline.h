/*
 * cc_baseline: an earlier JSON report, read again.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_BASELINE_H
#define COVERAGE_CC_BASELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compare/cc_identity.h"
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

struct cc_baseline {
    enum cc_scope scope; /* that of blocks in a report of an older covcheck */
    enum disasm_syntax syntax; /* AT&T's in such a report */
    struct cc_old_bound *bounds;
    size_t n_bounds;
    struct cc_old_figure precision;
    /* All that were found and missed, in the order of objects and addresses;
       of a report of an older covcheck only those that were found. */
    struct cc_identity *dependencies;
    size_t n_dependencies;
    bool has_missed;
    void *document; /* what the texts belong to */
};

/* Reads a report that `covcheck --format=json` printed.  The caller calls
   cc_baseline_fini, after a failure too. */
int cc_baseline_read(struct cc_baseline *baseline, const char *path,
                     struct diag *d);

void cc_baseline_fini(struct cc_baseline *baseline);

#endif
