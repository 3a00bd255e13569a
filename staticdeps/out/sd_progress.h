/*
 * sd_progress: shows the progress of a long run in one line on a terminal.
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
    uint64_t next; /* the time of the next update, in milliseconds */
    size_t file, n_files;
    const char *units; /* the parts of a file that are counted: "blocks" */
};

/* Starts the clock.  Without a terminal, these functions do nothing. */
void sd_progress_begin(struct sd_progress *progress, size_t n_files,
                       const char *units);
/* Begins the next file. */
void sd_progress_file(struct sd_progress *progress);
/* Shows that `done` of the file's n units are done. */
void sd_progress_done(struct sd_progress *progress, size_t done, size_t n);
/* Removes the line, so that other messages can be printed. */
void sd_progress_end(struct sd_progress *progress);

#endif
