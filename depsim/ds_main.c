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
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vkiscnums.h"

#include "ds_deps.h"
#include "ds_import.h"
#include "ds_instrument.h"
#include "ds_memory.h"
#include "ds_message.h"
#include "ds_options.h"
#include "ds_record.h"
#include "ds_segments.h"
#include "ds_shadow.h"
#include "ds_spool.h"

static const HChar *database;
static HChar session[64];       /* of all processes of this invocation */
static ULong first_instruction; /* what was executed before this run began */

static Bool in_client_code;
static Bool has_exited; /* or else a signal ended it */
static Int exit_status;

static void clear(Addr a, SizeT n)
{
    ds_shadow_clear(a, n);
}

static void kernel_wrote(CorePart part, ThreadId tid, Addr a, SizeT n)
{
    (void)part, (void)tid;
    ds_shadow_clear(a, n);
}

static void mapped(Addr a, SizeT n, Bool r, Bool w, Bool x, ULong di_handle)
{
    (void)r, (void)w, (void)x, (void)di_handle;
    ds_shadow_clear(a, n);
}

static void heap_grew(Addr a, SizeT n, ThreadId tid)
{
    (void)tid;
    ds_shadow_clear(a, n);
}

static void moved(Addr from, Addr to, SizeT n)
{
    ds_shadow_clear(from, n);
    ds_shadow_clear(to, n);
}

static UInt n_threads(void)
{
    ThreadId tid;
    Addr low, high;
    UInt n = 0;

    VG_(thread_stack_reset_iter)(&tid);
    while (VG_(thread_stack_next)(&tid, &low, &high))
        n++;
    return n;
}

/* A tool is not told the exit status, so it looks at the call that sets it. */
static void before_call(ThreadId tid, UInt number, UWord *args, UInt n_args)
{
    (void)tid;
    if (n_args > 0 && (number == __NR_exit_group ||
                       (number == __NR_exit && n_threads() == 1))) {
        has_exited = True;
        exit_status = (Int)(args[0] & 0xff);
    }
}

static void after_call(ThreadId tid, UInt number, UWord *args, UInt n_args,
                       SysRes result)
{
    (void)tid, (void)number, (void)args, (void)n_args, (void)result;
}

static void time_slice(ThreadId tid, ULong n_blocks)
{
    (void)tid, (void)n_blocks;
    ds_instrument_advance();
    in_client_code = True;
}

static void time_slice_ended(ThreadId tid, ULong n_blocks)
{
    (void)tid, (void)n_blocks;
    in_client_code = False;
}

/* Signals from outside wait for the end of a superblock, and of the time
   slice; what comes within one is a fault. */
static void before_signal(ThreadId tid, Int signal, Bool on_alternate_stack)
{
    (void)signal, (void)on_alternate_stack;
    if (in_client_code)
        ds_instrument_fault(VG_(get_IP)(tid));
}

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
    first_instruction = ds_instrument_executed();
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
    if (!ds_import_check(database))
        VG_(exit)(2);
}

static const HChar *command(void)
{
    SizeT room = 1 << 16; /* the rest of a longer command is cut off */
    HChar *text = VG_(malloc)("ds.main", room);

    VG_(client_cmd_and_args)(text, room);
    return text;
}

static void summarise(void)
{
    ULong n = ds_instrument_executed() - first_instruction;

    VG_(umsg)("instructions:  %'llu\n", n);
    VG_(umsg)("dependencies:  %'lu\n", ds_deps_number());
    VG_(umsg)("shadow memory: %'lu KiB\n", ds_shadow_size() >> 10);
    VG_(umsg)("all tables:    %'lu KiB\n", ds_memory_total() >> 10);
}

/* Another run may be waiting in FILE.spool, or be on its way through it. */
static void import(const struct ds_run *run)
{
    Bool exists;
    HChar *spool = text_of("%s.spool", database, 0);

    if (!ds_spool_write(spool, run, &exists)) {
        if (exists)
            spool = text_of("%s.spool.%d", database, run->pid);
        if (!exists || !ds_spool_write(spool, run, &exists)) {
            ds_message("%s: cannot be written, the run is lost", spool);
            return;
        }
    }
    if (!ds_import_run(spool, database))
        ds_message("%s: not imported; once that is mended: %s", spool,
                   ds_import_command(spool, database));
}

static void fini(Int unused)
{
    struct ds_run run = {
        .append = ds_options.append,
        .pid = VG_(getpid)(),
        .has_exited = has_exited,
        .exit_status = exit_status,
        .instructions = ds_instrument_executed() - first_instruction,
        .complete = True,
        .session = session,
        .command = command(),
        .bounds = &ds_options.bounds,
    };

    (void)unused;
    ds_record_settle();
    if (VG_(clo_verbosity) > 1)
        summarise();
    import(&run);
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

    VG_(needs_client_requests)(ds_record_request);

    VG_(needs_syscall_wrapper)(before_call, after_call);

    VG_(track_start_client_code)(time_slice);
    VG_(track_stop_client_code)(time_slice_ended);
    VG_(track_pre_deliver_signal)(before_signal);
    VG_(track_post_mem_write)(kernel_wrote);
    VG_(track_new_mem_mmap)(mapped);
    VG_(track_new_mem_brk)(heap_grew);
    VG_(track_copy_mem_remap)(moved);
    VG_(track_die_mem_brk)(clear);
    VG_(track_die_mem_munmap)(clear);
    VG_(atfork)(NULL, NULL, forked);
}

VG_DETERMINE_INTERFACE_VERSION(pre_clo_init)
