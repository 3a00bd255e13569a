/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "judge/cc_score.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "memory.h"

const char *cc_figure_name(enum cc_figure figure)
{
    static const char *const names[CC_N_FIGURES] = {"cov_u", "cov_w",
                                                    "precision"};

    assert(figure < CC_N_FIGURES);
    return names[figure];
}

void cc_figure_label(enum cc_figure figure, uint64_t bound, char text[64])
{
    snprintf(text, 64, "%s%s%s", cc_figure_name(figure),
             bound != 0 ? " at lifetime " : "",
             bound != 0 ? bound_text(bound).text : "");
}

struct cc_ratio cc_figure_ratio(enum cc_figure figure, const struct cc_score *s,
                                unsigned bound)
{
    const struct cc_tally *t = &s->tally[bound];

    assert(figure < CC_N_FIGURES);
    return figure == CC_COV_U ? cc_cov_u(t)
           : figure == CC_COV_W
               ? cc_cov_w(t)
               : (struct cc_ratio){t->occurred, s->precision.whole};
}

/* --- Gates --- */

static void hold(struct cc_check *check, bool allow_empty)
{
    assert(check->ratio.part <= check->ratio.whole);
    if (check->ratio.whole == 0)
        check->passed = allow_empty;
    else
        check->passed = cc_percent(check->ratio) >= check->threshold;
}

struct cc_check *cc_gates_check(const struct cc_gate *gates, size_t n,
                                const struct cc_score *score,
                                const struct cc_bounds *bounds,
                                bool allow_empty, size_t *n_checks)
{
    /* At most one check for each gate and bound, or without a bound. */
    struct cc_check *checks = memory_new(n * (bounds->n + 1), sizeof *checks);

    *n_checks = 0;
    for (size_t i = 0; i < n; i++) {
        const struct cc_gate *g = &gates[i];
        struct cc_check check = {.figure = g->figure,
                                 .threshold = g->threshold};
        size_t before = *n_checks;

        assert(g->threshold >= 0 && g->threshold <= 100);

        if (g->figure == CC_PRECISION && g->bound == 0) {
            check.ratio = score->precision;
            hold(&check, allow_empty);
            checks[(*n_checks)++] = check;
            continue;
        }
        for (unsigned j = 0; j < bounds->n; j++) {
            if (g->bound != 0 && g->bound != bounds->bound[j])
                continue;
            check.bound = bounds->bound[j];
            check.ratio = cc_figure_ratio(g->figure, score, j);
            hold(&check, allow_empty);
            checks[(*n_checks)++] = check;
        }
        /* Its bound is among the bounds, or there is one. */
        assert(*n_checks > before && *n_checks <= n * (bounds->n + 1));
        (void)before;
    }
    return checks;
}

/* Two digits after the point, cut and not rounded, so that the text never
   claims a figure that would have passed. */
static void format_cut(double percent, char text[32])
{
    uint64_t hundredths = (uint64_t)(percent * 100 + 1e-9);

    assert(percent >= 0 && percent <= 100);
    snprintf(text, 32, "%" PRIu64 ".%02" PRIu64 "%%", hundredths / 100,
             hundredths % 100);
}

void cc_check_describe(const struct cc_check *check, struct diag *d)
{
    char name[64], now[32], before[32];

    cc_figure_label(check->figure, check->bound, name);
    format_cut(check->before, before);
    if (check->ratio.whole == 0 && check->is_drop) {
        diag_set(d, "%s: no data to compare with the baseline's %s", name,
                 before);
        return;
    }
    if (check->ratio.whole == 0) {
        diag_set(d, "%s: no data to compare with %.12g%%", name,
                 check->threshold);
        return;
    }
    format_cut(cc_percent(check->ratio), now);
    if (check->is_drop)
        diag_set(
            d, "%s: %s is %smore than %.12g points below the baseline's %s",
            name, now, check->passed ? "not " : "", check->threshold, before);
    else
        diag_set(d, "%s: %s %s %.12g%%", name, now,
                 check->passed ? "reaches" : "is below", check->threshold);
}

/* --- All bounds --- */

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
