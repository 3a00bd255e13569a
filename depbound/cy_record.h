/*
 * cy_record: runs a program in depsim.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_RECORD_H
#define CY_RECORD_H

#include "diag.h"

/* Runs a command, a program with its arguments and NULL, and records windows of
   it, too.  What it prints goes to standard error, so that a report can have
   standard output.  That it fails is only told; -1 if nothing was recorded. */
int cy_record(char *const *command, const char *deps, struct diag *d);

/* The file that a command's name stands for, as execvp finds it; the caller
   frees.  NULL: there is none. */
char *cy_record_program(const char *name, struct diag *d);

#endif
