/*
 * threads: the name of a function says which thread stores or loads.
 *
 * Threads take turns through a pipe, so each turn is short.  With an
 * argument they take that many turns.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

static volatile long passed, kept[2], once, mixed[2];
static int to_main[2], to_other[2];

NOINLINE static void store_passed(long x)
{
    passed = x;
}

NOINLINE static long load_passed(void)
{
    return passed;
}

NOINLINE static void store_kept(int who, long x)
{
    kept[who] = x;
}

NOINLINE static long load_kept(int who)
{
    return kept[who];
}

/* The value is read by the thread that stored it, after few and many
   instructions, and then by another thread. */
NOINLINE static void store_once(long x)
{
    once = x;
}

NOINLINE static long load_once(void)
{
    return once;
}

/* Like store_once, but the other thread first reads its own store. */
NOINLINE static void store_mixed(int who, long x)
{
    mixed[who] = x;
}

NOINLINE static long load_mixed(int who)
{
    return mixed[who];
}

NOINLINE static void spend(long n)
{
    for (volatile long i = 0; i < n; i++)
        ;
}

static void wait_on(const int *pipe)
{
    char c;

    if (read(pipe[0], &c, 1) != 1)
        exit(1);
}

static void wake(const int *pipe)
{
    if (write(pipe[1], "", 1) != 1)
        exit(1);
}

static void *other(void *n_turns)
{
    for (long i = *(long *)n_turns; i > 0; i--) {
        wait_on(to_other);
        store_kept(1, load_passed() + load_kept(1));
        wake(to_main);
    }
    load_once();
    store_mixed(1, 0);
    load_mixed(1);
    load_mixed(0);
    return NULL;
}

int main(int argc, char **argv)
{
    long n_turns = argc > 1 ? atol(argv[1]) : 10;
    pthread_t thread;

    for (long i = 0; i < 100; i++) {
        store_once(i);
        store_mixed(0, i);
        spend(i == 50 ? 1000000 : i);
        load_once();
        load_mixed(0);
    }
    if (pipe(to_main) != 0 || pipe(to_other) != 0 ||
        pthread_create(&thread, NULL, other, &n_turns) != 0)
        return 1;
    for (long i = 0; i < n_turns; i++) {
        store_passed(i);
        store_kept(0, load_kept(0));
        wake(to_other);
        wait_on(to_main);
    }
    return pthread_join(thread, NULL);
}
