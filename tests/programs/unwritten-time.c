/*
 * Memory that is written by system calls that wait, or return or take times;
 * see unwritten.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "unwritten.h"

static char area[1 << 14];
static char *const at = area + 4096; /* where all calls write */

/* The bytes that a case stores are a set with descriptor 0, which is always
   ready, and a number of seconds that is long enough. */
static void sets(void)
{
    TRY(select, at, 8, CALL(1, SYS_select, 8, at, NULL, NULL, NULL));
    TRY(pselect, at, 8, CALL(1, SYS_pselect6, 8, at, NULL, NULL, NULL, NULL));
    *area = 1;
    TRY(select_left, at, sizeof(struct timeval),
        (memset(at + 8, 0, 8), CALL(1, SYS_select, 8, area, NULL, NULL, at)));
    *area = 1;
    TRY(pselect_left, at, sizeof(struct timespec),
        (memset(at + 8, 0, 8),
         CALL(1, SYS_pselect6, 8, area, NULL, NULL, at, NULL)));
    unwritten_value = 0; /* 0, which the kernel does not change */
    TRY(kept_select_at_once, at, sizeof(struct timeval),
        CALL(0, SYS_select, 0, NULL, NULL, NULL, at));
    unwritten_value = 1;
}

static void polls(void)
{
    struct pollfd *polled = (struct pollfd *)at;
    struct pollfd other = {0, POLLIN, 0};
    struct epoll_event event = {.events = EPOLLIN};
    int epoll = epoll_create1(0), ready[2];

    if (pipe(ready) != 0 || write(ready[1], "x", 1) != 1)
        unwritten_fails("pipe");
    *polled = other;
    TRY(poll, &polled->revents, 2, CALL(1, SYS_poll, polled, 1, 0));
    TRY(ppoll, &polled->revents, 2,
        CALL(1, SYS_ppoll, polled, 1, NULL, NULL, 0));
    TRY(ppoll_left, at, sizeof(struct timespec),
        (memset(at + 8, 0, 8), CALL(1, SYS_ppoll, &other, 1, at, NULL, 0)));
    TRY(kept_epoll_timeout, at, sizeof(event),
        CALL(0, SYS_epoll_wait, epoll, at, 1, 0));
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, ready[0], &event) != 0)
        unwritten_fails("epoll_ctl");
    TRY(epoll_wait, at, sizeof(event),
        CALL(1, SYS_epoll_wait, epoll, at, 4, 0));
    TRY(epoll_pwait, at, sizeof(event),
        CALL(1, SYS_epoll_pwait, epoll, at, 4, 0, NULL, 8));
}

static void words(void)
{
    TRY(kept_futex_wake, at, sizeof(int),
        CALL(0, SYS_futex, at, FUTEX_WAKE, 1, NULL, NULL, 0));
    TRY(kept_futex_wait, at, sizeof(int),
        CALL(-1, SYS_futex, at, FUTEX_WAIT, 0, NULL, NULL, 0));
    unwritten_value = 0; /* 0: the lock is free */
    TRY(futex_lock, at, sizeof(int),
        CALL(0, SYS_futex, at, FUTEX_LOCK_PI, 0, NULL, NULL, 0));
    TRY(futex_wake_op, at, sizeof(int),
        CALL(0, SYS_futex, area, FUTEX_WAKE_OP, 1, 1, at,
             FUTEX_OP(FUTEX_OP_SET, 1, FUTEX_OP_CMP_EQ, 1)));
    unwritten_value = 1;
}

static long child(void)
{
    long pid = fork();

    if (pid == 0)
        _exit(0);
    return pid;
}

static void children(void)
{
    long pid = child();

    TRY(wait4, at, sizeof(int), CALL(pid, SYS_wait4, pid, at, 0, NULL));
    pid = child();
    TRY(wait4_usage, at, sizeof(struct rusage),
        CALL(pid, SYS_wait4, pid, NULL, 0, at));
    pid = child();
    /* siginfo_t has a gap after its first three fields. */
    TRY(waitid, at, 3 * sizeof(int),
        CALL(0, SYS_waitid, P_PID, pid, at, WEXITED, NULL));
}

static void signals(void)
{
    unsigned long set = 1ul << (SIGUSR1 - 1);

    if (!CALL(0, SYS_rt_sigprocmask, SIG_BLOCK, &set, NULL, sizeof(set)) ||
        raise(SIGUSR1) != 0)
        unwritten_fails("signals");
    TRY(sigtimedwait, at, sizeof(siginfo_t),
        CALL(SIGUSR1, SYS_rt_sigtimedwait, &set, at, NULL, sizeof(set)));
}

static void clocks(void)
{
    TRY(clock_getres, at, sizeof(struct timespec),
        CALL(0, SYS_clock_getres, CLOCK_MONOTONIC, at));
    TRY(clock_gettime, at, sizeof(struct timespec),
        CALL(0, SYS_clock_gettime, CLOCK_MONOTONIC, at));
    TRY(gettimeofday, at, sizeof(struct timeval),
        CALL(0, SYS_gettimeofday, at, NULL));
    TRY(times, at, sizeof(struct tms), syscall(SYS_times, at) != -1);
    TRY(getrusage, at, sizeof(struct rusage),
        CALL(0, SYS_getrusage, RUSAGE_SELF, at));
    TRY(interval, at, sizeof(struct timespec),
        CALL(0, SYS_sched_rr_get_interval, 0, at));
}

static void timers(void)
{
    struct itimerval never = {0};
    struct itimerspec neither = {0};
    struct sigevent event = {.sigev_notify = SIGEV_NONE};
    int fd = timerfd_create(CLOCK_MONOTONIC, 0), timer;

    TRY(setitimer_old, at, sizeof(never),
        CALL(0, SYS_setitimer, ITIMER_REAL, &never, at));
    TRY(getitimer, at, sizeof(never), CALL(0, SYS_getitimer, ITIMER_REAL, at));
    TRY(timer_create, at, sizeof(timer),
        CALL(0, SYS_timer_create, CLOCK_MONOTONIC, &event, at));
    memcpy(&timer, at, sizeof(timer));
    TRY(timer_settime_old, at, sizeof(neither),
        CALL(0, SYS_timer_settime, timer, 0, &neither, at));
    TRY(timer_gettime, at, sizeof(neither),
        CALL(0, SYS_timer_gettime, timer, at));
    TRY(timerfd_settime_old, at, sizeof(neither),
        CALL(0, SYS_timerfd_settime, fd, 0, &neither, at));
    TRY(timerfd_gettime, at, sizeof(neither),
        CALL(0, SYS_timerfd_gettime, fd, at));
}

int main(void)
{
    int zero = open("/dev/zero", O_RDONLY);

    if (zero < 0 || dup2(zero, 0) != 0)
        unwritten_fails("main");
    sets();
    polls();
    words();
    children();
    signals();
    clocks();
    timers();
    return 0;
}
