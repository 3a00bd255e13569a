/*
 * cc_arcs: the dependencies within the kept blocks, and between the blocks of
 * functions, and where to draw them.
 *
 * Pure: what is found, missed or wrongly predicted becomes an arc
 * from one row of a listing to another, in a lane where it covers no other
 * arc, if there are lanes enough.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_ARCS_H
#define COVERAGE_CC_ARCS_H

#include "model/cc_data.h"

#define CC_ARCS_LANES 24 /* arcs beyond these share the outermost */

enum cc_arc_kind { CC_ARC_FOUND, CC_ARC_MISSED, CC_ARC_FALSE, CC_ARC_KINDS };

struct cc_arc {
    enum cc_arc_kind kind;
    uint64_t src, dst;
    uint32_t src_block, dst_block;
    const struct cc_observed *observed;     /* NULL if it is false */
    const struct cc_prediction *prediction; /* NULL if it is missed, else the
                                               first of n_predictions */
    size_t n_predictions;
    unsigned lane; /* from 0, beside the listing; set by cc_arcs_place */
};

/* A block, or a function, and its arcs: the heaviest first, the false ones
   last. */
struct cc_arc_block {
    uint32_t block, function; /* one of them; else CC_NONE */
    size_t n_blocks, n_kept;  /* of a function */
    struct cc_arc *arcs;
    size_t n, capacity;
    size_t n_kind[CC_ARC_KINDS];
};

struct cc_arc_blocks {
    struct cc_arc_block *blocks;
    size_t n;
};

/* All kept blocks, the hottest first, those in which most instructions were
   executed; but those without arcs come last.  A dependency counts that
   occurred within the largest of the bounds; a prediction is false by the rule
   of cc_score's precision.  The data must have been matched; the arcs point
   into them.  cc_arcs_free frees the result. */
struct cc_arc_blocks cc_arcs_find(const struct cc_data *data);

/* The functions that have an end of a pair of two blocks, in the same order. If
   the other end is in another function of the object, the pair is an arc of
   both. */
struct cc_arc_blocks cc_arcs_find_between(const struct cc_data *data);
void cc_arcs_free(struct cc_arc_blocks *found);

/* The rows from `first` to `last`, in either order, that an arc needs. */
struct cc_arc_span {
    size_t src_row, dst_row;
};

/* Gives n arcs their lanes, short arcs inside long ones; span[i] says where
   arcs[i] goes.  Returns how many lanes are used. */
unsigned cc_arcs_place(struct cc_arc *arcs, const struct cc_arc_span *span,
                       size_t n);

#endif
