/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "out/sd_progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* Milliseconds until the line first appears, and between updates. */
#define PATIENCE 1000
#define INTERVAL 100

#define EVERY 16 /* units: how often to look at the clock */

static uint64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

void sd_progress_begin(struct sd_progress *p, size_t n_files, const char *units)
{
    *p = (struct sd_progress){.is_wanted = isatty(STDERR_FILENO) == 1,
                              .next = now() + PATIENCE,
                              .n_files = n_files,
                              .units = units};
}

void sd_progress_file(struct sd_progress *p)
{
    p->file++;
}

void sd_progress_done(struct sd_progress *p, size_t done, size_t n)
{
    if (!p->is_wanted || done % EVERY != 0 || now() < p->next)
        return;
    p->next = now() + INTERVAL;
    p->is_shown = true;
    fprintf(stderr, "\rstaticdeps: file %zu of %zu: %zu of %zu %s, %zu %%",
            p->file, p->n_files, done, n, p->units, 100 * done / n);
    fflush(stderr);
}

void sd_progress_end(struct sd_progress *p)
{
    if (p->is_shown)
        fputs("\r\033[K", stderr); /* to the start, and erase to the end */
    p->is_shown = false;
}
