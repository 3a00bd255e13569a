/* Recursion, written after the rules were fixed. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "whole.h"

CALLEE int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

WHOLE(ackermann_function)
{
    USE(ackermann(2, 14));
}

/* Heap's way to all orders, each of which is summed with weights. */
CALLEE long permute(int *a, int n)
{
    long sum = 0;

    if (n == 1)
        return a[0] * 3L + a[1] * 5L - a[2] * 7L;
    for (int i = 0; i < n; i++) {
        int other = n & 1 ? 0 : i, x;

        sum = sum * 31 + permute(a, n - 1);
        x = a[other];
        a[other] = a[n - 1];
        a[n - 1] = x;
    }
    return sum;
}

WHOLE(orders_of_five)
{
    int *a = SLOT(0);

    for (int i = 0; i < 5; i++)
        a[i] = FRESH(i);
    USE(permute(a, 5));
}

CALLEE int queens(unsigned all, unsigned columns, unsigned left, unsigned right)
{
    int ways = 0;

    if (columns == all)
        return 1;
    for (unsigned free = all & ~(columns | left | right); free != 0;) {
        unsigned place = free & -free;

        free -= place;
        ways += queens(all, columns | place, (left | place) << 1,
                       (right | place) >> 1);
    }
    return ways;
}

WHOLE(queens_placed)
{
    USE(queens(127, 0, 0, 0));
}

/* A tree of keys is grown, and asked how many are less than others. */
struct branch {
    struct branch *less, *more;
    int key, count;
};

CALLEE struct branch *insert(struct branch *at, struct branch *new)
{
    if (at == 0)
        return new;
    if (new->key < at->key)
        at->less = insert(at->less, new);
    else if (new->key > at->key)
        at->more = insert(at->more, new);
    else
        at->count++;
    return at;
}

CALLEE int keys_below(const struct branch *at, int key)
{
    if (at == 0)
        return 0;
    if (key <= at->key)
        return keys_below(at->less, key);
    return at->count + keys_below(at->less, key) + keys_below(at->more, key);
}

WHOLE(ranks_in_a_tree)
{
    struct branch *nodes = SLOT(0), *root = 0;
    int sum = 0;

    for (int i = 0; i < 40; i++) {
        nodes[i] = (struct branch){.key = INTS[i], .count = 1};
        root = insert(root, &nodes[i]);
    }
    for (int i = 0; i < 16; i++)
        sum += keys_below(root, EIGHTH(i) * 32 + FRESH(i) / 8);
    USE(sum);
}

/* Regions of a picture of 20 times 20, with a border that is not filled. */
CALLEE int fill_region(uint8_t *at)
{
    if (*at != 1)
        return 0;
    *at = 2;
    return 1 + fill_region(at - 1) + fill_region(at + 1) +
           fill_region(at - 20) + fill_region(at + 20);
}

WHOLE(regions_filled)
{
    uint8_t *picture = SLOT(0);
    int largest = 0;

    for (int i = 0; i < 400; i++)
        picture[i] = i < 20 || i >= 380 || i % 20 == 0 || i % 20 == 19
                         ? 0
                         : FRESH(i) < 150;
    for (int i = 21; i < 379; i++) {
        int size = fill_region(picture + i);

        largest = size > largest ? size : largest;
    }
    USE(largest);
}

/* Subsets of ten numbers that have half their sum; what is too much is not
 * tried. */
CALLEE int subsets(const int *sizes, int n, int rest)
{
    if (rest == 0)
        return 1;
    if (n == 0 || rest < 0)
        return 0;
    return subsets(sizes + 1, n - 1, rest - *sizes) +
           subsets(sizes + 1, n - 1, rest);
}

WHOLE(subsets_with_a_sum)
{
    int *sizes = SLOT(0), sum = 0;

    for (int i = 0; i < 10; i++)
        sum += sizes[i] = 64 + FRESH(i) / 4;
    USE(subsets(sizes, 10, sum / 2));
}

/* Two functions that call each other count the ways to tile a strip. */
CALLEE long tile_odd(int n);

CALLEE long tile_even(int n)
{
    return n <= 0 ? n == 0 : tile_even(n - 2) + 2 * tile_odd(n - 1);
}

CALLEE long tile_odd(int n)
{
    return n <= 1 ? n == 1 : tile_even(n - 1) + tile_odd(n - 2);
}

WHOLE(strips_tiled)
{
    USE(tile_even(12) + tile_odd(13));
}

/* Simpson's rule halves an interval until both halves agree with it. */
CALLEE double curve(double x)
{
    return 1 / (1 + 25 * x * x);
}

CALLEE double integrate(double a, double b, double fa, double fm, double fb,
                        double whole, double error)
{
    double m = (a + b) / 2, left = curve((a + m) / 2);
    double right = curve((m + b) / 2), h = (b - a) / 12;
    double one = h * (fa + 4 * left + fm), two = h * (fm + 4 * right + fb);
    double off = one + two - whole;

    if (off * off <= 225 * error * error)
        return one + two + off / 15;
    return integrate(a, m, fa, left, fm, one, error / 2) +
           integrate(m, b, fm, right, fb, two, error / 2);
}

WHOLE(intervals_halved)
{
    double a = -1 - FRESH(0) / 4096.0, b = 1.5, m = (a + b) / 2;
    double fa = curve(a), fm = curve(m), fb = curve(b);

    USE(integrate(a, b, fa, fm, fb, (b - a) / 6 * (fa + 4 * fm + fb), 1e-7));
}
