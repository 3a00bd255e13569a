/*
 * ds_syscalls: where the core is wrong about what a system call writes.
 *
 * Its wrappers are made for a checker of addressable memory.  Some omit what a
 * program hardly reads (the length of an address, the rest of a timeout, pages
 * that were dropped); some announce the whole buffer, and not what was written
 * to it.
 *
 * Limits: only calls in the table are corrected.  Gaps in structures count as
 * written.  The word that the kernel clears when a thread ends
 * (CLONE_CHILD_CLEARTID) keeps its writer.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_SYSCALLS_H
#define DS_SYSCALLS_H

#include "pub_tool_basics.h"

/* Each call of a thread begins and ends with these; `args` has all six. */
void ds_syscalls_begin(ThreadId tid, UInt number, const UWord *args);
void ds_syscalls_end(ThreadId tid, UInt number, const UWord *args,
                     SysRes result);

/* The core says that the thread's current call has written to `a`.  True if
   ds_syscalls_end corrects that. */
Bool ds_syscalls_overrides(ThreadId tid, Addr a);

#endif
