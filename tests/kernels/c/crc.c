/*
 * crc: the cyclic redundancy check of N bytes that Ethernet, gzip and PNG use:
 * the remainder of a division of polynomials over two elements, byte by byte
 * with a table of the remainders of all bytes.
 *
 * The remainder is kept in memory between two bytes, as in a stream.
 * The table follows from its powers of two: the remainder of a sum is the sum
 * of the remainders.  The check divides bit by bit, and knows the remainder of
 * "123456789".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N SIZE_OR(40000)

/* CRC-32 without its highest power; the highest bit is the lowest power. */
#define POLYNOMIAL 0xedb88320u

HOT static void make_table(uint32_t *table)
{
    uint32_t power = 1;

    table[0] = 0;
    for (int i = 128; i >= 1; i /= 2) {
        power = power >> 1 ^ (power & 1) * POLYNOMIAL;
        for (int j = 0; j < 256; j += 2 * i)
            table[i + j] = power ^ table[j];
    }
}

HOT static void update(uint32_t *rest, const uint8_t *data, int n,
                       const uint32_t *table)
{
    for (int i = 0; i < n; i++)
        *rest = table[(LAST(*rest, table[0]) ^ data[i]) & 255] ^
                LAST(*rest, table[0]) >> 8;
}

static uint8_t data[N];
static uint32_t rest, table[256];

static void compute(void)
{
    make_table(kernel_any(table));
    rest = ~0u;
    update(kernel_any(&rest), kernel_any(data), N, kernel_any(table));
}

static uint32_t bit_by_bit(void)
{
    uint32_t bits = ~0u;

    for (int i = 0; i < N; i++) {
        bits ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            bits = bits >> 1 ^ (bits & 1) * POLYNOMIAL;
    }
    return bits;
}

static void check(void)
{
    static uint8_t digits[] = "123456789";
    uint32_t known = ~0u;

    update(kernel_any(&known), kernel_any(digits), 9, kernel_any(table));
    kernel_require(~known == 0xcbf43926u && rest == bit_by_bit());
}

static void fill(void)
{
    for (unsigned i = 0; i < N; i++)
        data[i] = (uint8_t)(256 * kernel_sample(i * i));
}

KERNEL("crc", fill(), compute())
