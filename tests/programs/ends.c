/* Ways to end:  ends WAY */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_t first;
static pthread_barrier_t running;

/* Makes 1000 dependencies that nothing else makes. */
__attribute__((noinline)) static void work(void)
{
    static volatile long n;

    for (int i = 0; i < 1001; i++)
        n++;
}

static void *spin(void *unused)
{
    volatile long n = 0;

    pthread_barrier_wait(&running);
    for (;;)
        n++;
    return unused;
}

static void *sleep_long(void *unused)
{
    pthread_barrier_wait(&running);
    for (;;)
        pause();
    return unused;
}

static void *outlive(void *status)
{
    pthread_join(first, NULL);
    work();
    if (status != NULL)
        exit(*(int *)status);
    return NULL;
}

static void with_threads(void)
{
    pthread_t t;

    pthread_barrier_init(&running, NULL, 3);
    pthread_create(&t, NULL, spin, NULL);
    pthread_create(&t, NULL, sleep_long, NULL);
    pthread_barrier_wait(&running);
    work();
    exit(7);
}

static void leave_to_another(void *status)
{
    pthread_t t;

    first = pthread_self();
    pthread_create(&t, NULL, outlive, status);
    pthread_exit(NULL);
}

int main(int argc, char **argv)
{
    static int eight = 8;
    const char *way = argc > 1 ? argv[1] : "";

    if (strcmp(way, "threads") == 0)
        with_threads();
    if (strcmp(way, "thread") == 0)
        leave_to_another(&eight);
    if (strcmp(way, "last") == 0)
        leave_to_another(NULL);
    work();
    if (strcmp(way, "exit") == 0)
        exit(3);
    if (strcmp(way, "_exit") == 0)
        _exit(4);
    if (strcmp(way, "SYS_exit") == 0)
        syscall(SYS_exit, 5);
    if (strcmp(way, "abort") == 0)
        abort();
    if (strcmp(way, "kill") == 0)
        kill(getpid(), SIGKILL);
    if (strcmp(way, "pause") == 0) {
        printf("%d\n", (int)getpid());
        fflush(stdout);
        for (;;)
            pause();
    }
    /* These make an import, or even a spool, impossible. */
    if (strcmp(way, "replace-database") == 0)
        return mkdir("deps.db", 0777) == 0 ? 6 : 1;
    if (strcmp(way, "move-directory") == 0)
        return rename("../here", "../there") == 0 ? 6 : 1;
    return 2;
}
