/* In f, the inner loop begins at the outer loop's index: rounds count from
   there, so the same column is one round nearer.  In g, the inner loop begins
   at 1, and the same column is the same round. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vector: put -> upper  1 -1 */
/* vector: put -> left  0 1 */
/* vector: low -> low_upper  1 0 */
/* vector: low -> low_left  0 1 */
#define N 12

static volatile long a[N][N];

__attribute__((noinline)) static void f(void)
{
    for (int i = 1; i < N; i++)
        for (int j = i; j < N; j++) {
            long x = a[i - 1][j]; /* upper */

            x += a[i][j - 1]; /* left */
            a[i][j] = x;      /* put */
        }
}

__attribute__((noinline)) static void g(void)
{
    for (int i = 2; i < N; i++)
        for (int j = 1; j < i; j++) {
            long x = a[i - 1][j]; /* low_upper */

            x += a[i][j - 1]; /* low_left */
            a[i][j] = x;      /* low */
        }
}

int main(void)
{
    f();
    g();
    return 0;
}
