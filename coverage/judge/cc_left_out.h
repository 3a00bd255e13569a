/*
 * cc_left_out: what ran outside the blocks that a filtered static.db holds.
 *
 * Code that was not analysed is neither found nor missed.  So the figures of a
 * filtered database are those of a part of the program, and say nothing of the
 * rest; this says how large the rest is.  Pure.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_LEFT_OUT_H
#define COVERAGE_CC_LEFT_OUT_H

#include "model/cc_data.h"

/* What was left out of one object; all 0 if its analysis had no filter. */
struct cc_left_out {
    bool has_run; /* did code run that was left out? */
    /* Dependencies with an end in the object; with one in code left out. */
    uint64_t dependencies, occurrences;
    uint64_t outside, outside_occurrences;
};

/* One for each object of matched data; the caller frees. */
struct cc_left_out *cc_left_out_new(const struct cc_data *data);

#endif
