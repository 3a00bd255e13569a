/* cy_calibrate: writes a machine file for the processor it runs on. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "machine/cy_machine.h"

struct cy_results;

/* Measures for about a minute, besides at most `wait` seconds in which other
   work kept the core busy, and writes a machine file to `out`.  `name` is the
   machine's name in the file; NULL: the core's name, if known.  A machine too
   busy to measure is an error, unless `is_forced`: then the file says so.
   *uncertain is a sentence, without its full stop, that names figures which did
   not repeat; the caller frees it.  NULL: none, or no file. */
int cy_calibrate(FILE *out, const char *name, double wait, bool is_forced,
                 char **uncertain, struct diag *d);

/* For tests: writes the machine file of given results, like cy_calibrate. */
int cy_calibrate_write(FILE *out, const char *name, const struct cy_cpu *cpu,
                       const struct cy_results *results, bool is_forced,
                       char **uncertain, struct diag *d);
