/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/ds_process.h"

#include "base/ds_options.h"

#define REPLY_MAX 4096 /* bytes; less than a pipe holds without a reader */

/* One run of depsim-import. */
struct job {
    const HChar *first, *second; /* arguments */
    Int input;                   /* its standard input; -1: none is given */
    Int reply[2];                /* a pipe for what it prints */
    HChar text[REPLY_MAX];       /* what it printed */
};

static const HChar *program(void)
{
    static HChar *path;

    if (path == NULL) {
        SizeT room = VG_(strlen)(VG_(libdir)) + sizeof "/depsim-import";

        path = VG_(malloc)("ds.import", room);
        VG_(snprintf)(path, (Int)room, "%s/depsim-import", VG_(libdir));
    }
    return path;
}

/* Adds a text to the end of a command, quoted for the shell. */
static HChar *quote(HChar *end, const HChar *text)
{
    *end++ = ' ';
    *end++ = '\'';
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            end += VG_(sprintf)(end, "%s", "'\\'");
        *end++ = *text;
    }
    *end++ = '\'';
    *end = '\0';
    return end;
}

const HChar *ds_import_command(const HChar *spool, const HChar *database)
{
    SizeT room = VG_(strlen)(program()) +
                 4 * (VG_(strlen)(spool) + VG_(strlen)(database)) + 16;
    HChar *command = VG_(malloc)("ds.import", room), *end;

    end = quote(quote(command + VG_(sprintf)(command, "%s", program()), spool),
                database);
    tl_assert(end < command + room);
    return command;
}

/* Becomes depsim-import, under the name that the user knows. */
__attribute__((noreturn)) static void become(const struct job *job)
{
    const HChar *argv[] = {"depsim", job->first, job->second, NULL};

    if (job->input >= 0)
        VG_(dup2)(job->input, 0);
    VG_(dup2)(job->reply[1], 1);
    VG_(dup2)(job->reply[1], 2);
    VG_(execv)(program(), argv);
    ds_message("%s: cannot be run", program());
    VG_(exit)(2);
}

/* Runs in the helper process.  Returns the exit status of depsim-import, or 255
   if it was killed. */
static Int import(void *argument)
{
    const struct job *job = argument;
    Int status = -1;
    Int pid = VG_(fork)();

    if (pid == 0)
        become(job);
    if (pid < 0 || VG_(waitpid)(pid, &status, 0) != pid || (status & 0x7f) != 0)
        return 255;
    return (status >> 8) & 0xff;
}

static void read_reply(struct job *job)
{
    Int n = 0, part;

    while (n < REPLY_MAX - 1 && (part = VG_(read)(job->reply[0], job->text + n,
                                                  REPLY_MAX - 1 - n)) > 0)
        n += part;
    tl_assert(n >= 0 && n < REPLY_MAX);
    job->text[n] = '\0';
}

/* Runs the job in a helper process.  True if depsim-import exits with 0. */
static Bool run(struct job *job)
{
    if (VG_(pipe)(job->reply) != 0) {
        ds_message("%s: cannot be started: no pipe", program());
        return False;
    }
    Int status = ds_helper_run(import, job);
    VG_(close)(job->reply[1]);
    read_reply(job);
    VG_(close)(job->reply[0]);
    if (status < 0)
        ds_message("%s: cannot be started", program());
    else if (status == 255 && job->text[0] == '\0')
        ds_message("%s: was killed", program());
    return status == 0;
}

Bool ds_import_run(const HChar *spool, const HChar *database)
{
    struct job job = {.first = spool, .second = database, .input = -1};
    Bool is_done = run(&job);

    if (job.text[0] != '\0')
        ds_message_pass(job.text);
    return is_done;
}

Bool ds_import_hash(Int fd, HChar hash[DS_IMPORT_HASH_SIZE])
{
    struct job job = {.first = "--hash", .input = fd};

    if (!run(&job) ||
        VG_(strlen)(job.text) != DS_IMPORT_HASH_SIZE - 1 + 1 /* + a newline */)
        return False;
    VG_(memcpy)(hash, job.text, DS_IMPORT_HASH_SIZE - 1);
    hash[DS_IMPORT_HASH_SIZE - 1] = '\0';
    return True;
}

/* Work in a helper process.

   The client may have changed attributes of its process: limits, the umask, how
   the ends of its children are handled.  The helper is a copy of the process
   that has the attributes of the start again.  The client is stopped meanwhile;
   it gets no SIGCHLD, and cannot wait for the helper.

   Limits: the helper keeps a changed root, changed user and group ids, changed
   namespaces, and a hard limit that a process without privilege has lowered. */

#define N_LIMITS 16 /* RLIM_NLIMITS; the header for tools does not have it */
#define NPROC    6  /* RLIMIT_NPROC */
#define WALL     0x40000000 /* __WALL: for children that send no SIGCHLD, too */

static struct vki_rlimit limits[N_LIMITS];
static Bool has_limit[N_LIMITS];
static Word mask; /* the umask: permissions that new files do not get */
static Bool is_ready;

void ds_helper_init(void)
{
    for (Int i = 0; i < N_LIMITS; i++)
        has_limit[i] = VG_(getrlimit)(i, &limits[i]) == 0;
    mask = ds_valgrind_system_call(__NR_umask, 0, 0, 0, 0, 0, 0);
    ds_valgrind_system_call(__NR_umask, mask, 0, 0, 0, 0, 0);
    is_ready = True;
}

static void restore_limit(Int i)
{
    struct vki_rlimit current, wanted = limits[i];

    if (VG_(setrlimit)(i, &wanted) == 0 || VG_(getrlimit)(i, &current) != 0)
        return;
    wanted.rlim_max = current.rlim_max;
    if (wanted.rlim_cur > wanted.rlim_max)
        wanted.rlim_cur = wanted.rlim_max;
    VG_(setrlimit)(i, &wanted);
}

static void restore(void)
{
    struct vki_sigaction_base by_default = {.ksa_handler = VKI_SIG_DFL};

    for (Int i = 0; i < N_LIMITS; i++)
        if (has_limit[i])
            restore_limit(i);
    ds_valgrind_system_call(__NR_umask, mask, 0, 0, 0, 0, 0);
    /* A process that ignores its children is not told how they ended. */
    ds_valgrind_system_call(__NR_rt_sigaction, VKI_SIGCHLD,
                            (Word)(Addr)&by_default, 0,
                            sizeof by_default.sa_mask, 0, 0);
}

/* Forks without a signal to the parent when the child ends, and under the limit
   on processes that held at the start. */
static Word fork_quietly(void)
{
    struct vki_rlimit current;
    Bool has_current = VG_(getrlimit)(NPROC, &current) == 0;

    if (has_limit[NPROC])
        restore_limit(NPROC);
    Word pid = ds_valgrind_system_call(__NR_clone, 0, 0, 0, 0, 0, 0);
    if (pid != 0 && has_current)
        VG_(setrlimit)(NPROC, &current);
    return pid;
}

Int ds_helper_run(Int (*work)(void *argument), void *argument)
{
    Int status = -1;

    tl_assert(is_ready);
    /* Otherwise the new process would write the buffered messages, too. */
    VG_(message_flush)();
    Word pid = fork_quietly();
    if (pid < 0)
        return -1;
    if (pid == 0) {
        restore();
        Int result = work(argument);
        tl_assert(result >= 0 && result <= 255);
        ds_valgrind_system_call(__NR_exit_group, result, 0, 0, 0, 0, 0);
    }
    if (VG_(waitpid)((Int)pid, &status, WALL) != pid)
        return 255;
    return (status & 0x7f) == 0 ? (status >> 8) & 0xff : 255;
}
