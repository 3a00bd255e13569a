/*
 * cc_gate: bars that a score must reach.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "judge/cc_gate.h"

#include <inttypes.h>
#include <stdio.h>

#include "memory.h"

const char *cc_figure_name(enum cc_figure figure)
{
    static const char *const names[] = {
        [CC_COV_U] = "cov_u",
        [CC_COV_W] = "cov_w",
        [CC_PRECISION] = "precision",
    };

    return names[figure];
}

/* The figure that a gate bounds, at one of the bounds. */
static struct cc_ratio figure_at(enum cc_figure figure,
                                 const struct cc_score *score, unsigned i)
{
    const struct cc_tally *t = &score->tally[i];

    switch (figure) {
    case CC_COV_U:
        return cc_cov_u(t);
    case CC_COV_W:
        return cc_cov_w(t);
    case CC_PRECISION:
        break;
    }
    return (struct cc_ratio){t->occurred, score->precision.whole};
}

static void hold(struct cc_check *check, bool allow_empty)
{
    if (check->ratio.whole == 0)
        check->passed = allow_empty;
    else
        check->passed = cc_percent(check->ratio) >= check->bar;
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
        struct cc_check check = {.figure = g->figure, .bar = g->bar};

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
            check.ratio = figure_at(g->figure, score, j);
            hold(&check, allow_empty);
            checks[(*n_checks)++] = check;
        }
    }
    return checks;
}

void cc_check_name(const struct cc_check *check, char text[64])
{
    const char *name = cc_figure_name(check->figure);

    if (check->bound == 0)
        snprintf(text, 64, "%s", name);
    else if (check->bound == LIFETIME_INF)
        snprintf(text, 64, "%s at lifetime inf", name);
    else
        snprintf(text, 64, "%s at lifetime %" PRIu64, name, check->bound);
}

/* Two digits after the point, cut and not rounded, so that the text never
   claims a figure that would have passed. */
static void format_cut(double percent, char text[32])
{
    uint64_t hundredths = (uint64_t)(percent * 100 + 1e-9);

    snprintf(text, 32, "%" PRIu64 ".%02" PRIu64 "%%", hundredths / 100,
             hundredths % 100);
}

void cc_check_describe(const struct cc_check *check, struct diag *d)
{
    char name[64], now[32], before[32];

    cc_check_name(check, name);
    format_cut(check->before, before);
    if (check->ratio.whole == 0 && check->is_drop) {
        diag_set(d, "%s: no data to hold against the baseline's %s", name,
                 before);
        return;
    }
    if (check->ratio.whole == 0) {
        diag_set(d, "%s: no data to hold against %.12g%%", name, check->bar);
        return;
    }
    format_cut(cc_percent(check->ratio), now);
    if (check->is_drop)
        diag_set(d,
                 "%s: %s is %smore than %.12g points below the baseline's %s",
                 name, now, check->passed ? "not " : "", check->bar, before);
    else
        diag_set(d, "%s: %s %s %.12g%%", name, now,
                 check->passed ? "reaches" : "is below", check->bar);
}
