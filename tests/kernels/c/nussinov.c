/*
 * nussinov: how many pairs of bases at most an RNA strand can form when it
 * folds without a knot (Nussinov's table).  A pairs with U, C with G, and no
 * base with its neighbour.
 *
 * In the best folding of bases i to j, i is alone, or j is, or they are a pair,
 * or the strand falls into two parts after some base k.  Shorter stretches
 * come first, and each case in turn raises the entry.
 *
 * Repeated on a full table, it does the same work and changes nothing.
 *
 * The check fills a table by another rule: j is alone, or pairs with some k,
 * which parts what lies between from what lies before.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N SIZE_OR(64)

static inline int pairs(const unsigned char *base, int i, int j)
{
    return j - i > 1 && base[i] + base[j] == 3;
}

static inline int larger(int a, int b)
{
    return a > b ? a : b;
}

HOT static void nussinov(int (*best)[N], const unsigned char *base)
{
    for (int i = N - 1; i >= 0; i--)
        for (int j = i + 1; j < N; j++) {
            best[i][j] = larger(best[i][j], best[i + 1][j]);
            best[i][j] = larger(best[i][j], best[i][j - 1]);
            best[i][j] =
                larger(best[i][j], best[i + 1][j - 1] + pairs(base, i, j));
            for (int k = i + 1; k < j; k++)
                best[i][j] = larger(best[i][j], best[i][k] + best[k + 1][j]);
        }
}

static unsigned char base[N]; /* A, C, G, U: partners add up to 3 */
static int best[N][N];        /* also 0 from a base to the one before it */

/* The most pairs of bases i to j - 1, by another rule. */
static int reference[N + 1][N + 1];

static void check(void)
{
    for (int j = 1; j <= N; j++)
        for (int i = j - 1; i >= 0; i--) {
            int most = reference[i][j - 1];

            for (int k = i; k < j - 1; k++)
                if (pairs(base, k, j - 1))
                    most = larger(most, reference[i][k] + 1 +
                                            reference[k + 1][j - 1]);
            reference[i][j] = most;
            kernel_require(best[i][j - 1] == most);
        }
}

static void fill(void)
{
    for (int i = 0; i < N; i++)
        base[i] = (unsigned char)(4 * kernel_sample((unsigned)(i * i)));
}

KERNEL("nussinov", fill(), nussinov(kernel_any(best), kernel_any(base)))
