/*
 * ds_helper: work in a helper process.
 *
 * The client may have changed attributes of its process: limits, the umask, how
 * the ends of its children are handled.  The helper is a copy of the process
 * that has the attributes of the start again.  The client is stopped meanwhile;
 * it gets no SIGCHLD, and cannot wait for the helper.
 *
 * Limits: the helper keeps a changed root, changed user and group ids, changed
 * namespaces, and a hard limit that a process without privilege has lowered.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/ds_process.h"

#define N_LIMITS 16 /* RLIM_NLIMITS; the header for tools does not have it */
#define NPROC    6  /* RLIMIT_NPROC */
#define WALL     0x40000000 /* __WALL: for children that send no SIGCHLD, too */

static struct vki_rlimit limits[N_LIMITS];
static Bool has_limit[N_LIMITS];
static Word mask; /* of the permissions that new files do not get */
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
    Word pid;

    if (has_limit[NPROC])
        restore_limit(NPROC);
    pid = ds_valgrind_system_call(__NR_clone, 0, 0, 0, 0, 0, 0);
    if (pid != 0 && has_current)
        VG_(setrlimit)(NPROC, &current);
    return pid;
}

Int ds_helper_run(Int (*work)(void *argument), void *argument)
{
    Int status = -1;
    Word pid;

    tl_assert(is_ready);
    /* Otherwise the copy would write the buffered messages once more. */
    VG_(message_flush)();
    pid = fork_quietly();
    if (pid < 0)
        return -1;
    if (pid == 0) {
        Int result;

        restore();
        result = work(argument);
        tl_assert(result >= 0 && result <= 255);
        ds_valgrind_system_call(__NR_exit_group, result, 0, 0, 0, 0, 0);
    }
    if (VG_(waitpid)((Int)pid, &status, WALL) != pid)
        return 255;
    return (status & 0x7f) == 0 ? (status >> 8) & 0xff : 255;
}
