/*
 * cc_identity: what identifies a dependency: its two objects and addresses in
 * the same build, and what outlives a build.
 *
 * In compare/, this alone asks cc_symbolize for source lines and instructions.
 * What the JSON report says of an identity, cc_baseline reads again: change
 * both.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_IDENTITY_H
#define COVERAGE_CC_IDENTITY_H

#include "model/cc_data.h"
#include "code/cc_symbolize.h"

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

#endif
