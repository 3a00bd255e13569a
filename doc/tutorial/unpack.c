/*
 * Unpacks a match of LZ77: bytes are copied from a distance before, eight at a
 * time.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "measure.h"

#include <string.h>

enum { N = 4096 };

static char out[N + 64];

/* Copies n bytes from `distance` before, which is 8 or more. */
__attribute__((noinline)) static void copy(char *to, long distance, long n)
{
    long i = 0;

#ifdef FAST
    /* Bytes repeat at any multiple of the distance, too: one that is a multiple
       of eight loads what one store wrote. */
    long far = distance;

    while (far % 8 != 0)
        far += distance;
    for (; i < far - distance; i++)
        to[i] = to[i - distance];
    distance = far;
#endif
    for (; i < n; i += 8)
        memcpy(to + i, to + i - distance, 8);
}

static void once(void)
{
    copy(out + 12, 12, N);
}

int main(int argc, char **argv)
{
    memcpy(out, "twelve bytes", 12);
    measure(argc, argv, N / 8, once);
    printf("%.12s\n", out + N - N % 12);
    return 0;
}
