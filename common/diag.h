/*
 * diag: the text of one error, carried from where it happened to main.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

struct diag {
    char text[1024]; /* "SUBJECT: WHAT", one line, no newline */
};

/* Formats the text.  Cuts it to fit, and replaces control characters by "?", so
   that a file name can neither break the line nor control a terminal.  Returns
   -1, so that a caller can write `return diag_set(...)`. */
int diag_set(struct diag *d, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
