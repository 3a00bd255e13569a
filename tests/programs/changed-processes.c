/* What calls on processes, times and signals change; see changed.h. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include <asm/prctl.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/capability.h>
#include <linux/futex.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/timex.h>
#include <sys/wait.h>
#include <time.h>

#include "changed.h"

static int timer_fd, timer, signals, event, zero;
static aio_context_t context;
static const struct itimerspec later = {{0, 0}, {1000, 0}};
static const struct timeval soon = {0, 20000};

#define PRCTL(name, option) CHANGED(name, , syscall(SYS_prctl, option, AT))

static int child(void)
{
    pid_t pid = fork();

    if (pid == 0)
        _exit(3);
    return pid;
}

/* Stops the timer.  A call that it interrupts does not count as a failure. */
static long interrupted(long result)
{
    setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
    return result < 0 && errno == EINTR ? 0 : result;
}

static void on_alarm(int signal)
{
    (void)signal;
}

/*
 * Makes signals come until one interrupts a call that waits, however long the
 * call takes to begin.  The handler changes nothing.
 */
static void wake(void)
{
    struct sigaction action = {.sa_handler = on_alarm};

    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &(struct itimerval){soon, soon}, NULL);
}

/* Has a child stop, and makes a request of ptrace about it. */
static long traced(int request, void *address, void *data)
{
    pid_t pid = fork();
    long result;
    int status;

    if (pid == 0) {
        if (syscall(SYS_ptrace, PTRACE_TRACEME, 0, 0, 0) == 0)
            raise(SIGSTOP);
        _exit(0);
    }
    if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
        return errno = EPERM, -1;
    result = syscall(SYS_ptrace, request, pid, address, data);
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    return result;
}

#define TRACED(name, request, address, data) \
    CHANGED(name, , traced(request, address, data))

TRACED(ptrace_peek, PTRACE_PEEKDATA, &zero, AT)
TRACED(ptrace_peek_user, PTRACE_PEEKUSER, 0, AT)
TRACED(ptrace_registers, PTRACE_GETREGS, 0, AT)
TRACED(ptrace_float, PTRACE_GETFPREGS, 0, AT)
TRACED(ptrace_signal, PTRACE_GETSIGINFO, 0, AT)
TRACED(ptrace_message, PTRACE_GETEVENTMSG, 0, AT)
TRACED(ptrace_set, PTRACE_GETREGSET, (void *)1 /* NT_PRSTATUS */,
       (&(struct iovec){AT, 512}))
PRCTL(get_pdeathsig, PR_GET_PDEATHSIG)
PRCTL(get_name, PR_GET_NAME)
PRCTL(get_tsc, PR_GET_TSC)
PRCTL(get_child_subreaper, PR_GET_CHILD_SUBREAPER)
PRCTL(get_tid_address, PR_GET_TID_ADDRESS)
PRCTL(get_dumpable, PR_GET_DUMPABLE)
CHANGED(get_fs, , syscall(SYS_arch_prctl, ARCH_GET_FS, AT))
CHANGED(get_gs, , syscall(SYS_arch_prctl, ARCH_GET_GS, AT))
CALLED(getresuid, AT, AT + 64, AT + 128)
CALLED(getresgid, AT, AT + 64, AT + 128)
CALLED(getgroups, 100, AT)
CALLED(capget,
       (&(struct __user_cap_header_struct){_LINUX_CAPABILITY_VERSION_3, 0}), AT)
CHANGED(capget_header, PUT(0, ((struct __user_cap_header_struct){0, 0})),
        (syscall(SYS_capget, AT, NULL), 0))
CALLED(sched_getparam, 0, AT)
CALLED(sched_getattr, 0, AT, 48, 0)
CHANGED(sched_getattr_large, , syscall(SYS_sched_getattr, 0, AT, 256, 0))
CALLED(sched_rr_get_interval, 0, AT)
CALLED(sched_getaffinity, 0, 1024, AT)
CALLED(getcpu, AT, AT + 64, NULL)
CALLED(getrlimit, RLIMIT_CORE, AT)
CHANGED(prlimit, , syscall(SYS_prlimit64, 0, RLIMIT_CORE, NULL, AT))
CALLED(getrusage, RUSAGE_SELF, AT)
CALLED(sysinfo, AT)
CALLED(uname, AT)
CHANGED(syslog_read_all, , syscall(SYS_syslog, 3, AT, 40))
CHANGED(syslog_read_much, , syscall(SYS_syslog, 3, AT, 4000))
CALLED(get_robust_list, 0, AT, AT + 64)
CALLED(get_mempolicy, AT, AT + 64, 1024, NULL, 0)
CALLED(move_pages, 0, 1, (&(void *){AT}), NULL, AT, 0)
CALLED(process_vm_readv, getpid(), (&(struct iovec){AT, 40}), 1,
       (&(struct iovec){changed, 30}), 1, 0)
CALLED(process_vm_writev, getpid(), (&(struct iovec){changed, 30}), 1,
       (&(struct iovec){AT, 40}), 1, 0)
/* Fills the window with random bytes that all differ from the stored value. */
static long random_bytes(void)
{
    long n;

    do
        n = syscall(SYS_getrandom, AT, 200, 0);
    while (n == 200 && memchr(AT, changed_value, 200) != NULL);
    return n;
}

CHANGED(getrandom, , random_bytes())
CALLED(wait4, child(), AT, 0, AT + 64)
CALLED(waitid, P_PID, child(), AT, WEXITED, AT + 256)
CALLED(time, AT)
CALLED(times, AT)
CALLED(gettimeofday, AT, AT + 64)
CALLED(clock_gettime, CLOCK_MONOTONIC, AT)
CALLED(clock_getres, CLOCK_MONOTONIC, AT)
CHANGED(adjtimex, PUT(0, ((struct timex){.modes = 0})),
        syscall(SYS_adjtimex, AT))
CHANGED(clock_adjtime, PUT(0, ((struct timex){.modes = 0})),
        syscall(SYS_clock_adjtime, CLOCK_REALTIME, AT))
CALLED(getitimer, ITIMER_REAL, AT)
CALLED(setitimer, ITIMER_VIRTUAL, (&(struct itimerval){0}), AT)
CALLED(timer_create, CLOCK_MONOTONIC,
       (&(struct sigevent){.sigev_notify = SIGEV_NONE}), AT)
CALLED(timer_settime, timer, 0, &later, AT)
CALLED(timer_gettime, timer, AT)
CALLED(timerfd_settime, timer_fd, 0, &later, AT)
CALLED(timerfd_gettime, timer_fd, AT)
CALLED(nanosleep, (&(struct timespec){0, 1000}), AT)
CHANGED(nanosleep_interrupted, wake(),
        interrupted(syscall(SYS_nanosleep, (&(struct timespec){9, 0}), AT)))
CHANGED(clock_nanosleep_interrupted, wake(),
        interrupted(syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0,
                            (&(struct timespec){9, 0}), AT)))
CHANGED(select_interrupted, (wake(), PUT(0, ((struct timeval){9, 0}))),
        interrupted(syscall(SYS_select, 0, NULL, NULL, NULL, AT)))
CHANGED(ppoll_interrupted, (wake(), PUT(0, ((struct timespec){9, 0}))),
        interrupted(syscall(SYS_ppoll, NULL, 0, AT, NULL, 0)))
CALLED(rt_sigaction, SIGALRM, NULL, AT, 8)
CALLED(rt_sigprocmask, SIG_BLOCK, NULL, AT, 8)
CALLED(rt_sigpending, AT, 8)
/* stack_t has a gap after its second field, a number of four bytes. */
CHANGED(sigaltstack, PUT(12, ((int){0})), syscall(SYS_sigaltstack, NULL, AT))
CHANGED(rt_sigtimedwait, raise(SIGUSR1),
        syscall(SYS_rt_sigtimedwait, (&(long){1 << (SIGUSR1 - 1)}), AT, NULL,
                8))
CHANGED(read_signal, raise(SIGUSR1), syscall(SYS_read, signals, AT, 1000))
CHANGED(io_setup, PUT(0, ((aio_context_t){0})), syscall(SYS_io_setup, 1, AT))
CHANGED(io_getevents,
        syscall(SYS_io_submit, context, 1,
                ((struct iocb *[]){
                    &(struct iocb){.aio_lio_opcode = IOCB_CMD_PREAD,
                                   .aio_fildes = (unsigned)zero,
                                   .aio_buf = (unsigned long)(AT + 1024),
                                   .aio_nbytes = 100}})),
        syscall(SYS_io_getevents, context, 1, 4, AT, NULL))
CHANGED(read_event, , syscall(SYS_read, event, AT, 1000))
CHANGED(futex_wake_op, PUT(64, ((int){1})),
        syscall(SYS_futex, AT, FUTEX_WAKE_OP, 1, 1, AT + 64,
                FUTEX_OP(FUTEX_OP_SET, 2, FUTEX_OP_CMP_EQ, 1)))

int main(void)
{
    struct perf_event_attr attributes = {.type = PERF_TYPE_SOFTWARE,
                                         .size = sizeof(attributes),
                                         .config = PERF_COUNT_SW_TASK_CLOCK};
    sigset_t set;

    zero = open("/dev/zero", O_RDONLY);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    signals = signalfd(-1, &set, 0);
    timer_fd = timerfd_create(CLOCK_MONOTONIC, 0);
    syscall(SYS_timer_create, CLOCK_MONOTONIC,
            &(struct sigevent){.sigev_notify = SIGEV_NONE}, &timer);
    syscall(SYS_io_setup, 4, &context);
    event = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
    changed_run();
    return 0;
}
