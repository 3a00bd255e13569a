/*
 * process: programs that this one runs, and what remains to be done when it
 * ends early: files are removed, and the program that it runs ends, too.
 *
 * Input from others may let a program work for ever, or fill memory and disk,
 * so a program that is not ours gets limits.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include <signal.h>
#include <sys/types.h>

#include "basics.h"

/* --- When this program ends early --- */

/* Handles the signals that end a program, and memory that is exhausted. */
void early_begin(void);

/* From now on removes a file, or a directory with all that it has; NULL: none.
   The path is copied, and kept: a signal may come at any time. */
void early_remove(const char *path);

/* From now on writes this text to standard error first, if a signal ends the
   program; NULL: none. */
void early_say(const char *text);

/* From now on ends this process first, or with a negative number this group of
   processes, and waits for it; 0: none.  One that goes on after SIGTERM is
   killed after two seconds. */
void early_end(pid_t process);

/* Waits for a process, which then need not be ended any more.  *status is as
   waitpid has it; -1 with errno if it is no child. */
int early_wait(pid_t process, int *status);

/* Between the two calls signals wait, so that what must be ended, removed or
   said appears together with the call of this module that names it.  A program
   that is started meanwhile needs the old mask. */
void early_hold(sigset_t *old);
void early_release(const sigset_t *old);

/* --- Running another program --- */

struct subprocess_output {
    char *text; /* what the program printed, zero-terminated */
    size_t n;
    char *errors; /* its output to standard error */
    int status;   /* its exit status; -1 if a signal ended the program */
    char end[64]; /* what ended it by a signal, for a message */
};

/* When a program is stopped.  It also has limits of memory and of what it
   writes. */
struct subprocess_limits {
    unsigned seconds; /* of processor time, and twice as many by the clock */
    unsigned asleep;  /* seconds without work; 0: any, as it runs others */
};

/* Runs a program that is looked for in PATH, with the text as its standard
   input, and limits unless that is NULL.  -1 if it cannot be started; the
   caller frees *out. */
int subprocess_run(char *const argv[], const char *input, size_t n,
                   const struct subprocess_limits *limits,
                   struct subprocess_output *out, struct diag *d);
void subprocess_fini(struct subprocess_output *out);

/* Limits a process, 0: this one, to seconds of processor time, and to bytes of
   memory and of each file.  A lower limit that it already has remains. */
void subprocess_limit(pid_t pid, unsigned seconds, uint64_t memory,
                      uint64_t file);

/* Starts a program that ends with this one, with these as its standard streams.
   The signals `usual` end it as usual; NULL: it has a process group of its own.
   Returns an error's number, or 0. */
int subprocess_start(char *const argv[], const int streams[3],
                     const sigset_t *usual, pid_t *pid);
