/*
 * subprocess: runs another program with a text as its input.
 *
 * Input from others may let a program work for ever, or fill memory and disk,
 * so a program that is not ours gets limits.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "basics.h"
#include <signal.h>
#include <sys/types.h>

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
