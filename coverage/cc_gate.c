/*
 * cc_gate: bars that a score must reach.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "cc_gate.h"

#include <assert.h>
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

static bool reaches(struct cc_ratio ratio, double bar)
{
    return ratio.whole > 0 && cc_percent(ratio) >= bar;
}

struct cc_check *cc_gates_check(const struct cc_gate *gates, size_t n,
                                const struct cc_score *score,
                                const struct cc_bounds *bounds,
                                size_t *n_checks)
{
    /* At most one check for each gate and bound, or without a bound. */
    struct cc_check *checks = memory_new(n * (bounds->n + 1), sizeof *checks);

    *n_checks = 0;
    for (size_t i = 0; i < n; i++) {
        const struct cc_gate *g = &gates[i];
        struct cc_check check = {.figure = g->figure, .bar = g->bar};

        if (g->figure == CC_PRECISION) {
            check.ratio = score->precision;
            check.passed = reaches(check.ratio, check.bar);
            checks[(*n_checks)++] = check;
            continue;
        }
        for (unsigned j = 0; j < bounds->n; j++) {
            const struct cc_tally *t = &score->tally[j];

            if (g->bound != 0 && g->bound != bounds->bound[j])
                continue;
            check.bound = bounds->bound[j];
            check.ratio = g->figure == CC_COV_U ? cc_cov_u(t) : cc_cov_w(t);
            check.passed = reaches(check.ratio, check.bar);
            checks[(*n_checks)++] = check;
        }
    }
    return checks;
}

/* What comes before the bar.  Two digits after the point, cut and not rounded,
   so that the text never claims a figure that would have passed. */
static void describe_figure(struct cc_ratio ratio, char text[32])
{
    uint64_t hundredths;

    if (ratio.whole == 0) {
        snprintf(text, 32, "no data to hold against");
        return;
    }
    hundredths = (uint64_t)(cc_percent(ratio) * 100);
    snprintf(text, 32, "%" PRIu64 ".%02" PRIu64 "%% is below", hundredths / 100,
             hundredths % 100);
}

void cc_check_describe(const struct cc_check *check, struct diag *d)
{
    char at[48] = "", figure[32], bound[24] = "inf";

    assert(!check->passed);
    if (check->bound != 0 && check->bound != LIFETIME_INF)
        snprintf(bound, sizeof bound, "%" PRIu64, check->bound);
    if (check->bound != 0)
        snprintf(at, sizeof at, " at lifetime %s", bound);
    describe_figure(check->ratio, figure);
    diag_set(d, "%s%s: %s %.12g%%", cc_figure_name(check->figure), at, figure,
             check->bar);
}
