/*
 * ds_monitor: the commands that vgdb, or gdb's `monitor`, sends to a program
 * while it runs.
 *
 * Limit: while gdb has stopped the program at a breakpoint, the straight-line
 * run of instructions around it is counted to its end, but its accesses after
 * the breakpoint are not.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "run/ds_run.h"

#include "pub_tool_clreq.h"
#include "pub_tool_gdbserver.h"

#include "record/ds_record.h"
#include "run/internal.h"

static void help(void)
{
    VG_(gdb_printf)
    ("depsim monitor commands:\n"
     "  dump     write the database so far, with the run incomplete\n"
     "  start    start recording, as DEPSIM_START does\n"
     "  stop     stop recording, as DEPSIM_STOP does\n"
     "  status   print whether depsim records, and what it recorded\n"
     "  help     print these commands\n");
}

static void dump(void)
{
    VG_(gdb_printf)("dump: %s\n", ds_run_dump() ? "written" : "not written");
}

static void tell_recording(void)
{
    VG_(gdb_printf)("recording:     %s\n", ds_record_state());
}

static void start(void)
{
    ds_record_set(True);
    tell_recording();
}

static void stop(void)
{
    ds_record_set(False);
    tell_recording();
}

static void status(void)
{
    tell_recording();
    ds_summary_print(VG_(gdb_printf));
    ds_summary_print_times(VG_(gdb_printf));
}

/* The commands, and what each does. */
#define NAMES "dump start stop status help"
static void (*const actions[])(void) = {dump, start, stop, status, help};

#define AMBIGUOUS (-2) /* which Valgrind has reported */

/* Executes a command.  False if there is none of this name; then the core
   reports it. */
static Bool obey(const HChar *command)
{
    Int i = VG_(keyword_id)(NAMES, command, kwd_report_duplicated_matches);

    if (i >= 0)
        actions[i]();
    return i >= 0 || i == AMBIGUOUS;
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
    VG_(gdb_printf)("%s: %s: takes no argument\n", command, more);
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
