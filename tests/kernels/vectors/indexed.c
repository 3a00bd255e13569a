/* An index that is read from an array is no function of the rounds. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vector: count -> counted  none */
/* vector: put -> before  1 */
static volatile long a[64], histogram[16];
static volatile unsigned index[64];

__attribute__((noinline)) static void f(int n)
{
    for (int i = 1; i < n; i++) {
        unsigned k = index[i] % 16;
        long x = histogram[k]; /* counted */

        histogram[k] = x + 1; /* count */
        x += a[i - 1];        /* before */
        a[i] = x;             /* put */
    }
}

int main(void)
{
    for (unsigned i = 0; i < 64; i++)
        index[i] = i * i;
    f(64);
    return 0;
}
