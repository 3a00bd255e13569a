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
#include "base/ds_arch.h"
#include "base/ds_memory.h"
#include "base/ds_options.h"
#include "core/ds_syscalls.h"
#include "count/ds_access.h"
#include "count/ds_clock.h"
#include "count/ds_deps.h"
#include "count/ds_lines.h"
#include "count/ds_shadow.h"
#include "count/ds_trace.h"
#include "instrument/ds_instrument.h"
#include "objects/ds_objects.h"
#include "switch/ds_switch.h"
#include "run/ds_run.h"
#include "window/ds_reuse.h"

/* Maps shadow memory at its first access (ds_memory).

   The first access to a slab faults, in translated code or in the tool.  The
   handler of SIGSEGV maps the slab, and the access is repeated; any other fault
   goes to the core's handler.  When the core replaces its handler, it checks
   that the old one is in place, so it is put back for that call.

   Limits: nothing may use closed shadow memory while the core has its handler.
   ds_shadow_clear, which the core's own calls lead to, never does. */

typedef void handler(Int signal, vki_siginfo_t *info, void *context);

static vki_sigaction_toK_t of_core; /* the core's handler, while ours is set */

/* The code of a signal is positive if it is a fault, not if kill sent it. */
static void fault(Int signal, vki_siginfo_t *info, void *context)
{
    if (info->si_code > 0 &&
        ds_reserve_open((Addr)info->_sifields._sigfault._addr))
        return;
    ((handler *)(Addr)of_core.ksa_handler)(signal, info, context);
}

static void set_action(const vki_sigaction_toK_t *action,
                       vki_sigaction_fromK_t *old)
{
    Word error = ds_valgrind_system_call(__NR_rt_sigaction, VKI_SIGSEGV,
                                         (Word)(Addr)action, (Word)(Addr)old,
                                         sizeof old->sa_mask, 0, 0);

    tl_assert(error == 0);
}

static Bool is_ours(const vki_sigaction_fromK_t *action)
{
    return (Addr)action->ksa_handler == (Addr)fault;
}

/* Starts catching faults in shadow memory; the core has set its handlers. */
static void catch_faults(void)
{
    vki_sigaction_toK_t action;

    set_action(NULL, &action);
    if (is_ours(&action))
        return;
    tl_assert((Addr)action.ksa_handler > 1); /* neither default nor ignored */
    of_core = action;
    action.ksa_handler = (__vki_sighandler_t)(Addr)fault;
    set_action(&action, NULL);
}

/* Stops catching faults in shadow memory, while the program sets a handler. */
static void release_faults(void)
{
    vki_sigaction_fromK_t action;

    set_action(NULL, &action);
    if (is_ours(&action))
        set_action(&of_core, NULL);
}

/* In the core's handler of a fault, lets shadow memory fault, too. */
static void unblock_faults(void)
{
    vki_sigset_t signals = {.sig = {(UWord)1 << (VKI_SIGSEGV - 1)}};
    Word error =
        ds_valgrind_system_call(__NR_rt_sigprocmask, VKI_SIG_UNBLOCK,
                                (Word)(Addr)&signals, 0, sizeof signals, 0, 0);

    tl_assert(error == 0);
}

/* What the core calls. */

static Bool in_client_code;
static Addr next; /* run-time address where the last thread to run goes on */
static Bool has_exited;
static Int exit_status;

static void kernel_wrote(CorePart part, ThreadId tid, Addr a, SizeT n)
{
    if (part != Vg_CoreSysCall || !ds_syscalls_overrides(tid, a))
        ds_shadow_clear(a, n);
    ds_reuse_kernel_wrote(a, n);
}

static void came(Addr a, SizeT n)
{
    if (a + n > DS_LINEAR_END)
        ds_instrument_be(&ds_instrument_careful);
    ds_kernel_remapped(a, n);
}

static void mapped(Addr a, SizeT n, Bool r, Bool w, Bool x, ULong di_handle)
{
    (void)r, (void)w, (void)x, (void)di_handle;
    came(a, n);
    ds_objects_mapped(a);
}

static void protected(Addr a, SizeT n, Bool r, Bool w, Bool x)
{
    (void)n, (void)r, (void)w;
    if (x)
        ds_objects_mapped(a);
}

static void heap_grew(Addr a, SizeT n, ThreadId tid)
{
    (void)tid;
    ds_kernel_remapped(a, n);
}

static void moved(Addr from, Addr to, SizeT n)
{
    ds_kernel_remapped(from, n);
    came(to, n);
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

static Bool is_exec(UInt number)
{
    return number == __NR_execve || number == __NR_execveat;
}

/* Can a call, if it is an execve, succeed, as far as is clear at once?  A
   search along the PATH makes many execves that cannot. */
static Bool may_succeed(UInt number, const UWord *args)
{
    const HChar *path = (const HChar *)args[0];
    struct vg_stat st;

    if (number != __NR_execve)
        return True;
    return VG_(am_is_valid_for_client)(args[0], 1, VKI_PROT_READ) &&
           !sr_isError(VG_(stat)(path, &st)) && VKI_S_ISREG(st.mode) &&
           (st.mode & 0111) != 0;
}

/* May the core replace its own handler of SIGSEGV? */
static Bool sets_handler(UInt number, const UWord *args)
{
    return number == __NR_rt_sigaction && args[0] == VKI_SIGSEGV;
}

/* Does the call let the program handle a fault of its own? */
static Bool sets_fault_handler(UInt number, const UWord *args)
{
    const struct vki_sigaction_base *action = (const void *)args[1];
    UWord signal = args[0];

    return number == __NR_rt_sigaction && args[1] != 0 &&
           (signal == VKI_SIGSEGV || signal == VKI_SIGBUS ||
            signal == VKI_SIGFPE || signal == VKI_SIGILL ||
            signal == VKI_SIGTRAP) &&
           VG_(am_is_valid_for_client)(args[1], sizeof *action,
                                       VKI_PROT_READ) &&
           action->ksa_handler != VKI_SIG_DFL &&
           action->ksa_handler != VKI_SIG_IGN;
}

/* A tool is not told the exit status, so it looks at the call that sets it.  An
   execveat names a file by its descriptor, too; its path is not read. */
static void before_call(ThreadId tid, UInt number, UWord *args, UInt n_args)
{
    ds_syscalls_begin(tid, number, args);
    if (sets_handler(number, args))
        release_faults();
    if (n_args > 1 && sets_fault_handler(number, args))
        ds_instrument_be(&ds_instrument_precise);
    if (n_args > 0 && (number == __NR_exit_group ||
                       (number == __NR_exit && n_threads() == 1))) {
        has_exited = True;
        exit_status = (Int)(args[0] & 0xff);
    }
    if (n_args > 0 && is_exec(number) && may_succeed(number, args))
        ds_run_end(SPOOL_EXEC, 0,
                   number == __NR_execve ? (const HChar *)args[0] : "");
}

static void after_call(ThreadId tid, UInt number, UWord *args, UInt n_args,
                       SysRes result)
{
    (void)n_args;
    if (sets_handler(number, args))
        catch_faults();
    if (is_exec(number))
        ds_run_resume();
    ds_syscalls_end(tid, number, args, result);
}

/* A second thread may share lines; until then the code does not look. */
static void thread_created(ThreadId parent, ThreadId child)
{
    (void)child;
    if (parent != VG_INVALID_THREADID && ds_lines_begin())
        ds_instrument_anew();
}

static void thread_started(ThreadId tid)
{
    ds_summary_phase(DS_CLIENT);
    catch_faults();
    ds_filter_start(tid);
    ds_functions_start(tid);
}

static void thread_ended(ThreadId tid)
{
    ds_window_end_thread(tid);
    ds_threads_end(tid);
}

static void time_slice(ThreadId tid, ULong n_blocks)
{
    ULong epoch = ds_clock_epoch;

    (void)n_blocks;
    ds_clock_resume(tid);
    ds_reuse_age(ds_clock_epoch - epoch);
    ds_window_resume(tid);
    ds_functions_resume(tid);
    in_client_code = True;
}

static void time_slice_ended(ThreadId tid, ULong n_blocks)
{
    (void)n_blocks;
    in_client_code = False;
    ds_trace_empty();
    next = VG_(get_IP)(tid);
    if (ds_heat_left(&next))
        VG_(set_shadow_regs_area)
    (tid, 0, ds_arch.ip, sizeof next, (const UChar *)&next);
}

/* Signals from outside wait for the end of a superblock, and of the time slice;
   a signal inside a superblock is a fault. */
static void before_signal(ThreadId tid, Int signal, Bool on_alternate_stack)
{
    (void)signal, (void)on_alternate_stack;
    if (!in_client_code)
        return;
    unblock_faults();
    ds_trace_record();
    ds_instrument_fault(VG_(get_IP)(tid));
    ds_trace_empty();
}

static void register_events(void)
{
    VG_(needs_syscall_wrapper)(before_call, after_call);

    VG_(track_pre_thread_ll_create)(thread_created);
    VG_(track_pre_thread_first_insn)(thread_started);
    VG_(track_pre_thread_ll_exit)(thread_ended);
    VG_(track_start_client_code)(time_slice);
    VG_(track_stop_client_code)(time_slice_ended);
    VG_(track_pre_deliver_signal)(before_signal);
    VG_(track_post_mem_write)(kernel_wrote);
    VG_(track_new_mem_mmap)(mapped);
    VG_(track_new_mem_brk)(heap_grew);
    VG_(track_change_mem_mprotect)(protected);
    VG_(track_copy_mem_remap)(moved);
    VG_(track_die_mem_brk)(ds_kernel_remapped);
    VG_(track_die_mem_munmap)(ds_kernel_remapped);
}

/* The tool. */

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
    tl_assert(ds_options.bounds.n > 0);
    ds_deps_init(&ds_options.bounds);
    ds_shadow_init();
    ds_access_init();
    ds_trace_init(ds_options.inline_after, ds_window_show);
    ds_lines_init();
    ds_clock_init();
    ds_alias_init(ds_options.aliases);
    ds_window_init(ds_options.windows.n, ds_options.windows.length,
                   ds_options.windows_apart);
    ds_switch_set(ds_options.record_from_start);
    ds_functions_init();
    /* A function of --fn is seen before the window goes on. */
    if (ds_options.windows.n > 0 && !ds_functions_limit)
        ds_valgrind_follow_alone(ds_window_goes_on);
    ds_run_init();
}

static void fini(Int unused)
{
    (void)unused;
    /* A fault that ends the program is not announced, and a signal from outside
       that ends it between two superblocks looks the same.  But a segment is
       counted where it begins, and its instructions where it is left: if the
       two disagree, the last one was not left. */
    if (!has_exited && ds_segments_instructions() != ds_clock_executed())
        ds_instrument_fault(next);
    if (!ds_run_end(has_exited ? SPOOL_EXIT : SPOOL_SIGNAL, exit_status, ""))
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
    return ds_switch_request(tid, args, result) ||
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

    register_events();
    VG_(atfork)(NULL, has_forked, forked);
}

VG_DETERMINE_INTERFACE_VERSION(pre_clo_init)
