/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/cc_compare.h"

#include "judge/cc_score.h"
#include "model/cc_match.h"

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
        /* The gate names one of the bounds, or applies to each of them. */
        assert(*n_checks > before && *n_checks <= n * (bounds->n + 1));
        (void)before;
    }
    return checks;
}

/* Writes a percentage with two digits after the point, cut and not rounded, so
   that the text never claims a figure that would have passed. */
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

/* --- Figures --- */

double cc_change_points(const struct cc_change *change)
{
    assert(change->now.whole > 0 && !isnan(change->before));
    return cc_percent(change->now) - change->before;
}

static void add_change(struct cc_comparison *c, struct cc_change change)
{
    assert(change.now.part <= change.now.whole);
    if (change.now.whole > 0 || !isnan(change.before))
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
                                 .before = change->before};

        if (isnan(change->before))
            continue; /* without data there is nothing to fall from */
        if (change->now.whole == 0)
            check.passed = allow_empty;
        else /* figures that differ by less came from the same counts */
            check.passed = -cc_change_points(change) <= max_drop + 1e-9;
        checks[n++] = check;
    }
    *n_checks = n;
    return checks;
}

/* --- Dependencies --- */

/* Dependencies of objects that were built again. */
struct rebuilt {
    struct cc_identity *now, *before;
    size_t n_now, n_before, now_room, before_room;
};

/* A comparison while it is made. */
struct comparing {
    struct cc_outcomes *f;
    const struct cc_data *data;
    const struct cc_baseline *baseline;
    size_t lost_room, gone_room;
    bool *is_same;  /* by object: the baseline has this build of it */
    bool *is_known; /* by observed dependency: the baseline has it */
    struct rebuilt rebuilt;
};

static enum cc_now now_of(const struct cc_data *data, uint32_t observed)
{
    const struct cc_observed *d = &data->observed[observed];

    if (d->verdict == CC_FOUND && cc_weight_of(data, d) > 0)
        return CC_FOUND_NOW;
    if (d->verdict == CC_MISSED && cc_weight_of(data, d) > 0)
        return CC_MISSED_NOW;
    return CC_UNSCORED_NOW;
}

/* Counts what became of a dependency: it is `observed` now (CC_NONE: gone). */
static void take_outcome(struct comparing *g, size_t index, uint32_t observed)
{
    struct cc_outcomes *f = g->f;
    bool was_found = f->before[index].verdict == CC_FOUND;
    enum cc_now now =
        observed == CC_NONE ? CC_GONE_NOW : now_of(g->data, observed);

    f->counts[was_found ? CC_FOUND_BEFORE : CC_MISSED_BEFORE][now]++;
    if (was_found && now == CC_MISSED_NOW) {
        array_push(f->lost, f->n_lost, g->lost_room, observed);
    } else if (was_found && now == CC_GONE_NOW) {
        array_push(f->gone, f->n_gone, g->gone_room, index);
    }
}

/* The object with this build-id; CC_NONE if there is none. */
static uint32_t find_same(struct comparing *g, const char *build_id)
{
    for (uint32_t i = 0; i < g->data->n_objects; i++)
        if (strcmp(g->data->objects[i].build_id, build_id) == 0) {
            g->is_same[i] = true;
            return i;
        }
    return CC_NONE;
}

/* Compares the baseline's dependencies of unchanged builds; keeps the rest. */
static void take_same_builds(struct comparing *g)
{
    const struct cc_baseline *b = g->baseline;
    uint32_t src = CC_NONE, dst;

    for (size_t i = 0; i < b->n_dependencies; i++) {
        const struct cc_identity *old = &b->dependencies[i];

        if (i == 0 || strcmp(old->code.build_id, old[-1].code.build_id) != 0)
            src = find_same(g, old->code.build_id);
        dst = old->dst_code.build_id != NULL
                  ? find_same(g, old->dst_code.build_id)
                  : src;
        if (src == CC_NONE || dst == CC_NONE) {
            struct cc_identity id = g->f->before[i];

            id.number = i;
            if (cc_identity_outlives_build(&id))
                array_append(&g->rebuilt, before, id);
            else
                g->f->n_unnamed_before++;
            continue;
        }
        uint32_t observed = cc_find_observed(g->data, src, old->src.address,
                                             dst, old->dst.address);
        if (observed != CC_NONE)
            g->is_known[observed] = true;
        take_outcome(g, i, observed);
    }
}

ARRAY_ORDER(name_order, char *const, strcmp(*a, *b))

/* The function names in the rest of the baseline, sorted; the caller frees. */
static const char **list_functions(const struct rebuilt *r, size_t *n)
{
    const char **list = memory_new(r->n_before, sizeof *list);

    *n = 0;
    for (size_t i = 0; i < r->n_before; i++) {
        const char *name = r->before[i].code.function != NULL
                               ? r->before[i].code.function
                               : "";

        if (*n == 0 || strcmp(list[*n - 1], name) != 0)
            list[(*n)++] = name;
    }
    array_sort(list, *n, name_order);
    return list;
}

/* Might the dependency be one of the baseline's, of another build?  An unscored
   one must share a function name with the baseline, since there are many. */
static bool is_candidate(const struct comparing *g, uint32_t observed,
                         const char **functions, size_t n)
{
    const struct cc_observed *d = &g->data->observed[observed];
    const char *name = "";

    if (d->src_object == CC_NONE || d->dst_object == CC_NONE ||
        (g->is_same[d->src_object] && g->is_same[d->dst_object]))
        return false;
    if (now_of(g->data, observed) != CC_UNSCORED_NOW)
        return true;
    if (d->src_block == CC_NONE)
        return false;
    if (g->data->blocks[d->src_block].function != CC_NONE)
        name = g->data->functions[g->data->blocks[d->src_block].function].name;
    return array_find(&name, functions, n, name_order) != NULL;
}

static void add_now(struct comparing *g, struct cc_symbolizer *symbolizer)
{
    struct rebuilt *r = &g->rebuilt;
    size_t n;
    AUTO_FREE const char **functions = list_functions(r, &n);

    for (uint32_t i = 0; i < g->data->n_observed; i++) {
        if (!is_candidate(g, i, functions, n))
            continue;
        struct cc_identity id = cc_identify(g->data, symbolizer, i);
        if (now_of(g->data, i) == CC_UNSCORED_NOW)
            id.verdict = CC_UNSCORED;
        array_append(r, now, id);
    }
}

/* Compares the baseline's dependencies of other builds. */
static void take_rebuilt(struct comparing *g)
{
    struct rebuilt *r = &g->rebuilt;
    AUTO_FREE uint32_t *successors =
        memory_new(r->n_before, sizeof *successors);

    cc_pairs_find(r->before, r->n_before, r->now, r->n_now, successors);
    for (size_t i = 0; i < r->n_before; i++) {
        uint32_t observed = successors[i] != CC_NONE
                                ? (uint32_t)r->now[successors[i]].number
                                : CC_NONE;

        if (observed != CC_NONE)
            g->is_known[observed] = true;
        take_outcome(g, r->before[i].number, observed);
    }
}

/* Counts as new what the baseline does not have, except what nothing
   identifies. */
static void count_new(struct comparing *g)
{
    struct rebuilt *r = &g->rebuilt;

    for (size_t i = 0; i < r->n_now; i++)
        if (!cc_identity_outlives_build(&r->now[i]) &&
            r->now[i].verdict != CC_UNSCORED) {
            g->is_known[r->now[i].number] = true;
            g->f->n_unnamed_now++;
        }
    for (uint32_t i = 0; i < g->data->n_observed; i++) {
        enum cc_now now = now_of(g->data, i);

        if (now != CC_UNSCORED_NOW && !g->is_known[i])
            g->f->counts[CC_NEW][now]++;
    }
}

static void compare_dependencies(struct comparing *g,
                                 struct cc_symbolizer *symbolizer)
{
    struct rebuilt *r = &g->rebuilt;

    g->is_same = memory_new(g->data->n_objects, sizeof *g->is_same);
    g->is_known = memory_new(g->data->n_observed, sizeof *g->is_known);
    g->f->before = g->baseline->dependencies;
    take_same_builds(g);
    if (r->n_before > 0 || g->f->n_unnamed_before > 0)
        add_now(g, symbolizer);
    take_rebuilt(g);
    count_new(g);
    for (size_t i = 0; i < r->n_now; i++)
        free(r->now[i].texts);
    free(r->now);
    free(r->before);
    free(g->is_same);
    free(g->is_known);
}

/* Orders by falling occurrences, then as in the baseline. */
static int gone_order(const void *pa, const void *pb, void *before)
{
    const size_t *a = pa, *b = pb;
    const struct cc_identity *list = before;
    uint64_t n = list[*a].occurrences, m = list[*b].occurrences;

    return array_order(m, n) ?: array_order(*a, *b);
}

/* --- Figures and dependencies --- */

struct cc_comparison cc_compare(const struct cc_data *data,
                                const struct cc_score *total,
                                struct cc_symbolizer *symbolizer,
                                const struct cc_baseline *baseline)
{
    struct cc_comparison c = {0};
    struct cc_outcomes *f = &c.outcomes;
    struct comparing g = {.f = f, .data = data, .baseline = baseline};

    compare_figures(&c, data, total, baseline);
    assert(c.n_changes <= 2 * data->bounds.n + 1);
    compare_dependencies(&g, symbolizer);
    assert(f->n_lost == f->counts[CC_FOUND_BEFORE][CC_MISSED_NOW]);
    assert(f->n_gone == f->counts[CC_FOUND_BEFORE][CC_GONE_NOW]);
    cc_sort_heaviest(data, f->lost, f->n_lost,
                     cc_bounds_largest(&data->bounds));
    if (f->n_gone > 1)
        qsort_r(f->gone, f->n_gone, sizeof *f->gone, gone_order,
                baseline->dependencies);
    return c;
}

void cc_comparison_fini(struct cc_comparison *comparison)
{
    free(comparison->changes);
    free(comparison->outcomes.lost);
    free(comparison->outcomes.gone);
    *comparison = (struct cc_comparison){0};
}
