/*
 * ds_core: what happens around a system call, where the core's own account of
 * it is not enough for a tool that follows each byte.  Private to core/.
 *
 * ds_syscalls knows where the core is wrong about what a system call writes.
 *
 * The core's wrappers of system calls are made for a checker of addressable
 * memory.  Some omit memory that programs rarely read (the length of an
 * address, the rest of a timeout, pages that were dropped).  Some report the
 * whole buffer instead of the bytes written.
 *
 * Limits: only calls in the table are corrected.  No call tells what an
 * io_uring writes.  For bpf the core's account is used, which no test compares
 * with the kernel.  Gaps in structures count as written.  The word that the
 * kernel clears when a thread ends (CLONE_CHILD_CLEARTID) keeps its writer.
 * Where /proc is missing, pages that MADV_DONTNEED drops are forgotten if they
 * have no file: Valgrind does not tell shared mappings from private.
 *
 * ds_faults maps shadow memory at its first access (ds_reserve).
 *
 * The first access to a slab faults, in translated code or in the tool.  The
 * handler of SIGSEGV maps the slab, and the access is repeated; any other fault
 * goes to the core's handler.  When the core replaces its handler, it checks
 * that the old one is in place, so it is put back for that call.
 *
 * Limits: nothing may use closed shadow memory while the core has its handler.
 * ds_shadow_clear, which the core's own calls lead to, never does.
 *
 * ds_written handles calls that no line of the table can describe.  Each of its
 * functions gets the arguments and the result of a call that succeeded, and
 * removes the writers of the bytes that the kernel wrote.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_CORE_H
#define DS_CORE_H

#include "pub_tool_basics.h"
#include "pub_tool_vki.h"

/* Each call of a thread begins and ends with these; `args` has all six. */
void ds_syscalls_begin(ThreadId tid, UInt number, const UWord *args);
void ds_syscalls_end(ThreadId tid, UInt number, const UWord *args,
                     SysRes result);

/* The core says that the thread's current call has written to `a`.  True if
   ds_syscalls_end corrects that. */
Bool ds_syscalls_overrides(ThreadId tid, Addr a);

/* From now on faults in shadow memory are caught, when the core has its
   handlers; or are not, while the program sets one. */
void ds_faults_catch(void);
void ds_faults_release(void);

typedef void ds_written(const UWord *args, SysRes result);

ds_written ds_written_attributes;   /* sched_getattr */
ds_written ds_written_capabilities; /* capget */
ds_written ds_written_cloned;       /* clone */
ds_written ds_written_dropped;      /* madvise */
ds_written ds_written_futex;
ds_written ds_written_message_queue; /* msgctl */
ds_written ds_written_other_process; /* process_vm_writev */
ds_written ds_written_waited;        /* waitid */

ds_written ds_written_entries, ds_written_entries64; /* getdents */
ds_written ds_written_extents;                       /* ioctl FS_IOC_FIEMAP */

/* A message that was received; there were `room` bytes for the name of its
   sender. */
void ds_written_message(const struct vki_msghdr *h, UInt room);

/* The first n bytes of what a list of parts describes. */
void ds_written_parts(const struct vki_iovec *part, SizeT n);

#endif
