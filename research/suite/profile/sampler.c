/*
 * sampler: where a program spends its time.
 *
 * A library to preload.  A timer that runs while the process computes, but not
 * in the kernel, interrupts it, and the address of the interrupted instruction
 * is kept. When the program exits, the file that SAMPLES names gets lines with
 * tabs between:
 *
 *     time    SECONDS of the process, SECONDS of the kernel for it
 *     sample  OBJECT, the path of its file, ADDRESS as in the file: a line
 *             for each interrupt
 *     other   a line for each interrupt in code without a file
 *
 * Limits: one thread, and programs that end by exit() and leave SIGVTALRM
 * alone. The kernel's clock tick, mostly 4 ms, is the shortest time between two
 * samples.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <ucontext.h>

#define MOST 1000000 /* samples: more than an hour of ticks */

static uintptr_t samples[MOST];
static size_t n_samples;
static struct rusage begin;

static void keep(int signal, siginfo_t *info, void *context)
{
    const ucontext_t *interrupted = context;

    (void)signal;
    (void)info;
    if (n_samples < MOST)
        samples[n_samples++] =
            (uintptr_t)interrupted->uc_mcontext.gregs[REG_RIP];
}

static void set_timer(suseconds_t microseconds)
{
    const struct timeval every = {0, microseconds};

    setitimer(ITIMER_VIRTUAL, &(struct itimerval){every, every}, NULL);
}

__attribute__((constructor)) static void start(void)
{
    struct sigaction action = {.sa_sigaction = keep,
                               .sa_flags = SA_SIGINFO | SA_RESTART};

    if (getenv("SAMPLES") == NULL)
        return;
    sigaction(SIGVTALRM, &action, NULL);
    getrusage(RUSAGE_SELF, &begin);
    set_timer(1000);
}

static double seconds(struct timeval from, struct timeval to)
{
    return (double)(to.tv_sec - from.tv_sec) +
           (double)(to.tv_usec - from.tv_usec) / 1e6;
}

/* The object whose code contains an address. */
struct place {
    uintptr_t address, begins; /* begins: the object's first address */
    const char *path;          /* NULL: no object */
};

static int look(struct dl_phdr_info *info, size_t size, void *data)
{
    struct place *place = data;

    (void)size;
    for (ElfW(Half) i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];

        if (p->p_type != PT_LOAD ||
            place->address - info->dlpi_addr - p->p_vaddr >= p->p_memsz)
            continue;
        place->begins = info->dlpi_addr;
        place->path =
            info->dlpi_name[0] != '\0' ? info->dlpi_name : "/proc/self/exe";
    }
    return place->path != NULL;
}

__attribute__((destructor)) static void finish(void)
{
    const char *name = getenv("SAMPLES");
    struct rusage end;
    FILE *out;

    if (name == NULL)
        return;
    set_timer(0);
    getrusage(RUSAGE_SELF, &end);
    out = fopen(name, "w");
    if (out == NULL)
        return;
    fprintf(out, "time\t%.6f\t%.6f\n", seconds(begin.ru_utime, end.ru_utime),
            seconds(begin.ru_stime, end.ru_stime));
    assert(n_samples <= MOST);
    for (size_t i = 0; i < n_samples; i++) {
        struct place place = {.address = samples[i]};
        char path[PATH_MAX];

        dl_iterate_phdr(look, &place);
        if (place.path != NULL && realpath(place.path, path) != NULL)
            fprintf(out, "sample\t%s\t%" PRIu64 "\n", path,
                    (uint64_t)(place.address - place.begins));
        else
            fprintf(out, "other\n");
    }
    fclose(out);
}
