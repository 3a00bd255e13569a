/* Gauss-Seidel sweeps over a grid: loads of neighbours from this sweep and the
   last one, with negative numbers of rounds among them. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vector: put -> upper_left  0 1 1 */
/* vector: put -> upper  0 1 0 */
/* vector: put -> upper_right  0 1 -1 */
/* vector: put -> left  0 0 1 */
/* vector: put -> here  1 0 0 */
/* vector: put -> right  1 0 -1 */
/* vector: put -> lower  1 -1 0 */
#define N 10

static volatile long a[N][N];

__attribute__((noinline)) static void f(int n)
{
    for (int t = 0; t < n; t++)
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                long x = a[i - 1][j - 1]; /* upper_left */

                x += a[i - 1][j];     /* upper */
                x += a[i - 1][j + 1]; /* upper_right */
                x += a[i][j - 1];     /* left */
                x += a[i][j];         /* here */
                x += a[i][j + 1];     /* right */
                x += a[i + 1][j];     /* lower */
                a[i][j] = x;          /* put */
            }
}

int main(void)
{
    f(5);
    return 0;
}
