/*
 * Works, then waits until another process has opened and closed a named pipe;
 * three times, each with a pipe of its own.  When a pipe can be opened, the
 * work before it is done.
 *
 * A handler counts signals about children, though it has none.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t n_children;

static void child_ended(int signal)
{
    (void)signal;
    n_children++;
}

/* Waits until another process has opened and closed the pipe. */
__attribute__((noipa)) static void wait_at(const char *pipe)
{
    int fd = open(pipe, O_RDONLY);
    char byte;

    if (fd < 0)
        abort();
    while (read(fd, &byte, 1) != 0)
        continue;
    close(fd);
}

__attribute__((noipa)) static void work(volatile long *n, long times)
{
    for (long i = 0; i < times; i++)
        ++*n;
}

int main(int argc, char **argv)
{
    struct sigaction action = {.sa_handler = child_ended};
    volatile long n = 0;

    if (argc != 4)
        return 2;
    sigaction(SIGCHLD, &action, NULL);
    work(&n, 1001);
    wait_at(argv[1]);
    work(&n, 2000);
    wait_at(argv[2]);
    work(&n, 4000);
    wait_at(argv[3]);
    if (waitpid(-1, NULL, WNOHANG) != -1 || errno != ECHILD)
        return 3;
    return n_children == 0 && n == 7001 ? 4 : 5;
}
