/* How many rounds lie between the ends of a dependency at varying distances. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "chain/cy_predict.h"

#define CLASSES 12

static void assert_near(double got, double expected, double difference)
{
    assert_true(fabs(got - expected) <= difference);
}

/* The classes of powers of two if each of `n_addresses` addresses occurs
   equally often, in random order. */
static void of_addresses(struct cy_rounds *classes, unsigned n_addresses,
                         double occurrences)
{
    double first = 1;

    for (unsigned i = 0; i < CLASSES; i++, first *= 2) {
        double last = 2 * first - 1, p = 0;

        for (double k = first; k <= last; k++)
            p += pow(1 - 1.0 / n_addresses, k - 1) / n_addresses;
        classes[i].first = first;
        classes[i].last = last;
        classes[i].occurrences += p * occurrences;
    }
}

TEST(a_distance_that_hardly_varies_is_the_smallest)
{
    const struct cy_rounds classes[] = {{3, 3, 95}, {8, 15, 5}};

    assert_near(cy_spread(classes, 1, true), 3, 0);
    assert_near(cy_spread(classes, 2, true), 3, 0);
}

/* A link over k rounds costs each round 1/k. */
TEST(each_distance_counts_as_often_as_it_occurs)
{
    const struct cy_rounds classes[] = {{1, 1, 50}, {4, 4, 50}},
                           far[] = {{2, 2, 60}, {1000, 1000, 40}};

    assert_near(cy_spread(classes, 2, false), 1 / 0.625, 1e-9);
    assert_near(cy_spread(far, 2, true), 1 / 0.3004, 1e-9);
}

TEST(addresses_in_no_order_have_a_chain_each)
{
    for (unsigned n = 2; n <= 64; n *= 2) {
        struct cy_rounds classes[CLASSES] = {0};

        of_addresses(classes, n, 1000);
        assert_near(cy_spread(classes, CLASSES, true), n, n * 0.01);
    }
}

/* One address has half of the rounds, and 64 others share the rest. */
TEST(the_most_frequent_address_counts)
{
    struct cy_rounds classes[CLASSES] = {0};

    of_addresses(classes, 2, 500);
    of_addresses(classes, 128, 500);
    assert_near(cy_spread(classes, CLASSES, true), 2, 0.8);
}
