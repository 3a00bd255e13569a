/*
 * cy_progress: shows what depbound does, in a line of the terminal that it
 * rewrites.
 *
 * The line is below that of the cursor, which stays where it is: a program that
 * is recorded may have written half a line.
 *
 * If standard error is no terminal, or one that cannot rewrite a line, nothing
 * is written.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "basics.h"

/* Can a progress line be shown? */
bool cy_progress_is_shown(void);

/* Writes a new progress line. */
__attribute__((format(printf, 1, 2))) void cy_progress_say(const char *format,
                                                           ...);

/* Erases the progress line, if there is one. */
void cy_progress_end(void);

/* Erases the progress line, and writes a warning. */
void cy_progress_warn(const struct diag *d);
