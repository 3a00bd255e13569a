/* ds_process: work in other processes. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/ds_valgrind.h"

/* ds_import: runs depsim-import, because a tool has no SQLite of its own. */

#define DS_IMPORT_HASH_SIZE 65 /* a SHA-256 in hexadecimal, and a zero */

/* Imports a spool into a database and removes it.  If that fails, the spool
   stays, and the user is told why.  With DS_IMPORT_CHECK instead of a spool:
   can the database be written?  If so, lists spools beside it that a killed run
   left. */
#define DS_IMPORT_CHECK "--check"
Bool ds_import_run(const HChar *spool, const HChar *database);

/* The SHA-256 of the file that a descriptor is open on.  False if it cannot be
   read. */
Bool ds_import_hash(Int fd, HChar hash[DS_IMPORT_HASH_SIZE]);

/* The command that a user can type to import a spool. */
const HChar *ds_import_command(const HChar *spool, const HChar *database);

/* ds_helper: work in a helper process.  Notes the attributes of this process,
 * which each helper restores.  Call it before the client runs. */
void ds_helper_init(void);

/* Calls the function in a helper process and waits for its end.  Returns what
   the function returned, 0 to 255; 255 if the helper was killed, and -1 if it
   could not be started.  What the function changes in memory is lost. */
Int ds_helper_run(Int (*work)(void *argument), void *argument);
