/* What a program may change of its process:  hostile WHAT */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int limit(int resource, rlim_t value)
{
    struct rlimit limit;

    getrlimit(resource, &limit);
    limit.rlim_cur = value;
    return setrlimit(resource, &limit);
}

static int no_directory(void)
{
    return mkdir("gone", 0777) != 0 || chdir("gone") != 0 ||
           rmdir("../gone") != 0;
}

static int no_files(void)
{
    for (int fd = 0; fd < 100; fd++)
        close(fd);
    return 0;
}

static int no_signals(void)
{
    sigset_t all;

    sigfillset(&all);
    for (int n = 1; n < 32; n++)
        if (n != SIGKILL && n != SIGSTOP)
            signal(n, SIG_IGN);
    return sigprocmask(SIG_SETMASK, &all, NULL);
}

/* Makes an execve fail while the database cannot be written. */
static int fail_execve(void)
{
    char *arguments[] = {"./text", NULL};

    mkdir("deps.db", 0777);
    execve(arguments[0], arguments, NULL);
    return rmdir("deps.db");
}

/* Changes nothing, but stores to more memory than a limit may allow. */
static int stores(void)
{
    size_t size = 24 << 20;
    volatile char *memory = malloc(size);

    for (size_t i = 0; memory != NULL && i < size; i++)
        memory[i] = 1;
    return memory == NULL;
}

static int change(const char *what)
{
    if (strcmp(what, "umask") == 0)
        return umask(0777) & 0;
    if (strcmp(what, "file-size") == 0)
        return limit(RLIMIT_FSIZE, 0);
    if (strcmp(what, "memory") == 0)
        return limit(RLIMIT_AS, 1 << 20);
    if (strcmp(what, "data") == 0)
        return limit(RLIMIT_DATA, 0);
    if (strcmp(what, "stack") == 0)
        return limit(RLIMIT_STACK, 1 << 16);
    if (strcmp(what, "descriptors") == 0)
        return limit(RLIMIT_NOFILE, 3);
    if (strcmp(what, "processes") == 0)
        return limit(RLIMIT_NPROC, 0);
    if (strcmp(what, "directory") == 0)
        return no_directory();
    if (strcmp(what, "files") == 0)
        return no_files();
    if (strcmp(what, "signals") == 0)
        return no_signals();
    if (strcmp(what, "execve") == 0)
        return fail_execve();
    if (strcmp(what, "stores") == 0)
        return stores();
    return 1;
}

int main(int argc, char **argv)
{
    static volatile long n;

    if (argc != 2 || change(argv[1]) != 0)
        return 1;
    for (int i = 0; i < 1001; i++)
        n++;
    return 9;
}
