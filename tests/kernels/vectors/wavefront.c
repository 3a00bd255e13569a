/* A triangle, diagonal by diagonal: the steps of the addresses would allow
   other vectors, but the loops have too few rounds for them. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vector: put -> left  1 0 */
/* vector: put -> upper  1 1 */
#define N 12

static volatile long a[N + 1][N + 1];

__attribute__((noinline)) static void f(void)
{
    for (int d = 0; d < N; d++)
        for (int i = 0; i <= d; i++) {
            long x = a[i + 1][d - i]; /* left */

            x += a[i][d - i + 1];    /* upper */
            a[i + 1][d - i + 1] = x; /* put */
        }
}

int main(void)
{
    f();
    return 0;
}
