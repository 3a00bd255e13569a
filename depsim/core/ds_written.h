/*
 * ds_written: what a system call wrote, for the calls that a line of
 * ds_syscalls' table cannot describe.  Private to core/.
 *
 * Each function is told the arguments of a call that succeeded, and its result,
 * and has shadow memory forget the bytes that the kernel wrote.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_WRITTEN_H
#define DS_WRITTEN_H

#include "pub_tool_basics.h"
#include "pub_tool_vki.h"

typedef void ds_written(const UWord *args, SysRes result);

ds_written ds_written_capabilities; /* capget */
ds_written ds_written_cloned;       /* clone */
ds_written ds_written_dropped;      /* madvise */
ds_written ds_written_futex;
ds_written ds_written_message;       /* recvmsg */
ds_written ds_written_messages;      /* recvmmsg */
ds_written ds_written_message_queue; /* msgctl */
ds_written ds_written_other_process; /* process_vm_writev */
ds_written ds_written_waited;        /* waitid */

ds_written ds_written_entries, ds_written_entries64; /* getdents */
ds_written ds_written_extents;                       /* ioctl FS_IOC_FIEMAP */

/* The first n bytes of what a list of parts describes. */
void ds_written_parts(const struct vki_iovec *part, SizeT n);

#endif
