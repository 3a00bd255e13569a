/*
 * lines: two threads store to different bytes of one line of the cache.
 *
 * The name of a function says whose bytes it accesses; `handed` is passed from
 * one thread to the other.  Threads take turns through semaphores, so that all
 * counts are known; with an argument they take that many turns.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

static _Alignas(64) volatile struct {
    long first, second, handed;
} line;
static _Alignas(64) volatile long apart;
static _Alignas(64) sem_t to_first;
static _Alignas(64) sem_t to_second;
static long n_turns = 10;

NOINLINE static void store_first(long x)
{
    line.first = x;
}

NOINLINE static long load_first(void)
{
    return line.first;
}

NOINLINE static void store_handed(long x)
{
    line.handed = x;
}

NOINLINE static long load_handed(void)
{
    return line.handed;
}

NOINLINE static void store_second(long x)
{
    line.second = x;
}

NOINLINE static long load_second(void)
{
    return line.second;
}

NOINLINE static void store_apart(long x)
{
    apart = x;
}

static void *second(void *unused)
{
    for (long i = 0; i < n_turns; i++) {
        sem_wait(&to_second);
        store_second(load_handed() + load_second() + load_second());
        store_apart(load_second());
        sem_post(&to_first);
    }
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;

    if (argc > 1)
        n_turns = atol(argv[1]);
    if (sem_init(&to_first, 0, 0) != 0 || sem_init(&to_second, 0, 0) != 0 ||
        pthread_create(&thread, NULL, second, NULL) != 0)
        return 1;
    for (long i = 0; i < n_turns; i++) {
        store_first(load_first() + load_first());
        store_handed(i);
        sem_post(&to_second);
        sem_wait(&to_first);
    }
    return pthread_join(thread, NULL);
}
