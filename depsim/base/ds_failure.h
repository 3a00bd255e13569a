/*
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
#ifndef DS_FAILURE_H
#define DS_FAILURE_H

/* Counts an error.  The user has been told of it. */
void ds_failure(void);

#endif
