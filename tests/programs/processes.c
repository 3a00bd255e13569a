/* Ways to start programs:  processes WAY [N] [PROGRAM] */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char *no_environment[] = {NULL};

/* Makes 1000 dependencies that nothing else makes. */
__attribute__((noinline)) static void work(void)
{
    static volatile long n;

    for (int i = 0; i < 1001; i++)
        n++;
}

static void try(const char *path)
{
    char *arguments[] = {(char *)path, NULL};

    execve(path, arguments, no_environment);
    printf("%s: %s\n", path, strerror(errno));
}

/* Tries files that cannot be executed; the kernel notices some of them late. */
static int fail(void)
{
    FILE *text = fopen("text", "w");

    fputs("no program\n", text);
    fclose(text);
    try("missing");
    try(".");
    try("text");
    chmod("text", 0755);
    try("text");
    try("text");
    if (execve((char *)8, NULL, NULL) != 0)
        printf("8: %s\n", strerror(errno));
    work();
    return 3;
}

static void *wait_forever(void *unused)
{
    for (;;)
        pause();
    return unused;
}

/* Executes the program from a thread that is not the first, in another
   directory, and without an environment. */
static void *replace(void *path)
{
    char *arguments[] = {path, "5", NULL};

    work();
    if (chdir("/") == 0)
        execve(path, arguments, no_environment);
    exit(1);
}

static int threads(char *path)
{
    pthread_t t;

    pthread_create(&t, NULL, wait_forever, NULL);
    pthread_create(&t, NULL, replace, path);
    pthread_join(t, NULL);
    return 1;
}

static int start(char *path)
{
    char *arguments[] = {path, "12", NULL};
    char command[4200];
    pid_t pid;
    int status, sum = 0;

    snprintf(command, sizeof command, "'%s' 11", path);
    sum += WEXITSTATUS(system(command));
    if (posix_spawn(&pid, path, NULL, NULL, arguments, no_environment) != 0)
        return 1;
    waitpid(pid, &status, 0);
    sum += WEXITSTATUS(status);
    if ((pid = vfork()) == 0) {
        execl(path, path, "13", NULL);
        _exit(1);
    }
    waitpid(pid, &status, 0);
    return sum + WEXITSTATUS(status);
}

/* Starts n children that end at the same time. */
static int crowd(int n, char *path)
{
    char number[20];
    int status, sum = 0;

    for (int i = 1; i <= n; i++) {
        if (fork() != 0)
            continue;
        snprintf(number, sizeof number, "%d", i);
        if (path != NULL)
            execl(path, path, number, NULL);
        exit(i);
    }
    while (wait(&status) > 0)
        sum += WIFEXITED(status) ? WEXITSTATUS(status) : 1000;
    return sum == n * (n + 1) / 2 ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    if (atoi(argv[1]) > 0)
        return atoi(argv[1]);
    if (strcmp(argv[1], "fail") == 0)
        return fail();
    if (strcmp(argv[1], "threads") == 0)
        return threads(argv[2]);
    if (strcmp(argv[1], "start") == 0)
        return start(argv[2]);
    return argc < 3 ? 2 : crowd(atoi(argv[2]), argv[3]);
}
