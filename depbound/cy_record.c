/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "depbound.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "output.h"
#include "process.h"
#include "calibrate/cy_pace.h"

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
#define N_OPTIONS 8

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

/* The bytes that a process has written; 0 if they cannot be read. */
static unsigned long long written_by(pid_t pid)
{
    AUTO_FREE char *path = memory_printf("/proc/%ld/io", (long)pid);
    unsigned long long bytes = 0;
    FILE *file = fopen(path, "r");

    if (file == NULL)
        return 0;
    if (fscanf(file, "rchar: %*u wchar: %llu", &bytes) != 1)
        bytes = 0;
    fclose(file);
    return bytes;
}

/* Shows every second how long the program has run, until it ends, but not if it
   wrote something in that second, which tells more. */
static void show_progress(const char *name, const char *where, pid_t pid)
{
    struct pollfd end = {.fd = pidfd_open(pid, 0), .events = POLLIN};
    unsigned long long before = written_by(pid), now;
    unsigned seconds = 0;

    for (; end.fd >= 0 && poll(&end, 1, SECOND) == 0; before = now) {
        seconds++;
        now = written_by(pid);
        if (now == before)
            cy_progress_say("%s runs %s, for %u s so far", name, where,
                            seconds);
        else
            cy_progress_end();
    }
    cy_progress_end();
    if (end.fd >= 0)
        close(end.fd);
}

/* Runs a command and waits for it; *status is that of waitpid.  `name` and
   `where` it runs are for progress.  With a clock, the command is paced, and
   *paced is what cy_pace() returns. */
static int run(char *const argv[], const char *name, const char *where,
               struct cy_clock *clock, struct cy_paced *paced, int *status,
               struct diag *d)
{
    struct sigaction ignored = {.sa_handler = SIG_IGN}, interrupt, quit;
    sigset_t signals;
    pid_t pid;

    sigemptyset(&signals);
    sigaction(SIGINT, &ignored, &interrupt);
    sigaction(SIGQUIT, &ignored, &quit);
    if (interrupt.sa_handler != SIG_IGN)
        sigaddset(&signals, SIGINT);
    if (quit.sa_handler != SIG_IGN)
        sigaddset(&signals, SIGQUIT);
    int error = subprocess_start(
        argv, (int[]){STDIN_FILENO, STDERR_FILENO, STDERR_FILENO}, &signals,
        &pid);
    if (error == 0 && clock != NULL)
        *paced = cy_pace(clock, pid);
    else if (error == 0 && cy_progress_is_shown())
        show_progress(name, where, pid);
    if (error == 0 && early_wait(pid, status) != 0)
        error = errno;
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGQUIT, &quit, NULL);
    if (error != 0)
        return diag_set(d, "%s: %s", argv[0], strerror(error));
    if (WIFSIGNALED(*status) && WTERMSIG(*status) == SIGINT)
        raise(SIGINT);
    return 0;
}

/* When the file was last written; 0 if the file does not exist. */
static struct timespec written(const char *path)
{
    struct stat s = {0};

    stat(path, &s);
    return s.st_mtim;
}

/* The option with the name of deps.db, in which depsim would expand "%". */
static char *option_of(const char *deps)
{
    struct memory_stream text = memory_stream_open(&text);

    fputs("--deps-file=", text.out);
    for (; *deps != '\0'; deps++)
        fprintf(text.out, *deps == '%' ? "%%%%" : "%c", *deps);
    return memory_stream_close(&text);
}

/* Runs a command in depsim.  -1 with *d set if nothing was recorded. */
static int record(char *const *command, const char *deps, bool follows,
                  int *status, struct diag *d)
{
    AUTO_FREE char *file = option_of(deps);
    struct timespec before = written(deps), after;
    size_t n = 0;
    struct diag how;

    while (command[n] != NULL)
        n++;
    assert(n > 0);
    AUTO_FREE char **argv = memory_new(n + N_OPTIONS + 1, sizeof *argv);
    memcpy(argv,
           (char *[N_OPTIONS]){
               "valgrind", "-q", NO_PIPES, "--tool=depsim", WINDOWS, file,
               follows ? "--trace-children=yes" : "--trace-children=no", "--"},
           N_OPTIONS * sizeof *argv);
    memcpy(argv + N_OPTIONS, command, n * sizeof *argv);
    assert(argv[N_OPTIONS + n] == NULL);
    int rc = run(argv, command[0], "in depsim", NULL, NULL, status, d);
    if (rc != 0)
        return -1;
    if (cy_progress_is_shown()) {
        fputs("depbound: ", stderr);
        terminal_write(stderr, command[0]);
        fputs(" ran in Valgrind; times that it printed are not its own\n",
              stderr);
    }
    /* A file that is as old as before is of an earlier run. */
    after = written(deps);
    if (after.tv_sec == before.tv_sec && after.tv_nsec == before.tv_nsec)
        return diag_set(d, "%s: depsim recorded nothing", command[0]);
    if (WIFSIGNALED(*status))
        diag_set(&how, "%s: ended by signal %d%s", command[0],
                 WTERMSIG(*status), WTERMSIG(*status) == SIGILL ? ILLEGAL : "");
    else
        diag_set(&how, "%s: exit status %d", command[0], WEXITSTATUS(*status));
    if (*status != 0)
        cy_progress_warn(&how);
    return 0;
}

#define CANNOT_REWIND (-1)

/* Where standard input is, for a second run to begin there, too; CANNOT_REWIND
   of a terminal, which is read on, or of none.  -1 if the first run leaves
   nothing. */
static int find_input(off_t *at, struct diag *d)
{
    *at = lseek(STDIN_FILENO, 0, SEEK_CUR);
    if (*at != CANNOT_REWIND || errno == EBADF || isatty(STDIN_FILENO))
        return 0;
    return diag_set(d, "--native: standard input cannot be read twice; it must "
                       "be a file or a terminal");
}

static double seconds(struct timeval from, struct timeval to)
{
    return (double)(to.tv_sec - from.tv_sec) +
           1e-6 * (double)(to.tv_usec - from.tv_usec);
}

/* Of a run that was paced, at least this share must have had a quiet core. */
#define QUIET 0.9

/* Runs a command on one core while that is quiet. */
static int run_quietly(char *const *command, double wait,
                       struct cy_paced *paced, int *status, struct diag *d)
{
    struct cy_clock clock;
    cpu_set_t all, one;

    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    sched_getaffinity(0, sizeof all, &all);
    sched_setaffinity(0, sizeof one, &one);
    cy_clock_init(&clock, wait);
    int rc =
        run(command, command[0], "on the processor", &clock, paced, status, d);
    sched_setaffinity(0, sizeof all, &all);
    return rc;
}

/* Runs a command on the processor, and measures it with all processes that it
   waits for. */
static int measure(struct cy_measured *m, const struct cy_recorder *how,
                   off_t input, int recorded, struct diag *d)
{
    char *const *command = how->command;
    struct cy_ghz rate = cy_clock_rate(), later;
    struct rusage before, after;
    struct cy_paced paced = {0};
    int status;

    if (input != CANNOT_REWIND && lseek(STDIN_FILENO, input, SEEK_SET) < 0)
        return diag_set(d, "--native: standard input: %s", strerror(errno));
    getrusage(RUSAGE_CHILDREN, &before);
    if ((how->wait > 0 ? run_quietly(command, how->wait, &paced, &status, d)
                       : run(command, command[0], "on the processor", NULL,
                             NULL, &status, d)) != 0)
        return -1;
    getrusage(RUSAGE_CHILDREN, &after);
    later = cy_clock_rate();
    *m = (struct cy_measured){
        .user = seconds(before.ru_utime, after.ru_utime),
        .system = seconds(before.ru_stime, after.ru_stime),
        .clock = paced.ghz > 0 ? paced.ghz : (rate.ghz + later.ghz) / 2,
        .is_disturbed =
            how->wait > 0
                ? paced.quiet < QUIET
                : rate.is_disturbed || later.is_disturbed ||
                      fabs(rate.ghz - later.ghz) > CY_RATE_DIFFERS * rate.ghz,
        .ended_otherwise = status != recorded,
    };
    return 0;
}

static bool is_script(int file)
{
    char magic[2];

    return file >= 0 && pread(file, magic, 2, 0) == 2 && magic[0] == '#' &&
           magic[1] == '!';
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

/* Takes the program whose runs the report is of.  `ran` is the file that the
   user named, which was at `path`. */
static int take_program(struct cy_recording *r, const struct cy_runs *runs,
                        bool follows, int ran, const char *path, struct diag *d)
{
    const struct cy_ran_program *program = runs->programs;

    for (size_t i = 0; i < runs->n_programs && !follows; i++)
        if (runs->programs[i].is_first)
            program = &runs->programs[i];
    if (program == NULL || program->path[0] == '\0' || path == NULL ||
        strcmp(program->path, path) == 0)
        return keep_program(r, ran, d);
    if (is_script(ran))
        r->script = r->program;
    else
        free(r->program);
    r->program = memory_text(program->path);
    return 0;
}

static int record_at(struct cy_recording *r, const struct cy_recorder *how,
                     int ran, const char *path, struct cy_runs *runs,
                     struct diag *d)
{
    off_t input = CANNOT_REWIND;
    int status;

    if ((how->runs_again && find_input(&input, d) != 0) ||
        record(how->command, r->deps, how->follows, &status, d) != 0 ||
        cy_runs_read(runs, r->deps, d) != 0 ||
        take_program(r, runs, how->follows, ran, path, d) != 0)
        return -1;
    return how->runs_again ? measure(&r->measured, how, input, status, d) : 0;
}

int cy_record(struct cy_recording *r, const struct cy_recorder *how,
              struct cy_runs *runs, struct diag *d)
{
    assert(r->program == NULL && r->deps == NULL);
    r->program = find_program(how->command[0], d);
    if (r->program == NULL)
        return -1;
    r->is_kept = how->kept != NULL;
    r->deps = r->is_kept ? memory_text(how->kept)
                         : input_temporary(&r->temporary, "deps.db", d);
    if (r->deps == NULL)
        return -1;
    int ran = open(r->program, O_RDONLY | O_CLOEXEC);
    AUTO_FREE char *path = realpath(r->program, NULL);
    int rc = record_at(r, how, ran, path, runs, d);
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
    free(r->script);
}

/* --- Progress --- */

/* Makes room below the cursor, by scrolling if necessary, and returns. */
#define MAKE_ROOM "\033D\033[A"

/* Goes to the line below and erases it; END goes back to the cursor. */
#define BEGIN "\0337\r\n\033[K"
#define END   "\0338"

/* Erases everything to the right of the cursor and below. */
#define ERASE "\033[J"

#define LEAST_COLUMNS 20

static bool has_line;

bool cy_progress_is_shown(void)
{
    return terminal_has_controls(STDERR_FILENO);
}

void cy_progress_say(const char *format, ...)
{
    va_list values;
    sigset_t old;

    if (!cy_progress_is_shown())
        return;
    va_start(values, format);
    AUTO_FREE char *text = text_make_safe(memory_vprintf(format, values));
    va_end(values);
    early_hold(&old);
    early_say(ERASE);
    fputs(MAKE_ROOM BEGIN "depbound: ", stderr);
    /* A line that the terminal wraps could not be erased. */
    terminal_cut(stderr, text,
                 terminal_room(terminal_width(STDERR_FILENO),
                               sizeof "depbound: ", LEAST_COLUMNS));
    fputs(END, stderr);
    fflush(stderr);
    early_release(&old);
    has_line = true;
}

void cy_progress_end(void)
{
    if (!has_line)
        return;
    fputs(ERASE, stderr);
    fflush(stderr);
    early_say(NULL);
    has_line = false;
}

void cy_progress_warn(const struct diag *d)
{
    cy_progress_end();
    fprintf(stderr, "depbound: %s\n", d->text);
}
