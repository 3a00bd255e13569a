/*
 * cc_fates: what became of each dependency of an earlier report.
 *
 * Within one build a dependency is its two objects and addresses; cc_pairs
 * finds what it is between builds.
 *
 * Limits: a baseline that has only what was found does not show what is new,
 * and one of several alike that was missed before may be taken for lost.
 *
 * cc_pairs: which dependency of an earlier report is which of this one, after
 * another build.
 *
 * An object is that of the same path, or else of the same file name; if there
 * is but one on each side, it is that one, however it is called.  The load's
 * object, where it is another, is found in the same way.
 *
 * Addresses change with each build.  What stays is the function, the source
 * line and column of each end, the operand in memory of its instruction, and
 * the order of what is alike in all of these.  Without lines it is the offsets
 * from the start of the function.
 *
 * Limits: a function that was renamed is another one; so is a line whose
 * distance from the start of its function changed, and an expression whose
 * column changed.  Of dependencies that differ in nothing but their order, and
 * of which there are more or fewer than before, it is unknown which is which:
 * then as few as possible change between found and missed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_FATES_H
#define COVERAGE_CC_FATES_H

#include "compare/cc_baseline.h"
#include "model/cc_data.h"
#include "code/cc_symbolize.h"

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

struct cc_fates {
    /* How many went from where to where: the first n_rows rows.  A baseline
       that has only what was found shows only the first. */
    size_t counts[CC_N_BEFORE][CC_N_NOW];
    unsigned n_rows;
    /* Dependencies of another build that nothing identifies: they are in none
       of the counts. */
    size_t n_unnamed_before, n_unnamed_now;
    /* Those that were found and are missed now, heaviest first at the largest
       bound: numbers in cc_data.observed. */
    uint32_t *lost;
    size_t n_lost;
    /* Those that were found and are gone, heaviest first: indices in the
       baseline's dependencies. */
    size_t *gone;
    size_t n_gone;
    const struct cc_identity *before; /* the baseline's dependencies */
};

/* "found before", and "missed now". */
const char *cc_before_text(enum cc_before before);
const char *cc_now_text(enum cc_now now);

/* Compares matched data with a baseline, which must outlive the result.  The
   caller calls cc_fates_fini. */
struct cc_fates cc_fates_find(const struct cc_data *data,
                              struct cc_symbolizer *symbolizer,
                              const struct cc_baseline *baseline);

void cc_fates_fini(struct cc_fates *fates);

/* Fills successors[i] with the index in `now` of what was `before`[i], or with
   CC_NONE if nothing is.  No two have the same.  In both lists those of one
   object are neighbours, in the order of their addresses; all of `before` were
   found or missed.  `has_missed`: it has all that were missed, too; then the
   order tells which is which where there are as many as before. */
void cc_pairs_find(const struct cc_identity *before, size_t n_before,
                   bool has_missed, const struct cc_identity *now, size_t n_now,
                   uint32_t *successors);

#endif
