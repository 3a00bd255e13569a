/*
 * Coverage, precision and agreement.
 *
 * Dependencies and predictions are written as texts.  "0>4 9 0 5, 8>c 1 0 0"
 * are two dependencies: from the instruction at 0 in the block to that at 4,
 * with 9 occurrences up to a distance of 512, none more up to 1024 and 5
 * beyond; and another one.  "0>4 1 0.5 2" is a prediction with a delta_k of 1,
 * a support of 0.5 and the evidence of number 2; numbers left out at the end
 * are 0.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "data.h"

#include "judge/cc_score.h"

#define BASE 0x100 /* where the block begins */

/* One block of four instructions of 4 bytes, executed 1000 times, and the
   bounds inf, 1024 and 512. */
static void renew(void)
{
    cc_data_fini(&data);
    data.bounds = (struct cc_bounds){3, {LIFETIME_INF, 1024, 512}};
    cc_add_object(&data, "/bin/a", "aa");
    cc_add_block(&data, (struct cc_block){.start = BASE,
                                          .end = BASE + 0x10,
                                          .n_instructions = 4,
                                          .analysed = true,
                                          .follows_itself = true});
    array_append(&data, segments,
                 (struct cc_segment){0, BASE, BASE + 0x10, 1000});
}

BEFORE_EACH()
{
    renew();
}

/* The scores that were asked for last. */
static struct cc_score *s;

static void take(struct cc_score *scores)
{
    cc_scores_free(s);
    s = scores;
}

/* What follows the next comma; the end of the text if there is none. */
static const char *after(const char *text)
{
    text += strcspn(text, ",");
    return text + (*text == ',');
}

static void observe(const char *text)
{
    uint64_t src, dst, n[3], bounds[] = {512, 1024, LIFETIME_INF};

    for (; *text != '\0'; text = after(text)) {
        uint32_t observed;

        assert_int_equal(sscanf(text,
                                "%" SCNx64 ">%" SCNx64 " %" SCNu64 " %" SCNu64
                                " %" SCNu64,
                                &src, &dst, &n[0], &n[1], &n[2]),
                         5);
        observed = cc_add_observed(
            &data, (struct cc_observed){.src = BASE + src,
                                        .dst = BASE + dst,
                                        .occurrences = n[0] + n[1] + n[2],
                                        .min_distance = 4});
        for (int i = 0; i < 3; i++)
            cc_add_occurrences(&data, observed, bounds[i], n[i]);
    }
}

static void predict(const char *text)
{
    for (; *text != '\0'; text = after(text)) {
        struct cc_prediction p = {0};
        unsigned evidence = 0;

        assert_true(sscanf(text, "%" SCNx64 ">%" SCNx64 " %" SCNu64 " %lf %u",
                           &p.src, &p.dst, &p.delta_k, &p.support,
                           &evidence) >= 2);
        p.src_index = p.src / 4;
        p.dst_index = p.dst / 4;
        p.src += BASE;
        p.dst += BASE;
        p.evidence = (enum cc_evidence)evidence;
        array_append(&data, predictions, p);
    }
}

static void match(const char *observed, const char *predicted)
{
    observe(observed);
    predict(predicted);
    cc_match(&data, (struct cc_filter){.min_weight = 10});
}

/* Checks for each bound from inf down to 512: the shares found of dependencies
   and of occurrences, predictions that occurred, and what spans.  Then
   precision, agreement, kept blocks, and those not analysed. */
static void assert_score(const char *title, const struct cc_score *score,
                         const char *expected)
{
    char text[512];
    int n = 0;

    for (unsigned b = 0; b < 3; b++) {
        const struct cc_tally *t = &score->tally[b];
        struct cc_ratio u = cc_cov_u(t), w = cc_cov_w(t);

        n += snprintf(text + n, sizeof text - (size_t)n,
                      "%ju/%ju %ju/%ju %ju %ju:%ju; ", u.part, u.whole, w.part,
                      w.whole, t->occurred, t->spanning,
                      t->spanning_occurrences);
        assert_int_equal(cc_figure_ratio(CC_PRECISION, score, b).part,
                         t->occurred);
    }
    snprintf(text + n, sizeof text - (size_t)n, "%ju/%ju %ju/%ju %ju/%ju %ju",
             score->precision.part, score->precision.whole,
             score->agreement.part, score->agreement.whole, score->n_kept,
             score->n_blocks, score->n_unanalysed);
    if (strcmp(text, expected) != 0)
        fail_msg("%s:\n%s\n%s", title, text, expected);
}

static const struct {
    const char *title, *observed, *predicted, *score;
    bool is_straight;   /* the block does not follow itself */
    bool is_unanalysed; /* staticdeps could not analyse it */
} cases[] = {
    {.title = "a hot dependency weighs more than a cold one",
     .observed = "0>4 900 0 0, 0>8 100 0 0",
     .predicted = "0>4",
     .score = "1/2 900/1000 1 0:0; 1/2 900/1000 1 0:0; 1/2 900/1000 1 0:0; 1/1 "
              "0/1 1/1 0"},
    {.title = "a bound counts only the occurrences within it",
     .observed = "0>4 1 20 300, 0>8 0 4 5000, 0>c 0 0 60000",
     .predicted = "0>4",
     .score =
         "1/3 321/65325 1 0:0; 1/2 21/25 1 0:0; 1/1 1/1 1 0:0; 1/1 0/1 1/1 0"},
    {.title =
         "what spans is counted, not scored; what touches no block is neither",
     .observed = "0>100 7 0 2, 100>0 0 0 5, 100>104 9 9 9",
     .predicted = "",
     .score = "0/0 0/0 0 2:14; 0/0 0/0 0 1:7; 0/0 0/0 0 1:7; 0/0 0/0 1/1 0"},
    {.title = "runs add up before they are scored",
     .observed = "0>4 5 0 0, 0>8 1 0 0, 0>4 6 0 0",
     .predicted = "0>4",
     .score =
         "1/2 11/12 1 0:0; 1/2 11/12 1 0:0; 1/2 11/12 1 0:0; 1/1 0/1 1/1 0"},
    {.title = "a dependency in a block that was not analysed counts as missed",
     .observed = "0>4 5 0 0",
     .predicted = "",
     .score = "0/1 0/5 0 0:0; 0/1 0/5 0 0:0; 0/1 0/5 0 0:0; 0/0 0/0 1/1 1",
     .is_unanalysed = true},
    {.title = "without dependencies there is no data",
     .observed = "",
     .predicted = "",
     .score = "0/0 0/0 0 0:0; 0/0 0/0 0 0:0; 0/0 0/0 0 0:0; 0/0 0/0 1/1 0"},
    {.title = "precision is the share of predictions that occurred, also of "
              "one pair",
     .observed = "0>4 0 0 1",
     .predicted = "0>4 0, 0>4 3, 0>8 0",
     .score = "1/1 1/1 2 0:0; 0/0 0/0 0 0:0; 0/0 0/0 0 0:0; 2/3 0/1 1/1 0"},
    {.title =
         "a prediction over as many iterations as there were is not judged",
     .observed = "",
     .predicted = "0>4 999, 0>8 1000, 0>c 1001",
     .score = "0/0 0/0 0 0:0; 0/0 0/0 0 0:0; 0/0 0/0 0 0:0; 0/1 0/0 1/1 0"},
    {.title = "a block that does not follow itself is not asked for agreement",
     .observed = "0>4 1 0 0",
     .predicted = "0>4 1",
     .score = "1/1 1/1 1 0:0; 1/1 1/1 1 0:0; 1/1 1/1 1 0:0; 1/1 0/0 1/1 0",
     .is_straight = true},
    {.title =
         "what was predicted occurs from the bound of its first occurrence on",
     .observed = "0>4 1 0 0, 4>8 0 5 0, 8>c 0 0 9",
     .predicted = "0>4, 4>8, 8>c, c>c",
     .score = "3/3 15/15 3 0:0; 2/2 6/6 2 0:0; 1/1 1/1 1 0:0; 3/4 0/3 1/1 0"},
};

TEST(observed_and_predicted_pairs_make_a_score)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        renew();
        data.blocks[0].follows_itself = !cases[i].is_straight;
        data.blocks[0].analysed = !cases[i].is_unanalysed;
        match(cases[i].observed, cases[i].predicted);
        take(cc_scores_new_total(&data));
        assert_score(cases[i].title, s, cases[i].score);
    }
}

TEST(percentages_are_shares_of_a_hundred)
{
    assert_true(cc_percent((struct cc_ratio){1, 2}) == 50);
    assert_true(cc_percent((struct cc_ratio){900, 1000}) == 90);
}

TEST(predictions_of_dropped_blocks_are_not_judged)
{
    uint32_t cold =
        cc_add_block(&data, (struct cc_block){.start = 0x200, .end = 0x210});

    array_append(&data, segments, (struct cc_segment){0, 0x200, 0x210, 99});
    array_append(
        &data, predictions,
        (struct cc_prediction){
            .block = cold, .dst_block = cold, .src = 0x200, .dst = 0x204});
    match("", "");
    take(cc_scores_new_total(&data));
    assert_score("dropped", s,
                 "0/0 0/0 0 0:0; 0/0 0/0 0 0:0; 0/0 0/0 0 0:0; 0/0 0/0 1/2 0");
}

/* The first pair explains a distance of 5, the second one of 4; the third was
   missed. */
TEST(agreement_is_judged_among_the_found_at_the_largest_bound)
{
    data.bounds = (struct cc_bounds){3, {512, 1024, LIFETIME_INF}};
    match("0>4 0 0 1, 4>4 1 0 0, 8>4 1 0 0", "0>4 1, 4>4 1");
    take(cc_scores_new_total(&data));
    assert_int_equal(cc_bounds_largest(&data.bounds), 2);
    assert_score("largest", s,
                 "1/2 1/2 1 0:0; 1/2 1/2 1 0:0; 2/3 2/3 2 0:0; 2/2 1/2 1/1 0");
    data.bounds.n = 2; /* the bounds after the first two do not count */
    assert_int_equal(cc_bounds_largest(&data.bounds), 1);
}

TEST(a_pair_beyond_the_largest_bound_is_not_judged_for_agreement)
{
    data.bounds = (struct cc_bounds){1, {512}};
    match("4>4 0 1 0", "4>4 1");
    take(cc_scores_new_total(&data));
    assert_int_equal(s->agreement.whole, 0);
    assert_int_equal(s->precision.part, 1); /* the pair occurred all the same */
    assert_int_equal(s->precision.whole, 1);
}

/* The second pair lies in the other object, and the third leads there. */
TEST(each_object_has_a_score_of_its_own)
{
    uint32_t other = cc_add_object(&data, "/bin/b", "bb");

    cc_add_block(
        &data, (struct cc_block){.object = other, .start = BASE, .end = 0x110});
    array_append(&data, segments, (struct cc_segment){other, BASE, 0x110, 2});
    observe("0>4 3 0 0, 0>4 4 0 0, 0>4 5 0 0");
    data.observed[1].src_object = data.observed[1].dst_object = other;
    data.observed[2].dst_object = other;
    match("", "0>4");
    take(cc_scores_new_by_object(&data));
    assert_score("first", &s[0],
                 "1/1 3/3 1 1:5; 1/1 3/3 1 1:5; 1/1 3/3 1 1:5; 1/1 0/1 1/1 0");
    assert_score("other", &s[1],
                 "0/1 0/4 0 1:5; 0/1 0/4 0 1:5; 0/1 0/4 0 1:5; 0/0 0/0 1/1 1");
    take(cc_scores_new_total(&data));
    assert_score("both", s,
                 "1/2 3/7 1 1:5; 1/2 3/7 1 1:5; 1/2 3/7 1 1:5; 1/1 0/1 2/2 1");
}

TEST(an_object_without_blocks_has_a_score_without_data)
{
    cc_add_object(&data, "/bin/empty", "ee");
    match("", "");
    take(cc_scores_new_by_object(&data));
    assert_score("with a block", &s[0],
                 "0/0 0/0 0 0:0; 0/0 0/0 0 0:0; 0/0 0/0 0 0:0; 0/0 0/0 1/1 0");
    assert_score("without", &s[1],
                 "0/0 0/0 0 0:0; 0/0 0/0 0 0:0; 0/0 0/0 0 0:0; 0/0 0/0 0/0 0");
}

/* The first two predictions explain a distance of 4, the third one of 3. */
TEST(agreement_and_blocks_add_up)
{
    for (uint64_t start = 0x200; start < 0x240; start += 0x10) {
        cc_add_block(&data, (struct cc_block){.start = start,
                                              .end = start + 0x10,
                                              .analysed = start >= 0x220});
        array_append(&data, segments,
                     (struct cc_segment){0, start, start + 0x10,
                                         start < 0x230 ? 500 : 0});
    }
    match("0>0 1 0 0, 4>4 1 0 0, 8>4 1 0 0", "0>0 1, 4>4 1, 8>4 1");
    take(cc_scores_new_total(&data));
    assert_score("blocks", s,
                 "3/3 3/3 3 0:0; 3/3 3/3 3 0:0; 3/3 3/3 3 0:0; 3/3 2/3 4/5 2");
}

TEST(each_figure_has_its_own_ratio)
{
    struct cc_tally t = {.found = 1,
                         .missed = 2,
                         .found_occurrences = 8,
                         .missed_occurrences = 16,
                         .occurred = 64};
    const struct cc_score score = {.tally = &t, .precision = {64, 128}};
    static const struct cc_ratio are[] = {{1, 3}, {8, 24}, {64, 128}};

    for (enum cc_figure f = CC_COV_U; f < CC_N_FIGURES; f++) {
        assert_int_equal(cc_figure_ratio(f, &score, 0).part, are[f].part);
        assert_int_equal(cc_figure_ratio(f, &score, 0).whole, are[f].whole);
    }
}

/* The support of the first prediction just reaches 55 %, that of the third just
   does not; the second is of the same pair, and the last is false. */
TEST(a_threshold_leaves_the_predictions_that_reach_it)
{
    static const struct {
        unsigned percent;
        const char *score;
    } is[] = {
        {0, "2/3 1000/1010 3 0:0; 2/3 1000/1010 3 0:0; 2/3 1000/1010 3 0:0; "
            "3/4 0/2 0/0 0"},
        {30, "2/3 1000/1010 3 0:0; 2/3 1000/1010 3 0:0; 2/3 1000/1010 3 0:0; "
             "3/4 0/2 0/0 0"},
        {35, "2/3 1000/1010 2 0:0; 2/3 1000/1010 2 0:0; 2/3 1000/1010 2 0:0; "
             "2/3 0/2 0/0 0"},
        {50, "2/3 1000/1010 2 0:0; 2/3 1000/1010 2 0:0; 2/3 1000/1010 2 0:0; "
             "2/3 0/2 0/0 0"},
        {55, "1/3 900/1010 1 0:0; 1/3 900/1010 1 0:0; 1/3 900/1010 1 0:0; 1/2 "
             "0/1 0/0 0"},
        {60,
         "0/3 0/1010 0 0:0; 0/3 0/1010 0 0:0; 0/3 0/1010 0 0:0; 0/1 0/0 0/0 0"},
        {100, "0/3 0/1010 0 0:0; 0/3 0/1010 0 0:0; 0/3 0/1010 0 0:0; 0/1 0/0 "
              "0/0 0"}};

    match("0>4 900 0 0, 0>8 100 0 0, 4>8 10 0 0",
          "0>4 0 0.55, 0>4 1 0.3333333, 0>8 0 0.54999999, 8>4 0 1");
    take(cc_scores_new_by_support(&data));
    for (size_t i = 0; i < sizeof is / sizeof is[0]; i++)
        assert_score("support",
                     &s[CC_SCOPE_BLOCK * CC_N_SUPPORTS +
                        is[i].percent / CC_SUPPORT_STEP],
                     is[i].score);
}

/* Each kind scores as if there were no other; a pair that no kind found is
   missed by all, and the last prediction is false. */
TEST(each_kind_of_evidence_has_the_score_of_its_predictions)
{
    match("0>4 900 90 0, 0>8 10 0 0, 4>8 1 0 0",
          "0>4 0 0 1, 0>8 0 0 2, 8>4 0 0 2");
    take(cc_scores_new_by_evidence(&data));
    assert_score(
        "blocks", &s[CC_EVIDENCE_BLOCK],
        "0/3 0/1001 0 0:0; 0/3 0/1001 0 0:0; 0/3 0/911 0 0:0; 0/0 0/0 0/0 0");
    assert_score("walks", &s[CC_EVIDENCE_WALK],
                 "1/3 990/1001 1 0:0; 1/3 990/1001 1 0:0; 1/3 900/911 1 0:0; "
                 "1/1 0/1 0/0 0");
    assert_score("flow", &s[CC_EVIDENCE_FLOW],
                 "1/3 10/1001 1 0:0; 1/3 10/1001 1 0:0; 1/3 10/911 1 0:0; 1/2 "
                 "0/1 0/0 0");
    assert_int_equal(cc_count_evidences(s, CC_SCOPE_BLOCK), 2);
}

TEST(a_pair_of_two_kinds_of_evidence_has_the_first)
{
    match("0>4 5 0 0", "0>4 0 0 2, 0>4 0 0 1");
    assert_int_equal(cc_evidence_of(&data, &data.observed[0]),
                     CC_EVIDENCE_WALK);
    take(cc_scores_new_by_evidence(&data));
    assert_int_equal(s[CC_EVIDENCE_WALK].tally[0].found, 1);
    assert_int_equal(s[CC_EVIDENCE_FLOW].tally[0].found, 0);
}
