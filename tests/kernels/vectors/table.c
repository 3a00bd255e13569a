/* The length of the longest common subsequence: a table with branches. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vector: put -> diagonal  1 1 */
/* vector: put -> upper  1 0 */
/* vector: put -> left  0 1 */
#define N 12

/* Keeps a load an instruction of its own: its value is in a register. */
#define IN_REGISTER(x) __asm__ volatile("" : "+r"(x))

static volatile int length[N + 1][N + 1];
static volatile char s[N], t[N];

__attribute__((noinline)) static void f(void)
{
    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= N; j++) {
            int x;

            if (s[i - 1] == t[j - 1]) {
                x = length[i - 1][j - 1]; /* diagonal */
                x++;
            } else {
                int up = length[i - 1][j];   /* upper */
                int left = length[i][j - 1]; /* left */

                IN_REGISTER(left);
                x = up > left ? up : left;
            }
            length[i][j] = x; /* put */
        }
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        s[i] = (char)(i % 3);
        t[i] = (char)(i % 4);
    }
    f();
    return 0;
}
