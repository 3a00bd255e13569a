/*
 * di_db: a spool -> rows of a depsim database.
 *
 * di_replace: makes room in a database for the first run of a session.
 *
 * The runs of other sessions are removed.  If one of those sessions began with
 * another program, the user may have meant another file, so the database is
 * kept as FILE.old first, as perf does with its own.  A program is the path of
 * its executable: built again it is the same program, and all scripts of an
 * interpreter are one.
 *
 * FILE.old is a copy, made while the database is locked.  A rename would take
 * the file away from other processes of the session, which may have it open
 * and wait for the lock.
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

/* Does nothing if the database has a run of the session, which then has made
   room.  Call it in a transaction, and roll that back on failure.  Sets *note
   if the database was kept. */
int di_replace(struct db *db, const struct di_run *run, struct diag *note,
               struct diag *d);

#endif
