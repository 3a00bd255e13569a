/*
 * ds_events: what Valgrind's core tells a tool of the program: memory that
 * changes without a store, time slices, faults, and how it ends.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_EVENTS_H
#define DS_EVENTS_H

#include "base/ds_valgrind.h"

/* Asks the core for its calls.  Call it before the core reads the command
   line. */
void ds_events_register(void);

/* The program has ended; brings the counts up to date.  True if it exited, with
   the status in *status; false if a signal ended it. */
Bool ds_events_end(Int *status);

#endif
