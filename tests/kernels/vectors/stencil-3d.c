/* A grid of three dimensions. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vector: put -> x  1 0 0 */
/* vector: put -> y  0 1 0 */
/* vector: put -> z  0 0 1 */
/* vector: put -> xz  1 0 -1 */
#define N 7

static volatile long a[N][N][N];

__attribute__((noinline)) static void f(void)
{
    for (int i = 1; i < N; i++)
        for (int j = 1; j < N; j++)
            for (int k = 1; k < N - 1; k++) {
                long x = a[i - 1][j][k]; /* x */

                x += a[i][j - 1][k];     /* y */
                x += a[i][j][k - 1];     /* z */
                x += a[i - 1][j][k + 1]; /* xz */
                a[i][j][k] = x;          /* put */
            }
}

int main(void)
{
    f();
    return 0;
}
