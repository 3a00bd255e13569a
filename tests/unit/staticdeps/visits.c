/* Lists of walks that came to a block: what was added is read again. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "walk/sd_support.h"

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
