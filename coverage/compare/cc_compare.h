/*
 * cc_compare: an earlier JSON report, read again; a score beside the one of
 * that report; and what became of each of its dependencies.
 *
 * Within one build a dependency is its two objects and addresses.  After
 * another build, an object is that of the same path, or else of the same file
 * name; if there is but one on each side, it is that one, however it is called.
 * The load's object, where it is another, is found in the same way.  Addresses
 * change with each build.  What stays is the function, the source line and
 * column of each end, the operand in memory of its instruction, and the order
 * of what is alike in all of these.  Without lines it is the offsets from the
 * start of the function.
 *
 * Limits: a function that was renamed is another one; so is a line whose
 * distance from the start of its function changed, and an expression whose
 * column changed. Of dependencies that differ in nothing but their order, and
 * of which there are more or fewer than before, it is unknown which is which:
 * then as few as possible change between found and missed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "code/cc_symbolize.h"
#include "judge/cc_score.h"

/* --- Gates --- */

/* A figure without data does not reach its threshold, however low, unless the
   user allows it: a gate that measures nothing must not pass. */

struct cc_gate {
    enum cc_figure figure;
    uint64_t bound;   /* 0: at each bound; for precision, at any distance */
    double threshold; /* in percent; the figure may equal it */
};

/* One figure held against one threshold. */
struct cc_check {
    enum cc_figure figure;
    uint64_t bound; /* 0: the figure has none */
    double threshold;
    struct cc_ratio ratio;
    bool passed;
    /* The figure may not lie more than `threshold` points below an earlier one.
     */
    bool is_drop;
    double before;
};

/* Holds a score against n gates, whose bounds must be among `bounds`.  The
   caller frees the array of *n_checks checks, in the order of the gates. */
struct cc_check *cc_gates_check(const struct cc_gate *gates, size_t n,
                                const struct cc_score *score,
                                const struct cc_bounds *bounds,
                                bool allow_empty, size_t *n_checks);

/* How a check ended, as "FIGURE at lifetime BOUND: 45.21% is below 50%",
   "FIGURE: no data to compare with 50%", "FIGURE: 60.00% reaches 50%" or
   "FIGURE: 45.21% is more than 2 points below the baseline's 50.21%". */
void cc_check_describe(const struct cc_check *check, struct diag *d);

/* --- Identities --- */

/* One end of a dependency.  Unknown texts are NULL. */
struct cc_end {
    uint64_t address;
    const char *line; /* "FILE:LINE" of the source */
    int column;       /* from 1; 0: unknown */
    const char *insn; /* text of the instruction, as disasm.h writes it */
};

/* The object and the function that contain one end of a dependency. */
struct cc_code {
    const char *path, *build_id, *function;
    uint64_t function_start;
    const char *function_line; /* "FILE:LINE" of the function's start */
};

struct cc_identity {
    struct cc_code code;     /* of the store */
    struct cc_code dst_code; /* of the load; build_id NULL: as the store's */
    struct cc_end src, dst;
    uint64_t occurrences; /* within the largest bound; 0: unknown */
    /* Found, missed, or any other value: not scored. */
    enum cc_verdict verdict;
    size_t
        number;  /* index in the observed dependencies, or in the baseline's */
    void *texts; /* owner of its lines and instructions, or NULL */
};

/* The object and the function of the load. */
const struct cc_code *cc_identity_dst_code(const struct cc_identity *id);

/* The identity of an observed dependency within the objects of matched data, by
   its number.  It refers to texts of the data; the caller frees .texts. */
struct cc_identity cc_identify(const struct cc_data *data,
                               struct cc_symbolizer *symbolizer,
                               uint32_t observed);

/* Are the lines of both ends known? */
bool cc_identity_has_lines(const struct cc_identity *id);

/* Has the identity anything that finds it in another build? */
bool cc_identity_outlives_build(const struct cc_identity *id);

/* --- An earlier report --- */

struct cc_old_bound {
    uint64_t bound;
    double cov_u, cov_w; /* in percent; NAN: no data */
};

struct cc_baseline {
    enum cc_scope scope;
    enum disasm_syntax syntax;
    struct cc_old_bound *bounds;
    size_t n_bounds;
    double precision;
    /* All found and missed dependencies, by objects and addresses. */
    struct cc_identity *dependencies;
    size_t n_dependencies;
    struct json_t *document; /* owner of the texts */
};

/* Reads a report that `covcheck --format=json` printed.  The names of its
   fields are those that report/ writes: change both.  The caller calls
   cc_baseline_fini, after a failure too. */
int cc_baseline_read(struct cc_baseline *baseline, const char *path,
                     struct diag *d);

void cc_baseline_fini(struct cc_baseline *baseline);

/* --- After another build --- */

/* Fills successors[i] with the index in `now` of what was `before`[i], or with
   CC_NONE if nothing is.  No two have the same.  In both lists those of one
   object are neighbours, in the order of their addresses; `before` has all that
   were found or missed.  The order tells which is which where there are as many
   as before. */
void cc_pairs_find(const struct cc_identity *before, size_t n_before,
                   const struct cc_identity *now, size_t n_now,
                   uint32_t *successors);

/* --- Now and before --- */

/* A figure now and before. */
struct cc_change {
    enum cc_figure figure;
    uint64_t bound; /* 0: the figure has none */
    struct cc_ratio now;
    double before; /* in percent; NAN: no data */
};

/* What a dependency was, and what it is now.  Gone: it does not occur at all.
   Not scored: it occurs, but beyond the bounds or not within a kept block. */
enum cc_before { CC_FOUND_BEFORE, CC_MISSED_BEFORE, CC_NEW, CC_N_BEFORE };
enum cc_now {
    CC_FOUND_NOW,
    CC_MISSED_NOW,
    CC_UNSCORED_NOW,
    CC_GONE_NOW,
    CC_N_NOW
};

struct cc_outcomes {
    /* How many dependencies went from which state to which. */
    size_t counts[CC_N_BEFORE][CC_N_NOW];
    /* Dependencies of another build that nothing identifies: none of the counts
       includes them. */
    size_t n_unnamed_before, n_unnamed_now;
    /* Those that were found and are missed now, by falling occurrences at the
       largest bound: numbers in cc_data.observed. */
    uint32_t *lost;
    size_t n_lost;
    /* Those that were found and are gone, by falling occurrences: indices in
       the baseline's dependencies. */
    size_t *gone;
    size_t n_gone;
    const struct cc_identity *before; /* the baseline's dependencies */
};

struct cc_comparison {
    struct cc_change *changes; /* of bounds that both reports have */
    size_t n_changes;
    struct cc_outcomes outcomes;
};

/* Compares matched data with a baseline, which must outlive the comparison.
   The caller calls cc_comparison_fini. */
struct cc_comparison cc_compare(const struct cc_data *data,
                                const struct cc_score *total,
                                struct cc_symbolizer *symbolizer,
                                const struct cc_baseline *baseline);

/* Appends a check for each figure that the baseline has: it must not have
   fallen by more than max_drop points.  Returns the array, which has moved. */
struct cc_check *cc_drops_check(const struct cc_comparison *comparison,
                                double max_drop, bool allow_empty,
                                struct cc_check *checks, size_t *n_checks);

void cc_comparison_fini(struct cc_comparison *comparison);

/* In percentage points, above 0 if it is better now; only if both have
   data. */
double cc_change_points(const struct cc_change *change);
