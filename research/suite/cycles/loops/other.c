/* Loops that something else bounds: throughput, or a chain in registers. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "loop.h"

/* Keeps the result x in use. */
#define USE(x) (*(volatile __typeof__(x) *)SLOT(5) = (x))

#define EACH(name, type, from, expression) \
    LOOP(other, name)                      \
    {                                      \
        type *restrict out = SLOT(2);      \
        const from *restrict a = SLOT(0);  \
        const from *restrict b = SLOT(1);  \
                                           \
        (void)b;                           \
        for (long i = 0; i < n; i++)       \
            out[i] = (type)(expression);   \
    }
EACH(copy_double, double, double, a[i])
EACH(copy_char, char, char, a[i])
EACH(add_double, double, double, a[i] + b[i])
EACH(add_float, float, float, a[i] + b[i])
EACH(add_int, int, int, a[i] + b[i])
EACH(add_short, short, short, a[i] + b[i])
EACH(multiply_int, int, int, a[i] * b[i])
EACH(multiply_long, long, long, a[i] * b[i])
EACH(triad, double, double, a[i] + 3 * b[i])
EACH(divide_double, double, double, a[i] / b[i])
EACH(divide_float, float, float, a[i] / b[i])
EACH(divide_int, int, int, a[i] / (b[i] | 1))
EACH(root_double, double, double, __builtin_sqrt(a[i]))
EACH(root_float, float, float, __builtin_sqrtf(a[i]))
EACH(to_double, double, int, a[i])
EACH(to_float, float, double, a[i])
EACH(to_int, int, double, a[i])
EACH(larger, double, double, a[i] > b[i] ? a[i] : b[i])
EACH(absolute_difference, int, int, a[i] > b[i] ? a[i] - b[i] : b[i] - a[i])
EACH(stencil, double, double, 0.25 * a[i] + 0.5 * a[i + 1] + 0.25 * a[i + 2])
EACH(fir_4, float, float,
     0.1F * a[i] + 0.2F * a[i + 1] + 0.3F * a[i + 2] + 0.4F * a[i + 3])
EACH(polynomial_each, double, double,
     ((a[i] * 0.1 + 0.2) * a[i] + 0.3) * a[i] + 0.4)
EACH(population, int, unsigned, __builtin_popcount(a[i]))
EACH(reversed_bytes, unsigned, unsigned, __builtin_bswap32(a[i]))
EACH(shifted, unsigned, unsigned, a[i] << 3 ^ b[i] >> 5)

#define REDUCE(name, type, begin, expression)              \
    LOOP(other, name)                                      \
    {                                                      \
        type *restrict a = SLOT(0), *restrict b = SLOT(1); \
        type s = begin;                                    \
                                                           \
        (void)b;                                           \
        for (long i = 0; i < n; i++)                       \
            s = (type)(expression);                        \
        USE(s);                                            \
    }
REDUCE(sum_double, double, 0, s + a[i])
REDUCE(sum_float, float, 0, s + a[i])
REDUCE(sum_int, int, 0, s + a[i])
REDUCE(sum_char, signed char, 0, s + a[i])
REDUCE(dot_double, double, 0, s + a[i] * b[i])
REDUCE(dot_int, int, 0, s + a[i] * b[i])
REDUCE(maximum_int, int, 0, a[i] > s ? a[i] : s)
REDUCE(maximum_double, double, 0, a[i] > s ? a[i] : s)
REDUCE(distance, float, 0, s + (a[i] - b[i]) * (a[i] - b[i]))
REDUCE(horner, double, 0, s * 0.9 + a[i])
REDUCE(hash_bytes, unsigned char, 7, (s ^ a[i]) * 31)
REDUCE(hash_words, unsigned, 7, (s ^ a[i]) * 16777619)
REDUCE(mixed_long, unsigned long, 7, (s ^ s >> 31) * 0xbf58476d1ce4e5b9 + a[i])
REDUCE(divided, double, 1, a[i] / (s + 1))
REDUCE(count_larger, int, 0, s + (a[i] > b[i]))

LOOP(other, sum_gathered)
{
    double *restrict a = SLOT(0), s = 0;
    int *restrict index = SLOT(3);

    for (long i = 0; i < n; i++)
        s += a[index[i]];
    USE(s);
}

LOOP(other, scattered)
{
    int *restrict a = SLOT(0), *restrict b = SLOT(1), *restrict index = SLOT(3);

    for (long i = 0; i < n; i++)
        a[index[i]] = b[i];
}

LOOP(other, strided)
{
    long *restrict a = SLOT(0), s = 0;

    for (long i = 0; i < n; i++)
        s += a[i * 4 & 1023];
    USE(s);
}

LOOP(other, sums_stored)
{
    double *restrict a = SLOT(0), *restrict out = SLOT(1), s = 0;

    for (long i = 0; i < n; i++) {
        s += a[i];
        out[i] = s;
    }
}

LOOP(other, complex_product)
{
    float *restrict a = SLOT(0), *restrict b = SLOT(1), *restrict c = SLOT(2);

    for (long i = 0; i < n / 2; i++) {
        c[2 * i] = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];
        c[2 * i + 1] = a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i];
    }
}

LOOP(other, xorshift)
{
    unsigned long x = 88172645463325252;

    for (long i = 0; i < n; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    USE(x);
}

LOOP(other, mandelbrot)
{
    double x = 0, y = 0;

    for (long i = 0; i < n; i++) {
        double next = x * x - y * y - 0.1;

        y = 2 * x * y + 0.1;
        x = next;
    }
    USE(x + y);
}

LOOP(other, walked_list)
{
    struct node *p = SLOT(4);

    for (long i = 0; i < n; i++)
        p = p->next;
    USE(p);
}

LOOP(other, walked_list_sum)
{
    struct node *p = SLOT(4);
    long s = 0;

    for (long i = 0; i < n; i++) {
        s += p->value;
        p = p->next;
    }
    USE(s);
}

LOOP(other, far_in_place)
{
    double *a = SLOT(0);

    for (long i = 0; i < n; i++)
        a[i] = a[i] * 0.999 + 0.001;
}
