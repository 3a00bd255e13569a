/* ds_written: what a system call wrote, for the calls that a line of
 * ds_syscalls' table cannot describe. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/ds_syscalls.h"

#include "base/ds_arch.h"
#include "base/ds_memory.h"

#define PAGE ((UWord)VKI_PAGE_SIZE)

/* Numbers of the kernel's that the SDK does not have. */
#define MADV_DONTNEED        4
#define MADV_REMOVE          9
#define MADV_DONTNEED_LOCKED 24
#define MSG_STAT             11
#define MSG_STAT_ANY         13
#define MSQID_DS_SIZE        120 /* bytes of struct msqid_ds */
#define CAPABILITY_VERSION_1 0x19980330u

/* The text of a file, which the caller frees; NULL if it cannot be read. */
static HChar *text_of(const HChar *path)
{
    Int fd = VG_(fd_open)(path, VKI_O_RDONLY, 0), n;
    HChar *text = NULL;
    SizeT room = 0, used = 0;

    if (fd < 0)
        return NULL;
    do {
        text = ds_memory_grow(text, &room, used + PAGE, 1);
        n = VG_(read)(fd, text + used, (Int)PAGE);
        used += n > 0 ? (SizeT)n : 0;
    } while (n > 0);
    text[used] = '\0';
    VG_(close)(fd);
    return text;
}

/* Visits the private pieces of a range by Valgrind's own list, which does not
   know shared mappings: memory without a file counts as private, and a mapped
   file as shared. */
static void each_anonymous(Addr a, SizeT n, void (*visit)(Addr a, SizeT n))
{
    Addr end = a + n;

    while (a < end) {
        const NSegment *segment = VG_(am_find_nsegment)(a);
        Addr next =
            segment != NULL && segment->end < end - 1 ? segment->end + 1 : end;

        if (segment == NULL)
            return;
        if (segment->kind == SkAnonC)
            visit(a, next - a);
        a = next;
    }
}

/* Calls `visit` with each part of the n bytes at `a` that is mapped privately,
   as the kernel lists the mappings, in lines "START-END rwxp ...", or rwxs if
   they are shared.  O(mappings of the process).  Uses Valgrind's list if the
   kernel does not show its own. */
static void each_private(Addr a, SizeT n, void (*visit)(Addr a, SizeT n))
{
    HChar *text = text_of("/proc/self/maps"), *at = text;

    if (text == NULL) {
        each_anonymous(a, n, visit);
        return;
    }
    for (; *at != '\0'; at = VG_(strchr)(at, '\n') + 1) {
        Addr start = VG_(strtoull16)(at, &at);
        Addr end = VG_(strtoull16)(at + 1, &at);
        Addr low = start > a ? start : a, high = end < a + n ? end : a + n;

        tl_assert(start < end && at[0] == ' ');
        if (at[4] == 'p' && low < high)
            visit(low, high - low);
    }
    VG_(free)(text);
}

/* madvise: private pages become zero, or the contents of their file.  Shared
   pages keep their bytes, unless they are removed. */
void ds_written_dropped(const UWord *args, SysRes result)
{
    SizeT n = (args[1] + PAGE - 1) & ~(PAGE - 1);

    (void)result;
    if (args[2] == MADV_REMOVE)
        ds_kernel_remapped(args[0], n);
    else if (args[2] == MADV_DONTNEED || args[2] == MADV_DONTNEED_LOCKED)
        each_private(args[0], n, ds_kernel_remapped);
}

/* futex: waiting and waking only read.  Operations that hand over a lock
   (..._PI) write it, and an operation on the second word writes that. */
void ds_written_futex(const UWord *args, SysRes result)
{
    (void)result;
    switch (args[1] &
            ~(UWord)(VKI_FUTEX_PRIVATE_FLAG | VKI_FUTEX_CLOCK_REALTIME)) {
    case VKI_FUTEX_LOCK_PI:
    case VKI_FUTEX_UNLOCK_PI:
    case VKI_FUTEX_TRYLOCK_PI:
        ds_kernel_wrote(args[0], 4);
        break;
    case VKI_FUTEX_WAKE_OP:
    case VKI_FUTEX_WAIT_REQUEUE_PI:
    case VKI_FUTEX_CMP_REQUEUE_PI:
        ds_kernel_wrote(args[4], 4);
        break;
    default:
        break;
    }
}

/* msgctl: the core's structure is of an older kernel. */
void ds_written_message_queue(const UWord *args, SysRes result)
{
    (void)result;
    if (args[1] == VKI_IPC_STAT || args[1] == MSG_STAT ||
        args[1] == MSG_STAT_ANY)
        ds_kernel_wrote(args[2], MSQID_DS_SIZE);
}

/* capget: from the second version on two sets of three words. */
void ds_written_capabilities(const UWord *args, SysRes result)
{
    const UInt *version = (const UInt *)args[0];

    (void)result;
    if (args[1] != 0)
        ds_kernel_wrote(args[1], *version == CAPABILITY_VERSION_1 ? 12 : 24);
}

void ds_written_parts(const struct vki_iovec *part, SizeT n)
{
    for (; n > 0; part++) {
        SizeT filled = at_most(part->iov_len, n);

        ds_kernel_wrote((Addr)part->iov_base, filled);
        n -= filled;
    }
}

/* process_vm_writev: the other process may be this one. */
void ds_written_other_process(const UWord *args, SysRes result)
{
    if ((Int)args[0] == VG_(getpid)())
        ds_written_parts((const struct vki_iovec *)args[3], sr_Res(result));
}

/* The kernel's struct linux_dirent64 and struct linux_dirent: two numbers of
   eight bytes, the length of the entry in two, for the first the type in one,
   and the name.  What aligns the next entry is not written; for the second,
   the type is the last byte. */
#define ENTRY_LENGTH 16

static void entry(Addr a, SizeT before_name)
{
    const HChar *name = (const HChar *)(a + before_name);

    tl_assert(before_name > ENTRY_LENGTH);
    ds_kernel_wrote(a, before_name + VG_(strlen)(name) + 1);
}

void ds_written_entries64(const UWord *args, SysRes result)
{
    for (Addr a = args[1], end = a + sr_Res(result); a < end;
         a += *(const UShort *)(a + ENTRY_LENGTH))
        entry(a, ENTRY_LENGTH + 3);
}

void ds_written_entries(const UWord *args, SysRes result)
{
    Addr next;

    for (Addr a = args[1], end = a + sr_Res(result); a < end; a = next) {
        next = a + *(const UShort *)(a + ENTRY_LENGTH);
        entry(a, ENTRY_LENGTH + 2);
        ds_kernel_wrote(next - 1, 1);
    }
}

/* FS_IOC_FIEMAP: a header of eight words, which the core handles, then the
   extents.  The kernel has put their number into the header's word 5. */
void ds_written_extents(const UWord *args, SysRes result)
{
    const UInt *header = (const UInt *)args[2];

    (void)result;
    if (header[6] > 0)
        ds_kernel_wrote(args[2] + 32, 56 * (SizeT)header[5]);
}

/* waitid: three numbers, a gap, and three more, in a siginfo_t. */
void ds_written_waited(const UWord *args, SysRes result)
{
    (void)result;
    if (args[2] == 0)
        return;
    ds_kernel_wrote(args[2], 12);
    ds_kernel_wrote(args[2] + 16, 12);
}

/* The kernel has set the lengths in a message's header. */
static void header(const struct vki_msghdr *h)
{
    if (h->msg_name != NULL)
        ds_kernel_wrote((Addr)&h->msg_namelen, sizeof h->msg_namelen);
    ds_kernel_wrote((Addr)&h->msg_controllen, sizeof h->msg_controllen);
}

/* The padding at the end of a control message is not written. */
static void control(Addr a, SizeT n)
{
    Addr end = a + n;

    while (a + sizeof(struct vki_cmsghdr) <= end) {
        const struct vki_cmsghdr *c = (const struct vki_cmsghdr *)a;

        ds_kernel_wrote(a, at_most(c->cmsg_len, end - a));
        a += (c->cmsg_len + sizeof(UWord) - 1) & ~(sizeof(UWord) - 1);
        if (c->cmsg_len == 0)
            break;
    }
}

/* A name that is longer than its room is cut; its length is told in full. */
void ds_written_message(const struct vki_msghdr *h, UInt room)
{
    header(h);
    if (h->msg_name != NULL)
        ds_kernel_wrote((Addr)h->msg_name, at_most((UInt)h->msg_namelen, room));
    if (h->msg_control != NULL)
        control((Addr)h->msg_control, h->msg_controllen);
}

/* Does sched_getattr clear the fields of the structure that the kernel does not
   know?  New kernels do; a call finds out. */
static Bool clears_attributes(void)
{
    static UChar tried[256];
    static Bool is_known, result;

    if (!is_known) {
        VG_(memset)(tried, 0xff, sizeof tried);
        result =
            ds_valgrind_system_call(__NR_sched_getattr, 0, (Word)(Addr)tried,
                                    sizeof tried, 0, 0, 0) == 0 &&
            tried[sizeof tried - 1] == 0;
        is_known = True;
    }
    return result;
}

/* sched_getattr: the structure begins with how much of it the kernel knows. */
void ds_written_attributes(const UWord *args, SysRes result)
{
    UWord known = *(const UInt *)args[1], room = (UInt)args[2];

    (void)result;
    ds_kernel_wrote(args[1], clears_attributes() ? room : at_most(known, room));
}

/* clone: a new process has a copy of its parent's memory, and each of the two
   gets its own word; a thread shares both.  The kernel clears the word of
   CLONE_CHILD_CLEARTID at the end only.  The core makes a copy for vfork, too.
 */
void ds_written_cloned(const UWord *args, SysRes result)
{
    Bool is_thread =
        (args[0] & (VKI_CLONE_VM | VKI_CLONE_VFORK)) == VKI_CLONE_VM;
    Bool is_child = sr_Res(result) == 0;

    if ((args[0] & VKI_CLONE_PARENT_SETTID) != 0 && !is_child)
        ds_kernel_wrote(args[2], 4);
    if ((args[0] & VKI_CLONE_CHILD_SETTID) != 0 && (is_thread || is_child))
        ds_kernel_wrote(args[DS_ARCH_CLONE_CHILD - 1], 4);
}
