/*
 * pager: shows long output a screen at a time, as git does.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "pager.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "terminal.h"

/* Quits if all fits on a screen, shows colours, and leaves the screen alone. */
#define LESS_OPTIONS "FRX"

/* The shell's status if a command cannot be run (126) or is not there (127). */
#define CANNOT_RUN 126

static pid_t pager;

static const char *command(void)
{
    const char *name = getenv("PAGER");

    if (name == NULL && system("command -v less >/dev/null 2>&1") == 0)
        return "less";
    return name != NULL && *name != '\0' && strcmp(name, "cat") != 0 ? name
                                                                     : NULL;
}

/* In the child: the pager reads what is written to the pipe. */
static void run(const char *name, const int *ends)
{
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    close(ends[1]);
    setenv("LESS", LESS_OPTIONS, 0);
    execl("/bin/sh", "sh", "-c", name, (char *)NULL);
    _exit(CANNOT_RUN);
}

bool pager_begin(void)
{
    const char *name;
    int ends[2];

    if (!terminal_has_controls(STDOUT_FILENO) || (name = command()) == NULL ||
        pipe(ends) != 0)
        return false;
    fflush(stdout);
    pager = fork();
    if (pager == 0)
        run(name, ends);
    if (pager > 0) {
        /* Who quits early has seen enough. */
        signal(SIGPIPE, SIG_IGN);
        dup2(ends[1], STDOUT_FILENO);
    }
    close(ends[0]);
    close(ends[1]);
    return pager > 0;
}

bool pager_end(void)
{
    int status = 0;

    if (pager <= 0)
        return true;
    fflush(stdout);
    clearerr(stdout);
    /* The pager reads to the end of the pipe, which this closes. */
    dup2(STDERR_FILENO, STDOUT_FILENO);
    while (waitpid(pager, &status, 0) < 0 && errno == EINTR)
        ;
    pager = 0;
    return !WIFEXITED(status) || WEXITSTATUS(status) < CANNOT_RUN;
}
