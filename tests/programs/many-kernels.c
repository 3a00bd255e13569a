/*
 * Forty loops that carry a dependency through memory, like a suite of kernels
 * in one program, and one more with a shorter body that runs fifty times as
 * often.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdint.h>

#define N 400

static uint32_t a[N + 8];

#define TEN(X, t) \
    X(t##0)       \
    X(t##1) X(t##2) X(t##3) X(t##4) X(t##5) X(t##6) X(t##7) X(t##8) X(t##9)
#define FORTY(X) TEN(X, 1) TEN(X, 2) TEN(X, 3) TEN(X, 4)

#define KERNEL(n)                                                  \
    __attribute__((noinline)) static void kernel_##n(int times)    \
    {                                                              \
        for (int t = 0; t < times; t++)                            \
            for (int i = 2; i < N; i++)                            \
                a[i] = (a[i - 2] ^ (n)) + ((a[i + 1] * 5u) >> 3) + \
                       ((uint32_t)i * (n)) % 31u;                  \
    }
FORTY(KERNEL)

__attribute__((noinline)) static void hot(int times)
{
    for (int t = 0; t < times; t++)
        for (int i = 2; i < N; i++)
            a[i] += a[i - 2];
}

#define CALL(n) kernel_##n(10);

int main(void)
{
    hot(500);
    FORTY(CALL)
    return a[N / 2] == 1;
}
