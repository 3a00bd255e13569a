/*
 * cc_compare: a score beside an earlier one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "compare/cc_compare.h"

#include <assert.h>
#include <stdlib.h>

#include "memory.h"

double cc_change_points(const struct cc_change *change)
{
    assert(change->now.whole > 0 && change->before.has_data);
    return cc_percent(change->now) - change->before.percent;
}

static void add_change(struct cc_comparison *c, struct cc_change change)
{
    assert(change.now.part <= change.now.whole);
    if (change.now.whole > 0 || change.before.has_data)
        c->changes[c->n_changes++] = change;
}

static void compare_figures(struct cc_comparison *c, const struct cc_data *data,
                            const struct cc_score *total,
                            const struct cc_baseline *baseline)
{
    c->changes = memory_new(2 * data->bounds.n + 1, sizeof *c->changes);
    for (unsigned i = 0; i < data->bounds.n; i++)
        for (size_t j = 0; j < baseline->n_bounds; j++) {
            const struct cc_old_bound *old = &baseline->bounds[j];

            if (old->bound != data->bounds.bound[i])
                continue;
            add_change(c, (struct cc_change){CC_COV_U, old->bound,
                                             cc_cov_u(&total->tally[i]),
                                             old->cov_u});
            add_change(c, (struct cc_change){CC_COV_W, old->bound,
                                             cc_cov_w(&total->tally[i]),
                                             old->cov_w});
            break; /* a repetition in the baseline is ignored */
        }
    add_change(c, (struct cc_change){CC_PRECISION, 0, total->precision,
                                     baseline->precision});
}

struct cc_comparison cc_compare(const struct cc_data *data,
                                const struct cc_score *total,
                                struct cc_symbolizer *symbolizer,
                                const struct cc_baseline *baseline)
{
    struct cc_comparison c = {0};

    compare_figures(&c, data, total, baseline);
    assert(c.n_changes <= 2 * data->bounds.n + 1);
    c.fates = cc_fates_find(data, symbolizer, baseline);
    return c;
}

struct cc_check *cc_drops_check(const struct cc_comparison *comparison,
                                double max_drop, bool allow_empty,
                                struct cc_check *checks, size_t *n_checks)
{
    size_t n = *n_checks;

    assert(max_drop >= 0 && max_drop <= 100);
    checks = realloc(checks, (n + comparison->n_changes + 1) * sizeof *checks);
    if (checks == NULL)
        memory_exhausted();
    for (size_t i = 0; i < comparison->n_changes; i++) {
        const struct cc_change *change = &comparison->changes[i];
        struct cc_check check = {.figure = change->figure,
                                 .bound = change->bound,
                                 .threshold = max_drop,
                                 .ratio = change->now,
                                 .is_drop = true,
                                 .before = change->before.percent};

        if (!change->before.has_data)
            continue; /* nothing to fall from */
        if (change->now.whole == 0)
            check.passed = allow_empty;
        else /* figures that differ by less came from the same counts */
            check.passed = -cc_change_points(change) <= max_drop + 1e-9;
        checks[n++] = check;
    }
    *n_checks = n;
    return checks;
}

void cc_comparison_fini(struct cc_comparison *comparison)
{
    free(comparison->changes);
    cc_fates_fini(&comparison->fates);
    *comparison = (struct cc_comparison){0};
}
