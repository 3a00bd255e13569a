/*
 * depsim: a Valgrind tool that records every read-after-write dependency
 * through memory, with distances in instructions, into a SQLite database.
 *
 * What it sees is what VEX shows: each load and store of translated code.
 * What the kernel writes (system calls, signal frames) and fresh mappings have
 * no writer.  Limits that a part has are said at the head of its file.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "pub_tool_basics.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"
#include "pub_tool_tooliface.h"

#include "ds_deps.h"
#include "ds_events.h"
#include "ds_filter.h"
#include "ds_functions.h"
#include "ds_import.h"
#include "ds_instrument.h"
#include "ds_message.h"
#include "ds_monitor.h"
#include "ds_options.h"
#include "ds_record.h"
#include "ds_segments.h"
#include "ds_spool.h"
#include "ds_summary.h"

static const HChar *database;
static HChar session[64]; /* of all processes of this invocation */
static Bool is_forked;

static HChar *text_of(const HChar *format, const HChar *text, Int number)
{
    SizeT room = VG_(strlen)(text) + 32;
    HChar *joined = VG_(malloc)("ds.main", room);

    VG_(snprintf)(joined, (Int)room, format, text, number);
    return joined;
}

/* A forked child is a run of its own from here on; it keeps the writers. */
static void forked(ThreadId tid)
{
    (void)tid;
    ds_deps_reset();
    ds_segments_reset();
    ds_summary_restart();
    is_forked = True;
}

static void name_session(void)
{
    struct vki_timeval now = {0};
    Int pid = VG_(getpid)();
    long s, us;

    VG_(gettimeofday)(&now, NULL);
    s = now.tv_sec;
    us = now.tv_usec;
    VG_(sprintf)(session, "%ld.%06ld-%d", s, us, pid);
}

static void post_clo_init(void)
{
    /* VEX deletes loads whose result is not used, unless each instruction
       has to leave precise state behind. */
    VG_(clo_vex_control).iropt_register_updates_default =
        VexRegUpdAllregsAtEachInsn;
    VG_(clo_px_file_backed) = VexRegUpdAllregsAtEachInsn;

    if (ds_options.bounds.n == 0)
        lifetimes_default(&ds_options.bounds);
    ds_deps_init(&ds_options.bounds);
    database = VG_(expand_file_name)("--deps-file", ds_options.deps_file);
    name_session();
    ds_record_set(ds_options.record_from_start);
    ds_functions_init();
    ds_summary_phase(DS_CHECK);
    if (!ds_import_check(database))
        VG_(exit)(2);
    ds_summary_phase(DS_START_UP);
}

static const HChar *command(void)
{
    static HChar text[1 << 16]; /* the rest of a longer command is cut off */

    VG_(client_cmd_and_args)(text, sizeof text);
    return text;
}

/* Where to spool the run: another one may be waiting in FILE.spool, or be on
   its way through it.  NULL, and a message, if it cannot be written. */
static const HChar *write_spool(const struct ds_run *run)
{
    Bool exists;
    const HChar *spool = text_of("%s.spool", database, 0);

    if (ds_spool_write(spool, run, &exists))
        return spool;
    if (exists)
        spool = text_of("%s.spool.%d", database, run->pid);
    if (exists && ds_spool_write(spool, run, &exists))
        return spool;
    ds_message("%s: cannot be written%s", spool,
               run->complete ? ", the run is lost" : "");
    return NULL;
}

/* A complete run stays in its spool if it cannot be imported; one that is under
   way is still in memory. */
static Bool write_run(const struct ds_run *run)
{
    const HChar *spool;

    ds_summary_phase(DS_SPOOL);
    ds_record_settle();
    spool = write_spool(run);
    ds_summary_phase(DS_IMPORT);
    if (spool == NULL || ds_import_run(spool, database))
        return spool != NULL;
    if (run->complete)
        ds_message("%s: not imported; once that is mended: %s", spool,
                   ds_import_command(spool, database));
    else
        VG_(unlink)(spool);
    return False;
}

/* The run up to now. */
static struct ds_run this_run(void)
{
    return (struct ds_run){
        .append = ds_options.append,
        .pid = VG_(getpid)(),
        .instructions = ds_summary_instructions(),
        .session = session,
        .command = command(),
        .bounds = &ds_options.bounds,
    };
}

static Bool dump(void)
{
    struct ds_run run = this_run();
    Bool is_written = write_run(&run);

    ds_summary_phase(DS_CLIENT);
    return is_written;
}

static void summarise(void)
{
    if (VG_(clo_verbosity) < 2)
        return;
    ds_summary_print(VG_(umsg));
    ds_summary_print_times(VG_(umsg));
}

static void fini(Int unused)
{
    struct ds_run run = this_run();

    (void)unused;
    run.complete = True;
    run.has_exited = ds_events_exit(&run.exit_status);
    write_run(&run);
    /* One process is enough to speak of a pattern that was in vain. */
    if (!is_forked) {
        ds_filter_complain();
        ds_functions_complain();
    }
    summarise();
}

static Bool request(ThreadId tid, UWord *args, UWord *result)
{
    return ds_record_request(tid, args, result) ||
           ds_monitor_request(tid, args, result);
}

static void pre_clo_init(void)
{
    VG_(details_name)("depsim");
    VG_(details_version)(DEPSIM_VERSION);
    VG_(details_description)("a recorder of dependencies through memory");
    VG_(details_copyright_author)("Copyright (C) 2026, the depsim authors.");
    VG_(details_bug_reports_to)("the depsim authors");
    VG_(details_avg_translation_sizeB)(400);

    VG_(basic_tool_funcs)(post_clo_init, ds_instrument, fini);
    VG_(needs_command_line_options)
    (ds_options_process, ds_options_usage, ds_options_debug_usage);

    VG_(needs_client_requests)(request);

    ds_events_register();
    VG_(atfork)(NULL, NULL, forked);
    ds_monitor_init(dump);
}

VG_DETERMINE_INTERFACE_VERSION(pre_clo_init)
