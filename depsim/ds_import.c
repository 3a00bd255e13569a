/*
 * ds_import: runs depsim-import, because a tool has no SQLite of its own.
 *
 * Limit: it writes its message to the standard error that the client left.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "ds_import.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"

#include "ds_message.h"

const HChar *ds_import_program(void)
{
    static HChar *path;

    if (path == NULL) {
        SizeT room = VG_(strlen)(VG_(libdir)) + sizeof "/depsim-import";

        path = VG_(malloc)("ds.import", room);
        VG_(snprintf)(path, (Int)room, "%s/depsim-import", VG_(libdir));
    }
    return path;
}

/* Runs it under the name that the user knows; true if it exits with 0. */
static Bool run(const HChar *first, const HChar *second)
{
    const HChar *argv[] = {"depsim", first, second, NULL};
    Int status = -1;
    Int pid = VG_(fork)();

    if (pid < 0) {
        ds_message("%s: cannot be started", ds_import_program());
        return False;
    }
    if (pid == 0) {
        VG_(execv)(ds_import_program(), argv);
        ds_message("%s: cannot be run", ds_import_program());
        VG_(exit)(2);
    }
    return VG_(waitpid)(pid, &status, 0) == pid && status == 0;
}

Bool ds_import_check(const HChar *database)
{
    return run("--check", database);
}

Bool ds_import_run(const HChar *spool, const HChar *database)
{
    return run(spool, database);
}
