/*
 * ds_message: one line "depsim: SUBJECT: WHAT", without Valgrind's prefix, as
 * the other programs write it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_MESSAGE_H
#define DS_MESSAGE_H

#include "base/ds_valgrind.h"

/* Writes the line to Valgrind's log, by default standard error. */
void ds_message(const HChar *format, ...) PRINTF_CHECK(1, 2);

/* Writes the line and ends the program with status 2.  Only for errors before
   the client runs; later, the exit status is the client's. */
__attribute__((noreturn)) void ds_message_refuse(const HChar *format, ...)
    PRINTF_CHECK(1, 2);

/* Writes another program's lines to the same log. */
void ds_message_pass(const HChar *lines);

/* Counts an error that the user has been told of, as Valgrind counts those of
   programs: a run that is not in its database. */
void ds_message_failure(void);

#endif
