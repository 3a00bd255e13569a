/* Nests: the inner loops run for a few rounds, so that what counts is how their
   ends overlap, and what the outer loop carries from run to run. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "whole.h"

/* Sorting, searching, text: */

WHOLE(insertion_sorts)
{
    int *a = SLOT(0);

    for (int first = 0; first < 480; first += 12) {
        for (int i = 0; i < 12; i++) {
            int x = FRESH(first + i), j = i;

            for (; j > 0 && a[j - 1] > x; j--)
                a[j] = a[j - 1];
            a[j] = x;
        }
        a += 12;
    }
}

WHOLE(heap_replacements)
{
    int *heap = SLOT(0);

    for (int i = 0; i < 63; i++)
        heap[i] = i;
    for (int i = 0; i < 300; i++) {
        int x = heap[0] + FRESH(i), at = 0, child;

        while ((child = 2 * at + 1) < 63) {
            child += child + 1 < 63 && heap[child + 1] < heap[child];
            if (heap[child] >= x)
                break;
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = x;
    }
}

WHOLE(edit_distances)
{
    int *words = INTS, row[9], sum = 0;

    for (int word = 0; word < 320; word += 8) {
        for (int j = 0; j <= 8; j++)
            row[j] = j;
        for (int i = 0; i < 6; i++) {
            int corner = row[0];

            row[0] = i + 1;
            for (int j = 1; j <= 8; j++) {
                int best = corner + ((words[i] & 3) != (words[word + j] & 3));

                corner = row[j];
                best = best < corner + 1 ? best : corner + 1;
                best = best < row[j - 1] + 1 ? best : row[j - 1] + 1;
                row[j] = best;
            }
        }
        sum += row[8];
    }
    USE(sum);
}

WHOLE(word_lengths)
{
    unsigned char *text = SLOT(0);
    long squares = 0;

    for (int i = 0; i < 2048; i++)
        text[i] = FRESH(i) < 40 ? 0 : 'a';
    text[2047] = 0;
    for (int at = 0; at < 2048; at++) {
        int length = 0;

        while (text[at + length] != 0)
            length++;
        squares += length * length;
        at += length;
    }
    USE(squares);
}

WHOLE(chained_buckets)
{
    struct node *nodes = SLOT(4), *buckets[64] = {0};
    long found = 0;

    for (int i = 0; i < 192; i++) {
        struct node *head = buckets[INTS[i] & 63];

        nodes[i].value = INTS[i];
        for (; head != 0 && head->value != INTS[i]; head = head->next)
            ;
        if (head != 0)
            continue;
        nodes[i].next = buckets[INTS[i] & 63];
        buckets[INTS[i] & 63] = &nodes[i];
    }
    for (int i = 0; i < 1000; i++) {
        int key = FRESH(i);
        struct node *at = buckets[key & 63];

        while (at != 0 && at->value != key)
            at = at->next;
        found += at != 0;
    }
    USE(found);
}

/* Codes and numbers of many digits: */

WHOLE(variable_length_numbers)
{
    unsigned char *bytes = SLOT(0), *at = bytes;
    unsigned long sum = 0;

    for (int i = 0; i < 2048; i++)
        bytes[i] =
            (unsigned char)(FRESH(i) & 3 ? INTS[i] & 127 : INTS[i] | 128);
    bytes[2047] = 0;
    while (at < bytes + 2040) {
        unsigned long number = 0;
        int shift = 0;

        while (*at >= 128) {
            number |= (unsigned long)(*at++ & 127) << shift;
            shift = (shift + 7) & 63;
        }
        sum = (sum << 1 | sum >> 63) ^ (number | (unsigned long)*at++ << shift);
    }
    USE(sum);
}

WHOLE(bits_cleared_one_by_one)
{
    long sum = 0;

    for (int i = 0; i < 1500; i++) {
        unsigned x = (unsigned)FRESH(i);

        for (; x != 0; x &= x - 1)
            sum++;
    }
    USE(sum);
}

WHOLE(big_number_product)
{
    uint32_t *a = SLOT(0), *b = SLOT(1), *product = SLOT(2);

    for (int times = 0; times < 60; times++) {
        for (int i = 0; i < 12; i++)
            product[i] = 0;
        for (int i = 0; i < 6; i++) {
            uint64_t carry = 0;

            for (int j = 0; j < 6; j++) {
                carry += (uint64_t)a[i] * b[times + j] + product[i + j];
                product[i + j] = (uint32_t)carry;
                carry >>= 32;
            }
            product[i + 6] = (uint32_t)carry;
        }
        a[times % 6] ^= product[7];
    }
}

WHOLE(modular_powers)
{
    unsigned long x = 3;

    for (int i = 0; i < 200; i++) {
        unsigned long result = 1, base = x;

        for (int e = FRESH(i) | 1; e > 0; e >>= 1) {
            if (e & 1)
                result = result * base & 0xffffffffUL;
            base = base * base & 0xffffffffUL;
        }
        x = result | 1;
    }
    USE(x);
}

/* Linear algebra of small sizes: */

WHOLE(rotations_composed)
{
    double *step = SLOT(0), m[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

    for (int times = 0; times < 300; times++) {
        double p[9];

        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                double sum = 0;

                for (int k = 0; k < 3; k++)
                    sum += m[3 * i + k] * step[3 * k + j];
                p[3 * i + j] = 0.2 * sum;
            }
        for (int i = 0; i < 9; i++)
            m[i] = p[i];
    }
    USE(m[0] + m[4] + m[8]);
}

WHOLE(triangular_systems)
{
    double *l = SLOT(0), *x = SLOT(1);

    for (int times = 0; times < 30; times++)
        for (int i = 0; i < 14; i++) {
            double sum = 1 + times;

            for (int j = 0; j < i; j++)
                sum -= 0.01 * l[16 * i + j] * x[j];
            x[i] = sum / l[17 * i];
        }
}

WHOLE(elimination_of_ten)
{
    double *from = SLOT(0), *a = SLOT(1);

    for (int times = 0; times < 8; times++) {
        for (int i = 0; i < 100; i++)
            a[i] = from[times + i] + (i % 11 == 0 ? 20 : 0);
        for (int k = 0; k < 9; k++)
            for (int i = k + 1; i < 10; i++) {
                double factor = a[10 * i + k] / a[10 * k + k];

                for (int j = k + 1; j < 10; j++)
                    a[10 * i + j] -= factor * a[10 * k + j];
                a[10 * i + k] = factor;
            }
    }
}

WHOLE(sparse_sweeps)
{
    double *x = SLOT(0), *values = SLOT(1);
    int *columns = INTS;

    for (int sweep = 0; sweep < 8; sweep++)
        for (int row = 0, at = 0; row < 128; row++) {
            double sum = 1;
            int end = at + 3 + (columns[row] & 3);

            for (; at < end; at++)
                sum -= 0.05 * values[at] * x[columns[at] & 127];
            x[row] = sum;
        }
}

WHOLE(shortest_paths)
{
    int *from = INTS, *d = SLOT(0);

    for (int i = 0; i < 196; i++)
        d[i] = from[i] + 1;
    for (int k = 0; k < 14; k++)
        for (int i = 0; i < 14; i++)
            for (int j = 0; j < 14; j++) {
                int over = d[14 * i + k] + d[14 * k + j];

                if (over < d[14 * i + j])
                    d[14 * i + j] = over;
            }
}

/* Signal processing: */

WHOLE(filter_cascade)
{
    double *in = SLOT(0), *out = SLOT(1), state[4][2] = {{0}};

    for (int i = 0; i < 500; i++) {
        double x = in[i];

        for (int k = 0; k < 4; k++) {
            double y = 0.3 * x + state[k][0];

            state[k][0] = 0.2 * x + state[k][1] - 0.1 * y;
            state[k][1] = 0.3 * x - 0.2 * y;
            x = y;
        }
        out[i] = x;
    }
}

WHOLE(adaptive_filter)
{
    double *in = SLOT(0), *wanted = SLOT(1), w[8] = {0};

    for (int i = 0; i < 400; i++) {
        double error = wanted[i];

        for (int k = 0; k < 8; k++)
            error -= w[k] * in[i + k];
        for (int k = 0; k < 8; k++)
            w[k] += 0.01 * error * in[i + k];
    }
    USE(w[0] + w[7]);
}

WHOLE(medians_of_five)
{
    int *out = SLOT(0);

    for (int i = 0; i < 400; i++) {
        int w[5];

        for (int k = 0; k < 5; k++) {
            int x = FRESH(i + k), j = k;

            for (; j > 0 && w[j - 1] > x; j--)
                w[j] = w[j - 1];
            w[j] = x;
        }
        out[i] = w[2];
    }
}

WHOLE(polynomials)
{
    double *x = SLOT(0), *c = SLOT(1), *y = SLOT(2);

    for (int i = 0; i < 600; i++) {
        double sum = 0;

        for (int k = 0; k < 7; k++)
            sum = sum * x[i] + c[k];
        y[i] = sum;
    }
}

WHOLE(roots_by_newton)
{
    double *a = SLOT(0), *out = SLOT(1), x = 1;

    for (int i = 0; i < 300; i++) {
        for (int step = 0; step < 3; step++)
            x = 0.5 * (x + a[i] / x);
        out[i] = x;
    }
}

/* Tables and bytes: */

WHOLE(knapsack)
{
    int *items = INTS;
    int *best = SLOT(0);

    for (int w = 0; w <= 40; w++)
        best[w] = 0;
    for (int i = 0; i < 100; i++) {
        int weight = 9 + (items[i] & 15);

        for (int w = 40; w >= weight; w--) {
            int with = best[w - weight] + items[i + 100];

            if (with > best[w])
                best[w] = with;
        }
    }
}

WHOLE(rows_summed_on)
{
    long *a = SLOT(0);
    int *in = INTS;

    for (int row = 0; row < 200; row++) {
        long *sums = a + 5 * row;

        sums[0] = (row > 0 ? sums[-1] : 0) + in[row];
        for (int i = 1; i < 5; i++)
            sums[i] = sums[i - 1] + in[row + i];
    }
}

/* Writes eight bytes one by one and reads them as one number. */
WHOLE(packed_bytes)
{
    unsigned char *block = SLOT(0);
    int *in = INTS;
    uint64_t sum = 1;

    for (int i = 0; i < 250; i++) {
        for (int k = 0; k < 8; k++)
            *(volatile unsigned char *)&block[k] =
                (unsigned char)(in[i + k] + (int)(sum >> 60));
        sum = sum * 5 + *(volatile uint64_t *)block;
    }
    USE(sum);
}

WHOLE(cellular_automaton)
{
    unsigned char *cells = SLOT(0), *next = SLOT(1);

    for (int i = 0; i < 32; i++)
        cells[i] = INTS[i] & 1;
    for (int step = 0; step < 60; step++) {
        for (int i = 1; i < 31; i++) {
            int around = cells[i - 1] * 4 + cells[i] * 2 + cells[i + 1];

            next[i] = 110 >> around & 1;
        }
        for (int i = 1; i < 31; i++)
            cells[i] = next[i];
    }
}
