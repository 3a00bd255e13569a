/*
 * cy_windows_read: the windows of a deps.db, read and checked.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_WINDOWS_READ_H
#define CY_WINDOWS_READ_H

#include "core/cy_window.h"
#include "diag.h"

/* Reads the windows of a deps.db, of the runs of a program whose build-id is
   given, or of all if that is NULL, and checks all of them: -1 with *d set if
   one is damaged.  Sets the windows' weights: the windows of a run, which lie
   evenly, stand for equal shares of what the run recorded, and the weighted
   number of counted instructions of all windows is the same as the unweighted
   one.  Call cy_windows_fini after a failure, too. */
int cy_windows_read(struct cy_windows *windows, const char *deps,
                    const char *program, struct diag *d);
void cy_windows_fini(struct cy_windows *windows);

#endif
