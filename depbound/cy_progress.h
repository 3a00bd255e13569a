/*
 * cy_progress: what depbound does, in one line of a terminal that is rewritten.
 *
 * The line is below that of the cursor, which stays where it is: a program that
 * is recorded may have written half a line.
 *
 * Where standard error is no terminal, or one that cannot rewrite a line,
 * nothing is written.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_PROGRESS_H
#define CY_PROGRESS_H

#include <stdbool.h>

#include "diag.h"

/* Can the line be shown? */
bool cy_progress_is_shown(void);

/* Writes the line anew. */
__attribute__((format(printf, 1, 2))) void cy_progress_say(const char *format,
                                                           ...);

/* Erases the line, if there is one. */
void cy_progress_end(void);

/* Erases the line, and writes a warning. */
void cy_progress_warn(const struct diag *d);

#endif
