/*
 * depsim: a Valgrind tool that records every read-after-write dependency
 * through memory, with distances in instructions, into a SQLite database.
 *
 * It sees what VEX shows: each load and store of translated code.  What the
 * kernel writes (system calls, signal frames) and fresh mappings have no
 * writer. Each part states its limits at the head of its file.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "base/ds_message.h"
#include "base/ds_options.h"
#include "core/ds_events.h"
#include "count/ds_access.h"
#include "count/ds_clock.h"
#include "count/ds_deps.h"
#include "count/ds_shadow.h"
#include "instrument/ds_instrument.h"
#include "objects/ds_objects.h"
#include "record/ds_record.h"
#include "run/ds_run.h"
#include "window/ds_window.h"

static Bool is_forked;

static void has_forked(ThreadId tid)
{
    (void)tid;
    ds_window_forked();
}

static void forked(ThreadId tid)
{
    (void)tid;
    ds_run_fork();
    is_forked = True;
}

static void post_clo_init(void)
{
    /* ds_passes keeps the loads that VEX would drop, if the state must be
       precise after each instruction.  Above level 1, VEX unrolls loops
       (ds_unroll). */
    VG_(clo_vex_control).iropt_register_updates_default =
        VexRegUpdAllregsAtEachInsn;
    VG_(clo_px_file_backed) = VexRegUpdAllregsAtEachInsn;
    VG_(clo_vex_control).iropt_level = 1;
    /* Past a branch, VEX would join a second branch to the same place, and
       execute what is between them in any case. */
    VG_(clo_vex_control).guest_chase = False;
    ds_valgrind_take_core_errors(True);

    if (ds_options.bounds.n == 0)
        lifetimes_default(&ds_options.bounds);
    ds_deps_init(&ds_options.bounds);
    ds_shadow_init();
    ds_access_init();
    ds_clock_init();
    ds_alias_init(ds_options.aliases);
    ds_window_init(ds_options.windows.n, ds_options.windows.length,
                   ds_options.windows_apart);
    ds_record_set(ds_options.record_from_start);
    ds_functions_init();
    ds_run_init();
}

static void fini(Int unused)
{
    Int status;
    Bool has_exited = ds_events_end(&status);

    (void)unused;
    if (!ds_run_end(has_exited ? SPOOL_EXIT : SPOOL_SIGNAL, status))
        ds_message_failure();
    /* The first process warns about patterns that never matched. */
    if (!is_forked) {
        ds_filter_complain();
        ds_functions_complain();
    }
    ds_summary_end();
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
    VG_(details_copyright_author)(ds_valgrind_copyright);
    VG_(details_bug_reports_to)(DEPSIM_BUGS);
    VG_(details_avg_translation_sizeB)(400);

    VG_(basic_tool_funcs)(post_clo_init, ds_instrument, fini);
    VG_(needs_command_line_options)
    (ds_options_process, ds_options_usage, ds_options_debug_usage);

    VG_(needs_client_requests)(request);
    ds_valgrind_take_core_errors(False);

    ds_events_register();
    VG_(atfork)(NULL, has_forked, forked);
}

VG_DETERMINE_INTERFACE_VERSION(pre_clo_init)
