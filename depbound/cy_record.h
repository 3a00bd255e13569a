/*
 * cy_record: runs a program in depsim.
 *
 * Signals from the terminal reach both programs.  The one that waits ignores
 * them until the other has ended, and then ends the same way.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_RECORD_H
#define CY_RECORD_H

#include "binary/input.h"

/* What was recorded; all zero before. */
struct cy_recording {
    char *program; /* its file, or a copy if it is not there any more */
    char *deps;    /* a deps.db, also with windows */
    bool is_copy;
    bool is_kept; /* the user wants to keep deps.db */
    struct input temporary;
};

/* Runs a command, a program with its arguments and NULL, and records it into a
   deps.db, which stays if `kept` names it; NULL: it is temporary.  What the
   program prints goes to standard error, so that a report can have standard
   output.  That it fails is only told; -1 if nothing was recorded.  The caller
   calls cy_recording_fini, after a failure, too: it removes what is
   temporary. */
int cy_record(struct cy_recording *recording, char *const *command,
              const char *kept, struct diag *d);
void cy_recording_fini(struct cy_recording *recording);

#endif
