/* Two equal pointers, passed through functions that are always inlined, so that
   the loop itself does not show that they are equal. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE void put(volatile int *to, int value)
{
    *to = value;
}

ALWAYS_INLINE int get(volatile int *from)
{
    int value = *from;

    __asm__("" : "+r"(value)); /* the load is no part of an addition */
    return value;
}

__attribute__((noinline)) static int loop(volatile int *a, volatile int *b,
                                          int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++) {
        put(a, i);
        sum += get(b);
    }
    return sum;
}

int main(void)
{
    volatile int shared;

    return loop(&shared, &shared, 100) != 99 * 100 / 2;
}
