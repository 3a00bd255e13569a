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
 * ds_limits lets a program limit its own address space (RLIMIT_AS) without
 * limiting shadow memory.
 *
 * Shadow memory reserves far more addresses than such a program allows itself.
 * So the kernel gets a limit that is higher by the reserve, and the program is
 * told the one that it has set.  A program that replaces it by execve gets that
 * one, too.
 *
 * Limits: a limit in memory that cannot be written reaches the kernel
 * unchanged.
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

/* Before and after each system call. */
void ds_limits_begin(UInt number, const UWord *args);
void ds_limits_end(UInt number, const UWord *args, SysRes result);

/* Before an execve, and after one that failed. */
void ds_limits_exec(void);
void ds_limits_resume(void);

#endif
