/*
 * ds_message: one line "depsim: SUBJECT: WHAT", without Valgrind's prefix, as
 * the other programs write it.
 *
 * ds_failure: a run that is not in its database is an error, as Valgrind counts
 * them.
 *
 * If errors were found, Valgrind's core gives the process the status of
 * --error-exitcode, unless a signal ended the program or the option is missing.
 * So depsim, which looks for no errors in programs, declares itself a tool that
 * finds errors when it has one to report.  If it did so earlier, the core would
 * print a summary of errors at the end of each run.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_MESSAGE_H
#define DS_MESSAGE_H

#include "pub_tool_basics.h"

/* Writes the line to Valgrind's log, by default standard error. */
void ds_message(const HChar *format, ...) PRINTF_CHECK(1, 2);

/* Writes the line and ends the program with status 2.  Only for errors before
   the client runs; later, the exit status is the client's. */
__attribute__((noreturn)) void ds_message_refuse(const HChar *format, ...)
    PRINTF_CHECK(1, 2);

/* Writes another program's lines to the same log. */
void ds_message_pass(const HChar *lines);

/* Counts an error that the user has been told of. */
void ds_failure(void);

#endif
