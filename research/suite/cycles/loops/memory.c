/* Loops that a chain through memory bounds: sums, recurrences, state. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "loop.h"

/* Computes each element from the one before. */
#define PREFIX(name, type, expression) \
    LOOP(memory, name)                 \
    {                                  \
        type *a = SLOT(0);             \
                                       \
        for (long i = 1; i <= n; i++)  \
            a[i] = (type)(expression); \
    }
PREFIX(prefix_sum_long, long, a[i] + a[i - 1])
PREFIX(prefix_sum_int, int, a[i] + a[i - 1])
PREFIX(prefix_sum_short, short, a[i] + a[i - 1])
PREFIX(prefix_sum_char, signed char, a[i] + a[i - 1])
PREFIX(prefix_sum_double, double, a[i] + a[i - 1])
PREFIX(prefix_sum_float, float, a[i] + a[i - 1])
PREFIX(prefix_product, double, a[i] * a[i - 1])
PREFIX(prefix_max, int, a[i] > a[i - 1] ? a[i] : a[i - 1])

/* Loops like PREFIX's in which no compiler may keep the element in a register;
   and a copy that reads another array, which breaks the chain and changes
   nothing else. */
#define KEPT(name, type, distance, expression)    \
    LOOP(memory, name)                            \
    {                                             \
        volatile type *a = SLOT(0);               \
                                                  \
        for (long i = distance; i <= n; i++) {    \
            type x = a[i - distance];             \
                                                  \
            a[i] = (type)(expression);            \
        }                                         \
    }                                             \
    LOOP(broken, name##_broken)                   \
    {                                             \
        volatile type *a = SLOT(0), *b = SLOT(1); \
                                                  \
        for (long i = distance; i <= n; i++) {    \
            type x = b[i - distance];             \
                                                  \
            a[i] = (type)(expression);            \
        }                                         \
    }
KEPT(kept_add_long, long, 1, x + 3)
KEPT(kept_add_int, int, 1, x + 3)
KEPT(kept_add_short, short, 1, x + 3)
KEPT(kept_add_char, unsigned char, 1, x + 3)
KEPT(kept_copy_long, long, 1, x)
KEPT(kept_multiply_long, long, 1, x * 7)
KEPT(kept_xorshift, unsigned long, 1, x ^ x >> 7 ^ x << 9)
KEPT(kept_add_double, double, 1, x + 0.5)
KEPT(kept_multiply_double, double, 1, x * 0.9999)
KEPT(kept_add_float, float, 1, x + 0.5F)
KEPT(kept_add_double_2, double, 2, x + 0.5)
KEPT(kept_add_double_3, double, 3, x + 0.5)
KEPT(kept_add_double_4, double, 4, x + 0.5)
KEPT(kept_add_long_2, long, 2, x + 3)
KEPT(kept_add_long_3, long, 3, x + 3)
KEPT(kept_multiply_long_2, long, 2, x * 7)

typedef double pair __attribute__((vector_size(16)));
typedef int quad __attribute__((vector_size(16)));

LOOP(memory, kept_pair)
{
    volatile pair *a = SLOT(0);

    for (long i = 1; i <= n / 2; i++)
        a[i] = a[i - 1] + (pair){0.5, 0.25};
}

LOOP(memory, kept_quad)
{
    volatile quad *a = SLOT(0);

    for (long i = 1; i <= n / 2; i++)
        a[i] = a[i - 1] + (quad){1, 2, 3, 4};
}

LOOP(memory, recurrence_double)
{
    double *a = SLOT(0), *b = SLOT(1), *c = SLOT(2);

    for (long i = 1; i <= n; i++)
        a[i] = a[i - 1] * b[i] + c[i];
}

LOOP(memory, recurrence_float)
{
    float *a = SLOT(0), *b = SLOT(1), *c = SLOT(2);

    for (long i = 1; i <= n; i++)
        a[i] = a[i - 1] * b[i] + c[i];
}

LOOP(memory, recurrence_of_two)
{
    double *a = SLOT(0), *b = SLOT(1);

    for (long i = 2; i <= n; i++)
        a[i] = a[i - 1] * 0.5 + a[i - 2] * 0.25 + b[i];
}

LOOP(memory, iir_first_order)
{
    double *y = SLOT(0), *x = SLOT(1);

    for (long i = 1; i <= n; i++)
        y[i] = 0.3 * x[i] + 0.7 * y[i - 1];
}

struct biquad {
    double z1, z2;
};

LOOP(memory, iir_biquad)
{
    struct biquad *s = SLOT(5);
    double *x = SLOT(0), *y = SLOT(1);

    for (long i = 0; i < n; i++) {
        double in = x[i], out = 0.2 * in + s->z1;

        s->z1 = 0.4 * in - 0.3 * out + s->z2;
        s->z2 = 0.2 * in - 0.1 * out;
        y[i] = out;
    }
}

LOOP(memory, seidel_1d)
{
    double *a = SLOT(0);

    for (long i = 1; i <= n; i++)
        a[i] = (a[i - 1] + a[i] + a[i + 1]) * (1.0 / 3);
}

LOOP(memory, seidel_row)
{
    double *up = SLOT(0), *a = SLOT(1), *down = SLOT(2);

    for (long i = 1; i <= n; i++)
        a[i] = (up[i] + a[i - 1] + a[i + 1] + down[i]) * 0.25;
}

LOOP(memory, tridiagonal)
{
    double *c = SLOT(0), *b = SLOT(1);

    for (long i = 1; i <= n; i++)
        c[i] = c[i] / (4 * b[i] - c[i - 1]);
}

LOOP(memory, back_substitution)
{
    double *x = SLOT(0), *c = SLOT(1);

    for (long i = n; i > 0; i--)
        x[i] -= c[i] * x[i + 1];
}

static inline int least(int a, int b)
{
    return a < b ? a : b;
}

static inline int most(int a, int b)
{
    return a > b ? a : b;
}

LOOP(memory, edit_distance)
{
    int *row = SLOT(0), *old = SLOT(1), *cost = SLOT(3);

    for (long j = 1; j <= n; j++)
        row[j] = least(least(row[j - 1], old[j]) + 1, old[j - 1] + cost[j]);
}

LOOP(memory, longest_common_subsequence)
{
    int *row = SLOT(0), *old = SLOT(1), *same = SLOT(3);

    for (long j = 1; j <= n; j++)
        row[j] = most(most(row[j - 1], old[j]), old[j - 1] + same[j]);
}

LOOP(memory, alignment)
{
    int *row = SLOT(0), *old = SLOT(1), *score = SLOT(3);

    for (long j = 1; j <= n; j++)
        row[j] = most(0, most(row[j - 1] - 2, old[j - 1] + score[j]));
}

LOOP(memory, cumulative_minimum_path)
{
    float *d = SLOT(0), *w = SLOT(1);

    for (long i = 1; i <= n; i++) {
        float through = d[i - 1] + w[i];

        d[i] = through < d[i] ? through : d[i];
    }
}

LOOP(memory, relax_edges)
{
    int *d = SLOT(0), *w = SLOT(1);

    for (long i = 0; i < n; i++)
        d[i + 1] = least(d[i + 1], d[i] + w[i]);
}
