/*
 * Reads numbers with commas between them: memory does not limit the loop.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "measure.h"

enum { N = 4000, MOST = 8 * N };

static char text[MOST];
static long total;

__attribute__((noinline)) static long sum_of(const char *at)
{
    long sum = 0, number = 0;

    for (; *at != '\0'; at++) {
        int digit = *at - '0';

        if (digit >= 0) {
            number = 10 * number + digit;
        } else {
            sum += number;
            number = 0;
        }
    }
    return sum + number;
}

static void once(void)
{
    total += sum_of(text);
}

int main(int argc, char **argv)
{
    int n = 0;

    for (int i = 0; i < N; i++)
        n += sprintf(text + n, "%d,", 1000 + i % 9000);
    measure(argc, argv, n, once);
    printf("total: %ld\n", total);
    return 0;
}
