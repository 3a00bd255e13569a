/*
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
#ifndef COVERAGE_CC_PAIRS_H
#define COVERAGE_CC_PAIRS_H

#include "compare/cc_baseline.h"

/* Fills successors[i] with the index in `now` of what was `before`[i], or with
   CC_NONE if nothing is.  No two have the same.  In both lists those of one
   object are neighbours, in the order of their addresses; all of `before` were
   found or missed.  `has_missed`: it has all that were missed, too; then the
   order tells which is which where there are as many as before. */
void cc_pairs_find(const struct cc_identity *before, size_t n_before,
                   bool has_missed, const struct cc_identity *now, size_t n_now,
                   uint32_t *successors);

#endif
