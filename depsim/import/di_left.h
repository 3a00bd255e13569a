/*
 * di_left: spools that were left behind beside a database.
 *
 * A tool that is killed while it writes a spool leaves a part of it, and tells
 * nobody.  The part has no SPOOL_END, and nobody has a lock on it.
 *
 * Limits: where files cannot be locked (flock), one that is being written looks
 * the same.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DI_LEFT_H
#define DI_LEFT_H

#include "diag.h"

/* Looks for parts of spools, FILE.spool and FILE.spool.*, of this database.
   How many there are; *note says so, if there are any. */
int di_left(const char *database, struct diag *note);

#endif
