/*
 * limits: limits its own addresses, in several ways, and says what it got.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define GIB ((rlim_t)1 << 30)

static void print(const char *what, const struct rlimit *l)
{
    printf("%s %llx %llx\n", what, (unsigned long long)l->rlim_cur,
           (unsigned long long)l->rlim_max);
    fflush(stdout);
}

int main(void)
{
    struct rlimit l = {4 * GIB, 8 * GIB}, old;
    size_t n = 50 << 20;
    char *p;

    printf("%d\n", setrlimit(RLIMIT_AS, &l));
    p = malloc(n);
    if (p == NULL)
        return 1;
    memset(p, 1, n);
    getrlimit(RLIMIT_AS, &old);
    print("set", &old);
    l.rlim_cur = 9 * GIB;
    printf("above the hard limit: %d\n", setrlimit(RLIMIT_AS, &l));
    l.rlim_cur = 6 * GIB;
    printf("%d\n", prlimit(getpid(), RLIMIT_AS, &l, &old));
    print("before", &old);
    if (fork() == 0) {
        execl("/nonexistent", "nonexistent", NULL);
        getrlimit(RLIMIT_AS, &l);
        print("child", &l);
        execl("/bin/sh", "sh", "-c", "ulimit -S -v; ulimit -H -v", NULL);
    }
    wait(NULL);
    return 0;
}
