/* Pairs of walks, their support, and the lists of walks that came to a block.
 */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "walk/sd_support.h"

TEST(a_pair_counts_once_a_walk_and_keeps_the_least_distance)
{
    struct sd_walk_pair pair = {
        .src = 3, .dst = 5, .n_walks = 1, .last = 1, .distance = 9};
    const struct sd_walk_pair *list;
    struct sd_pairs pairs = {.n = 0};

    sd_pairs_add(&pairs, &pair);
    pair.distance = 4;
    sd_pairs_add(&pairs, &pair);
    pair.last = 2;
    pair.delta_k = 1;
    sd_pairs_add(&pairs, &pair);
    list = sd_pairs_list(&pairs);
    assert_true(pairs.n == 1 && list[0].n_walks == 2 && list[0].distance == 4);
    assert_true(list[0].delta_k == SD_ANY_DELTA);
    sd_pairs_fini(&pairs);
}

TEST(support_is_the_share_of_the_walks_that_came_to_both_blocks)
{
    /* Two of three walks came to both blocks. */
    static const struct sd_visit walks[] = {
        {.number = 2}, {.number = 0}, {.number = 1},
        {.number = 1}, {.number = 0}, {.number = 3},
        {.number = 2}, {.number = 1}, {.number = 0}};
    struct sd_walk_pair pair = {.src = 1, .dst = 9, .n_walks = 1};
    struct sd_support s;

    sd_support_init(&s, 4);
    sd_support_add(&s, walks, sizeof walks / sizeof walks[0], &pair, 1);
    assert_int_equal(s.n_walks, 3);
    assert_true(sd_support_of(&s, &pair, 0, 1) == 0.5);
    assert_true(sd_support_of(&s, &pair, 0, 0) == 1.0 / 3);
    sd_support_fini(&s);
}

/* Does the walk come to the block?  All come to block 0, fewer to others. */
static bool comes(uint32_t walk, uint32_t block)
{
    return sd_random(walk, block) % (1 + block % 9) == 0;
}

TEST(support_is_the_share_of_thousands_of_walks)
{
    enum { WALKS = 2000, BLOCKS = 20 };
    struct sd_walk_pair pair = {.src = 1, .dst = 9, .n_walks = 1};
    static struct sd_visit walk[1 + BLOCKS];
    struct sd_support s;

    sd_support_init(&s, BLOCKS);
    for (uint32_t i = 0; i < WALKS; i++) {
        walk[0].number = 0;
        for (uint32_t block = 0; block < BLOCKS; block++)
            if (comes(i, block))
                walk[++walk[0].number].number = block;
        sd_support_add(&s, walk, 1 + walk[0].number, NULL, 0);
    }
    for (uint32_t a = 0; a < BLOCKS; a++)
        for (uint32_t b = 0; b < BLOCKS; b++) {
            uint32_t n = 0;

            for (uint32_t i = 0; i < WALKS; i++)
                n += comes(i, a) && comes(i, b);
            assert_true(n > 0);
            assert_true(sd_support_of(&s, &pair, a, b) == 1.0 / n);
        }
    sd_support_fini(&s);
}

TEST(a_walk_is_against_a_pair_if_it_comes_to_the_load_after_the_store)
{
    /* The walks visit block 0, then 1; block 1, then 0; block 0 twice, and 1 in
       between; and both, in an order that is not known. */
    static const struct sd_visit walks[] = {{.number = 2},
                                            {0, 0, 0},
                                            {1, 5, 5},
                                            {.number = 2},
                                            {1, 0, 0},
                                            {0, 7, 7},
                                            {.number = 2},
                                            {0, 0, 9},
                                            {1, 4, 4},
                                            {.number = 2},
                                            {0, UINT16_MAX, UINT16_MAX},
                                            {1, UINT16_MAX, UINT16_MAX}};
    struct sd_support s;

    sd_support_init(&s, 3);
    sd_support_add(&s, walks, sizeof walks / sizeof walks[0], NULL, 0);
    assert_int_equal(sd_support_after(&s, 0, 1, false), 2);
    assert_int_equal(sd_support_after(&s, 1, 0, false), 2);
    assert_int_equal(sd_support_after(&s, 0, 2, false), 0);
    assert_int_equal(sd_support_after(&s, 0, 0, false), 3);
    assert_int_equal(sd_support_after(&s, 0, 0, true), 1);
    assert_int_equal(sd_support_after(&s, 1, 1, true), 0);
    sd_support_fini(&s);
}

/* --- Lists of walks: what was added is read again --- */

#define N 3000

static struct sd_visit all[N];
static struct sd_visits *list;

/* Makes numbers with small steps and some huge ones, and times of all kinds. */
BEFORE_EACH()
{
    uint32_t number = 0;

    list = NULL;
    for (uint32_t i = 0; i < N; i++) {
        uint64_t r = sd_random(7, i);
        struct sd_visit *c = &all[i];

        number += 1 + (uint32_t)(r % 1000 == 0 ? r >> 40 : r >> 62);
        c->number = number;
        c->first = r & 4 ? UINT16_MAX : (uint16_t)(r >> 8);
        c->last = r & 2 ? c->first : UINT16_MAX;
        if (r & 4)
            c->last = UINT16_MAX;
        sd_visits_add(&list, c);
    }
}

AFTER_EACH()
{
    free(list);
}

static void assert_same(const struct sd_visit *a, const struct sd_visit *b)
{
    assert_int_equal(a->number, b->number);
    assert_int_equal(a->first, b->first);
    assert_int_equal(a->last, b->last);
}

TEST(visits_are_read_back_as_added)
{
    struct sd_visits_reader r = sd_visits_read(list);

    assert_int_equal(sd_visits_n(list), N);
    for (uint32_t i = 0; i < N; i++) {
        assert_true(sd_visits_next(&r));
        assert_same(&r.visit, &all[i]);
    }
    assert_false(sd_visits_next(&r));
    assert_false(sd_visits_next(&r));
}

TEST(a_missing_list_has_no_visits)
{
    struct sd_visits_reader r = sd_visits_read(NULL);

    assert_int_equal(sd_visits_n(NULL), 0);
    assert_false(sd_visits_next(&r));
}

TEST(a_thousand_near_visits_take_two_thousand_bytes)
{
    struct sd_visits *small = NULL;
    struct sd_visits_reader r;

    for (uint32_t i = 1; i <= 1000; i++)
        sd_visits_add(&small, &(struct sd_visit){i, 100, 100});
    r = sd_visits_read(small);
    assert_int_equal(r.end - r.at, 2000);
    free(small);
}
