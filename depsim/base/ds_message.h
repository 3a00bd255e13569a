/*
 * ds_message: one line "depsim: SUBJECT: WHAT", without Valgrind's prefix, as
 * the other programs write it.
 *
 * ds_failure: a run that is not in its database is an error, as Valgrind counts
 * them.
 *
 * Valgrind's core gives the process the status of --error-exitcode if errors
 * were found, and knows when to: not if a signal ended the program, and not
 * without the option.  So depsim, which finds no errors in programs, becomes a
 * tool that finds some at the moment when it has one to report.  Before that
 * the core would print a summary of errors at the end of each run.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_MESSAGE_H
#define DS_MESSAGE_H

#include "pub_tool_basics.h"

/* Writes the line to Valgrind's log, by default standard error. */
void ds_message(const HChar *format, ...) PRINTF_CHECK(1, 2);

/* Writes the line and ends the program with status 2.  For trouble before the
   client runs; afterwards the exit status is the client's. */
__attribute__((noreturn)) void ds_message_refuse(const HChar *format, ...)
    PRINTF_CHECK(1, 2);

/* Writes lines of another program there. */
void ds_message_pass(const HChar *lines);

/* Counts an error.  The user has been told of it. */
void ds_failure(void);

#endif
