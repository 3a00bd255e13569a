/*
 * ds_import: runs depsim-import, because a tool has no SQLite of its own.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_IMPORT_H
#define DS_IMPORT_H

#include "pub_tool_basics.h"

#define DS_IMPORT_HASH_SIZE 65 /* a SHA-256 in hexadecimal, and a zero */

/* Can the database be written?  If not, tells the user why.  If so, lists
   spools beside it that a killed run left. */
Bool ds_import_check(const HChar *database);

/* Makes rows of a spool and removes it.  If that fails the spool stays, and the
   user is told why. */
Bool ds_import_run(const HChar *spool, const HChar *database);

/* The SHA-256 of the file that a descriptor is open on.  False if it cannot be
   read. */
Bool ds_import_hash(Int fd, HChar hash[DS_IMPORT_HASH_SIZE]);

/* The command that a user can type to import a spool. */
const HChar *ds_import_command(const HChar *spool, const HChar *database);

#endif
