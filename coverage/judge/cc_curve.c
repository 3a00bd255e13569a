/*
 * cc_curve: the score at every bound that was recorded.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "judge/cc_curve.h"

#include <string.h>

static void insert(struct cc_curve *curve, uint64_t bound,
                   const struct cc_tally *tally)
{
    unsigned at = curve->bounds.n++;

    for (; at > 0 && curve->bounds.bound[at - 1] > bound; at--) {
        curve->bounds.bound[at] = curve->bounds.bound[at - 1];
        curve->tally[at] = curve->tally[at - 1];
    }
    curve->bounds.bound[at] = bound;
    curve->tally[at] = *tally;
}

/* The reported bounds are the first, so a row's counts at them are too. */
static void forget(struct cc_data *data)
{
    unsigned width = data->bounds.n, n = data->n_reported;
    size_t n_rows = data->n_counts / width;

    for (size_t i = 0; i < n_rows; i++)
        memmove(data->counts + i * n, data->counts + i * width,
                n * sizeof *data->counts);
    data->bounds.n = n;
    data->n_counts = n_rows * n;
}

void cc_curve_take(struct cc_curve *curve, struct cc_data *data)
{
    struct cc_score *total = cc_scores_new_total(data);

    curve->bounds.n = 0;
    for (unsigned i = 0; i < data->bounds.n; i++)
        insert(curve, data->bounds.bound[i], &total->tally[i]);
    cc_scores_free(total);
    if (data->n_reported < data->bounds.n)
        forget(data);
}
