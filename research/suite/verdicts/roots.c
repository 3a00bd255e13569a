/*
 * Roots, each of which goes into the lower half of a register that keeps its
 * upper half.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "measure.h"

#include <emmintrin.h>

enum { N = 1000 };

static double from[N], to[N];

__attribute__((noinline)) static void roots(const double *x, double *root)
{
    __m128d r = _mm_set1_pd(2);

    for (int i = 0; i < N; i++) {
#ifdef FAST
        r = _mm_setzero_pd();
#endif
        __asm__("sqrtsd %1, %0" : "+x"(r) : "m"(x[i]));
        _mm_store_sd(root + i, r);
    }
}

static void once(void)
{
    roots(from, to);
}

int main(int argc, char **argv)
{
    for (int i = 0; i < N; i++)
        from[i] = i;
    measure(argc, argv, N, once);
    printf("last: %g\n", to[N - 1]);
    return 0;
}
