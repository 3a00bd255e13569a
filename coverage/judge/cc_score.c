/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "judge/cc_score.h"

struct cc_ratio cc_cov_u(const struct cc_tally *t)
{
    return (struct cc_ratio){t->found, t->found + t->missed};
}

struct cc_ratio cc_cov_w(const struct cc_tally *t)
{
    return (struct cc_ratio){t->found_occurrences,
                             t->found_occurrences + t->missed_occurrences};
}

double cc_percent(struct cc_ratio r)
{
    assert(r.whole > 0);
    return 100 * (double)r.part / (double)r.whole;
}

unsigned cc_bounds_largest(const struct cc_bounds *b)
{
    unsigned largest = 0;

    assert(b->n > 0);
    for (unsigned i = 1; i < b->n; i++)
        if (b->bound[i] > b->bound[largest])
            largest = i;
    return largest;
}

uint64_t cc_weight_of(const struct cc_data *data, const struct cc_observed *d)
{
    return cc_counts(data, d)[cc_bounds_largest(&data->bounds)];
}

static void tally_add(struct cc_tally *t, enum cc_verdict verdict,
                      uint64_t occurrences)
{
    switch (verdict) {
    case CC_FOUND:
        t->found++;
        t->found_occurrences += occurrences;
        break;
    case CC_MISSED:
        t->missed++;
        t->missed_occurrences += occurrences;
        break;
    case CC_SPANNING:
        t->spanning++;
        t->spanning_occurrences += occurrences;
        break;
    case CC_UNSCORED:
        break;
    }
}

static void score_add(struct cc_score *s, const struct cc_data *data,
                      const struct cc_observed *d)
{
    unsigned n = data->bounds.n;
    const uint64_t *counts = cc_counts(data, d);

    for (unsigned i = 0; i < n; i++)
        if (counts[i] > 0)
            tally_add(&s->tally[i], d->verdict, counts[i]);
    if (d->verdict == CC_FOUND && d->has_delta_k &&
        data->blocks[d->src_block].follows_itself &&
        cc_weight_of(data, d) > 0) {
        s->agreement.whole++;
        s->agreement.part += d->agrees;
    }
}

static void add_all_observed(struct cc_score *scores,
                             const struct cc_data *data, const uint32_t *group)
{
    for (size_t i = 0; i < data->n_observed; i++) {
        const struct cc_observed *d = &data->observed[i];
        const uint32_t ends[] = {d->src_block, d->dst_block};
        uint32_t counted = CC_NONE;

        if (d->verdict == CC_UNSCORED)
            continue;
        for (int end = 0; end < 2; end++) {
            uint32_t b = ends[end];

            if (b == CC_NONE || !data->blocks[b].kept || group[b] == counted)
                continue;
            counted = group[b];
            score_add(&scores[counted], data, d);
        }
    }
}

bool cc_is_judged(const struct cc_data *data, const struct cc_prediction *p)
{
    const struct cc_block *b = &data->blocks[p->block];

    assert(p->block < data->n_blocks);
    if (!b->kept || !data->blocks[p->dst_block].kept ||
        cc_scope_of(data, p->block, p->dst_block) > data->scope)
        return false;
    return p->delta_k == CC_ANY_DELTA || b->weight > p->delta_k;
}

/* Adds a judged prediction. */
static void add_prediction(struct cc_score *s, const struct cc_data *data,
                           const struct cc_prediction *p)
{
    s->precision.whole++;
    s->precision.part += p->occurred;
    assert(p->occurred == (p->observed != CC_NONE));
    if (p->observed == CC_NONE)
        return;
    assert(p->observed < data->n_observed);
    const uint64_t *counts = cc_counts(data, &data->observed[p->observed]);
    for (unsigned b = 0; b < data->bounds.n; b++)
        s->tally[b].occurred += counts[b] > 0;
}

static void add_predictions(struct cc_score *scores, const struct cc_data *data,
                            const uint32_t *group)
{
    for (size_t i = 0; i < data->n_predictions; i++) {
        const struct cc_prediction *p = &data->predictions[i];
        uint32_t src = group[p->block], dst = group[p->dst_block];

        if (!cc_is_judged(data, p))
            continue;
        add_prediction(&scores[src], data, p);
        if (dst != src)
            add_prediction(&scores[dst], data, p);
    }
}

/* Does each tally count no more dependencies than occurrences, and agreement no
   more than were found at the largest bound? */
__attribute__((unused)) static bool adds_up(const struct cc_score *s,
                                            const struct cc_bounds *bounds)
{
    for (unsigned b = 0; b < bounds->n; b++) {
        const struct cc_tally *t = &s->tally[b];

        if (t->found_occurrences < t->found ||
            t->missed_occurrences < t->missed ||
            t->spanning_occurrences < t->spanning ||
            t->occurred > s->precision.part)
            return false;
    }
    return s->agreement.whole <= s->tally[cc_bounds_largest(bounds)].found &&
           s->precision.part <= s->precision.whole &&
           s->agreement.part <= s->agreement.whole &&
           s->n_kept <= s->n_blocks && s->n_unanalysed <= s->n_kept;
}

static struct cc_score *new_scores(const struct cc_data *data, uint32_t n)
{
    struct cc_score *scores = memory_new(n, sizeof *scores);
    /* All tallies are one array, which the first score holds for the rest. */
    struct cc_tally *tallies =
        memory_new((size_t)n * data->bounds.n, sizeof *tallies);

    assert(n > 0);
    for (uint32_t i = 0; i < n; i++)
        scores[i].tally = tallies + (size_t)i * data->bounds.n;
    return scores;
}

struct cc_score *cc_scores_new(const struct cc_data *data,
                               const uint32_t *group, uint32_t n_groups)
{
    struct cc_score *scores = new_scores(data, n_groups);

    add_all_observed(scores, data, group);
    add_predictions(scores, data, group);
    for (uint32_t i = 0; i < data->n_blocks; i++) {
        struct cc_score *s = &scores[group[i]];

        assert(data->blocks[i].number == i);
        s->n_blocks++;
        s->n_kept += data->blocks[i].kept;
        s->n_unanalysed += data->blocks[i].kept && !data->blocks[i].analysed;
    }
    for (uint32_t i = 0; i < n_groups; i++)
        assert(adds_up(&scores[i], &data->bounds));
    return scores;
}

struct cc_score *cc_scores_new_total(const struct cc_data *data)
{
    AUTO_FREE uint32_t *group = memory_new(data->n_blocks, sizeof *group);

    return cc_scores_new(data, group, 1);
}

struct cc_score *cc_scores_new_by_object(const struct cc_data *data)
{
    AUTO_FREE uint32_t *group = memory_new(data->n_blocks, sizeof *group);

    for (uint32_t i = 0; i < data->n_blocks; i++)
        group[i] = data->blocks[i].object;
    return cc_scores_new(data, group, data->n_objects);
}

struct cc_score *cc_scores_new_by_pair(const struct cc_data *data,
                                       const uint32_t *observed,
                                       const uint32_t *predictions,
                                       uint32_t n_groups)
{
    struct cc_score *scores = new_scores(data, n_groups);

    for (size_t i = 0; i < data->n_observed; i++)
        if (cc_is_scored(&data->observed[i]))
            score_add(&scores[observed[i]], data, &data->observed[i]);
    for (size_t i = 0; i < data->n_predictions; i++)
        if (cc_is_judged(data, &data->predictions[i]))
            add_prediction(&scores[predictions[i]], data,
                           &data->predictions[i]);
    for (uint32_t i = 0; i < n_groups; i++)
        assert(adds_up(&scores[i], &data->bounds));
    return scores;
}

void cc_scores_free(struct cc_score *scores)
{
    if (scores == NULL)
        return;
    free(scores->tally);
    free(scores);
}

/* --- Scores by scope, support and evidence --- */

static void sum_score(struct cc_score *s, const struct cc_score *more,
                      unsigned n_bounds)
{
    for (unsigned b = 0; b < n_bounds; b++) {
        s->tally[b].found += more->tally[b].found;
        s->tally[b].missed += more->tally[b].missed;
        s->tally[b].found_occurrences += more->tally[b].found_occurrences;
        s->tally[b].missed_occurrences += more->tally[b].missed_occurrences;
        s->tally[b].occurred += more->tally[b].occurred;
    }
    s->precision.part += more->precision.part;
    s->precision.whole += more->precision.whole;
    s->agreement.part += more->agreement.part;
    s->agreement.whole += more->agreement.whole;
}

/* Sets what each of n scores of the same pairs missed: all that it did not
   find.  `is_nested`: a part finds all that later parts find. */
static void complete(struct cc_score *scores, unsigned n, unsigned n_bounds,
                     bool is_nested)
{
    for (unsigned i = n - 1; is_nested && i > 0; i--)
        sum_score(&scores[i - 1], &scores[i], n_bounds);
    for (unsigned b = 0; b < n_bounds; b++) {
        uint64_t all = 0, all_occurrences = 0;

        for (unsigned i = 0; i < (is_nested ? 1 : n); i++) {
            all += scores[i].tally[b].found + scores[i].tally[b].missed;
            all_occurrences += scores[i].tally[b].found_occurrences +
                               scores[i].tally[b].missed_occurrences;
        }
        for (unsigned i = 0; i < n; i++) {
            struct cc_tally *t = &scores[i].tally[b];

            assert(t->found <= all && t->found_occurrences <= all_occurrences);
            t->missed = all - t->found;
            t->missed_occurrences = all_occurrences - t->found_occurrences;
        }
    }
}

/* Scores of n parts of each scope, [scope * n + part]: of the pairs within the
   scope that belong to the part.  A found dependency belongs to the last part
   that predicted it if parts are nested, else to the first. */
static struct cc_score *
divide(const struct cc_data *data, unsigned n,
       unsigned (*part_of)(const struct cc_prediction *), bool is_nested)
{
    AUTO_FREE uint32_t *observed =
        memory_new(data->n_observed, sizeof *observed);
    AUTO_FREE uint32_t *predictions =
        memory_new(data->n_predictions, sizeof *predictions);
    struct cc_score *scores;

    for (size_t i = 0; i < data->n_observed; i++)
        if (data->observed[i].verdict == CC_FOUND)
            observed[i] = is_nested ? 0 : n - 1;
    for (size_t i = 0; i < data->n_predictions; i++) {
        const struct cc_prediction *p = &data->predictions[i];
        unsigned part = part_of(p);

        assert(part < n);
        if (cc_is_judged(data, p))
            predictions[i] =
                cc_scope_of(data, p->block, p->dst_block) * n + part;
        if (p->observed != CC_NONE &&
            data->observed[p->observed].verdict == CC_FOUND &&
            (part > observed[p->observed]) == is_nested)
            observed[p->observed] = part;
    }
    for (size_t i = 0; i < data->n_observed; i++) {
        const struct cc_observed *d = &data->observed[i];

        if (cc_is_scored(d))
            observed[i] += cc_scope_of(data, d->src_block, d->dst_block) * n;
    }
    scores =
        cc_scores_new_by_pair(data, observed, predictions, CC_N_SCOPES * n);
    for (unsigned i = n; i < (data->scope + 1) * n; i++)
        sum_score(&scores[i], &scores[i - n], data->bounds.n);
    for (unsigned scope = 0; scope < CC_N_SCOPES; scope++)
        complete(&scores[scope * n], n, data->bounds.n, is_nested);
    return scores;
}

static unsigned whole_of(const struct cc_prediction *p)
{
    (void)p;
    return 0;
}

struct cc_score *cc_scores_new_by_scope(const struct cc_data *data)
{
    return divide(data, 1, whole_of, true);
}

/* The highest threshold that the support of the prediction reaches. */
static unsigned level_of(const struct cc_prediction *p)
{
    unsigned level = 0;

    assert(p->support >= 0 && p->support <= 1);
    while (level + 1 < CC_N_SUPPORTS &&
           p->support * 100 >= (level + 1) * CC_SUPPORT_STEP)
        level++;
    return level;
}

struct cc_score *cc_scores_new_by_support(const struct cc_data *data)
{
    return divide(data, CC_N_SUPPORTS, level_of, true);
}

static unsigned evidence_of(const struct cc_prediction *p)
{
    return p->evidence;
}

struct cc_score *cc_scores_new_by_evidence(const struct cc_data *data)
{
    return divide(data, CC_N_EVIDENCES, evidence_of, false);
}

unsigned cc_count_evidences(const struct cc_score *by_evidence,
                            enum cc_scope scope)
{
    unsigned n = 0;

    for (unsigned i = 0; i < CC_N_EVIDENCES; i++)
        n += by_evidence[scope * CC_N_EVIDENCES + i].precision.whole > 0;
    return n;
}

/* --- Figures --- */

TEXT_NAMES(cc_figure_name, cc_figure, "cov_u", "cov_w", "precision")

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

/* --- All bounds --- */

/* Drops the bounds that are not reported: the reported ones are the first, and
   so are their counts in a row. */
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

/* Does the curve never fall?  What is within a bound is within the next. */
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
    for (unsigned i = 0; i < data->bounds.n; i++) {
        unsigned at = curve->bounds.n++;

        assert(at < LIFETIMES_MAX);
        for (; at > 0 && curve->bounds.bound[at - 1] > data->bounds.bound[i];
             at--) {
            curve->bounds.bound[at] = curve->bounds.bound[at - 1];
            curve->tally[at] = curve->tally[at - 1];
        }
        curve->bounds.bound[at] = data->bounds.bound[i];
        curve->tally[at] = total->tally[i];
    }
    cc_scores_free(total);
    assert(is_rising(curve));
    if (data->n_reported < data->bounds.n)
        forget(data);
}
