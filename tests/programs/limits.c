/* limits: limits its own addresses, in several ways, and says what it got. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include <errno.h>
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

/* Prints the limits as the kernel reports them. */
static void print_own(void)
{
    char line[256];
    FILE *f = fopen("/proc/self/limits", "r");

    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (strncmp(line, "Max address space", 17) == 0)
            fputs(line, stdout);
    if (f != NULL)
        fclose(f);
    fflush(stdout);
}

/* A limit in read-only memory. */
static const struct rlimit fixed = {4 * GIB, 8 * GIB};

int main(void)
{
    struct rlimit l, old;
    size_t n = 50 << 20;
    char *p;

    printf("%d\n", setrlimit(RLIMIT_AS, &fixed));
    p = malloc(n);
    if (p == NULL)
        return 1;
    memset(p, 1, n);
    getrlimit(RLIMIT_AS, &old);
    print("set", &old);
    print_own();
    l = (struct rlimit){9 * GIB, 8 * GIB};
    printf("above the hard limit: %d\n", setrlimit(RLIMIT_AS, &l));
    l.rlim_cur = 6 * GIB;
    printf("%d\n", prlimit(getpid(), RLIMIT_AS, &l, &old));
    print("before", &old);
    l.rlim_cur = 5 * GIB;
    printf("%d\n", prlimit(0, RLIMIT_AS, &l, &l));
    print("before, in the same place", &l);
    l = (struct rlimit){5 * GIB, 9 * GIB};
    errno = 0;
    printf("raised: %d ", setrlimit(RLIMIT_AS, &l));
    printf("%d\n", errno);
    getrlimit(RLIMIT_AS, &l);
    print("now", &l);
    print_own();
    if (fork() == 0) {
        execl("/nonexistent", "nonexistent", NULL);
        getrlimit(RLIMIT_AS, &l);
        print("child", &l);
        execl("/bin/sh", "sh", "-c", "ulimit -S -v; ulimit -H -v", NULL);
    }
    wait(NULL);
    return 0;
}
