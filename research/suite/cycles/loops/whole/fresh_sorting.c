/* Sorting and searching, written after the rules were fixed. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stddef.h>

#include "whole.h"

static inline void swap(int *a, int *b)
{
    int x = *a;

    *a = *b;
    *b = x;
}

/* The place is found by halving, and the rest is moved. */
WHOLE(inserted_by_halving)
{
    int *a = SLOT(0);

    for (int n = 0; n < 100; n++) {
        int x = FRESH(n) * 4 + (n & 3), low = 0, high = n;

        while (low < high) {
            int middle = (low + high) / 2;

            if (a[middle] <= x)
                low = middle + 1;
            else
                high = middle;
        }
        __builtin_memmove(a + low + 1, a + low, (size_t)(n - low) * sizeof *a);
        a[low] = x;
    }
}

CALLEE void sift_down(int *heap, int at, int n)
{
    int x = heap[at], child;

    for (; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && heap[child + 1] > heap[child])
            child++;
        if (heap[child] <= x)
            break;
        heap[at] = heap[child];
    }
    heap[at] = x;
}

WHOLE(sorted_by_heap)
{
    int *a = SLOT(0);

    for (int i = 0; i < 96; i++)
        a[i] = FRESH(i) * 128 + i;
    for (int i = 47; i >= 0; i--)
        sift_down(a, i, 96);
    for (int end = 95; end > 0; end--) {
        swap(&a[0], &a[end]);
        sift_down(a, 0, end);
    }
}

/* Quicksort with the middle of three, and insertion for short runs. */
CALLEE void quicksort(int *a, int n)
{
    while (n > 8) {
        int pivot, i = 0, j = n - 1;

        if (a[n / 2] < a[0])
            swap(&a[n / 2], &a[0]);
        if (a[n - 1] < a[0])
            swap(&a[n - 1], &a[0]);
        if (a[n - 1] < a[n / 2])
            swap(&a[n - 1], &a[n / 2]);
        pivot = a[n / 2];
        while (i <= j) {
            while (a[i] < pivot)
                i++;
            while (a[j] > pivot)
                j--;
            if (i <= j)
                swap(&a[i++], &a[j--]);
        }
        quicksort(a + i, n - i);
        n = j + 1;
    }
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && a[j - 1] > a[j]; j--)
            swap(&a[j - 1], &a[j]);
}

WHOLE(sorted_by_halves)
{
    int *a = SLOT(0);

    for (int i = 0; i < 100; i++)
        a[i] = FRESH(i) * 8 + (i & 7);
    quicksort(a, 100);
}

WHOLE(sorted_by_merging)
{
    int *a = SLOT(0), *b = SLOT(1);

    for (int i = 0; i < 128; i++)
        a[i] = FRESH(i) * 128 + i;
    for (int width = 1; width < 128; width *= 2) {
        int *from = a;

        for (int start = 0; start < 128; start += 2 * width) {
            int i = start, j = start + width, middle = j, end = j + width;

            for (int k = start; k < end; k++)
                b[k] =
                    i < middle && (j >= end || a[i] <= a[j]) ? a[i++] : a[j++];
        }
        a = b;
        b = from;
    }
}

/* Numbers of 16 bits, by their low byte and then by their high one. */
WHOLE(sorted_by_digits)
{
    uint16_t *a = SLOT(0), *b = SLOT(1);
    int places[256];

    for (int i = 0; i < 400; i++)
        a[i] = (uint16_t)(FRESH(i) * 257 + i);
    for (int shift = 0; shift < 16; shift += 8) {
        uint16_t *from = a;

        __builtin_memset(places, 0, sizeof places);
        for (int i = 0; i < 400; i++)
            places[a[i] >> shift & 255]++;
        for (int i = 0, sum = 0; i < 256; i++) {
            int n = places[i];

            places[i] = sum;
            sum += n;
        }
        for (int i = 0; i < 400; i++)
            b[places[a[i] >> shift & 255]++] = a[i];
        a = b;
        b = from;
    }
}

/* The place is guessed from the values at both ends. */
WHOLE(searched_by_guesses)
{
    int *a = SLOT(0), sum = 0;

    for (int i = 0, x = 0; i < 512; i++)
        a[i] = x += INTS[i] & 31;
    for (int i = 0; i < 60; i++) {
        int key = FRESH(i) * a[511] / 256, low = 0, high = 511;

        while (low < high && key > a[low] && key <= a[high]) {
            int at = low + (key - a[low]) * (high - low) / (a[high] - a[low]);

            if (a[at] < key)
                low = at + 1;
            else
                high = at - (at > low && at == high);
        }
        sum += low;
    }
    USE(sum);
}

/* The ten least of 1,200, in order. */
WHOLE(least_ten_kept)
{
    int least[10], n = 0, sum = 0;

    for (int i = 0; i < 1200; i++) {
        int x = FRESH(i) * 8 + (i & 7), at;

        if (n == 10 && x >= least[9])
            continue;
        n += n < 10;
        for (at = n - 1; at > 0 && least[at - 1] > x; at--)
            least[at] = least[at - 1];
        least[at] = x;
    }
    for (int i = 0; i < 10; i++)
        sum += least[i] * (i + 1);
    USE(sum);
}

WHOLE(sorted_by_gaps)
{
    static const int gaps[] = {57, 23, 10, 4, 1};
    int *a = SLOT(0);

    for (int i = 0; i < 120; i++)
        a[i] = FRESH(i);
    for (int g = 0; g < 5; g++)
        for (int gap = gaps[g], i = gap; i < 120; i++) {
            int x = a[i], j = i;

            for (; j >= gap && a[j - gap] > x; j -= gap)
                a[j] = a[j - gap];
            a[j] = x;
        }
}

/* Networks of 19 comparisons sort eight values each, without a branch. */
WHOLE(sorted_by_networks)
{
    static const uint8_t pairs[19][2] = {{0, 2}, {1, 3}, {4, 6}, {5, 7}, {0, 4},
                                         {1, 5}, {2, 6}, {3, 7}, {0, 1}, {2, 3},
                                         {4, 5}, {6, 7}, {2, 4}, {3, 5}, {1, 4},
                                         {3, 6}, {1, 2}, {3, 4}, {5, 6}};
    int *a = SLOT(0);

    for (int i = 0; i < 320; i++)
        a[i] = FRESH(i);
    for (int *eight = a; eight < a + 320; eight += 8)
        for (int p = 0; p < 19; p++) {
            int x = eight[pairs[p][0]], y = eight[pairs[p][1]];

            eight[pairs[p][0]] = x < y ? x : y;
            eight[pairs[p][1]] = x < y ? y : x;
        }
}
