/*
 * early: the signals that end a program, and what they have to remove.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "early.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "memory.h"

#define PATIENCE 2000 /* milliseconds until the other program is killed */
#define STEP     10   /* milliseconds */

static char *volatile paths[16];
static const size_t most_paths = sizeof paths / sizeof paths[0];
static volatile pid_t other;
static pid_t owner; /* workers inherit all this, and must remove nothing */

static void remove_all(void)
{
    if (getpid() != owner)
        return;
    for (size_t i = most_paths; i-- > 0;) /* a directory after its files */
        if (paths[i] != NULL && unlink(paths[i]) != 0)
            rmdir(paths[i]);
}

static void say(const char *text)
{
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        return; /* nobody reads it */
}

/* Ends the other program.  It may ignore SIGTERM, as may those of its group
   that it leaves behind. */
static void end_other(void)
{
    if (kill(other, SIGTERM) != 0)
        return;
    for (int waited = 0; waited < PATIENCE; waited += STEP) {
        if (waitpid(other, NULL, WNOHANG) != 0) {
            if (other < 0)
                kill(other, SIGKILL);
            return;
        }
        poll(NULL, 0, STEP);
    }
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
}

static void interrupted(int signal_number)
{
    if (getpid() == owner && other != 0)
        end_other();
    remove_all();
    if (signal_number == SIGALRM || signal_number == SIGXCPU) {
        say(program_invocation_short_name);
        say(": stopped: this takes too long for --untrusted\n");
        _exit(2);
    }
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

void early_begin(void)
{
    static const int signals[] = {SIGHUP,  SIGINT,  SIGTERM, SIGPIPE,
                                  SIGSEGV, SIGABRT, SIGBUS,  SIGFPE,
                                  SIGILL,  SIGALRM, SIGXCPU};
    struct sigaction action = {.sa_handler = interrupted,
                               .sa_flags = SA_RESTART},
                     old;

    owner = getpid();
    atexit(remove_all);
    /* nohup and shells make the program ignore signals on purpose. */
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(signals[i], &action, NULL);
}

void early_remove(const char *path)
{
    for (size_t i = 0; i < most_paths && owner != 0 && path != NULL; i++) {
        if (paths[i] != NULL && strcmp(paths[i], path) == 0)
            return;
        if (paths[i] == NULL) {
            paths[i] = memory_text(path);
            return;
        }
    }
}

void early_end(pid_t process)
{
    other = process;
}
