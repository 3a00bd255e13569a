/*
 * sd_progress: one line on a terminal that says how far a long run has come.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_PROGRESS_H
#define SD_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sd_progress {
    bool is_wanted; /* standard error is a terminal */
    bool is_shown;
    uint64_t next; /* when to say something again, in milliseconds */
    size_t file, n_files;
    const char *units; /* what is counted of a file: "blocks" */
};

/* Begins to count the time.  Without a terminal all of this does nothing. */
void sd_progress_begin(struct sd_progress *progress, size_t n_files,
                       const char *units);
/* Turns to the next file. */
void sd_progress_file(struct sd_progress *progress);
/* Reports how many of its units are done. */
void sd_progress_done(struct sd_progress *progress, size_t done, size_t n);
/* Removes the line, so that something else can be said. */
void sd_progress_end(struct sd_progress *progress);

#endif
