/*
 * cc_baseline: an earlier JSON report, read again, and what identifies its
 * dependencies: the two objects and addresses in the same build, and what
 * outlives a build.
 *
 * cc_baseline_read reads what report/ says of an identity: change both.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_BASELINE_H
#define COVERAGE_CC_BASELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "code/cc_symbolize.h"
#include "diag.h"
#include "model/cc_data.h"

/* --- Identities --- */

/* One end of a dependency.  Unknown texts are NULL. */
struct cc_end {
    uint64_t address;
    const char *line; /* "FILE:LINE" */
    int column;       /* from 1; 0: unknown */
    const char *insn; /* as disasm.h has it */
};

/* The object and the function of an end. */
struct cc_code {
    const char *path, *build_id, *function;
    uint64_t function_start;
    const char *function_line; /* that of function_start */
};

struct cc_identity {
    struct cc_code code;     /* of the store */
    struct cc_code dst_code; /* of the load, where that is another; else its
                                build_id is NULL */
    struct cc_end src, dst;
    uint64_t occurrences; /* within the largest bound; 0: unknown */
    /* Found, missed, or anything else: not scored. */
    enum cc_verdict verdict;
    size_t
        number;  /* of the observed dependency; of the baseline's: its index */
    void *texts; /* what its lines and instructions belong to, or NULL */
};

/* The code of the load. */
const struct cc_code *cc_identity_dst_code(const struct cc_identity *id);

/* The identity of an observed dependency within the objects of matched data, by
   its number.  It refers to texts of the data; the caller frees .texts. */
struct cc_identity cc_identify(const struct cc_data *data,
                               struct cc_symbolizer *symbolizer,
                               uint32_t observed);

/* Are the lines of both ends known? */
bool cc_identity_has_lines(const struct cc_identity *id);

/* Is there anything that identifies it in another build? */
bool cc_identity_outlives_build(const struct cc_identity *id);

/* --- An earlier report --- */

struct cc_old_bound {
    uint64_t bound;
    double cov_u, cov_w; /* in percent; NAN: no data */
};

struct cc_baseline {
    enum cc_scope scope; /* that of blocks in a report of an older covcheck */
    enum disasm_syntax syntax; /* AT&T's in such a report */
    struct cc_old_bound *bounds;
    size_t n_bounds;
    double precision;
    /* All that were found and missed, in the order of objects and addresses;
       of a report of an older covcheck only those that were found. */
    struct cc_identity *dependencies;
    size_t n_dependencies;
    bool has_missed;
    struct json_t *document; /* what the texts belong to */
};

/* Reads a report that `covcheck --format=json` printed.  The caller calls
   cc_baseline_fini, after a failure too. */
int cc_baseline_read(struct cc_baseline *baseline, const char *path,
                     struct diag *d);

void cc_baseline_fini(struct cc_baseline *baseline);

#endif
