/* memory: changes its own memory, or how the kernel shows it, as the argument
   says. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#define MIB ((size_t)1 << 20)

static uint64_t large[64 * MIB / 8];

/* Stores to the words of n MiB of `large`, from MiB number `from` on. */
static void fill(size_t from, size_t n)
{
    volatile uint64_t *word = large + from * MIB / 8;

    for (size_t i = 0; i < n * MIB / 8; i++)
        word[i] = i;
}

/* Locks all mapped memory.  Prints the peak of the process's memory, in KiB. */
static int lock(void)
{
    char line[256];
    FILE *f;

    fill(0, 1);
    if (mlockall(MCL_CURRENT) != 0)
        return 1;
    fill(0, 64);
    f = fopen("/proc/self/status", "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (strncmp(line, "VmHWM:", 6) == 0)
            fputs(line + 6, stdout);
    return f == NULL;
}

/* Sets a limit below the memory that the process has, and stores to memory that
   is mapped already. */
static int limit(void)
{
    struct rlimit l;

    getrlimit(RLIMIT_AS, &l);
    l.rlim_cur = MIB;
    if (setrlimit(RLIMIT_AS, &l) != 0)
        return 1;
    fill(0, 64);
    return 0;
}

static sigjmp_buf after;

static void handle(int signal)
{
    siglongjmp(after, signal);
}

/* Handles its own faults, with one set of SA_ flags after the other. */
static int fault(void)
{
    static const int flags[] = {SA_NOCLDSTOP, 0, SA_RESETHAND | SA_NOCLDSTOP,
                                SA_NOCLDSTOP | SA_NODEFER};

    for (size_t i = 0; i < 4; i++) {
        struct sigaction action = {.sa_handler = handle, .sa_flags = flags[i]};

        sigaction(SIGSEGV, &action, NULL);
        if (sigsetjmp(after, 1) == 0) {
            *(volatile char *)0 = 1;
            return 1;
        }
        fill(i * 16, 16);
    }
    return 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";

    if (strcmp(what, "lock") == 0)
        return lock();
    if (strcmp(what, "limit") == 0)
        return limit();
    if (strcmp(what, "fault") == 0)
        return fault();
    if (strcmp(what, "hide") == 0)
        return prctl(PR_SET_DUMPABLE, 0);
    if (strcmp(what, "chroot") == 0)
        return chroot("empty");
    return 2;
}
