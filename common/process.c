/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
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
    if (unlinkat(parent, name, 0) == 0 || errno == ENOENT)
        return true;
    int fd =
        openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
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

extern char **environ;

#define MOST_MEMORY ((uint64_t)4 << 30)
#define MOST_FILE   ((uint64_t)1 << 30)

/* The streams of a program.  They are files, since a full pipe could block. */
struct streams {
    FILE *in, *out, *errors;
};

/* A file in memory, since a distrusted program may write nowhere else. */
static FILE *memory_file(void)
{
    int fd = memfd_create("stream", MFD_CLOEXEC);

    return fd >= 0 ? fdopen(fd, "w+") : NULL;
}

static int streams_open(struct streams *s, const char *input, size_t n,
                        struct diag *d)
{
    s->in = memory_file();
    s->out = memory_file();
    s->errors = memory_file();
    if (s->in == NULL || s->out == NULL || s->errors == NULL)
        return diag_set(d, "temporary file: %s", strerror(errno));
    if (fwrite(input, 1, n, s->in) != n || fflush(s->in) != 0)
        return diag_set(d, "temporary file: %s", strerror(errno));
    rewind(s->in);
    return 0;
}

static char *contents(FILE *file, size_t *n)
{
    rewind(file);
    return memory_contents(file, SIZE_MAX, n);
}

int subprocess_start(char *const argv[], const int streams[3],
                     const sigset_t *usual, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    short flag = usual != NULL ? POSIX_SPAWN_SETSIGDEF : POSIX_SPAWN_SETPGROUP;
    sigset_t mask;

    early_hold(&mask);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes,
                             (short)(flag | POSIX_SPAWN_SETSIGMASK));
    if (usual != NULL)
        posix_spawnattr_setsigdefault(&attributes, usual);
    posix_spawnattr_setsigmask(&attributes, &mask);
    posix_spawn_file_actions_init(&actions);
    for (int i = 0; i < 3; i++)
        if (streams[i] != i)
            posix_spawn_file_actions_adddup2(&actions, streams[i], i);
    int error =
        posix_spawnp(pid, argv[0], &actions, &attributes, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    early_end(error != 0 ? 0 : usual != NULL ? *pid : -*pid);
    early_release(&mask);
    return error;
}

void subprocess_limit(pid_t pid, unsigned seconds, uint64_t memory,
                      uint64_t file)
{
    const struct {
        enum __rlimit_resource resource;
        rlim_t most;
    } limits[] = {{RLIMIT_CPU, seconds},
                  {RLIMIT_AS, memory},
                  {RLIMIT_FSIZE, file},
                  {RLIMIT_CORE, 0}};

    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        struct rlimit most = {limits[i].most, limits[i].most + 1}, own;

        if (prlimit(pid, limits[i].resource, NULL, &own) == 0 &&
            own.rlim_cur > most.rlim_cur)
            prlimit(pid, limits[i].resource, &most, NULL);
    }
}

/* Does a process wait, and has it done nothing since the last call? */
static bool is_asleep(pid_t pid, unsigned long long *worked)
{
    AUTO_FREE char *path = memory_printf("/proc/%ld/stat", (long)pid);
    char text[1024] = "";
    unsigned long long user, system, before = *worked;
    FILE *in = fopen(path, "re");
    const char *rest;
    char state;

    if (in == NULL)
        return false;
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    fclose(in);
    rest = strrchr(text, ')'); /* the name ends there */
    if (rest == NULL || sscanf(rest + 1,
                               " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u"
                               " %llu %llu",
                               &state, &user, &system) != 3)
        return false;
    *worked = user + system;
    return state == 'S' && *worked == before;
}

enum why { ENDED, LATE, ASLEEP };

/* Waits until a program ends, and kills it when it exceeds the limits. */
static int wait_for(pid_t pid, const struct subprocess_limits *limits,
                    int *status, enum why *why)
{
    struct pollfd end = {.fd = pidfd_open(pid, 0), .events = POLLIN};
    unsigned waited = 0, asleep = 0;
    unsigned long long worked = 0;

    *why = ENDED;
    while (limits != NULL && end.fd >= 0 && *why == ENDED &&
           TEMP_FAILURE_RETRY(poll(&end, 1, 1000)) == 0) {
        asleep = is_asleep(pid, &worked) ? asleep + 1 : 0;
        if (++waited >= 2 * limits->seconds)
            *why = LATE;
        else if (limits->asleep > 0 && asleep >= limits->asleep)
            *why = ASLEEP;
    }
    if (*why != ENDED)
        kill(-pid, SIGKILL);
    int rc = early_wait(pid, status);
    if (end.fd >= 0)
        close(end.fd);
    return rc;
}

/* Notes in the output how a program ended. */
static void take_end(struct subprocess_output *out, int status, enum why why,
                     const struct subprocess_limits *limits)
{
    int signal_number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

    assert(WIFEXITED(status) || WIFSIGNALED(status));
    out->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (why == ASLEEP)
        snprintf(out->end, sizeof out->end, "waited %u seconds for a file",
                 limits->asleep);
    else if (limits != NULL && (why == LATE || signal_number == SIGXCPU))
        snprintf(out->end, sizeof out->end, "stopped after %u seconds",
                 why == LATE ? 2 * limits->seconds : limits->seconds);
    else if (signal_number == SIGXFSZ)
        snprintf(out->end, sizeof out->end, "would write too large a file");
    else
        snprintf(out->end, sizeof out->end, "ended by signal %d",
                 signal_number);
}

int subprocess_run(char *const argv[], const char *input, size_t n,
                   const struct subprocess_limits *limits,
                   struct subprocess_output *out, struct diag *d)
{
    struct streams s = {0};
    int error, status, rc = -1;
    size_t n_errors;
    enum why why;
    pid_t pid;

    *out = (struct subprocess_output){0};
    if (streams_open(&s, input, n, d) == 0) {
        error = subprocess_start(
            argv, (int[]){fileno(s.in), fileno(s.out), fileno(s.errors)}, NULL,
            &pid);
        if (error == 0 && limits != NULL)
            subprocess_limit(pid, limits->seconds, MOST_MEMORY, MOST_FILE);
        assert(error != 0 || pid > 0);
        if (error == 0 && wait_for(pid, limits, &status, &why) != 0)
            error = errno;
        if (error != 0) {
            diag_set(d, "%s: %s", argv[0], strerror(error));
        } else {
            take_end(out, status, why, limits);
            out->text = contents(s.out, &out->n);
            out->errors = contents(s.errors, &n_errors);
            rc = 0;
        }
    }
    if (s.in != NULL)
        fclose(s.in);
    if (s.out != NULL)
        fclose(s.out);
    if (s.errors != NULL)
        fclose(s.errors);
    return rc;
}

void subprocess_fini(struct subprocess_output *out)
{
    free(out->text);
    free(out->errors);
    *out = (struct subprocess_output){0};
}
