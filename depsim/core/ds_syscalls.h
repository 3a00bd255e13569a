/* ds_syscalls: memory that system calls write, where the core is wrong. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/ds_valgrind.h"
#include "count/ds_shadow.h"
#include "window/ds_reuse.h"

/* A thread's system call begins, or ends; `args` has all six arguments. */
void ds_syscalls_begin(ThreadId tid, UInt number, const UWord *args);
void ds_syscalls_end(ThreadId tid, UInt number, const UWord *args,
                     SysRes result);

/* The core says that the thread's current call has written to `a`.  True if
   ds_syscalls_end corrects that. */
Bool ds_syscalls_overrides(ThreadId tid, Addr a);

/* The kernel has written n bytes: they have no writer, and are touched. */
static inline void ds_kernel_wrote(Addr a, SizeT n)
{
    ds_shadow_clear(a, n);
    ds_reuse_kernel_wrote(a, n);
}

/* They are no longer there, or are new. */
static inline void ds_kernel_remapped(Addr a, SizeT n)
{
    ds_shadow_clear(a, n);
    ds_reuse_forget(a, n);
}

static inline UWord at_most(UWord n, UWord limit)
{
    return n < limit ? n : limit;
}

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

/* Clears the writers of a message that was received; there were `room` bytes
   for the name of its sender. */
void ds_written_message(const struct vki_msghdr *h, UInt room);

/* Clears the writers of the first n bytes that a list of parts describes. */
void ds_written_parts(const struct vki_iovec *part, SizeT n);
