/*
 * Twins in which one wait for memory is fixed as depbound advises: each is the
 * loop without _fixed in its name, but a load that gets its value from a store
 * of an earlier round gets it from a register.  The store stays.  If several
 * loads wait, it is the one that costs most.  Where stores are too narrow for
 * the load, the twin has _widened in its name, and one wide store.
 *
 * The stores are volatile, so that compilers keep them, one by one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "loop.h"

/* The fixed twin of KEPT: x is the value stored `distance` rounds before. */
#define FIXED_KEPT(name, type, distance, expression)                         \
    LOOP(fixed, name)                                                        \
    {                                                                        \
        volatile type *a = SLOT(0);                                          \
        type last = a[distance - 1], second = a[distance > 1], third = a[0]; \
                                                                             \
        for (long i = distance; i <= n; i++) {                               \
            type x = distance == 1 ? last : distance == 2 ? second : third;  \
                                                                             \
            third = second;                                                  \
            second = last;                                                   \
            a[i] = last = (type)(expression);                                \
        }                                                                    \
    }
FIXED_KEPT(kept_add_long_fixed, long, 1, x + 3)
FIXED_KEPT(kept_add_int_fixed, int, 1, x + 3)
FIXED_KEPT(kept_add_short_fixed, short, 1, x + 3)
FIXED_KEPT(kept_add_char_fixed, unsigned char, 1, x + 3)
FIXED_KEPT(kept_multiply_long_fixed, long, 1, x * 7)
FIXED_KEPT(kept_xorshift_fixed, unsigned long, 1, x ^ x >> 7 ^ x << 9)
FIXED_KEPT(kept_add_double_fixed, double, 1, x + 0.5)
FIXED_KEPT(kept_multiply_double_fixed, double, 1, x * 0.9999)
FIXED_KEPT(kept_add_float_fixed, float, 1, x + 0.5F)
FIXED_KEPT(kept_add_double_2_fixed, double, 2, x + 0.5)
FIXED_KEPT(kept_add_double_3_fixed, double, 3, x + 0.5)
FIXED_KEPT(kept_add_long_2_fixed, long, 2, x + 3)
FIXED_KEPT(kept_add_long_3_fixed, long, 3, x + 3)
FIXED_KEPT(kept_multiply_long_2_fixed, long, 2, x * 7)

/* The fixed twin of PREFIX, and of loops that write elements in order. */
#define FIXED(name, type, expression)                          \
    LOOP(fixed, name)                                          \
    {                                                          \
        volatile type *out = SLOT(0);                          \
        type *a = SLOT(0), *b = SLOT(1), *c = SLOT(2), x = *a; \
                                                               \
        (void)b, (void)c;                                      \
        for (long i = 1; i <= n; i++)                          \
            out[i] = x = (type)(expression);                   \
    }
FIXED(prefix_sum_long_fixed, long, a[i] + x)
FIXED(prefix_sum_int_fixed, int, a[i] + x)
FIXED(prefix_sum_short_fixed, short, a[i] + x)
FIXED(prefix_sum_char_fixed, signed char, a[i] + x)
FIXED(prefix_sum_double_fixed, double, a[i] + x)
FIXED(prefix_sum_float_fixed, float, a[i] + x)
FIXED(prefix_product_fixed, double, a[i] * x)
FIXED(prefix_max_fixed, int, a[i] > x ? a[i] : x)
FIXED(recurrence_double_fixed, double, x *b[i] + c[i])
FIXED(recurrence_float_fixed, float, x *b[i] + c[i])
FIXED(iir_first_order_fixed, double, 0.3 * b[i] + 0.7 * x)
FIXED(seidel_1d_fixed, double, (x + a[i] + a[i + 1]) * (1.0 / 3))
FIXED(tridiagonal_fixed, double, a[i] / (4 * b[i] - x))
FIXED(leaky_integrator_fixed, float, b[i] + 0.5F * x)

/* The fixed twin of SUM: the sum is also in a register. */
#define FIXED_SUM(name, type, expression)  \
    LOOP(fixed, name)                      \
    {                                      \
        volatile type *sum = SLOT(5);      \
        type *a = SLOT(0), x = *sum;       \
                                           \
        for (long i = 0; i < n; i++)       \
            *sum = x = (type)(expression); \
    }
FIXED_SUM(sum_long_in_memory_fixed, long, x + a[i])
FIXED_SUM(sum_int_in_memory_fixed, int, x + a[i])
FIXED_SUM(sum_short_in_memory_fixed, short, x + a[i])
FIXED_SUM(sum_double_in_memory_fixed, double, x + a[i])
FIXED_SUM(sum_float_in_memory_fixed, float, x + a[i])
FIXED_SUM(sum_of_squares_in_memory_fixed, double, x + a[i] * a[i])
FIXED_SUM(product_in_memory_fixed, double, x *a[i])
FIXED_SUM(maximum_in_memory_fixed, int, x > a[i] ? x : a[i])
FIXED_SUM(smoothed_in_memory_fixed, double, x + 0.1 * (a[i] - x))

LOOP(fixed, congruential_in_memory_fixed)
{
    volatile unsigned long *state = SLOT(5);
    unsigned long x = *state;

    for (long i = 0; i < n; i++)
        *state = x = x * 6364136223846793005 + 1442695040888963407;
}

LOOP(fixed, xorshift_in_memory_fixed)
{
    volatile unsigned long *state = SLOT(5);
    unsigned long x = *state;

    for (long i = 0; i < n; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        *state = x = x ^ x << 17;
    }
}

LOOP(fixed, checksum_in_memory_fixed)
{
    volatile unsigned *state = SLOT(5);
    unsigned char *bytes = SLOT(0);
    unsigned x = *state;

    for (long i = 0; i < n; i++)
        *state = x = (x << 5 | x >> 27) ^ bytes[i];
}

LOOP(fixed, crc_in_memory_fixed)
{
    unsigned char *bytes = SLOT(0);
    unsigned *table = SLOT(1);
    volatile unsigned *crc = SLOT(5);
    unsigned x = *crc;

    for (long i = 0; i < n; i++)
        *crc = x = x >> 8 ^ table[(x ^ bytes[i]) & 255];
}

LOOP(fixed, legendre_fixed)
{
    volatile double *p = SLOT(0);
    double last = p[1];

    for (long i = 2; i < n + 2; i++)
        p[i] = last = 0.6 * last - 0.3 * p[i - 2];
}

LOOP(fixed, stairs_fixed)
{
    volatile int *cost = SLOT(0), *weight = SLOT(3);
    int a = cost[1];

    for (long i = 2; i < n + 2; i++) {
        int b = cost[i - 2];

        cost[i] = a = weight[i] + (a < b ? a : b);
    }
}

LOOP(fixed, coin_change_fixed)
{
    volatile unsigned *ways = SLOT(0);
    unsigned before = ways[0], last = ways[1];

    for (long i = 2; i < n + 2; i++) {
        unsigned sum = ways[i] + before;

        before = last;
        ways[i] = last = sum;
    }
}

LOOP(fixed, back_substitution_fixed)
{
    volatile double *out = SLOT(0);
    double *x = SLOT(0), *c = SLOT(1), last = x[n + 1];

    for (long i = n; i > 0; i--)
        out[i] = last = x[i] - c[i] * last;
}

/* Values that are stored in parts and loaded as a whole. */
typedef unsigned long __attribute__((may_alias)) whole;

LOOP(memory, halves_joined)
{
    volatile unsigned *half = SLOT(5);

    for (long i = 0; i < n; i++) {
        unsigned long x = *(volatile whole *)half * 5 + 3;

        half[0] = (unsigned)x;
        half[1] = (unsigned)(x >> 32);
    }
}

LOOP(fixed, halves_joined_widened)
{
    volatile whole *both = SLOT(5);

    for (long i = 0; i < n; i++)
        *both = *both * 5 + 3;
}

LOOP(memory, low_half_changed)
{
    volatile unsigned *half = SLOT(5);

    for (long i = 0; i < n; i++)
        half[0] = (unsigned)(*(volatile whole *)half >> 3);
}

LOOP(fixed, low_half_changed_widened)
{
    volatile whole *both = SLOT(5);

    for (long i = 0; i < n; i++)
        *both = (unsigned)(*both >> 3);
}

LOOP(memory, bytes_joined)
{
    volatile unsigned char *byte = SLOT(5);

    for (long i = 0; i < n; i++) {
        unsigned x = *(volatile unsigned __attribute__((may_alias)) *)byte + 3;

        byte[0] = (unsigned char)x;
        byte[1] = (unsigned char)(x >> 8);
        byte[2] = (unsigned char)(x >> 16);
        byte[3] = (unsigned char)(x >> 24);
    }
}

LOOP(fixed, bytes_joined_widened)
{
    volatile unsigned __attribute__((may_alias)) *all = SLOT(5);

    for (long i = 0; i < n; i++)
        *all = *all + 3;
}
