/*
 * cy_spread: how many rounds lie between the ends of a dependency whose
 * distance varies.
 *
 * A load that waits for the store of k rounds before adds a link to a chain of
 * one link in k rounds, so that a round costs the mean of 1/k links.  That is
 * exact for runs of equal distances.  But where addresses come in no order, as
 * in a histogram, the chains of different addresses run side by side, and only
 * the longest counts: that of the most frequent address.  Its share f of the
 * rounds shows in how the distances fall: k occurs in proportion to
 * (1 - f)^(k - 1).  Both figures are upper bounds, and the smaller one counts.
 *
 * Limits: of addresses in no order, the share is a mean in which rare addresses
 * hardly count.  Distances of more rounds than a run has are of other runs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "bound/internal.h"

#include <assert.h>
#include <math.h>

/* The share of the smallest distance from which on it is the only one. */
#define FIXED 0.9

/* More rounds than this add nothing. */
#define FAR 4096

/* The mean of 1/k over the rounds of a class. */
static double links(const struct cy_rounds *c)
{
    double sum = 0;
    double last = fmin(c->last, c->first + FAR);

    for (double k = c->first; k <= last; k++)
        sum += 1 / k;
    return sum / (last - c->first + 1);
}

/* How often the rounds of a class occur, if those of an address occur in a
   share f of all, in proportion to the first round. */
static double falling(const struct cy_rounds *c, double f)
{
    return (pow(1 - f, c->first - 1) - pow(1 - f, c->last)) / f;
}

/* The share of the rounds that one address has, by the two smallest classes. */
static double share_of_address(const struct cy_rounds *c)
{
    double low = 0, high = 1;

    for (unsigned i = 0; i < 40; i++) {
        double f = (low + high) / 2;

        if (falling(&c[1], f) * c[0].occurrences >
            falling(&c[0], f) * c[1].occurrences)
            low = f;
        else
            high = f;
    }
    return low;
}

double cy_spread(const struct cy_rounds *classes, unsigned n, bool is_exact)
{
    double all = 0, mean = 0;

    assert(n > 0 && classes[0].first >= 1);
    for (unsigned i = 0; i < n; i++) {
        assert(classes[i].first <= classes[i].last);
        all += classes[i].occurrences;
        mean += classes[i].occurrences * links(&classes[i]);
    }
    if (n == 1 || all <= 0 || classes[0].occurrences >= FIXED * all)
        return classes[0].first;
    mean /= all;
    if (is_exact && classes[0].first == 1 && classes[0].last == 1)
        mean = fmin(mean, share_of_address(classes));
    return fmax(1 / fmax(mean, 1.0 / FAR), classes[0].first);
}
