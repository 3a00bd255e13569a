/*
 * cc_groups: the scores of all objects, functions, blocks or source lines one
 * by one; and single dependencies, the heaviest first.
 *
 * Pure but for lines.  The blocks outside any function are one group for each
 * object, and so are the loads without a line.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "judge/cc_score.h"

struct cc_symbolizer;

enum cc_by {
    CC_BY_NONE,
    CC_BY_OBJECT,
    CC_BY_FUNCTION,
    CC_BY_BLOCK,
    CC_BY_LINE
};

/* The words of enum cc_by in options and reports, and NULL at the end. */
extern const char *const cc_by_words[];

struct cc_group {
    uint32_t object;
    const char *function;    /* NULL: outside any function, or a whole object */
    const char *other_names; /* other names of its code, as in cc_function */
    const char *file;        /* path of a line's file; NULL: no line */
    int line;                /* 0: no line */
    uint64_t start,
        end;         /* from the first of its blocks, or loads, to the last */
    uint64_t weight; /* of the heaviest block */
    const struct cc_score *score;
};

struct cc_groups {
    enum cc_by by;
    struct cc_group *list;
    size_t n;
    struct cc_score *scores;
    char **files; /* the file names that groups of lines point to */
    size_t n_files;
};

/* Groups, those with most scored occurrences at the first bound first.
   Functions and blocks without anything to score or to judge are left out.  No
   groups for CC_BY_NONE and CC_BY_LINE.  The texts belong to the data. */
struct cc_groups cc_groups_new(const struct cc_data *data, enum cc_by by);

/* Groups by the source lines of loads, ordered as in cc_groups_new; an inlined
   load counts for the line of the innermost function.  What was found or missed
   counts once, in the line of its load, and so does a prediction that is
   judged. */
struct cc_groups cc_groups_new_by_line(const struct cc_data *data,
                                       struct cc_symbolizer *symbolizer);

void cc_groups_fini(struct cc_groups *groups);

/* --- Single dependencies --- */

#define CC_ALL SIZE_MAX

/* Numbers of records in cc_data.observed or in cc_data.predictions. */
struct cc_selection {
    uint32_t *items;
    size_t n;
    size_t n_all; /* how many there would be without a limit */
};

/* The dependencies of a verdict that occurred within one of the bounds (by its
   index), those with most occurrences within it first; at most `limit`.  The
   caller frees .items. */
struct cc_selection cc_select_observed(const struct cc_data *data,
                                       enum cc_verdict verdict, unsigned bound,
                                       size_t limit);

/* The judged predictions that did not occur, by falling executions of their
   block; at most `limit`.  The caller frees .items. */
struct cc_selection cc_select_false(const struct cc_data *data, size_t limit);

/* Sorts numbers of dependencies by falling occurrences within the bound. */
void cc_sort_heaviest(const struct cc_data *data, uint32_t *observed, size_t n,
                      unsigned bound);
