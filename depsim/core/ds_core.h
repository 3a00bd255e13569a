/*
 * ds_core: what happens around a system call, where the core's own account of
 * it is not enough for a tool that follows each byte.  Private to core/.
 *
 * ds_syscalls knows where the core is wrong about what a system call writes.
 *
 * Its wrappers are made for a checker of addressable memory.  Some omit what a
 * program hardly reads (the length of an address, the rest of a timeout, pages
 * that were dropped); some announce the whole buffer, and not what was written
 * to it.
 *
 * Limits: only calls in the table are corrected.  What an io_uring writes has
 * no call that tells of it.  Gaps in structures count as written.  The word
 * that the kernel clears when a thread ends (CLONE_CHILD_CLEARTID) keeps its
 * writer.
 *
 * ds_faults opens shadow memory where it is used first (ds_reserve).
 *
 * The first access to a chunk faults, in translated code or in the tool.  The
 * handler of SIGSEGV opens the chunk, and the access is repeated; any other
 * fault goes to the core's handler.  The core checks that its own handler is in
 * place when it sets another, so it gets it back for that call.
 *
 * Limits: nothing may use closed shadow memory while the core has its handler.
 * ds_shadow_clear, which the core's own calls lead to, never does.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_CORE_H
#define DS_CORE_H

#include "pub_tool_basics.h"

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

#endif
