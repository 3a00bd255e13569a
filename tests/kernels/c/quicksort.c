/*
 * quicksort: sorts N numbers in place, by Hoare's partition.
 *
 * The check: the numbers are the halves of those from 0 to N - 1, rounded down,
 * so that the place of each is known.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N SIZE_OR(4000)

static inline void swap(int *a, int *b)
{
    int kept = *a;

    *a = *b;
    *b = kept;
}

/* Partitions n numbers, at least two, and returns how many come first: not all,
   since the pivot is not the last. */
HOT static int partition(int *a, int n)
{
    int pivot = a[(n - 1) / 2], i = 0, j = n - 1;

    for (;;) {
        while (a[i] < pivot)
            i++;
        while (a[j] > pivot)
            j--;
        if (i >= j)
            return j + 1;
        swap(&a[i++], &a[j--]);
    }
}

/* Recurses into the smaller part only, so that the stack stays small. */
HOT static void quicksort(int *a, int n)
{
    while (n > 1) {
        int n_low = partition(a, n);

        if (n_low < n - n_low) {
            quicksort(a, n_low);
            a += n_low;
            n -= n_low;
        } else {
            quicksort(a + n_low, n - n_low);
            n = n_low;
        }
    }
}

static int a[N], a0[N];

/* Shuffles: each number takes the place of one before it. */
static void fill(void)
{
    for (int i = 0; i < N; i++) {
        int j = (int)((i + 1) * kernel_sample((unsigned)i * (unsigned)i));

        a0[i] = a0[j];
        a0[j] = i / 2;
    }
}

static void check(void)
{
    for (int i = 0; i < N; i++)
        kernel_require(a[i] == i / 2);
}

KERNEL("quicksort", fill(), kernel_restore(a, a0, sizeof(a));
       quicksort(kernel_any(a), N))
