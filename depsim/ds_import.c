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
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"

#include "ds_message.h"

static const HChar *program(void)
{
    static HChar *path;

    if (path == NULL) {
        SizeT room = VG_(strlen)(VG_(libdir)) + sizeof "/depsim-import";

        path = VG_(malloc)("ds.import", room);
        VG_(snprintf)(path, (Int)room, "%s/depsim-import", VG_(libdir));
    }
    return path;
}

/* Adds a text to the end of a command, quoted for the shell. */
static HChar *quote(HChar *end, const HChar *text)
{
    *end++ = ' ';
    *end++ = '\'';
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            end += VG_(sprintf)(end, "%s", "'\\'");
        *end++ = *text;
    }
    *end++ = '\'';
    *end = '\0';
    return end;
}

const HChar *ds_import_command(const HChar *spool, const HChar *database)
{
    SizeT room = VG_(strlen)(program()) +
                 4 * (VG_(strlen)(spool) + VG_(strlen)(database)) + 16;
    HChar *command = VG_(malloc)("ds.import", room);

    quote(quote(command + VG_(sprintf)(command, "%s", program()), spool),
          database);
    return command;
}

/* Runs it under the name that the user knows, to its end.  True if it exits
   with 0; a client that ignores SIGCHLD makes that false as well. */
static Bool run(const HChar *first, const HChar *second)
{
    const HChar *argv[] = {"depsim", first, second, NULL};
    Int status = -1;
    Int pid = VG_(fork)();

    if (pid < 0) {
        ds_message("%s: cannot be started", program());
        return False;
    }
    if (pid == 0) {
        VG_(execv)(program(), argv);
        ds_message("%s: cannot be run", program());
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
    struct vg_stat st;

    return run(spool, database) || sr_isError(VG_(stat)(spool, &st));
}
