/* Elimination: the row of the pivot was written in the round before, a number
   of rounds of the middle loop ago that differs from row to row.  The old value
   was always written 1 -1 -1 before, but the vector 2 -3 7 would fit, too, if
   the two inner loops had as many rounds in each round of the outer one as in
   its first. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vector: put -> pivot  none */
/* vector: put -> old  none */
#define N 9

/* Keeps a load an instruction of its own: its value is in a register. */
#define IN_REGISTER(x) __asm__ volatile("" : "+r"(x))

static volatile long a[N][N];

__attribute__((noinline)) static void f(void)
{
    for (int k = 0; k < N; k++)
        for (int i = k + 1; i < N; i++)
            for (int j = k + 1; j < N; j++) {
                long x = a[k][j]; /* pivot */
                long y = a[i][j]; /* old */

                IN_REGISTER(y);
                a[i][j] = x + y; /* put */
            }
}

int main(void)
{
    f();
    return 0;
}
