/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cy_record.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cy_progress.h"
#include "early.h"
#include "file.h"
#include "memory.h"
#include "terminal.h"

extern char **environ;

#define WINDOWS "--windows=512"

/* vgdb's pipes would stay behind if Valgrind is killed. */
#define NO_PIPES "--vgdb=no"

/* The advice if Valgrind stops at an instruction that it does not know. */
#ifdef __x86_64__
#define ADVICE "Valgrind runs no AVX-512, compile with -march=x86-64-v3"
#else
#define ADVICE "Valgrind may not know an instruction of it"
#endif
#define ILLEGAL ": " ADVICE "; the report is of what ran until then"

#define SECOND 1000 /* milliseconds */

/* The number of words before the program in depsim's command. */
#define N_OPTIONS 7

/* Is this an executable file?  access() alone would accept folders, too. */
static bool is_program(const char *path)
{
    struct stat status;

    return access(path, X_OK) == 0 && stat(path, &status) == 0 &&
           S_ISREG(status.st_mode);
}

/* The file that execvp would run for a command's name; NULL with *d set if
   there is none.  The caller frees the path. */
static char *find_program(const char *name, struct diag *d)
{
    const char *at = getenv("PATH");

    if (strchr(name, '/') != NULL) {
        if (access(name, X_OK) == 0)
            return memory_text(name);
        diag_set(d, "%s: %s", name, strerror(errno));
        return NULL;
    }
    while (at != NULL && *at != '\0') {
        size_t n = strcspn(at, ":");
        char *path = n > 0 ? memory_printf("%.*s/%s", (int)n, at, name)
                           : memory_printf("./%s", name);

        if (is_program(path))
            return path;
        free(path);
        at += n + (at[n] == ':');
    }
    if (access(name, F_OK) == 0)
        diag_set(d,
                 "%s: not found in PATH; if the file here is a program, run "
                 "./%s",
                 name, name);
    else
        diag_set(d, "%s: not found in PATH", name);
    return NULL;
}

/* Starts a process that `signals` end as usual, and that ends with this
   program. */
static int spawn(char *const argv[], const sigset_t *signals, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t mask;
    int error;

    early_hold(&mask);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigdefault(&attributes, signals);
    posix_spawnattr_setsigmask(&attributes, &mask);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    error = posix_spawnp(pid, argv[0], &actions, &attributes, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    early_end(error == 0 ? *pid : 0);
    early_release(&mask);
    return error;
}

/* The bytes that a process has written; 0 if they cannot be read. */
static unsigned long long written_by(pid_t pid)
{
    char *path = memory_printf("/proc/%ld/io", (long)pid);
    unsigned long long bytes = 0;
    FILE *file = fopen(path, "r");

    free(path);
    if (file == NULL)
        return 0;
    if (fscanf(file, "rchar: %*u wchar: %llu", &bytes) != 1)
        bytes = 0;
    fclose(file);
    return bytes;
}

/* Shows every second how long the program has run, until it ends, but not if it
   wrote something in that second, which tells more. */
static void show_progress(const char *name, pid_t pid)
{
    struct pollfd end = {.fd = pidfd_open(pid, 0), .events = POLLIN};
    unsigned long long before = written_by(pid), now;
    unsigned seconds = 0;

    for (; end.fd >= 0 && poll(&end, 1, SECOND) == 0; before = now) {
        seconds++;
        now = written_by(pid);
        if (now == before)
            cy_progress_say("%s runs in depsim, for %u s so far", name,
                            seconds);
        else
            cy_progress_end();
    }
    cy_progress_end();
    fputs("depbound: ", stderr);
    terminal_write(stderr, name);
    fputs(" ran in Valgrind; times that it printed are not its own\n", stderr);
    if (end.fd >= 0)
        close(end.fd);
}

/* Runs a command and waits for it; *status is that of waitpid. */
static int run(char *const argv[], const char *name, int *status,
               struct diag *d)
{
    struct sigaction ignored = {.sa_handler = SIG_IGN}, interrupt, quit;
    sigset_t signals;
    pid_t pid;
    int error;

    sigemptyset(&signals);
    sigaction(SIGINT, &ignored, &interrupt);
    sigaction(SIGQUIT, &ignored, &quit);
    if (interrupt.sa_handler != SIG_IGN)
        sigaddset(&signals, SIGINT);
    if (quit.sa_handler != SIG_IGN)
        sigaddset(&signals, SIGQUIT);
    error = spawn(argv, &signals, &pid);
    if (error == 0 && cy_progress_is_shown())
        show_progress(name, pid);
    if (error == 0 && early_wait(pid, status) != 0)
        error = errno;
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGQUIT, &quit, NULL);
    return error == 0 ? 0 : diag_set(d, "%s: %s", argv[0], strerror(error));
}

/* When the file was last written; 0 if the file does not exist. */
static struct timespec written(const char *path)
{
    struct stat s = {0};

    stat(path, &s);
    return s.st_mtim;
}

/* Runs a command in depsim.  -1 with *d set if nothing was recorded. */
static int record(char *const *command, const char *deps, struct diag *d)
{
    char *file = memory_printf("--deps-file=%s", deps);
    struct timespec before = written(deps), after;
    size_t n = 0;
    char **argv;
    int status, rc;
    struct diag how;

    while (command[n] != NULL)
        n++;
    assert(n > 0);
    argv = memory_new(n + N_OPTIONS + 1, sizeof *argv);
    memcpy(argv,
           (char *[N_OPTIONS]){"valgrind", "-q", NO_PIPES, "--tool=depsim",
                               WINDOWS, file, "--"},
           N_OPTIONS * sizeof *argv);
    memcpy(argv + N_OPTIONS, command, n * sizeof *argv);
    assert(argv[N_OPTIONS + n] == NULL);
    rc = run(argv, command[0], &status, d);
    free(argv);
    free(file);
    if (rc != 0)
        return -1;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGINT)
        raise(SIGINT);
    /* A file that is as old as before is of an earlier run. */
    after = written(deps);
    if (after.tv_sec == before.tv_sec && after.tv_nsec == before.tv_nsec)
        return diag_set(d, "%s: depsim recorded nothing", command[0]);
    if (WIFSIGNALED(status))
        diag_set(&how, "%s: ended by signal %d%s", command[0], WTERMSIG(status),
                 WTERMSIG(status) == SIGILL ? ILLEGAL : "");
    else
        diag_set(&how, "%s: exit status %d", command[0], WEXITSTATUS(status));
    if (status != 0)
        cy_progress_warn(&how);
    return 0;
}

/* Copies the program that ran, if its path is now another file or none. */
static int keep_program(struct cy_recording *r, int ran, struct diag *d)
{
    struct stat before, now;

    assert(r->program != NULL && !r->is_copy);
    if (ran < 0 || fstat(ran, &before) != 0 ||
        (stat(r->program, &now) == 0 && now.st_dev == before.st_dev &&
         now.st_ino == before.st_ino))
        return 0;
    free(r->program);
    r->program = input_temporary(&r->temporary, "program", d);
    r->is_copy = r->program != NULL;
    return r->is_copy ? file_copy(ran, r->program, d) : -1;
}

int cy_record(struct cy_recording *r, char *const *command, const char *kept,
              struct diag *d)
{
    int ran, rc;

    assert(r->program == NULL && r->deps == NULL);
    r->program = find_program(command[0], d);
    if (r->program == NULL)
        return -1;
    r->is_kept = kept != NULL;
    r->deps = r->is_kept ? memory_text(kept)
                         : input_temporary(&r->temporary, "deps.db", d);
    if (r->deps == NULL)
        return -1;
    ran = open(r->program, O_RDONLY | O_CLOEXEC);
    rc = record(command, r->deps, d);
    if (rc == 0)
        rc = keep_program(r, ran, d);
    if (ran >= 0)
        close(ran);
    return rc;
}

void cy_recording_fini(struct cy_recording *r)
{
    assert(!r->is_copy || r->program != NULL);
    if (r->deps != NULL && !r->is_kept)
        unlink(r->deps);
    if (r->is_copy)
        unlink(r->program);
    input_close(&r->temporary);
    free(r->deps);
    free(r->program);
}
