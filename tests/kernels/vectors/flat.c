/* One place for all rounds, and rows that follow each other without a gap: the
   first value that a row reads was written last in the row before, so there are
   two vectors. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vector: add -> sum  none */
/* vector: put -> before  none */
/* vector: cell -> added  0 1 */
#define N 11

/* Keeps a load an instruction of its own: its value is in a register. */
#define IN_REGISTER(x) __asm__ volatile("" : "+r"(x))

static volatile long total, a[N * N + 1], cells[N];

__attribute__((noinline)) static void f(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            long x = total; /* sum */

            IN_REGISTER(x);
            total = x + 1;            /* add */
            x = a[i * N + j];         /* before */
            a[i * N + j + 1] = x + 1; /* put */
        }
}

__attribute__((noinline)) static void g(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            long x = cells[i]; /* added */

            IN_REGISTER(x);
            cells[i] = x + j; /* cell */
        }
}

int main(void)
{
    f();
    g();
    return 0;
}
