/*
 * cc_groups: the scores of all objects, functions, blocks or source lines one
 * by one; and single dependencies, the heaviest first.
 *
 * Pure but for lines.  The blocks outside any function are one group for each
 * object, and so are the loads without a line.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_GROUPS_H
#define COVERAGE_CC_GROUPS_H

#include "judge/cc_score.h"
#include "model/cc_data.h"

struct cc_symbolizer;

enum cc_by {
    CC_BY_NONE,
    CC_BY_OBJECT,
    CC_BY_FUNCTION,
    CC_BY_BLOCK,
    CC_BY_LINE
};

/* As options and reports spell them, and NULL at the end. */
extern const char *const cc_by_words[];

struct cc_group {
    uint32_t object;
    const char *function;    /* NULL: outside any, or of a whole object */
    const char *other_names; /* of its code, as cc_function has them */
    const char *file;        /* with its folders; of a line, or NULL */
    int line;                /* 0: without one */
    uint64_t start,
        end;         /* from the first of its blocks, or loads, to the last */
    uint64_t weight; /* of the heaviest of its blocks */
    const struct cc_score *score;
};

struct cc_groups {
    enum cc_by by;
    struct cc_group *list;
    size_t n;
    struct cc_score *scores;
    char **files; /* of lines: what the list names */
    size_t n_files;
};

/* The groups with most occurrences that are scored at the first bound come
   first.  Functions and blocks without anything to score or to judge are left
   out.  No groups for CC_BY_NONE and CC_BY_LINE.  The texts are those of the
   data. */
struct cc_groups cc_groups_new(const struct cc_data *data, enum cc_by by);

/* In the same order, the source lines of loads: the innermost of what was
   inlined there.  What was found or missed counts once, in the line of its
   load, and so does a prediction that is judged. */
struct cc_groups cc_groups_new_by_line(const struct cc_data *data,
                                       struct cc_symbolizer *symbolizer);

void cc_groups_fini(struct cc_groups *groups);

/* --- Single dependencies --- */

#define CC_ALL SIZE_MAX

/* Numbers of records in cc_data.observed, or cc_data.predictions. */
struct cc_selection {
    uint32_t *items;
    size_t n;
    size_t n_all; /* how many there would be without a limit */
};

/* The dependencies of that verdict that occurred within one of the bounds (by
   its index), those with most occurrences there first; at most `limit`.  The
   caller frees .items. */
struct cc_selection cc_select_observed(const struct cc_data *data,
                                       enum cc_verdict verdict, unsigned bound,
                                       size_t limit);

/* The predictions that are judged and did not occur, those in the block that
   was executed most first; at most `limit`.  The caller frees .items. */
struct cc_selection cc_select_false(const struct cc_data *data, size_t limit);

/* Sorts such numbers of dependencies in the same way. */
void cc_sort_heaviest(const struct cc_data *data, uint32_t *observed, size_t n,
                      unsigned bound);

#endif
