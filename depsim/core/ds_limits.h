/*
 * ds_limits: a program that limits its own address space (RLIMIT_AS) does not
 * limit shadow memory.
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
#ifndef DS_LIMITS_H
#define DS_LIMITS_H

#include "pub_tool_basics.h"

/* Before and after each system call. */
void ds_limits_begin(UInt number, const UWord *args);
void ds_limits_end(UInt number, const UWord *args, SysRes result);

/* Before an execve, and after one that failed. */
void ds_limits_exec(void);
void ds_limits_resume(void);

#endif
