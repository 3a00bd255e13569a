/*
 * quietly: runs a command while nothing else uses its core.
 *
 *     quietly FILE COMMAND...
 *
 * FILE gets the share of the command's time for which the core was quiet, and
 * the megahertz that the core had then.  The status is that of the command, or
 * 127.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <sched.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calibrate/cy_pace.h"

#define WAIT 3600 /* seconds */

int main(int argc, char **argv)
{
    struct cy_clock clock;
    struct cy_paced paced = {0};
    cpu_set_t one;
    FILE *out;
    int status;
    pid_t pid;

    if (argc < 3)
        return 127;
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
    cy_clock_init(&clock, WAIT);
    pid = fork();
    if (pid == 0) {
        execvp(argv[2], argv + 2);
        _exit(127);
    }
    if (pid > 0)
        paced = cy_pace(&clock, pid);
    out = fopen(argv[1], "w");
    if (pid < 0 || waitpid(pid, &status, 0) != pid || out == NULL)
        return 127;
    fprintf(out, "%.4f\t%.1f\n", paced.quiet, 1000 * paced.ghz);
    return fclose(out) == 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 127;
}
