/*
 * quietly: runs a command while nothing else uses its core.
 *
 *     quietly [--sample] FILE COMMAND...
 *
 * FILE gets lines with tabs between:
 *
 *     time   seconds that the process took, with those of the kernel for it
 *     quiet  the share of them for which the core was quiet, and the megahertz
 *            that the core had then
 *
 * With --sample also those of sampler.h; the process takes some 2 % longer
 * then. The status is that of the command, or 127.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calibrate/cy_pace.h"
#include "sampler.h"

#ifndef WAIT
#define WAIT 3600 /* seconds, for a quiet core in all */
#endif

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

static int fail(const char *what)
{
    fprintf(stderr, "quietly: %s: %s\n", what, strerror(errno));
    return 127;
}

int main(int argc, char **argv)
{
    struct sampler sampler;
    struct cy_clock clock;
    struct cy_paced paced;
    struct rusage usage;
    cpu_set_t one;
    bool sampled;
    FILE *out;
    int status, ready[2];
    pid_t pid;

    sampled = argc > 1 && strcmp(argv[1], "--sample") == 0;
    argv += sampled;
    if (argc - sampled < 3 || pipe(ready) != 0)
        return 127;
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
    cy_clock_init(&clock, WAIT);
    pid = fork();
    if (pid < 0)
        return fail("fork");
    if (pid == 0) {
        close(ready[1]);
        if (read(ready[0], &status, 1) == 1 && close(ready[0]) == 0)
            execvp(argv[2], argv + 2);
        _exit(127);
    }
    close(ready[0]);
    if (sampled && !sampler_open(&sampler, pid))
        return fail("perf_event_open"); /* ends the child, too */
    if (write(ready[1], "", 1) != 1 || close(ready[1]) != 0)
        return fail("pipe");
    paced = cy_pace(&clock, pid);
    if (wait4(pid, &status, 0, &usage) != pid)
        return fail("wait4");
    out = fopen(argv[1], "w");
    if (out == NULL)
        return fail(argv[1]);
    fprintf(out, "time\t%.6f\nquiet\t%.4f\t%.1f\n",
            seconds(usage.ru_utime) + seconds(usage.ru_stime), paced.quiet,
            1000 * paced.ghz);
    if (sampled && !sampler_write(&sampler, out)) {
        fprintf(stderr, "quietly: %s: too many samples\n", argv[2]);
        return 127;
    }
    return fclose(out) == 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 127;
}
