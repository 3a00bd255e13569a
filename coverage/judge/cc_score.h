/*
 * cc_score: how much of what happened was predicted, and how much of what was
 * predicted happened.
 *
 * Pure, and computed from what cc_match found.  cov_u and cov_w are those of
 * Bastian, Pompougnac, Dutilleul and Rastello, "CesASMe and Staticdeps" (2024).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "model/cc_data.h"

/* A share, part of whole; a whole of 0 means that there is no data. */
struct cc_ratio {
    uint64_t part, whole;
};

/* The counts at one lifetime bound: of dependencies with at least one
   occurrence within it, and of those occurrences. */
struct cc_tally {
    uint64_t found, missed, spanning;
    uint64_t found_occurrences, missed_occurrences, spanning_occurrences;
    uint64_t occurred; /* judged predictions whose pair occurred within it */
};

struct cc_score {
    struct cc_tally *tally; /* one for each of the bounds, in their order */

    /* Of the judged predictions, those whose pair occurred. */
    struct cc_ratio precision;
    /* Of the dependencies found at the largest bound with a fixed delta_k in
       blocks that follow themselves, those whose smallest distance a delta_k
       explains.  In other blocks a number of iterations is no distance, and a
       delta_k that holds in a run of the loop alone does not count for a pair
       that occurred at a smaller distance. */
    struct cc_ratio agreement;

    uint64_t n_blocks, n_kept;
    uint64_t n_unanalysed; /* kept blocks that staticdeps could not analyse */
};

/* Scores each group of blocks by itself: block b belongs to group[b], a
   number below n_groups.  A dependency or a prediction that spans groups counts
   in those of its ends that are kept, once in each.  The caller frees the
   array, with cc_scores_free.  The data must have been matched. */
struct cc_score *cc_scores_new(const struct cc_data *data,
                               const uint32_t *group, uint32_t n_groups);

/* Scores with all blocks in one group, and with a group for each object. */
struct cc_score *cc_scores_new_total(const struct cc_data *data);
struct cc_score *cc_scores_new_by_object(const struct cc_data *data);

/* Scores by pairs: what was found or missed counts in its group in `observed`,
   a judged prediction in its group in `predictions`.  No group has blocks or
   pairs that span groups. */
struct cc_score *cc_scores_new_by_pair(const struct cc_data *data,
                                       const uint32_t *observed,
                                       const uint32_t *predictions,
                                       uint32_t n_groups);

/* Does the prediction count for precision?  It does if it is within the data's
   scope, with both ends in kept blocks; with a fixed delta_k only if its block
   ran more often than delta_k: a pair cannot span as many iterations as there
   were. */
bool cc_is_judged(const struct cc_data *data, const struct cc_prediction *p);

/* Accepts NULL. */
void cc_scores_free(struct cc_score *scores);

struct cc_ratio cc_cov_u(const struct cc_tally *t);
struct cc_ratio cc_cov_w(const struct cc_tally *t);

/* A ratio in percent; it must have data. */
double cc_percent(struct cc_ratio r);

/* The index of the largest bound; there must be one. */
unsigned cc_bounds_largest(const struct cc_bounds *b);

/* The occurrences of a dependency within the largest bound. */
uint64_t cc_weight_of(const struct cc_data *data, const struct cc_observed *d);

/* --- Scores by scope, support and evidence --- */

/* A score for each scope.  A scope includes the ones before it, so what lies
   within one counts in all wider ones up to the data's.  These scores have
   neither blocks nor pairs that span groups, and those beyond the data's scope
   are empty.  The data must have been matched; the caller frees the array with
   cc_scores_free, also that of the functions below. */
struct cc_score *cc_scores_new_by_scope(const struct cc_data *data);

/* The thresholds of support: 0, 5, ... and 100 percent. */
#define CC_SUPPORT_STEP 5
#define CC_N_SUPPORTS   (100 / CC_SUPPORT_STEP + 1)

/* Scores of each scope at each threshold: [scope * CC_N_SUPPORTS + i] is the
   score that there would be with the predictions alone whose support is at
   least i * CC_SUPPORT_STEP percent. */
struct cc_score *cc_scores_new_by_support(const struct cc_data *data);

/* Scores of each scope by evidence: [scope * CC_N_EVIDENCES + i] is the score
   that there would be with the predictions of that evidence alone. */
struct cc_score *cc_scores_new_by_evidence(const struct cc_data *data);

/* How many kinds of evidence the judged predictions have. */
unsigned cc_count_evidences(const struct cc_score *by_evidence,
                            enum cc_scope scope);

/* --- Figures --- */

enum cc_figure { CC_COV_U, CC_COV_W, CC_PRECISION, CC_N_FIGURES };

/* The figure as JSON and the gates spell it. */
const char *cc_figure_name(enum cc_figure figure);

/* Writes "FIGURE at lifetime BOUND", or "FIGURE" for a bound of 0. */
void cc_figure_label(enum cc_figure figure, uint64_t bound, char text[64]);

/* The figure at one of the bounds (by its index). */
struct cc_ratio cc_figure_ratio(enum cc_figure figure, const struct cc_score *s,
                                unsigned bound);

/* --- All bounds --- */

/* The score at every bound that was recorded, beyond those that are
   reported. */
struct cc_curve {
    struct cc_bounds bounds; /* rising */
    struct cc_tally tally[LIFETIMES_MAX];
};

/* Scores matched data at all their bounds, then has the data forget the bounds
   that are not reported, with their counts. */
void cc_curve_take(struct cc_curve *curve, struct cc_data *data);

/* cc_groups: the scores of all objects, functions, blocks or source lines one
   by one; and single dependencies, the heaviest first.

   Pure but for lines.  The blocks outside any function are one group for each
   object, and so are the loads without a line. */

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
