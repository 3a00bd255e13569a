/*
 * cc_breakdown: the score of each scope; within each, by support and by
 * evidence.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "judge/cc_breakdown.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* What a scope is divided into: a part for each prediction, and for each
   observed dependency that is found. */
struct division {
    unsigned n;
    unsigned (*part_of)(const struct cc_prediction *p);
    unsigned char *of_observed; /* owned */
};

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

/* [scope * n + part]: what lies within the scope and belongs to the part; what
   was missed belongs to part 0. */
static struct cc_score *divide(const struct cc_data *data,
                               const struct division *by)
{
    uint32_t *observed = memory_new(data->n_observed, sizeof *observed);
    uint32_t *predictions =
        memory_new(data->n_predictions, sizeof *predictions);
    struct cc_score *scores;

    for (size_t i = 0; i < data->n_observed; i++) {
        const struct cc_observed *d = &data->observed[i];

        if (cc_is_scored(d))
            observed[i] =
                cc_scope_of(data, d->src_block, d->dst_block) * by->n +
                (d->verdict == CC_FOUND ? by->of_observed[i] : 0);
    }
    for (size_t i = 0; i < data->n_predictions; i++) {
        const struct cc_prediction *p = &data->predictions[i];

        if (cc_is_judged(data, p))
            predictions[i] = cc_scope_of(data, p->block, p->dst_block) * by->n +
                             by->part_of(p);
    }
    scores =
        cc_scores_new_by_pair(data, observed, predictions, CC_N_SCOPES * by->n);
    for (unsigned i = by->n; i < (data->scope + 1) * by->n; i++)
        sum_score(&scores[i], &scores[i - by->n], data->bounds.n);
    free(predictions);
    free(observed);
    return scores;
}

/* The n scores are those of the same pairs, `all` of them: each score missed
   what it did not find. */
static void miss_the_rest(struct cc_score *scores, unsigned n, unsigned bound,
                          uint64_t all, uint64_t all_occurrences)
{
    for (unsigned i = 0; i < n; i++) {
        struct cc_tally *t = &scores[i].tally[bound];

        assert(t->found <= all && t->found_occurrences <= all_occurrences);
        t->missed = all - t->found;
        t->missed_occurrences = all_occurrences - t->found_occurrences;
    }
}

static unsigned whole_of(const struct cc_prediction *p)
{
    (void)p;
    return 0;
}

struct cc_score *cc_scores_new_by_scope(const struct cc_data *data)
{
    struct division by = {1, whole_of, memory_new(data->n_observed, 1)};
    struct cc_score *scores = divide(data, &by);

    free(by.of_observed);
    return scores;
}

/* The last threshold that a support reaches. */
static unsigned level_of(const struct cc_prediction *p)
{
    unsigned level = 0;

    assert(p->support >= 0 && p->support <= 1);
    while (level + 1 < CC_N_SUPPORTS &&
           p->support * 100 >= (level + 1) * CC_SUPPORT_STEP)
        level++;
    return level;
}

/* Each score has what its threshold is the last for.  What a higher threshold
   leaves is left by a lower one, too; what it no longer finds is missed. */
static void sum_levels(struct cc_score *scores, unsigned n_bounds)
{
    for (unsigned i = CC_N_SUPPORTS - 1; i > 0; i--)
        sum_score(&scores[i - 1], &scores[i], n_bounds);
    for (unsigned b = 0; b < n_bounds; b++) {
        const struct cc_tally *t = &scores[0].tally[b];

        miss_the_rest(scores, CC_N_SUPPORTS, b, t->found + t->missed,
                      t->found_occurrences + t->missed_occurrences);
    }
}

struct cc_score *cc_scores_new_by_support(const struct cc_data *data)
{
    struct division by = {CC_N_SUPPORTS, level_of,
                          memory_new(data->n_observed, 1)};
    struct cc_score *scores;

    /* A dependency belongs to the largest level of what found it. */
    for (size_t i = 0; i < data->n_predictions; i++) {
        const struct cc_prediction *p = &data->predictions[i];
        unsigned level = level_of(p);

        if (p->observed != CC_NONE && level > by.of_observed[p->observed])
            by.of_observed[p->observed] = (unsigned char)level;
    }
    scores = divide(data, &by);
    for (int r = 0; r < CC_N_SCOPES; r++)
        sum_levels(&scores[r * CC_N_SUPPORTS], data->bounds.n);
    free(by.of_observed);
    return scores;
}

static unsigned evidence_of(const struct cc_prediction *p)
{
    assert(p->evidence < CC_N_EVIDENCES);
    return p->evidence;
}

/* No two kinds find the same, so that what one does not find is what the
   others do, and what is missed. */
static void complete_kinds(struct cc_score *scores, unsigned n_bounds)
{
    for (unsigned b = 0; b < n_bounds; b++) {
        uint64_t all = 0, all_occurrences = 0;

        for (unsigned i = 0; i < CC_N_EVIDENCES; i++) {
            const struct cc_tally *t = &scores[i].tally[b];

            all += t->found + t->missed;
            all_occurrences += t->found_occurrences + t->missed_occurrences;
        }
        miss_the_rest(scores, CC_N_EVIDENCES, b, all, all_occurrences);
    }
}

struct cc_score *cc_scores_new_by_evidence(const struct cc_data *data)
{
    struct division by = {CC_N_EVIDENCES, evidence_of,
                          memory_new(data->n_observed, 1)};
    struct cc_score *scores;

    memset(by.of_observed, CC_N_EVIDENCES - 1, data->n_observed);
    for (size_t i = 0; i < data->n_predictions; i++) {
        const struct cc_prediction *p = &data->predictions[i];

        if (p->observed != CC_NONE && p->evidence < by.of_observed[p->observed])
            by.of_observed[p->observed] = (unsigned char)p->evidence;
    }
    scores = divide(data, &by);
    for (int r = 0; r < CC_N_SCOPES; r++)
        complete_kinds(&scores[r * CC_N_EVIDENCES], data->bounds.n);
    free(by.of_observed);
    return scores;
}

unsigned cc_count_evidences(const struct cc_score *by_evidence,
                            enum cc_scope scope)
{
    unsigned n = 0;

    for (unsigned i = 0; i < CC_N_EVIDENCES; i++)
        n += by_evidence[scope * CC_N_EVIDENCES + i].precision.whole > 0;
    return n;
}
