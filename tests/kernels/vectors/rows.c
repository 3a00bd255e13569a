/* Rows whose length is a variable, and a lag of several rounds. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vector: put -> upper_right  1 -1 */
/* vector: put -> left  0 1 */
/* vector: later -> earlier  3 */
static volatile long a[144];

__attribute__((noinline)) static void f(volatile long *b, long n, long m)
{
    for (long i = 1; i < m; i++, b += n)
        for (long j = 1; j < m - 1; j++) {
            long x = b[j + 1]; /* upper_right */

            x += b[n + j - 1]; /* left */
            b[n + j] = x;      /* put */
        }
}

__attribute__((noinline)) static void g(volatile long *b, long n)
{
    for (long i = 3; i < n; i++) {
        long x = b[i - 3]; /* earlier */

        b[i] = x + 1; /* later */
    }
}

int main(void)
{
    f(a, 12, 11);
    g(a, 144);
    return 0;
}
