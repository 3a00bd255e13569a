/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "early.h"

#include "basics.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE 2000 /* milliseconds until the other program is killed */
#define STEP     10   /* milliseconds */
#define TRIES    1000 /* attempts to remove a directory */

static char *volatile paths[16];
static const size_t most_paths = sizeof paths / sizeof paths[0];
static const char *volatile farewell;
static volatile pid_t other;
static pid_t owner; /* workers inherit this state, but must remove nothing */

static bool remove_from(int parent, const char *name);

/* Removes what an open directory has; in a signal handler, malloc, which
   readdir needs, may not be called. */
static void clear(int directory)
{
    _Alignas(struct dirent64) char entries[4096];
    const struct dirent64 *entry;
    ssize_t n;

    while ((n = getdents64(directory, entries, sizeof entries)) > 0)
        for (ssize_t at = 0; at < n; at += entry->d_reclen) {
            entry = (const void *)(entries + at);
            if (strcmp(entry->d_name, ".") != 0 &&
                strcmp(entry->d_name, "..") != 0)
                remove_from(directory, entry->d_name);
        }
}

/* Removes a file, or a directory and all in it.  False: some of it is left. */
static bool remove_from(int parent, const char *name)
{
    int fd;

    if (unlinkat(parent, name, 0) == 0 || errno == ENOENT)
        return true;
    fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return false;
    clear(fd);
    close(fd);
    return unlinkat(parent, name, AT_REMOVEDIR) == 0;
}

static void remove_all(void)
{
    if (getpid() != owner)
        return;
    for (size_t i = 0; i < most_paths && paths[i] != NULL; i++)
        /* The child of a program that was killed may go on writing there. */
        for (int tries = 0; tries < TRIES && !remove_from(AT_FDCWD, paths[i]);)
            tries++;
}

static void say(const char *text)
{
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        return; /* nobody reads standard error */
}

/* Ends the other program.  It may ignore SIGTERM, and so may processes of its
   group that it leaves behind. */
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
    if (getpid() == owner && farewell != NULL)
        say(farewell);
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

void early_say(const char *text)
{
    farewell = text;
}

void early_end(pid_t process)
{
    other = process;
}

int early_wait(pid_t process, int *status)
{
    siginfo_t ignored;

    assert(process > 0); /* not a group, and not just any child */
    /* Until this waits for the process, no other one gets its number. */
    TEMP_FAILURE_RETRY(
        waitid(P_PID, (id_t)process, &ignored, WEXITED | WNOWAIT));
    early_end(0);
    return TEMP_FAILURE_RETRY(waitpid(process, status, 0)) == process ? 0 : -1;
}

void early_hold(sigset_t *old)
{
    sigset_t all;

    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, old);
}

void early_release(const sigset_t *old)
{
    sigprocmask(SIG_SETMASK, old, NULL);
}
