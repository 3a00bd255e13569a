/*
 * Numbers as hexadecimal digits, which are stored one by one and hashed by
 * eight.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "measure.h"

#include <stdint.h>
#include <string.h>

enum { N = 2000 };

static uint32_t numbers[N];
static uint64_t hash;

#ifndef FAST
static uint64_t digits_of(uint32_t x)
{
    char digits[8];
    uint64_t word;

    for (int i = 0; i < 8; i++, x >>= 4)
        digits[i] = "0123456789abcdef"[x & 15];
    memcpy(&word, digits, sizeof word);
    return word;
}
#else
static uint64_t digits_of(uint32_t x)
{
    uint64_t word = 0;

    for (int i = 0; i < 8; i++, x >>= 4)
        word |= (uint64_t) "0123456789abcdef"[x & 15] << 8 * i;
    return word;
}
#endif

__attribute__((noinline)) static uint64_t hash_of(const uint32_t *x, int n)
{
    uint64_t sum = 0;

    for (int i = 0; i < n; i++)
        sum = (sum ^ digits_of(x[i] ^ (uint32_t)sum)) * 0x9e3779b97f4a7c15;
    return sum;
}

static void once(void)
{
    hash = hash_of(numbers, N);
}

int main(int argc, char **argv)
{
    for (int i = 0; i < N; i++)
        numbers[i] = (uint32_t)i * 0x01000193;
    measure(argc, argv, N, once);
    printf("hash %016lx\n", (unsigned long)hash);
    return 0;
}
