/*
 * cy_record: runs a program in depsim, and once more on the processor.
 *
 * Signals from the terminal reach depbound and the program.  depbound ignores
 * them until the program has ended, and then ends the same way.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "binary/input.h"
#include "report/cy_report.h"

struct cy_recorder {
    char *const *command; /* a program, its arguments and NULL */
    const char *kept;     /* where to keep deps.db; NULL: do not keep it */
    bool follows;         /* record the programs that it starts, too */
    bool runs_again;      /* run it on the processor, too */
    double wait;          /* seconds to wait until nothing else uses the core;
                             0: it runs at once */
};

/* A recording; all zero before cy_record(). */
struct cy_recording {
    char *program; /* the recorded program's file, or a copy if that is gone */
    char *script;  /* the script that the user gave and the program ran; or
                      NULL */
    char *deps;    /* a deps.db, which may have windows */
    struct cy_measured measured; /* set if it ran on the processor, too */
    bool is_copy;
    bool is_kept; /* did the user ask to keep deps.db? */
    struct input temporary;
};

/* Runs a command, and records it.  Sets *runs to what ran; the recorded program
   is the one that ran first or, if others are recorded, too, the one with most
   instructions.  The program's output goes to standard error, to leave standard
   output to a report.  It runs again with the same standard input, which must
   be a file or a terminal, and with files and all else as the first run left
   them.  A program that fails only causes a message; -1 if nothing was
   recorded.  The caller calls cy_recording_fini, even after a failure, to
   remove temporary files. */
int cy_record(struct cy_recording *recording, const struct cy_recorder *how,
              struct cy_runs *runs, struct diag *d);
void cy_recording_fini(struct cy_recording *recording);
