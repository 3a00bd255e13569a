/*
 * Loops with several paths, among which data decide: in runs, in random order,
 * or in a pattern that repeats.
 *
 * A compiler can turn a decision into arithmetic.  Where it should not, the
 * paths write to memory, or do much.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "whole.h"

/* Decisions of one kind, on data in different orders: */

/* Adds to one of two sums in memory, as `is_first` says for round i. */
#define TWO_SUMS(is_first)                      \
    do {                                        \
        volatile unsigned long *sums = SLOT(5); \
                                                \
        sums[0] = sums[8] = 0;                  \
        for (int i = 0; i < 2000; i++) {        \
            unsigned x = (unsigned)in[i];       \
                                                \
            if (is_first)                       \
                sums[0] = sums[0] + x;          \
            else                                \
                sums[8] = sums[8] * 3 - x;      \
        }                                       \
    } while (0)

WHOLE(two_sums_by_turns)
{
    int *in = INTS;

    TWO_SUMS((i & 1) == 0);
}

WHOLE(two_sums_every_fifth)
{
    int *in = INTS;

    TWO_SUMS(i % 5 != 0);
}

WHOLE(two_sums_in_runs_of_six)
{
    int *in = INTS;

    TWO_SUMS(FRESH(i / 6) & 1);
}

WHOLE(two_sums_in_no_order)
{
    int *in = INTS;

    TWO_SUMS(x < 128);
}

WHOLE(two_sums_mostly_one)
{
    int *in = INTS;

    TWO_SUMS(FRESH(i) < 240);
}

/* As two_sums, but the data differ from turn to turn. */
WHOLE(two_sums_never_alike)
{
    int *in = INTS;
    uint32_t state = (uint32_t)turn * 7919;

    TWO_SUMS(next_random(&state) >> 31);
}

WHOLE(two_sums_by_a_pattern)
{
    int *in = INTS, at = 0;

    TWO_SUMS((at = at == 36 ? 0 : at + 1, in[at] & 1));
}

/* A chain that begins again at each zero in the data. */
WHOLE(chain_begun_again)
{
    double *x = SLOT(0);
    volatile double *sum = SLOT(5);

    for (int i = 0; i < 1000; i++)
        if (FRESH(i) < 50)
            *sum = x[i];
        else
            *sum = *sum * 0.7 + x[i];
}

/* Searching and sorting: */

WHOLE(binary_searches)
{
    int *sorted = SLOT(0);
    long sum = 0;

    for (int i = 0; i < 256; i++)
        sorted[i] = 3 * i;
    for (int i = 0; i < 150; i++) {
        int low = 0, high = 256, key = 3 * FRESH(i) + 1;

        while (low < high) {
            int middle = (low + high) / 2;

            if (sorted[middle] < key) {
                low = middle + 1;
                sum += middle;
            } else {
                high = middle;
            }
        }
        sum += low;
    }
    USE(sum);
}

WHOLE(runs_merged)
{
    int *a = SLOT(0), *out = SLOT(1), *b = a + 512;
    int i = 0, j = 0, k = 0;

    for (int m = 0, x = 0, y = 0; m < 512; m++) {
        a[m] = x += FRESH(m) & 15;
        b[m] = y += FRESH(m + 512) & 15;
    }
    while (i < 512 && j < 512)
        if (a[i] <= b[j])
            out[k++] = a[i++];
        else
            out[k++] = b[j++];
    while (i < 512)
        out[k++] = a[i++];
    while (j < 512)
        out[k++] = b[j++];
}

WHOLE(partitioned)
{
    int *a = SLOT(0);

    for (int i = 0; i < 800; i++)
        a[i] = FRESH(i) * 256 + i % 256;
    for (int pivot = 8192; pivot < 65536; pivot += 16384) {
        int i = -1, j = 800;

        for (;;) {
            int x;

            while (a[++i] < pivot)
                ;
            while (a[--j] > pivot)
                ;
            if (i >= j)
                break;
            x = a[i];
            a[i] = a[j];
            a[j] = x;
        }
    }
}

WHOLE(bubbles)
{
    int *a = SLOT(0);

    for (int i = 0; i < 64; i++)
        a[i] = FRESH(i);
    for (int end = 63; end > 0; end--)
        for (int i = 0; i < end; i++)
            if (a[i] > a[i + 1]) {
                int x = a[i];

                a[i] = a[i + 1];
                a[i + 1] = x;
            }
}

WHOLE(records_seen)
{
    int *records = SLOT(0), n = 0;

    for (int first = 0; first < 2000; first += 50) {
        int most = -1;

        for (int i = first; i < first + 50; i++)
            if (FRESH(i) > most) {
                most = FRESH(i);
                records[n++ & 511] = i;
            }
    }
}

WHOLE(first_match)
{
    int *in = INTS;
    long sum = 0;

    for (int i = 0; i < 120; i++) {
        int j = i, key = FRESH(i + 1000) & 15;

        while (j < N_INTS - 1 && (in[j] & 15) != key)
            j++;
        sum += j;
    }
    USE(sum);
}

/* Numbers: */

WHOLE(collatz_lengths)
{
    long steps = 0;

    for (long first = 1; first <= 80; first++)
        for (long x = first; x != 1; steps++)
            if (x & 1)
                x = 3 * x + 1;
            else
                x /= 2;
    USE(steps);
}

WHOLE(binary_gcds)
{
    unsigned sum = 0;

    for (int i = 0; i < 120; i++) {
        unsigned a = (unsigned)FRESH(i) * 255 + 1, b = (unsigned)i + 3;

        while (a != b)
            if ((a & 1) == 0)
                a >>= 1;
            else if ((b & 1) == 0)
                b >>= 1;
            else if (a > b)
                a = (a - b) >> 1;
            else
                b = (b - a) >> 1;
        sum += a;
    }
    USE(sum);
}

WHOLE(divided_now_and_then)
{
    int *in = INTS;
    unsigned x = 1000003;

    for (int i = 0; i < 1500; i++)
        if ((i & 7) == 5)
            x = x * 64 / ((unsigned)in[i] + 1);
        else
            x = (x ^ (unsigned)in[i]) * 5;
    USE(x);
}

WHOLE(threes_and_fives)
{
    int *counts = SLOT(5);

    for (int i = 0; i < 2000; i++)
        if (i % 15 == 0)
            counts[0]++;
        else if (i % 5 == 0)
            counts[1] += i;
        else if (i % 3 == 0)
            counts[2] ^= i;
        else
            counts[3] -= i;
}

WHOLE(clamped_walk)
{
    int *in = INTS, *trace = SLOT(0), x = 0;
    uint32_t state = (uint32_t)turn;

    for (int i = 0; i < 1200; i++) {
        if (next_random(&state) >> 30 == 0)
            x += in[i] & 7;
        else
            x--;
        if (x > 20)
            x = 0;
        else if (x < -20)
            x = 10;
        trace[i] = x;
    }
}

/* Text and codes: */

WHOLE(kinds_of_characters)
{
    static const char text[] =
        "for (int i = 0; i < 2000; i++) { sum[0] += x[i] * 3.5; } // a sum\n"
        "The quick brown fox jumps over 13 lazy dogs, and 24 more follow it.\n";
    unsigned long *counts = SLOT(5);

    for (int times = 0; times < 12; times++)
        for (const char *c = text; *c != 0; c++)
            if (*c >= 'a' && *c <= 'z')
                counts[0]++;
            else if (*c >= '0' && *c <= '9')
                counts[1] = counts[1] * 3 + (unsigned char)*c;
            else if (*c == ' ' || *c == '\n')
                counts[2] += 2;
            else
                counts[3] ^= (unsigned char)*c;
}

WHOLE(runs_encoded)
{
    unsigned char *out = SLOT(0);

    for (int i = 0, n = 0; i < 1800;) {
        int value = FRESH(i / 5) & 3, run = 0;

        while (i < 1800 && (FRESH(i / 5) & 3) == value && run < 255)
            i++, run++;
        out[n++] = (unsigned char)run;
        out[n++] = (unsigned char)value;
    }
}

WHOLE(escapes_written)
{
    unsigned char *out = SLOT(0);

    for (int i = 0; i < 1500; i++) {
        int c = FRESH(i);

        if (c < 32) {
            *out++ = '\\';
            *out++ = (unsigned char)('a' + c);
        } else if (c == '\\') {
            *out++ = '\\';
            *out++ = '\\';
        } else {
            *out++ = (unsigned char)c;
        }
    }
}

WHOLE(saturating_counters)
{
    unsigned char *counters = SLOT(0);
    long wrong = 0;

    for (int i = 0; i < 1000; i++) {
        unsigned char *c = &counters[i & 15];
        int taken = FRESH(i) > 90;

        wrong += taken != (*c > 1);
        if (taken) {
            if (*c < 3)
                ++*c;
        } else if (*c > 0) {
            --*c;
        }
    }
    USE(wrong);
}

/* Two chains of different latency, each on its own path. */
WHOLE(slow_and_quick_way)
{
    double x = 1;
    unsigned long k = 1;

    for (int i = 0; i < 1200; i++)
        if (FRESH(i >> 3) & 1) {
            x = x * 0.9 + 1 / (x + 1);
        } else {
            k = k * 25214903917 + 11;
            *(volatile unsigned long *)SLOT(5) = k;
        }
    USE(x);
}

WHOLE(decisions_in_decisions)
{
    unsigned long *sums = SLOT(0);

    for (int i = 0; i < 900; i++) {
        unsigned x = (unsigned)FRESH(i);

        if (x & 1) {
            if (x & 2)
                sums[0] += x;
            else
                sums[1] -= sums[0];
        } else if (x & 4) {
            sums[2] ^= sums[1];
            if (x & 8)
                sums[3]++;
        } else {
            sums[3] = sums[3] * 3 + sums[2];
        }
    }
}
