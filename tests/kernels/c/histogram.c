/*
 * histogram: how often each value occurs among N bytes, dark ones more often
 * than bright ones, as in a picture.
 *
 * Where a count lies is known from the data alone.  The check takes each byte
 * away from a copy of the counts again, which must come to zero everywhere.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N      SIZE_OR(40000)
#define VALUES 256

HOT static void histogram(unsigned *count, const uint8_t *data)
{
    for (int i = 0; i < N; i++)
        count[data[i]]++;
}

static uint8_t data[N];
static unsigned count[VALUES];

static void fill(void)
{
    for (unsigned i = 0; i < N; i++)
        data[i] = (uint8_t)(VALUES * pow(kernel_sample(i), 3));
}

static void check(void)
{
    unsigned left[VALUES];

    memcpy(left, count, sizeof(left));
    for (int i = 0; i < N; i++)
        left[data[i]]--;
    for (int value = 0; value < VALUES; value++)
        kernel_require(left[value] == 0);
}

KERNEL("histogram", fill(), kernel_clear(count, sizeof(count));
       histogram(kernel_any(count), kernel_any(data)))
