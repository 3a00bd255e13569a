/*
 * subprocess: runs another program with a text as its input.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMMON_INPUT_SUBPROCESS_H
#define COMMON_INPUT_SUBPROCESS_H

#include <stddef.h>

#include "diag.h"

struct subprocess_output {
    char *text; /* what it printed, zero-terminated */
    size_t n;
    char *errors; /* its standard error */
    int status;   /* its exit status; -1 if a signal ended it */
};

/* Runs a program that is looked for in PATH, with the text as its standard
   input.  -1 if it cannot be started; the caller frees *out. */
int subprocess_run(char *const argv[], const char *input, size_t n,
                   struct subprocess_output *out, struct diag *d);
void subprocess_fini(struct subprocess_output *out);

#endif
