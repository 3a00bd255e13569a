/*
 * oracle_calls: a table of the bytes that each system call writes.
 *
 * A call that is not in the table is an error, so that no call is missed.  The
 * table has no calls with buffers named only in memory (readv, recvmsg), none
 * that leaves some bytes between others as they are (getdents64), no calls that
 * start threads or processes, and no signals.  A file name that holds ") " or
 * "), " is not read right.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "oracle_calls.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#ifdef __x86_64__
#include <asm/prctl.h>
#endif

#define ARGS   6
#define RESULT (-1) /* the number of bytes that the call returned */
#define PAGE   4096
#define STAT   ((long)sizeof(struct stat)) /* the kernel's own is as large */

struct call {
    long number;
    char name[64];
    uint64_t arg[ARGS];
    char *path; /* the first argument that is printed as a text, or NULL */
};

struct oracle_calls {
    struct oracle_shadow *shadow;
    struct oracle_maps *maps;
    struct oracle_sites *sites;
    struct call call; /* the last one; its result may come later */
    char **path;      /* path of each open file, by descriptor */
    size_t n_paths, capacity;
    uint64_t brk; /* the end of the heap; 0: unknown */
};

/* Applies an effect of a successful call that `write` cannot describe; -1 if
   the effect is unknown. */
typedef int action(struct oracle_calls *calls, uint64_t result);

struct rule {
    long number;
    struct {
        int arg; /* from 1; if it is a null pointer, nothing is written */
        long size;
    } write[2];
    action *act;
};

static action act_brk, act_close, act_fcntl, act_futex, act_ioctl, act_mincore,
    act_mmap, act_mremap, act_munmap, act_openat, act_poll;
#ifdef __x86_64__
static action act_open, act_prctl;
#endif

static const struct rule rules[] = {
#ifdef __x86_64__ /* others have only newer calls, with more arguments */
    {SYS_access, {{0}}, NULL},
    {SYS_arch_prctl, {{0}}, act_prctl},
    {SYS_getpgrp, {{0}}, NULL},
    {SYS_lstat, {{2, STAT}}, NULL},
    {SYS_open, {{0}}, act_open},
    {SYS_pipe, {{1, 8}}, NULL},
    {SYS_poll, {{0}}, act_poll},
    {SYS_readlink, {{2, RESULT}}, NULL},
    {SYS_stat, {{2, STAT}}, NULL},
    {SYS_time, {{1, 8}}, NULL},
    {SYS_unlink, {{0}}, NULL},
#endif
    {SYS_brk, {{0}}, act_brk},
    {SYS_chdir, {{0}}, NULL},
    {SYS_clock_getres, {{2, 16}}, NULL},
    {SYS_clock_gettime, {{2, 16}}, NULL},
    {SYS_close, {{0}}, act_close},
    {SYS_connect, {{0}}, NULL},
    {SYS_exit_group, {{0}}, NULL},
    {SYS_faccessat, {{0}}, NULL},
    {SYS_faccessat2, {{0}}, NULL},
    {SYS_fadvise64, {{0}}, NULL},
    {SYS_fchmod, {{0}}, NULL},
    {SYS_fcntl, {{0}}, act_fcntl},
    {SYS_fstat, {{2, STAT}}, NULL},
    {SYS_fstatfs, {{2, 120}}, NULL},
    {SYS_ftruncate, {{0}}, NULL},
    {SYS_futex, {{0}}, act_futex},
    {SYS_getcwd, {{1, RESULT}}, NULL},
    {SYS_getegid, {{0}}, NULL},
    {SYS_geteuid, {{0}}, NULL},
    {SYS_getgid, {{0}}, NULL},
    {SYS_getpid, {{0}}, NULL},
    {SYS_getppid, {{0}}, NULL},
    {SYS_getrandom, {{1, RESULT}}, NULL},
    {SYS_getrlimit, {{2, 16}}, NULL},
    {SYS_getrusage, {{2, 144}}, NULL},
    {SYS_gettid, {{0}}, NULL},
    {SYS_gettimeofday, {{1, 16}, {2, 8}}, NULL},
    {SYS_getuid, {{0}}, NULL},
    {SYS_ioctl, {{0}}, act_ioctl},
    {SYS_lseek, {{0}}, NULL},
    {SYS_mincore, {{0}}, act_mincore},
    {SYS_mmap, {{0}}, act_mmap},
    {SYS_mprotect, {{0}}, NULL},
    {SYS_mremap, {{0}}, act_mremap},
    {SYS_munmap, {{0}}, act_munmap},
    {SYS_newfstatat, {{3, STAT}}, NULL},
    {SYS_openat, {{0}}, act_openat},
    {SYS_pipe2, {{1, 8}}, NULL},
    {SYS_ppoll, {{3, 16}}, act_poll},
    {SYS_pread64, {{2, RESULT}}, NULL},
    {SYS_prlimit64, {{4, 16}}, NULL},
    {SYS_read, {{2, RESULT}}, NULL},
    {SYS_readlinkat, {{3, RESULT}}, NULL},
    {SYS_rt_sigaction, {{3, 32}}, NULL},
    {SYS_rt_sigprocmask, {{3, 8}}, NULL},
    {SYS_sched_getaffinity, {{3, RESULT}}, NULL},
    {SYS_set_robust_list, {{0}}, NULL},
    {SYS_set_tid_address, {{0}}, NULL},
    {SYS_sigaltstack, {{2, 24}}, NULL},
    {SYS_socket, {{0}}, NULL},
    {SYS_statfs, {{2, 120}}, NULL},
    {SYS_statx, {{5, 256}}, NULL},
    {SYS_sysinfo, {{1, 112}}, NULL},
    {SYS_times, {{1, 32}}, NULL},
    {SYS_umask, {{0}}, NULL},
    {SYS_uname, {{1, 390}}, NULL},
    {SYS_unlinkat, {{0}}, NULL},
    {SYS_write, {{0}}, NULL},
    {SYS_writev, {{0}}, NULL},
};

static void clear(struct oracle_calls *calls, uint64_t address, uint64_t n)
{
    if (address <= ORACLE_ADDRESS_MAX && n <= ORACLE_ADDRESS_MAX - address)
        oracle_shadow_clear(calls->shadow, address, n);
}

/* Maps or unmaps memory: its bytes lose their writers, and its code is the
   file's, or none. */
static void map(struct oracle_calls *calls, uint64_t address, uint64_t n,
                const char *path, uint64_t offset)
{
    clear(calls, address, n);
    oracle_maps_add(calls->maps, address, n, path, offset);
    oracle_sites_forget(calls->sites, address, n);
}

static uint64_t whole_pages(uint64_t n)
{
    return (n + PAGE - 1) & ~(uint64_t)(PAGE - 1);
}

static int act_brk(struct oracle_calls *calls, uint64_t result)
{
    uint64_t wanted = calls->call.arg[0];

    if (wanted != 0 && calls->brk == 0)
        return -1;
    if (result == wanted && result > calls->brk)
        clear(calls, calls->brk, result - calls->brk);
    if (result == wanted && result < calls->brk)
        clear(calls, result, calls->brk - result);
    calls->brk = result;
    return 0;
}

/* mincore writes a byte for each page. */
static int act_mincore(struct oracle_calls *calls, uint64_t result)
{
    (void)result;
    clear(calls, calls->call.arg[2], whole_pages(calls->call.arg[1]) / PAGE);
    return 0;
}

static int act_mmap(struct oracle_calls *calls, uint64_t result)
{
    const uint64_t *arg = calls->call.arg;
    const char *path = NULL;

    if ((arg[3] & MAP_ANONYMOUS) == 0) {
        path = arg[4] < calls->n_paths ? calls->path[arg[4]] : NULL;
        if (path == NULL && (arg[2] & PROT_EXEC) != 0)
            return -1;
    }
    map(calls, result, whole_pages(arg[1]), path, arg[5]);
    return 0;
}

static int act_munmap(struct oracle_calls *calls, uint64_t result)
{
    (void)result;
    map(calls, calls->call.arg[0], whole_pages(calls->call.arg[1]), NULL, 0);
    return 0;
}

/* Bytes that stay in place keep their writers.  Moved bytes have none: no store
   wrote them at their new address. */
static int act_mremap(struct oracle_calls *calls, uint64_t result)
{
    uint64_t old = calls->call.arg[0];
    uint64_t n_old = whole_pages(calls->call.arg[1]);
    uint64_t n_new = whole_pages(calls->call.arg[2]);

    if (result != old) {
        map(calls, old, n_old, NULL, 0);
        map(calls, result, n_new, NULL, 0);
    } else if (n_new > n_old) {
        map(calls, old + n_old, n_new - n_old, NULL, 0);
    } else {
        map(calls, old + n_new, n_old - n_new, NULL, 0);
    }
    return 0;
}

static void set_path(struct oracle_calls *calls, uint64_t fd, const char *path)
{
    while (calls->n_paths <= fd && fd < INT32_MAX) {
        calls->path = memory_grow(calls->path, &calls->capacity, calls->n_paths,
                                  sizeof(*calls->path));
        calls->path[calls->n_paths++] = NULL;
    }
    free(calls->path[fd]);
    calls->path[fd] = path != NULL ? memory_text(path) : NULL;
}

/* A path relative to another directory than the current one is not resolved. */
static int act_openat(struct oracle_calls *calls, uint64_t result)
{
    const char *path = calls->call.path;
    bool known =
        path != NULL && (path[0] == '/' || (int)calls->call.arg[0] == AT_FDCWD);

    set_path(calls, result, known ? path : NULL);
    return 0;
}

static int act_close(struct oracle_calls *calls, uint64_t result)
{
    (void)result;
    set_path(calls, calls->call.arg[0], NULL);
    return 0;
}

static int act_fcntl(struct oracle_calls *calls, uint64_t result)
{
    switch (calls->call.arg[1]) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
        set_path(calls, result, NULL);
        return 0;
    case F_GETFD:
    case F_SETFD:
    case F_GETFL:
    case F_SETFL:
        return 0;
    default:
        return -1;
    }
}

/* futex: waiting and waking write nothing. */
static int act_futex(struct oracle_calls *calls, uint64_t result)
{
    uint64_t operation = calls->call.arg[1] & (uint64_t)FUTEX_CMD_MASK;

    (void)result;
    return operation == FUTEX_WAIT || operation == FUTEX_WAKE ? 0 : -1;
}

static int act_ioctl(struct oracle_calls *calls, uint64_t result)
{
    (void)result;
    switch (calls->call.arg[1]) {
    case TCGETS:
        clear(calls, calls->call.arg[2], 36); /* the kernel's termios */
        return 0;
    case TIOCGWINSZ:
        clear(calls, calls->call.arg[2], sizeof(struct winsize));
        return 0;
    default:
        return -1;
    }
}

/* poll writes `revents`, the last two of the eight bytes of each entry. */
static int act_poll(struct oracle_calls *calls, uint64_t result)
{
    (void)result;
    for (uint64_t i = 0; i < calls->call.arg[1]; i++)
        clear(calls, calls->call.arg[0] + 8 * i + 6, 2);
    return 0;
}

#ifdef __x86_64__
static int act_open(struct oracle_calls *calls, uint64_t result)
{
    set_path(calls, result, calls->call.path);
    return 0;
}

static int act_prctl(struct oracle_calls *calls, uint64_t result)
{
    (void)result;
    return calls->call.arg[0] == ARCH_SET_FS ? 0 : -1;
}
#endif

struct oracle_calls *oracle_calls_new(struct oracle_shadow *shadow,
                                      struct oracle_maps *maps,
                                      struct oracle_sites *sites)
{
    struct oracle_calls *calls = memory_new(1, sizeof(*calls));

    calls->shadow = shadow;
    calls->maps = maps;
    calls->sites = sites;
    return calls;
}

void oracle_calls_free(struct oracle_calls *calls)
{
    if (calls == NULL)
        return;
    for (size_t i = 0; i < calls->n_paths; i++)
        free(calls->path[i]);
    free(calls->path);
    free(calls->call.path);
    free(calls);
}

static int finish(struct oracle_calls *calls, uint64_t result, struct diag *d)
{
    const struct call *call = &calls->call;
    const struct rule *rule = NULL;

    for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
        if (rules[i].number == call->number)
            rule = &rules[i];
    if (rule == NULL)
        return diag_set(d, "%s: unknown system call", call->name);
    for (int i = 0; i < 2; i++) {
        long size = rule->write[i].size;
        uint64_t address = size != 0 ? call->arg[rule->write[i].arg - 1] : 0;

        if (address != 0)
            clear(calls, address, size == RESULT ? result : (uint64_t)size);
    }
    if (rule->act != NULL && rule->act(calls, result) != 0)
        return diag_set(d, "%s: what it writes is unknown", call->name);
    return 0;
}

/* Parses " NUMBER, NUMBER(text), ... )"; returns what follows it. */
static const char *parse_args(struct call *call, const char *p)
{
    for (int n = 0; *p != '\0' && *p != ')'; n++) {
        char *end;
        uint64_t value = strtoull(p, &end, 0);

        if (n < ARGS)
            call->arg[n] = value;
        if (*end == '(') {
            const char *text = end + 1, *stop = text;

            while (*stop != '\0' && strncmp(stop, "), ", 3) != 0 &&
                   strncmp(stop, ") ", 2) != 0)
                stop++;
            if (call->path == NULL)
                call->path = strndup(text, (size_t)(stop - text));
            end += (stop - end) + (*stop != '\0');
        }
        p = end + strcspn(end, ",)");
        p += strspn(p, ", ");
    }
    return *p == ')' ? p + 1 : p;
}

/* Parses "SYSCALL[PID,THREAD](NUMBER) NAME ( ARGUMENTS )[sync] -->
   Success(RESULT)", or the part from "-->" on a line of its own that says "...
   [async]". */
int oracle_calls_line(struct oracle_calls *calls, const char *line,
                      struct diag *d)
{
    struct call *call = &calls->call;
    unsigned thread;
    long number;
    uint64_t result;
    int at = 0;
    const char *p;

    if (sscanf(line, "SYSCALL[%*u,%u](%ld) %n", &thread, &number, &at) != 2 ||
        at == 0)
        return diag_set(d, "%.60s: not a system call", line);
    if (thread != 1)
        return diag_set(d, "%.60s: a second thread", line);
    p = line + at;
    if (strncmp(p, "unimplemented", strlen("unimplemented")) == 0)
        return 0;
    if (strncmp(p, "... [async]", strlen("... [async]")) != 0) {
        free(call->path);
        *call = (struct call){.number = number};
        at = (int)strcspn(p, " (");
        snprintf(call->name, sizeof(call->name), "%.*s", at, p);
        p += at;
        p = parse_args(call, p + strspn(p, " ("));
    } else if (number != call->number) {
        return diag_set(d, "%.60s: the result of another call", line);
    }
    p = strstr(p, "--> ");
    p = p != NULL ? strstr(p, "Success(") : NULL;
    if (p != NULL && sscanf(p, "Success(%" SCNx64, &result) == 1)
        return finish(calls, result, d);
    return 0;
}
