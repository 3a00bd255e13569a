/*
 * cy_record: runs a program in depsim.
 *
 * Signals from the terminal reach depbound and the program.  depbound ignores
 * them until the program has ended, and then ends the same way.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_RECORD_H
#define CY_RECORD_H

#include "binary/input.h"

/* A recording; all zero before cy_record(). */
struct cy_recording {
    char *program; /* the program's file, or a copy if that is gone */
    char *deps;    /* a deps.db, which may have windows */
    bool is_copy;
    bool is_kept; /* did the user ask to keep deps.db? */
    struct input temporary;
};

/* Runs a command (a program, its arguments and NULL), and records it into the
   deps.db `kept`, or into a temporary one if that is NULL.  The program's
   output goes to standard error, to leave standard output to a report.  A
   program that fails only causes a message; -1 if nothing was recorded.  The
   caller calls cy_recording_fini, even after a failure, to remove temporary
   files. */
int cy_record(struct cy_recording *recording, char *const *command,
              const char *kept, struct diag *d);
void cy_recording_fini(struct cy_recording *recording);

#endif
