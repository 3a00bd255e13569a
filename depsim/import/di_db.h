/*
 * di_db: a spool -> rows of a depsim database.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DI_DB_H
#define DI_DB_H

#include "db.h"
#include "import/di_spool.h"

/* Adds the run to the database in one transaction.  Unless the run asks to be
   appended, that removes the runs of other sessions (di_replace); it always
   removes an earlier state of this run.  On failure the database is as it was.
   *note is what the user should know, empty if there is nothing. */
int di_db(struct db *db, struct di_spool *spool, const struct di_run *run,
          struct diag *note, struct diag *d);

#endif
