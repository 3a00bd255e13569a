/*
 * early: what remains to be done when a program ends early: files are removed,
 * and the program that it runs ends, too.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include <signal.h>
#include <sys/types.h>

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
