/*
 * spin: loops that wait for another thread, and loops that only look so.
 *
 * The name of a function says what its loop does.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))
#define N        4000

static _Alignas(64) atomic_long head;
static _Alignas(64) atomic_long tail;
static _Alignas(64) atomic_int stop, locked;
static _Alignas(64) long numbers[N];

static inline void relax(void)
{
#if defined __x86_64__
    __asm__ volatile("pause");
#else
    __asm__ volatile("yield");
#endif
}

NOINLINE static void wait_plainly(long n)
{
    while (atomic_load_explicit(&head, memory_order_relaxed) < n)
        ;
}

NOINLINE static void wait_with_pause(long n)
{
    while (atomic_load_explicit(&tail, memory_order_relaxed) < n)
        relax();
}

/* Counts how often it looked. */
NOINLINE static long wait_and_count(long n)
{
    long looked = 0;

    while (atomic_load_explicit(&tail, memory_order_relaxed) < n)
        looked++;
    return looked;
}

/* Takes a lock, which is free. */
NOINLINE static void wait_for_lock(void)
{
    while (atomic_exchange_explicit(&locked, 1, memory_order_acquire) != 0)
        ;
}

/* Another thread stored `stop`, but the work is the numbers. */
NOINLINE static long work_until_stopped(void)
{
    long sum = 0;

    for (long i = 0; i < N; i++) {
        if (atomic_load_explicit(&stop, memory_order_relaxed))
            break;
        sum ^= numbers[i];
    }
    return sum;
}

/* Ends by what it loads, at addresses that move. */
NOINLINE static long search(long x)
{
    const long *at = numbers;

    while (*at != x)
        at++;
    return at - numbers;
}

static void *second(void *unused)
{
    for (long i = 1; i <= 20; i++) {
        wait_plainly(i);
        atomic_store(&tail, i);
    }
    if (work_until_stopped() == 1 || search(N) != N - 1)
        abort();
    return unused;
}

int main(void)
{
    pthread_t thread;

    for (long i = 0; i < N; i++)
        numbers[i] = i + 1;
    atomic_store(&stop, 0);
    wait_for_lock();
    if (pthread_create(&thread, NULL, second, NULL) != 0)
        return 1;
    for (long i = 1; i <= 20; i++) {
        atomic_store(&head, i);
        if (i % 2 == 0)
            wait_with_pause(i);
        else if (wait_and_count(i) < 0)
            return 1;
    }
    return pthread_join(thread, NULL);
}
