/*
 * sampler FILE COMMAND [ARGUMENT...]: runs a command, and writes to FILE where
 * it and all that it starts spend their time.  Every millisecond each thread
 * that runs is stopped for as long as it takes to read its program counter: a
 * line "NANOSECONDS ADDRESS PROGRAM", where NANOSECONDS is the CPU time of that
 * thread since its last line, so that other work of the machine does not count.
 * The last line, "NANOSECONDS KERNEL", has the CPU time of all processes, and
 * what of it the system took.
 *
 * Limits: time in the kernel counts for the instruction that entered it, and
 * what a process takes after its exit (to give back its memory) is in the last
 * line alone.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>

#define PERIOD      1000 /* microseconds from sample to sample */
#define MAX_THREADS 1024

/* A thread that is traced, and its CPU time in nanoseconds at its last line. */
static struct thread {
    pid_t id;
    uint64_t counted;
} threads[MAX_THREADS];
static size_t n_threads;
static FILE *out;

/* The thread; a new one if it is not known yet. */
static struct thread *thread_of(pid_t id)
{
    size_t i = 0;

    while (i < n_threads && threads[i].id != id)
        i++;
    if (i == MAX_THREADS)
        errx(2, "more than %d threads at once", MAX_THREADS);
    if (i == n_threads)
        threads[n_threads++] = (struct thread){id, 0};
    assert(threads[i].id == id);
    return &threads[i];
}

/* Reads the start of a file of /proc; an empty text if the thread has ended. */
static const char *proc(pid_t id, const char *name)
{
    static char text[4096];
    char path[64];
    FILE *file;
    size_t n = 0;

    snprintf(path, sizeof path, "/proc/%d/%s", (int)id, name);
    if ((file = fopen(path, "r")) != NULL) {
        n = fread(text, 1, sizeof text - 1, file);
        fclose(file);
    }
    text[n] = '\0';
    return text;
}

/* Is the thread running, or ready to?  One that waits in a system call is left
   alone: not all of them begin again. */
static bool is_running(pid_t id)
{
    const char *state = strrchr(proc(id, "stat"), ')');

    return state != NULL && state[2] == 'R';
}

static void take(struct thread *thread)
{
    struct __ptrace_syscall_info at;
    uint64_t now = strtoull(proc(thread->id, "schedstat"), NULL, 10);
    char path[4096], link[64];
    ssize_t n;

    snprintf(link, sizeof link, "/proc/%d/exe", (int)thread->id);
    if (now <= thread->counted ||
        (n = readlink(link, path, sizeof path - 1)) < 0 ||
        ptrace(PTRACE_GET_SYSCALL_INFO, thread->id, sizeof at, &at) < 0)
        return;
    path[n] = '\0';
    fprintf(out, "%" PRIu64 " %" PRIu64 " %s\n", now - thread->counted,
            (uint64_t)at.instruction_pointer, path);
    thread->counted = now;
}

/* Lets a stopped thread go on. */
static void go_on(pid_t id, int status)
{
    int event = status >> 16, number = WSTOPSIG(status);

    if (event == PTRACE_EVENT_STOP || event == PTRACE_EVENT_EXIT)
        take(thread_of(id));
    if (event == PTRACE_EVENT_STOP && number != SIGTRAP)
        ptrace(PTRACE_LISTEN, id, 0, 0); /* stopped by a signal */
    else
        ptrace(PTRACE_CONT, id, 0, event != 0 ? 0 : number);
}

static void tick(int number)
{
    (void)number; /* what waitpid() is interrupted for */
}

/* Waits for all that is traced to end.  Returns how the command itself ended.
 */
static int sample(pid_t command)
{
    int status, result = 0;

    for (;;) {
        pid_t id = waitpid(-1, &status, __WALL);

        if (id < 0 && errno != EINTR)
            return result;
        if (id < 0) {
            for (size_t i = 0; i < n_threads; i++)
                if (is_running(threads[i].id))
                    ptrace(PTRACE_INTERRUPT, threads[i].id, 0, 0);
        } else if (WIFSTOPPED(status)) {
            go_on(id, status);
        } else {
            *thread_of(id) = threads[n_threads - 1];
            n_threads--;
            if (id == command)
                result = status;
        }
    }
}

/* Starts the command as soon as it is traced. */
static pid_t start(char **command)
{
    int gate[2];
    char byte;
    pid_t id;

    if (pipe(gate) != 0 || (id = fork()) < 0)
        err(2, "%s", command[0]);
    if (id == 0) {
        close(gate[1]);
        if (read(gate[0], &byte, 1) != 0)
            _exit(2);
        close(gate[0]);
        execvp(command[0], command);
        err(2, "%s", command[0]);
    }
    if (ptrace(PTRACE_SEIZE, id, 0,
               PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                   PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT |
                   PTRACE_O_EXITKILL) != 0)
        err(2, "%s: cannot be traced", command[0]);
    thread_of(id);
    close(gate[0]);
    close(gate[1]);
    return id;
}

static uint64_t nanoseconds(struct timeval t)
{
    return ((uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_usec) * 1000;
}

int main(int argc, char **argv)
{
    struct itimerval every = {{0, PERIOD}, {0, PERIOD}};
    struct sigaction action = {.sa_handler = tick};
    struct rusage used;
    int status;

    if (argc < 3)
        errx(2, "usage: sampler FILE COMMAND [ARGUMENT...]");
    if ((out = fopen(argv[1], "we")) == NULL)
        err(2, "%s", argv[1]);
    sigaction(SIGALRM, &action, NULL);
    pid_t command = start(argv + 2);
    setitimer(ITIMER_REAL, &every, NULL);
    status = sample(command);
    getrusage(RUSAGE_CHILDREN, &used);
    fprintf(out, "%" PRIu64 " %" PRIu64 "\n",
            nanoseconds(used.ru_utime) + nanoseconds(used.ru_stime),
            nanoseconds(used.ru_stime));
    if (fclose(out) != 0)
        err(2, "%s", argv[1]);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
