/*
 * Memory that system calls write; they are made by number, so that the
 * C library does not write it; see unwritten.h.  Buffers are larger than what
 * the calls write into them, where they can be.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define _GNU_SOURCE
#include <asm/prctl.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <signal.h>
#include <linux/capability.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <termios.h>
#include <unistd.h>

#include "unwritten.h"

static char area[1 << 16];
static char *const at = area + 4096; /* where all calls write */
static int zero, pair[2];

static void files(void)
{
    void *page = (void *)((uintptr_t)area & ~(uintptr_t)4095);
    struct iovec parts[] = {{at, 3}, {at + 16, 64}};

    TRY(read, at, 24, CALL(24, SYS_read, zero, at, 24));
    TRY(kept_at_end, at, 24,
        CALL(0, SYS_read, open("/dev/null", O_RDONLY), at, 24));
    TRY(kept_bad_call, at, 24, CALL(-1, SYS_read, -1, at, 24));
    TRY(pread, at, 5, CALL(5, SYS_pread64, zero, at, 5, 0));
    TRY(readv_first, at, 3, CALL(67, SYS_readv, zero, parts, 2));
    TRY(readv_second, at + 16, 64, CALL(67, SYS_readv, zero, parts, 2));
    TRY(preadv, at + 16, 64, CALL(67, SYS_preadv, zero, parts, 2, 0, 0));
    TRY(fstat, at, sizeof(struct stat), CALL(0, SYS_fstat, zero, at));
    TRY(statx, at, sizeof(struct statx),
        CALL(0, SYS_statx, AT_FDCWD, "/", 0, STATX_ALL, at));
    TRY(statfs, at, sizeof(struct statfs), CALL(0, SYS_statfs, "/", at));
    TRY(resident, at, 2, CALL(0, SYS_mincore, page, 2 * 4096, at));
    TRY(readlink, at, 14, CALL(14, SYS_readlink, "unwritten.link", at, 4096));
    if (chdir("/") != 0)
        unwritten_fails("chdir");
    TRY(getcwd, at, 2, CALL(2, SYS_getcwd, at, 4096));
}

static void devices(void)
{
    int tty = posix_openpt(O_RDWR | O_NOCTTY);

    TRY(fionread, at, sizeof(int), CALL(0, SYS_ioctl, pair[0], FIONREAD, at));
    TRY(winsize, at, sizeof(struct winsize),
        CALL(0, SYS_ioctl, tty, TIOCGWINSZ, at));
    TRY(termios, at, 36, CALL(0, SYS_ioctl, tty, TCGETS, at));
    TRY(getrandom, at, 7, CALL(7, SYS_getrandom, at, 7, 0));
    TRY(pipe, at, 2 * sizeof(int), CALL(0, SYS_pipe2, at, 0));
}

static void processes(void)
{
    struct iovec from = {area, 40}, to = {at, 40};
    struct __user_cap_header_struct version = {_LINUX_CAPABILITY_VERSION_3, 0};
    long self = getpid();

    TRY(process_vm_readv, at, 40,
        CALL(40, SYS_process_vm_readv, self, &to, 1, &from, 1, 0));
    TRY(process_vm_writev, at, 40,
        CALL(40, SYS_process_vm_writev, self, &from, 1, &to, 1, 0));
    TRY(prlimit, at, sizeof(struct rlimit),
        CALL(0, SYS_prlimit64, 0, RLIMIT_CORE, NULL, at));
    TRY(affinity, at, (size_t)syscall(SYS_sched_getaffinity, 0, 1024, area),
        syscall(SYS_sched_getaffinity, 0, 1024, at) > 0);
    TRY(name, at, 16, CALL(0, SYS_prctl, PR_GET_NAME, at));
    TRY(segment, at, sizeof(long), CALL(0, SYS_arch_prctl, ARCH_GET_FS, at));
    TRY(users, at, sizeof(uid_t), CALL(0, SYS_getresuid, area, at, area + 64));
    TRY(capabilities, at, 2 * sizeof(struct __user_cap_data_struct),
        CALL(0, SYS_capget, &version, at));
    TRY(processor, at, sizeof(int), CALL(0, SYS_getcpu, at, NULL, NULL));
    TRY(scheduling, at, sizeof(struct sched_param),
        CALL(0, SYS_sched_getparam, 0, at));
    TRY(sysinfo, at, sizeof(struct sysinfo), CALL(0, SYS_sysinfo, at));
    TRY(uname, at, sizeof(struct utsname), CALL(0, SYS_uname, at));
}

static void copies(void)
{
    int from = open("/proc/self/exe", O_RDONLY);
    int to = open("copy", O_RDWR | O_CREAT, 0600), way[2];
    loff_t offset = 0;

    if (ftruncate(to, 64) != 0 || pipe(way) != 0)
        unwritten_fails("copies");
    unwritten_value = 0; /* the bytes are also an offset */
    TRY(sendfile_offset, at, sizeof(offset),
        CALL(10, SYS_sendfile, to, from, at, 10));
    TRY(copy_offset, at, sizeof(offset),
        CALL(10, SYS_copy_file_range, from, at, to, &offset, 10, 0));
    TRY(splice_offset, at, sizeof(offset),
        CALL(10, SYS_splice, from, at, way[1], NULL, 10, 0));
    unwritten_value = 1;
}

static void signals(void)
{
    TRY(sigaction, at, 32, CALL(0, SYS_rt_sigaction, SIGUSR1, NULL, at, 8));
    TRY(sigprocmask, at, 8,
        CALL(0, SYS_rt_sigprocmask, SIG_BLOCK, NULL, at, 8));
    TRY(sigpending, at, 8, CALL(0, SYS_rt_sigpending, at, 8));
    TRY(sigaltstack, at, sizeof(stack_t), CALL(0, SYS_sigaltstack, NULL, at));
}

static void ipc(void)
{
    struct {
        long type;
        char text[8];
    } message = {1, "a text"};
    int queue = msgget(IPC_PRIVATE, 0600);
    int semaphore = semget(IPC_PRIVATE, 1, 0600);
    int segment = shmget(IPC_PRIVATE, 4096, 0600);

    if (msgsnd(queue, &message, 6, 0) != 0)
        unwritten_fails("msgsnd");
    TRY(msgrcv, at, 14, CALL(6, SYS_msgrcv, queue, at, 64, 0, 0));
    TRY(msgctl, at, sizeof(struct msqid_ds),
        CALL(0, SYS_msgctl, queue, IPC_STAT, at));
    TRY(semctl, at, sizeof(short),
        CALL(0, SYS_semctl, semaphore, 0, GETALL, at));
    TRY(semctl_stat, at, sizeof(struct semid_ds),
        CALL(0, SYS_semctl, semaphore, 0, IPC_STAT, at));
    TRY(shmctl, at, sizeof(struct shmid_ds),
        CALL(0, SYS_shmctl, segment, IPC_STAT, at));
    msgctl(queue, IPC_RMID, NULL);
    semctl(semaphore, 0, IPC_RMID);
    shmctl(segment, IPC_RMID, NULL);
}

int main(void)
{
    zero = open("/dev/zero", O_RDONLY);
    unlink("unwritten.link");
    if (zero < 0 || symlink("fourteen bytes", "unwritten.link") != 0 ||
        pipe(pair) != 0)
        unwritten_fails("main");
    devices();
    processes();
    copies();
    signals();
    ipc();
    files();
    return 0;
}
