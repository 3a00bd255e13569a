/*
 * early: what remains to be done when a program ends early: files are removed,
 * and the program that it runs ends, too.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMMON_EARLY_H
#define COMMON_EARLY_H

#include <sys/types.h>

/* Handles the signals that end a program, and memory that is exhausted. */
void early_begin(void);

/* From now on removes a file, or a directory if it is empty; NULL: none.  The
   path is copied, and kept: a signal may come at any time. */
void early_remove(const char *path);

/* From now on ends this process first, or with a negative number this group of
   processes, and waits for it; 0: none.  One that goes on after SIGTERM is
   killed after two seconds. */
void early_end(pid_t process);

#endif
