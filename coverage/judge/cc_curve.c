/*
 * cc_curve: the score at every bound that was recorded.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "judge/cc_curve.h"

#include <assert.h>
#include <string.h>

static void insert(struct cc_curve *curve, uint64_t bound,
                   const struct cc_tally *tally)
{
    unsigned at = curve->bounds.n++;

    assert(at < LIFETIMES_MAX);
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

    assert(n > 0 && n < width && data->n_counts % width == 0);
    for (size_t i = 0; i < n_rows; i++)
        memmove(data->counts + i * n, data->counts + i * width,
                n * sizeof *data->counts);
    data->bounds.n = n;
    data->n_counts = n_rows * n;
}

/* What occurred within a bound occurred within the next. */
__attribute__((unused)) static bool is_rising(const struct cc_curve *c)
{
    for (unsigned i = 1; i < c->bounds.n; i++) {
        const struct cc_tally *a = &c->tally[i - 1], *b = &c->tally[i];

        if (c->bounds.bound[i - 1] >= c->bounds.bound[i] ||
            a->found > b->found || a->missed > b->missed ||
            a->found_occurrences > b->found_occurrences ||
            a->missed_occurrences > b->missed_occurrences)
            return false;
    }
    return true;
}

void cc_curve_take(struct cc_curve *curve, struct cc_data *data)
{
    struct cc_score *total = cc_scores_new_total(data);

    curve->bounds.n = 0;
    for (unsigned i = 0; i < data->bounds.n; i++)
        insert(curve, data->bounds.bound[i], &total->tally[i]);
    cc_scores_free(total);
    assert(is_rising(curve));
    if (data->n_reported < data->bounds.n)
        forget(data);
}
