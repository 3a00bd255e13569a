/*
 * ds_limits: a program that limits its own address space has it to itself.
 *
 * Shadow memory reserves far more addresses than a program would limit itself
 * to (RLIMIT_AS).  So the kernel gets a limit that is higher by the reserve,
 * and the program is told of the one that it has set.  Another program that
 * takes its place gets that limit, too.
 *
 * Limits: a limit that is not in memory that can be written to reaches the
 * kernel as it is.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_LIMITS_H
#define DS_LIMITS_H

#include "pub_tool_basics.h"

/* Before and behind each system call. */
void ds_limits_begin(UInt number, const UWord *args);
void ds_limits_end(UInt number, const UWord *args, SysRes result);

/* Another program is about to take this one's place; it did not. */
void ds_limits_exec(void);
void ds_limits_resume(void);

#endif
