/*
 * ds_monitor: the commands that vgdb, or gdb's `monitor`, sends to a program
 * while it runs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "run/ds_monitor.h"

#include "pub_tool_clreq.h"
#include "pub_tool_gdbserver.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "record/ds_record.h"
#include "run/ds_summary.h"

static Bool (*dump)(void);

void ds_monitor_init(Bool (*how_to_dump)(void))
{
    dump = how_to_dump;
}

static void help(void)
{
    VG_(gdb_printf)
    ("depsim monitor commands:\n"
     "  dump     write the database so far; the run is not complete in it\n"
     "  start    record from here on, as DEPSIM_START does\n"
     "  stop     stop recording, as DEPSIM_STOP does\n"
     "  status   tell if depsim is recording, and what it has recorded\n"
     "  help     print the commands\n");
}

static void write_so_far(void)
{
    tl_assert(dump != NULL);
    if (dump())
        VG_(gdb_printf)("dump: written\n");
    else
        VG_(gdb_printf)("dump: not written\n");
}

static void tell_recording(void)
{
    VG_(gdb_printf)
    ("recording:     %s\n", !ds_record_is_asked()    ? "stopped"
                            : !ds_record_is_inside() ? "outside --fn"
                                                     : "on");
}

static void record(Bool on)
{
    ds_record_set(on);
    tell_recording();
}

static void status(void)
{
    tell_recording();
    ds_summary_print(VG_(gdb_printf));
    ds_summary_print_times(VG_(gdb_printf));
}

/* Executes a command.  False if there is none of this name; then the core
   reports it. */
static Bool obey(const HChar *command)
{
    switch (VG_(keyword_id)("help dump start stop status", command,
                            kwd_report_duplicated_matches)) {
    case -2: /* ambiguous, which Valgrind has reported */
        break;
    case 0:
        help();
        break;
    case 1:
        write_so_far();
        break;
    case 2:
        record(True);
        break;
    case 3:
        record(False);
        break;
    case 4:
        status();
        break;
    default:
        return False;
    }
    return True;
}

static Bool obey_line(HChar *line)
{
    HChar *rest;
    const HChar *command = VG_(strtok_r)(line, " ", &rest);
    const HChar *more;

    if (command == NULL)
        return False;
    more = VG_(strtok_r)(NULL, " ", &rest);
    if (more == NULL || VG_(strcmp)(command, "help") == 0)
        return obey(command);
    if (VG_(keyword_id)("dump start stop status", command, kwd_report_none) < 0)
        return False;
    VG_(gdb_printf)("%s: %s: no argument is wanted\n", command, more);
    return True;
}

Bool ds_monitor_request(ThreadId tid, UWord *args, UWord *result)
{
    HChar *line;

    (void)tid;
    if (args[0] != VG_USERREQ__GDB_MONITOR_COMMAND)
        return False;
    line = VG_(strdup)("ds.monitor", (const HChar *)args[1]);
    *result = obey_line(line);
    VG_(free)(line);
    return *result != 0;
}
