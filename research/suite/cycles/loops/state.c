/* Loops that a chain through memory bounds: accumulators and state that stay in
   memory, and linked structures. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "loop.h"

/* A sum in memory that, for all the compiler knows, could be an element. */
#define SUM(name, type, expression)        \
    LOOP(memory, name)                     \
    {                                      \
        type *sum = SLOT(5), *a = SLOT(0); \
                                           \
        for (long i = 0; i < n; i++)       \
            *sum = (type)(expression);     \
    }
SUM(sum_long_in_memory, long, *sum + a[i])
SUM(sum_int_in_memory, int, *sum + a[i])
SUM(sum_short_in_memory, short, *sum + a[i])
SUM(sum_double_in_memory, double, *sum + a[i])
SUM(sum_float_in_memory, float, *sum + a[i])
SUM(sum_of_squares_in_memory, double, *sum + a[i] * a[i])
SUM(product_in_memory, double, *sum *a[i])
SUM(maximum_in_memory, int, *sum > a[i] ? *sum : a[i])

LOOP(memory, two_sums_in_memory)
{
    double *sums = SLOT(5), *a = SLOT(0);

    for (long i = 0; i < n; i++) {
        sums[0] += a[i];
        sums[1] += a[i] * a[i];
    }
}

LOOP(memory, smoothed_in_memory)
{
    double *s = SLOT(5), *a = SLOT(0);

    for (long i = 0; i < n; i++)
        *s += 0.1 * (a[i] - *s);
}

struct welford {
    double n, mean, m2;
};

LOOP(memory, variance_in_memory)
{
    struct welford *w = SLOT(5);
    double *a = SLOT(0);

    for (long i = 0; i < n; i++) {
        double delta = a[i] - w->mean;

        w->n += 1;
        w->mean += delta / w->n;
        w->m2 += delta * (a[i] - w->mean);
    }
}

/* All values fall into one bin of 8 bytes; then each into its own. */
LOOP(memory, histogram_of_one)
{
    long *bins = SLOT(5), *zeros = SLOT(5);

    zeros += 64;
    for (long i = 0; i < n; i++)
        bins[zeros[i & 63]]++;
}

LOOP(memory, histogram)
{
    int *bins = SLOT(0), *values = SLOT(3);

    for (long i = 0; i < n; i++)
        bins[values[i]]++;
}

LOOP(memory, weighted_histogram)
{
    float *bins = SLOT(0), *weights = SLOT(1);
    int *values = SLOT(3);

    for (long i = 0; i < n; i++)
        bins[values[i]] += weights[i];
}

struct generator {
    unsigned long state;
};

LOOP(memory, congruential_in_memory)
{
    volatile struct generator *g = SLOT(5);

    for (long i = 0; i < n; i++)
        g->state = g->state * 6364136223846793005 + 1442695040888963407;
}

LOOP(memory, xorshift_in_memory)
{
    volatile struct generator *g = SLOT(5);

    for (long i = 0; i < n; i++) {
        unsigned long x = g->state;

        x ^= x << 13;
        x ^= x >> 7;
        g->state = x ^ x << 17;
    }
}

LOOP(memory, counter_in_memory)
{
    volatile long *counter = SLOT(5);

    for (long i = 0; i < n; i++)
        ++*counter;
}

LOOP(memory, byte_counter_in_memory)
{
    volatile unsigned char *counter = SLOT(5);

    for (long i = 0; i < n; i++)
        ++*counter;
}

LOOP(memory, checksum_in_memory)
{
    unsigned *state = SLOT(5);
    unsigned char *bytes = SLOT(0);

    for (long i = 0; i < n; i++)
        *state = (*state << 5 | *state >> 27) ^ bytes[i];
}

struct queue {
    long head;
    long cells[64];
};

LOOP(memory, ring_buffer)
{
    volatile struct queue *q = SLOT(5);

    for (long i = 0; i < n; i++) {
        q->cells[q->head] = i;
        q->head = (q->head + 1) & 63;
    }
}

LOOP(memory, swapped_cells)
{
    volatile long *cells = SLOT(5);

    for (long i = 0; i < n; i++) {
        long x = cells[0], y = cells[1];

        cells[0] = y;
        cells[1] = x + y;
    }
}

LOOP(memory, list_of_sums)
{
    struct node *p = SLOT(4);

    for (long i = 0; i < n; i++) {
        p->next->value += p->value;
        p = p->next;
    }
}

LOOP(memory, list_increments)
{
    struct node *p = SLOT(4);

    for (long i = 0; i < n; i++) {
        p->value++;
        p = p->next;
    }
}

/* The list is written as it is walked. */
LOOP(memory, list_rewritten)
{
    struct node *p = SLOT(4);

    for (long i = 0; i < n; i++) {
        struct node *next = p->next;

        *(struct node *volatile *)&p->next = next;
        p = *(struct node *volatile *)&p->next;
    }
}

LOOP(memory, cursor_in_memory)
{
    struct node *volatile *cursor = SLOT(5);
    struct node *first = SLOT(4);

    *cursor = first;
    for (long i = 0; i < n; i++)
        *cursor = (*cursor)->next;
}
