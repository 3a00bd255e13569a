/*
 * The hash of a text as UTF-8.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "measure.h"

#include <stdint.h>
#include <string.h>

enum { N = 2000 };

static uint16_t text[N];
static uint32_t hash;

#ifndef FAST
/* Writes the one to three bytes of a character. */
__attribute__((noinline)) static void encode(uint8_t *bytes, uint32_t c)
{
    if (c < 0x80) {
        bytes[0] = (uint8_t)c;
    } else if (c < 0x800) {
        bytes[0] = (uint8_t)(0xc0 | c >> 6);
        bytes[1] = (uint8_t)(0x80 | (c & 0x3f));
    } else {
        bytes[0] = (uint8_t)(0xe0 | c >> 12);
        bytes[1] = (uint8_t)(0x80 | (c >> 6 & 0x3f));
        bytes[2] = (uint8_t)(0x80 | (c & 0x3f));
    }
}

__attribute__((noinline)) static uint32_t hash_of(const uint16_t *from, int n)
{
    uint32_t sum = 0;

    for (int i = 0; i < n; i++) {
        uint8_t bytes[4] = {0};
        uint32_t word;

        encode(bytes, from[i]);
        memcpy(&word, bytes, sizeof word);
        sum = (sum ^ word) * 0x01000193;
    }
    return sum;
}
#else
/* The one to three bytes of a character, the first one lowest. */
__attribute__((noinline)) static uint32_t encode(uint32_t c)
{
    if (c < 0x80)
        return c;
    if (c < 0x800)
        return 0x80c0 | c >> 6 | (c & 0x3f) << 8;
    return 0x8080e0 | c >> 12 | (c >> 6 & 0x3f) << 8 | (c & 0x3f) << 16;
}

__attribute__((noinline)) static uint32_t hash_of(const uint16_t *from, int n)
{
    uint32_t sum = 0;

    for (int i = 0; i < n; i++)
        sum = (sum ^ encode(from[i])) * 0x01000193;
    return sum;
}
#endif

static void once(void)
{
    hash = hash_of(text, N);
}

int main(int argc, char **argv)
{
    for (int i = 0; i < N; i++)
        text[i] = i % 5 == 4 ? 0x20ac : i % 5 == 1 ? 0xe9 : 'a';
    measure(argc, argv, N, once);
    printf("hash %08x\n", hash);
    return 0;
}
