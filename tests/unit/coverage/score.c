/*
 * Coverage, precision and agreement.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include "model/cc_match.h"
#include "judge/cc_figures.h"

#define N_RUNS_OF_BLOCK 1000

/* One block of four instructions of 4 bytes, [0x100, 0x110), executed
   N_RUNS_OF_BLOCK times, and the bounds inf, 1024 and 512. */
static struct cc_data new_data(void)
{
    struct cc_data data = {.bounds = {3, {LIFETIME_INF, 1024, 512}}};

    cc_add_object(&data, "/bin/a", "aa");
    cc_add_block(&data, (struct cc_block){.start = 0x100,
                                          .end = 0x110,
                                          .n_instructions = 4,
                                          .analysed = true,
                                          .follows_itself = true});
    cc_add_segment(&data,
                   (struct cc_segment){0, 0x100, 0x110, N_RUNS_OF_BLOCK});
    return data;
}

/* A dependency with occurrences up to 512, up to 1024 and beyond. */
static void add_observed(struct cc_data *data, uint64_t src, uint64_t dst,
                         uint64_t to_512, uint64_t to_1024, uint64_t to_inf)
{
    uint32_t observed = cc_add_observed(
        data, (struct cc_observed){.src = src,
                                   .dst = dst,
                                   .occurrences = to_512 + to_1024 + to_inf,
                                   .min_distance = 4});

    cc_add_occurrences(data, observed, 512, to_512);
    cc_add_occurrences(data, observed, 1024, to_1024);
    cc_add_occurrences(data, observed, LIFETIME_INF, to_inf);
}

static void predict(struct cc_data *data, uint64_t src, uint64_t dst,
                    uint64_t delta_k)
{
    cc_add_prediction(data,
                      (struct cc_prediction){.src = src,
                                             .dst = dst,
                                             .src_index = (src - 0x100) / 4,
                                             .dst_index = (dst - 0x100) / 4,
                                             .delta_k = delta_k});
}

static void predict_with(struct cc_data *data, uint64_t src, uint64_t dst,
                         uint64_t delta_k, double support)
{
    predict(data, src, dst, delta_k);
    data->predictions[data->n_predictions - 1].support = support;
}

static void predict_by(struct cc_data *data, uint64_t src, uint64_t dst,
                       enum cc_evidence evidence)
{
    predict(data, src, dst, 0);
    data->predictions[data->n_predictions - 1].evidence = evidence;
}

static struct cc_score *score(struct cc_data *data)
{
    cc_match(data, (struct cc_filter){.min_weight = 10});
    return cc_scores_new_total(data);
}

static void assert_ratio(struct cc_ratio r, uint64_t part, uint64_t whole)
{
    assert_int_equal(r.part, part);
    assert_int_equal(r.whole, whole);
}

TEST(a_hot_dependency_weighs_more_than_a_cold_one)
{
    struct cc_data data = new_data();
    struct cc_score *s;

    add_observed(&data, 0x100, 0x104, 900, 0, 0);
    add_observed(&data, 0x100, 0x108, 100, 0, 0);
    predict(&data, 0x100, 0x104, 0);
    s = score(&data);
    assert_ratio(cc_cov_u(&s->tally[0]), 1, 2);
    assert_ratio(cc_cov_w(&s->tally[0]), 900, 1000);
    assert_true(cc_percent(cc_cov_u(&s->tally[0])) == 50);
    assert_true(cc_percent(cc_cov_w(&s->tally[0])) == 90);
    cc_scores_free(s);
    cc_data_fini(&data);
}

TEST(a_bound_counts_only_the_occurrences_within_it)
{
    struct cc_data data = new_data();
    struct cc_score *s;

    add_observed(&data, 0x100, 0x104, 1, 20, 300);  /* found */
    add_observed(&data, 0x100, 0x108, 0, 4, 5000);  /* missed, from 1024 on */
    add_observed(&data, 0x100, 0x10c, 0, 0, 60000); /* missed, at inf alone */
    predict(&data, 0x100, 0x104, 0);
    s = score(&data);
    assert_ratio(cc_cov_u(&s->tally[0]), 1, 3);
    assert_ratio(cc_cov_u(&s->tally[1]), 1, 2);
    assert_ratio(cc_cov_u(&s->tally[2]), 1, 1);
    assert_ratio(cc_cov_w(&s->tally[0]), 321, 321 + 5004 + 60000);
    assert_ratio(cc_cov_w(&s->tally[1]), 21, 21 + 4);
    assert_ratio(cc_cov_w(&s->tally[2]), 1, 1);
    cc_scores_free(s);
    cc_data_fini(&data);
}

TEST(a_spanning_dependency_is_counted_and_not_scored)
{
    struct cc_data data = new_data();
    struct cc_score *s;

    add_observed(&data, 0x100, 0x200, 7, 0, 2);
    add_observed(&data, 0x200, 0x100, 0, 0, 5);
    add_observed(&data, 0x200, 0x204, 9, 9, 9); /* touches no block */
    s = score(&data);
    assert_int_equal(s->tally[0].spanning, 2);
    assert_int_equal(s->tally[0].spanning_occurrences, 14);
    assert_int_equal(s->tally[2].spanning, 1);
    assert_int_equal(s->tally[2].spanning_occurrences, 7);
    assert_ratio(cc_cov_u(&s->tally[0]), 0, 0);
    cc_scores_free(s);
    cc_data_fini(&data);
}

TEST(runs_add_up_before_they_are_scored)
{
    struct cc_data data = new_data();
    struct cc_score *s;

    add_observed(&data, 0x100, 0x104, 5, 0, 0);
    add_observed(&data, 0x100, 0x108, 1, 0, 0);
    add_observed(&data, 0x100, 0x104, 6, 0, 0);
    predict(&data, 0x100, 0x104, 0);
    s = score(&data);
    assert_ratio(cc_cov_u(&s->tally[0]), 1, 2);
    assert_ratio(cc_cov_w(&s->tally[0]), 11, 12);
    cc_scores_free(s);
    cc_data_fini(&data);
}

TEST(a_dependency_in_a_block_that_was_not_analysed_counts_as_missed)
{
    struct cc_data data = new_data();
    struct cc_score *s;

    data.blocks[0].analysed = false;
    add_observed(&data, 0x100, 0x104, 5, 0, 0);
    s = score(&data);
    assert_ratio(cc_cov_u(&s->tally[0]), 0, 1);
    assert_int_equal(s->n_kept, 1);
    assert_int_equal(s->n_unanalysed, 1);
    cc_scores_free(s);
    cc_data_fini(&data);
}

TEST(without_dependencies_there_is_no_data)
{
    struct cc_data data = new_data();
    struct cc_score *s = score(&data);

    assert_ratio(cc_cov_u(&s->tally[0]), 0, 0);
    assert_ratio(cc_cov_w(&s->tally[0]), 0, 0);
    assert_ratio(s->precision, 0, 0);
    assert_ratio(s->agreement, 0, 0);
    cc_scores_free(s);
    cc_data_fini(&data);
}

TEST(precision_is_the_share_of_predictions_that_occurred)
{
    struct cc_data data = new_data();
    struct cc_score *s;

    add_observed(&data, 0x100, 0x104, 0, 0, 1);
    predict(&data, 0x100, 0x104, 0); /* occurred */
    predict(&data, 0x100, 0x104, 3); /* the same pair: its own prediction */
    predict(&data, 0x100, 0x108, 0); /* did not */
    s = score(&data);
    assert_ratio(s->precision, 2, 3);
    cc_scores_free(s);
    cc_data_fini(&data);
}

TEST(a_prediction_over_more_iterations_than_there_were_is_not_judged)
{
    struct cc_data data = new_data();
    struct cc_score *s;

    predict(&data, 0x100, 0x104, N_RUNS_OF_BLOCK - 1); /* judged */
    predict(&data, 0x100, 0x108, N_RUNS_OF_BLOCK);
    predict(&data, 0x100, 0x10c, N_RUNS_OF_BLOCK + 1);
    s = score(&data);
    assert_ratio(s->precision, 0, 1);
    cc_scores_free(s);
    cc_data_fini(&data);
}

TEST(predictions_of_dropped_blocks_are_not_judged)
{
    struct cc_data data = new_data();
    struct cc_score *s;
    uint32_t cold =
        cc_add_block(&data, (struct cc_block){.start = 0x200, .end = 0x210});

    cc_add_segment(&data, (struct cc_segment){0, 0x200, 0x210, 99});
    cc_add_prediction(&data, (struct cc_prediction){.block = cold,
                                                    .dst_block = cold,
                                                    .src = 0x200,
                                                    .dst = 0x204});
    s = score(&data);
    assert_ratio(s->precision, 0, 0);
    assert_int_equal(s->n_blocks, 2);
    assert_int_equal(s->n_kept, 1);
    cc_scores_free(s);
    cc_data_fini(&data);
}

TEST(agreement_is_judged_among_the_found_at_the_largest_bound)
{
    struct cc_data data = new_data();
    struct cc_score *s;

    data.bounds.bound[0] = 512; /* the largest stands last */
    data.bounds.bound[2] = LIFETIME_INF;
    add_observed(&data, 0x100, 0x104, 0, 0, 1);
    add_observed(&data, 0x104, 0x104, 1, 0, 0);
    add_observed(&data, 0x108, 0x104, 1, 0, 0); /* missed */
    predict(&data, 0x100, 0x104, 1);            /* explains 5, not 4 */
    predict(&data, 0x104, 0x104, 1);            /* explains 4 */
    s = score(&data);
    assert_int_equal(cc_bounds_largest(&data.bounds), 2);
    data.bounds.n = 2; /* what follows them does not count */
    assert_int_equal(cc_bounds_largest(&data.bounds), 1);
    assert_ratio(s->agreement, 1, 2);
    cc_scores_free(s);
    cc_data_fini(&data);
}

TEST(a_block_that_does_not_follow_itself_is_not_asked_for_agreement)
{
    struct cc_data data = new_data();
    struct cc_score *s;

    add_observed(&data, 0x100, 0x104, 1, 0, 0);
    predict(&data, 0x100, 0x104, 1);
    data.blocks[0].follows_itself = false;
    s = score(&data);
    assert_int_equal(s->tally[0].found, 1);
    assert_ratio(s->agreement, 0, 0);
    cc_scores_free(s);
    cc_data_fini(&data);
}

TEST(what_lies_beyond_the_largest_bound_is_not_asked_for_agreement)
{
    struct cc_data data = new_data();
    struct cc_score *s;

    data.bounds = (struct cc_bounds){1, {512}};
    add_observed(&data, 0x104, 0x104, 0, 1, 0);
    predict(&data, 0x104, 0x104, 1);
    s = score(&data);
    assert_ratio(s->agreement, 0, 0);
    assert_ratio(s->precision, 1, 1); /* it occurred all the same */
    cc_scores_free(s);
    cc_data_fini(&data);
}

TEST(each_object_has_a_score_of_its_own)
{
    struct cc_data data = new_data();
    uint32_t other = cc_add_object(&data, "/bin/b", "bb");
    struct cc_score *s;

    cc_add_block(&data, (struct cc_block){
                            .object = other, .start = 0x100, .end = 0x110});
    cc_add_segment(&data, (struct cc_segment){other, 0x100, 0x110, 2});
    add_observed(&data, 0x100, 0x104, 3, 0, 0);
    add_observed(&data, 0x100, 0x104, 4, 0, 0);
    data.observed[1].src_object = data.observed[1].dst_object = other;
    add_observed(&data, 0x100, 0x104, 5, 0, 0);
    data.observed[2].dst_object = other;
    predict(&data, 0x100, 0x104, 0);
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    s = cc_scores_new_by_object(&data);
    assert_ratio(cc_cov_w(&s[0].tally[0]), 3, 3);
    assert_ratio(cc_cov_w(&s[1].tally[0]), 0, 4);
    assert_int_equal(s[0].tally[0].spanning_occurrences, 5);
    assert_int_equal(s[1].tally[0].spanning_occurrences, 5);
    assert_int_equal(s[1].n_unanalysed, 1);
    cc_scores_free(s);
    s = cc_scores_new_total(&data);
    assert_ratio(cc_cov_w(&s[0].tally[0]), 3, 7);
    assert_int_equal(s[0].tally[0].spanning, 1);
    cc_scores_free(s);
    cc_data_fini(&data);
}

TEST(an_object_without_blocks_has_a_score_without_data)
{
    struct cc_data data = {.bounds = {1, {LIFETIME_INF}}};
    struct cc_score *s;

    cc_add_object(&data, "/bin/empty", "ee");
    cc_add_object(&data, "/bin/a", "aa");
    cc_add_block(&data, (struct cc_block){.object = 1,
                                          .start = 0x100,
                                          .end = 0x110,
                                          .n_instructions = 4,
                                          .analysed = true});
    cc_add_segment(&data, (struct cc_segment){1, 0x100, 0x110, 5});
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    s = cc_scores_new_by_object(&data);
    assert_int_equal(s[0].n_blocks, 0);
    assert_int_equal(s[1].n_blocks, 1);
    assert_int_equal(s[1].n_kept, 1);
    cc_scores_free(s);
    cc_data_fini(&data);
}

TEST(what_was_predicted_occurs_from_the_bound_of_its_first_occurrence_on)
{
    struct cc_data data = new_data();
    struct cc_score *s;

    add_observed(&data, 0x100, 0x104, 1, 0, 0);
    add_observed(&data, 0x104, 0x108, 0, 5, 0);
    add_observed(&data, 0x108, 0x10c, 0, 0, 9);
    predict(&data, 0x100, 0x104, 0);
    predict(&data, 0x104, 0x108, 0);
    predict(&data, 0x108, 0x10c, 0);
    predict(&data, 0x10c, 0x10c, 0); /* did not occur */
    s = score(&data);
    assert_ratio(s->precision, 3, 4);
    for (unsigned b = 0; b < 3; b++) {
        assert_int_equal(s->tally[b].occurred, 3 - b);
        assert_ratio(cc_figure_ratio(CC_PRECISION, s, b), 3 - b, 4);
    }
    cc_scores_free(s);
    cc_data_fini(&data);
}

TEST(agreement_and_blocks_add_up)
{
    struct cc_data data = new_data();
    struct cc_score *s;

    for (uint64_t start = 0x200; start < 0x240; start += 0x10) {
        cc_add_block(&data, (struct cc_block){.start = start,
                                              .end = start + 0x10,
                                              .analysed = start >= 0x220});
        cc_add_segment(&data, (struct cc_segment){0, start, start + 0x10,
                                                  start < 0x230 ? 500 : 0});
    }
    add_observed(&data, 0x100, 0x100, 1, 0, 0);
    add_observed(&data, 0x104, 0x104, 1, 0, 0);
    add_observed(&data, 0x108, 0x104, 1, 0, 0);
    predict(&data, 0x100, 0x100, 1); /* explains 4 */
    predict(&data, 0x104, 0x104, 1); /* explains 4 */
    predict(&data, 0x108, 0x104, 1); /* explains 3 */
    s = score(&data);
    assert_ratio(s->agreement, 2, 3);
    assert_int_equal(s->n_blocks, 5);
    assert_int_equal(s->n_kept, 4);
    assert_int_equal(s->n_unanalysed, 2);
    cc_scores_free(s);
    cc_data_fini(&data);
}

TEST(each_figure_is_its_own)
{
    struct cc_tally t = {.found = 1,
                         .missed = 2,
                         .found_occurrences = 8,
                         .missed_occurrences = 16,
                         .occurred = 64};
    const struct cc_score s = {.tally = &t, .precision = {64, 128}};

    assert_ratio(cc_figure_ratio(CC_COV_U, &s, 0), 1, 3);
    assert_ratio(cc_figure_ratio(CC_COV_W, &s, 0), 8, 24);
    assert_ratio(cc_figure_ratio(CC_PRECISION, &s, 0), 64, 128);
}

/* The score of blocks at a threshold in percent. */
static const struct cc_score *at(const struct cc_score *scores,
                                 unsigned percent)
{
    return &scores[CC_SCOPE_BLOCK * CC_N_SUPPORTS + percent / CC_SUPPORT_STEP];
}

TEST(a_threshold_leaves_the_predictions_that_reach_it)
{
    struct cc_data data = new_data();
    struct cc_score *s;

    add_observed(&data, 0x100, 0x104, 900, 0, 0);
    add_observed(&data, 0x100, 0x108, 100, 0, 0);
    add_observed(&data, 0x104, 0x108, 10, 0, 0);      /* not predicted */
    predict_with(&data, 0x100, 0x104, 0, 0.55);       /* just reaches 55 % */
    predict_with(&data, 0x100, 0x104, 1, 1.0 / 3);    /* the same pair */
    predict_with(&data, 0x100, 0x108, 0, 0.54999999); /* just does not */
    predict_with(&data, 0x108, 0x104, 0, 1);          /* false */
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    s = cc_scores_new_by_support(&data);
    assert_ratio(cc_cov_u(&at(s, 0)->tally[0]), 2, 3);
    assert_ratio(cc_cov_w(&at(s, 0)->tally[0]), 1000, 1010);
    assert_ratio(at(s, 0)->precision, 3, 4);
    assert_ratio(at(s, 35)->precision, 2, 3);
    assert_ratio(cc_cov_u(&at(s, 50)->tally[0]), 2, 3);
    assert_ratio(cc_cov_u(&at(s, 55)->tally[0]), 1, 3);
    assert_ratio(cc_cov_w(&at(s, 55)->tally[0]), 900, 1010);
    assert_ratio(at(s, 55)->precision, 1, 2);
    assert_ratio(cc_cov_u(&at(s, 60)->tally[0]), 0, 3);
    assert_ratio(at(s, 100)->precision, 0, 1);
    assert_int_equal(at(s, 100)->tally[0].occurred, 0);
    assert_int_equal(at(s, 30)->tally[2].occurred, 3);
    cc_scores_free(s);
    cc_data_fini(&data);
}

/* Each kind as if there were no other; what none finds is missed by all. */
TEST(each_kind_of_evidence_has_the_score_of_its_predictions)
{
    struct cc_data data = new_data();
    struct cc_score *s;
    const struct cc_score *walk, *flow;

    add_observed(&data, 0x100, 0x104, 900, 90, 0);
    add_observed(&data, 0x100, 0x108, 10, 0, 0);
    add_observed(&data, 0x104, 0x108, 1, 0, 0); /* not predicted */
    predict_by(&data, 0x100, 0x104, CC_EVIDENCE_WALK);
    predict_by(&data, 0x100, 0x108, CC_EVIDENCE_FLOW);
    predict_by(&data, 0x108, 0x104, CC_EVIDENCE_FLOW); /* false */
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    s = cc_scores_new_by_evidence(&data);
    walk = &s[CC_SCOPE_BLOCK * CC_N_EVIDENCES + CC_EVIDENCE_WALK];
    flow = &s[CC_SCOPE_BLOCK * CC_N_EVIDENCES + CC_EVIDENCE_FLOW];
    assert_ratio(walk->precision, 1, 1);
    assert_ratio(flow->precision, 1, 2);
    assert_ratio(cc_cov_u(&walk->tally[0]), 1, 3);
    assert_ratio(cc_cov_w(&walk->tally[0]), 990, 1001);
    assert_ratio(cc_cov_w(&walk->tally[2]), 900, 911);
    assert_ratio(cc_cov_u(&flow->tally[0]), 1, 3);
    assert_ratio(cc_cov_w(&flow->tally[0]), 10, 1001);
    assert_int_equal(flow->tally[2].occurred, 1);
    assert_ratio(s[CC_EVIDENCE_BLOCK].precision, 0, 0);
    assert_ratio(cc_cov_u(&s[CC_EVIDENCE_BLOCK].tally[0]), 0, 3);
    assert_int_equal(cc_count_evidences(s, CC_SCOPE_BLOCK), 2);
    cc_scores_free(s);
    cc_data_fini(&data);
}

TEST(a_pair_of_two_kinds_of_evidence_has_the_first)
{
    struct cc_data data = new_data();
    struct cc_score *s;

    add_observed(&data, 0x100, 0x104, 5, 0, 0);
    predict_by(&data, 0x100, 0x104, CC_EVIDENCE_FLOW);
    predict_by(&data, 0x100, 0x104, CC_EVIDENCE_WALK);
    cc_match(&data, (struct cc_filter){.min_weight = 10});
    assert_int_equal(cc_evidence_of(&data, &data.observed[0]),
                     CC_EVIDENCE_WALK);
    s = cc_scores_new_by_evidence(&data);
    assert_int_equal(s[CC_EVIDENCE_WALK].tally[0].found, 1);
    assert_int_equal(s[CC_EVIDENCE_FLOW].tally[0].found, 0);
    cc_scores_free(s);
    cc_data_fini(&data);
}
