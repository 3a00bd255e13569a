/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "calibrate/cy_pace.h"

#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#define LOOKS 4 /* of which one must be quiet */

static const struct timespec slice = {0, 1000000};

/* Seconds of a clock; -1: it is of a process that has been reaped. */
static double seconds_of(clockid_t clock)
{
    struct timespec t;

    if (clock_gettime(clock, &t) != 0)
        return -1;
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The caller must get the core as soon as a slice is over. */
static void come_before(pid_t child)
{
    struct sched_param mine;

    if (sched_getscheduler(0) == SCHED_OTHER || sched_getparam(0, &mine) != 0 ||
        mine.sched_priority < 2)
        return;
    mine.sched_priority--;
    sched_setparam(child, &mine);
}

/* Stops the child; false: it has ended. */
static bool stop(pid_t child)
{
    siginfo_t what = {0};

    kill(child, SIGSTOP);
    if (waitid(P_PID, (id_t)child, &what, WEXITED | WSTOPPED | WNOWAIT) != 0 ||
        what.si_code != CLD_STOPPED)
        return false;
    return waitid(P_PID, (id_t)child, &what, WSTOPPED | WNOHANG) == 0;
}

/* Right after a large program, a look sees what it left of the core's caches
   and predictors, and takes as much longer as beside a busy sibling: of cc1's
   slices, a third seemed quiet by one look, and 19 of 20 by four. */
static bool is_quiet(const struct cy_clock *clock, double *speed)
{
    for (int i = 0; i < LOOKS; i++)
        if (cy_clock_is_quiet(clock, speed))
            return true;
    return false;
}

struct cy_paced cy_pace(struct cy_clock *clock, pid_t child)
{
    uint64_t first = cy_clock_ticks();
    double quiet = 0, all = 0, cycles = 0, speed, before, now,
           begin = seconds_of(CLOCK_MONOTONIC), rate;
    clockid_t process;

    if (clock_getcpuclockid(child, &process) != 0)
        return (struct cy_paced){0};
    come_before(child);
    for (before = 0; stop(child); before = now) {
        now = seconds_of(process);
        assert(now >= before);
        all += now - before;
        if (is_quiet(clock, &speed)) {
            quiet += now - before;
            cycles += (now - before) * speed;
        } else {
            cy_clock_await(clock);
        }
        kill(child, SIGCONT);
        nanosleep(&slice, NULL);
    }
    if (quiet == 0)
        return (struct cy_paced){0};
    rate = (double)(cy_clock_ticks() - first) /
           (seconds_of(CLOCK_MONOTONIC) - begin);
    return (struct cy_paced){quiet / all, 1e-9 * rate * cycles / quiet};
}
