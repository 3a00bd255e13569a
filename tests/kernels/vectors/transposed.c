/* A matrix that is written column by column; and a matrix that is transposed in
   place, which has no vector. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vector: put -> left  1 0 */
/* vector: put -> upper  0 1 */
/* vector: mirror -> mirrored  none */
#define N 11

static volatile long a[N][N];

__attribute__((noinline)) static void f(void)
{
    for (int j = 1; j < N; j++)
        for (int i = 1; i < N; i++) {
            long x = a[i][j - 1]; /* left */

            x += a[i - 1][j]; /* upper */
            a[i][j] = x;      /* put */
        }
}

__attribute__((noinline)) static void g(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            long x = a[j][i]; /* mirrored */

            a[i][j] = x + 1; /* mirror */
        }
}

int main(void)
{
    f();
    g();
    return 0;
}
