/*
 * ds_import: runs depsim-import, because a tool has no SQLite of its own.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_IMPORT_H
#define DS_IMPORT_H

#include "pub_tool_basics.h"

/* Can the database be written?  If not, depsim-import has said why. */
Bool ds_import_check(const HChar *database);

/* Makes rows of a spool and removes it.  If that fails the spool stays, and
   depsim-import has said why. */
Bool ds_import_run(const HChar *spool, const HChar *database);

/* The command that a user can type to import a spool. */
const HChar *ds_import_command(const HChar *spool, const HChar *database);

#endif
