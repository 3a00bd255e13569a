/*
 * ds_syscalls: where the core is wrong about what a system call writes.
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
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "core/ds_syscalls.h"

#include "base/ds_arch.h"

#define ARGS     6
#define MESSAGES 1024 /* the most of one call; the kernel's UIO_MAXIOV */

/* Numbers of the kernel's that the SDK does not have. */
#define FIGETBSZ               2
#define FIOGETOWN              0x8903
#define FS_IOC_GETFLAGS        0x80086601
#define FS_IOC_GETVERSION      0x80087601
#define FS_IOC_FIEMAP          0xc020660b
#define TIOCGETD               0x5424
#define TIOCGSOFTCAR           0x5419
#define KEYCTL_GET_SECURITY    17
#define PR_GET_TSC             25
#define PR_GET_CHILD_SUBREAPER 37
#define PR_GET_TID_ADDRESS     40
#define SYSLOG_READ            2
#define SYSLOG_READ_ALL        3
#define SYSLOG_READ_CLEAR      4

/* What a call writes, if it succeeds, where its argument points. */
enum extent {
    NONE,
    BYTES,   /* `n` bytes */
    RESULT,  /* the number of bytes returned, at most argument `n` */
    NAME,    /* an address; the length of its room is at argument `n` */
    PARTS,   /* the listed parts of memory, up to the bytes returned */
    HEADERS, /* a message's header, or those of at most argument `n` messages,
                and what they point to: ds_written_message */
    BITS,    /* a set of file descriptors, up to that in argument 1 */
    TIMEOUT  /* the rest of a timeout that was not zero, also if the call is
                interrupted */
};

/* What a line of the table is for: a call, or one operation of a call that has
   many, which an argument (from 1) selects. */
#define CALL(name)                      __NR_##name, 0, 0
#define OPERATION(name, arg, operation) __NR_##name, arg, operation

/* Lines of the table for single requests of ioctl. */
#define IOCTL(request, n)                                         \
    {                                                             \
        OPERATION(ioctl, 2, request), {{3, BYTES, n, True}}, NULL \
    }
#define PRCTL(option, n)                                         \
    {                                                            \
        OPERATION(prctl, 1, option), {{2, BYTES, n, True}}, NULL \
    }

static const struct rule {
    UInt number;
    UInt which; /* the argument that selects the operation, or 0: none does */
    UInt operation;
    struct write {
        UInt arg; /* from 1; 0: no argument */
        enum extent extent;
        UWord n;
        Bool instead; /* the line replaces the core's own report */
    } write[4];
    ds_written *act;
} rules[] = {
    {CALL(accept), {{2, NAME, 3, True}, {3, BYTES, 4, False}}, NULL},
    {CALL(accept4), {{2, NAME, 3, True}, {3, BYTES, 4, False}}, NULL},
    {CALL(capget), {{0}}, ds_written_capabilities},
    {CALL(clone),
     {{3, NONE, 0, True}, {DS_ARCH_CLONE_CHILD, NONE, 0, True}},
     ds_written_cloned},
    {CALL(copy_file_range), {{2, BYTES, 8, False}, {4, BYTES, 8, False}}, NULL},
    {CALL(fgetxattr), {{3, RESULT, 4, True}}, NULL},
    {CALL(flistxattr), {{2, RESULT, 3, True}}, NULL},
    {CALL(futex), {{1, NONE, 0, True}}, ds_written_futex},
    {CALL(getdents), {{2, NONE, 0, True}}, ds_written_entries},
    {CALL(getdents64), {{2, NONE, 0, True}}, ds_written_entries64},
    {CALL(getpeername), {{2, NAME, 3, True}, {3, BYTES, 4, False}}, NULL},
    {CALL(getsockname), {{2, NAME, 3, True}, {3, BYTES, 4, False}}, NULL},
    {CALL(getsockopt), {{5, BYTES, 4, False}}, NULL},
    {CALL(getxattr), {{3, RESULT, 4, True}}, NULL},
    IOCTL(FIGETBSZ, 4),
    IOCTL(FIOGETOWN, 4),
    IOCTL(FS_IOC_GETFLAGS, 4),
    IOCTL(FS_IOC_GETVERSION, 4),
    IOCTL(TIOCGETD, 4),
    IOCTL(TIOCGSOFTCAR, 4),
    {OPERATION(ioctl, 2, FS_IOC_FIEMAP), {{0}}, ds_written_extents},
    {OPERATION(keyctl, 1, KEYCTL_GET_SECURITY), {{3, RESULT, 4, True}}, NULL},
    {CALL(lgetxattr), {{3, RESULT, 4, True}}, NULL},
    {CALL(listxattr), {{2, RESULT, 3, True}}, NULL},
    {CALL(llistxattr), {{2, RESULT, 3, True}}, NULL},
    {CALL(madvise), {{0}}, ds_written_dropped},
    {CALL(msgctl), {{0}}, ds_written_message_queue},
    {CALL(ppoll), {{3, TIMEOUT, 0, False}}, NULL},
    PRCTL(PR_GET_CHILD_SUBREAPER, 4),
    PRCTL(PR_GET_TID_ADDRESS, 8),
    PRCTL(PR_GET_TSC, 4),
    {CALL(process_vm_writev), {{0}}, ds_written_other_process},
    {CALL(pselect6),
     {{2, BITS, 0, False},
      {3, BITS, 0, False},
      {4, BITS, 0, False},
      {5, TIMEOUT, 0, False}},
     NULL},
    {CALL(recvfrom),
     {{2, RESULT, 3, True}, {5, NAME, 6, True}, {6, BYTES, 4, False}},
     NULL},
    {CALL(recvmmsg), {{2, HEADERS, 3, True}}, NULL},
    {CALL(recvmsg), {{2, HEADERS, 0, True}}, NULL},
    {CALL(sched_getaffinity), {{3, RESULT, 2, True}}, NULL},
    {CALL(sched_getattr), {{2, NONE, 0, True}}, ds_written_attributes},
    {CALL(select),
     {{2, BITS, 0, False},
      {3, BITS, 0, False},
      {4, BITS, 0, False},
      {5, TIMEOUT, 0, False}},
     NULL},
    {CALL(splice), {{2, BYTES, 8, False}, {4, BYTES, 8, False}}, NULL},
    {OPERATION(syslog, 1, SYSLOG_READ), {{2, RESULT, 3, True}}, NULL},
    {OPERATION(syslog, 1, SYSLOG_READ_ALL), {{2, RESULT, 3, True}}, NULL},
    {OPERATION(syslog, 1, SYSLOG_READ_CLEAR), {{2, RESULT, 3, True}}, NULL},
    {CALL(vmsplice), {{2, PARTS, 0, True}}, NULL},
    {CALL(waitid), {{3, NONE, 0, True}}, ds_written_waited},
};

#define WRITES (sizeof rules[0].write / sizeof rules[0].write[0])

/* A thread's current call. */
struct call {
    const struct rule *rule; /* NULL: the call is not in the table */
    UWord args[ARGS];
    Bool has_timeout; /* the call has a timeout other than zero */
    Bool has_parts;   /* the core says that some parts were written */
    UInt room;        /* for an address, in bytes */
    UInt n_messages;
    struct message {
        Addr name, control; /* where the name and control data go, or 0 */
        UInt room;          /* for the name, in bytes */
    } * messages;           /* room for MESSAGES; NULL until a call has some */
};

static struct call *calls; /* the current call of each thread */

static const struct rule *rule_of(UInt number, const UWord *args)
{
    for (SizeT i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (rules[i].number == number &&
            (rules[i].which == 0 ||
             (UInt)args[rules[i].which - 1] == rules[i].operation))
            return &rules[i];
    return NULL;
}

static Bool is_readable(Addr a, SizeT n)
{
    return VG_(am_is_valid_for_client)(a, n, VKI_PROT_READ);
}

/* A timeout is two words: seconds, and a fraction. */
static Bool is_timeout(Addr a)
{
    const UWord *time = (const UWord *)a;

    return a != 0 && is_readable(a, 2 * sizeof *time) &&
           (time[0] != 0 || time[1] != 0);
}

/* The address of a write of the rule, by the arguments at the call's start. */
static Addr place_of(const struct call *call, const struct write *w)
{
    tl_assert(w->arg >= 1 && w->arg <= ARGS);
    return call->args[w->arg - 1];
}

/* Message header number i of the array at `a`. */
static const struct vki_msghdr *header_at(const struct write *w, Addr a, UInt i)
{
    SizeT size =
        w->n == 0 ? sizeof(struct vki_msghdr) : sizeof(struct vki_mmsghdr);

    return (const struct vki_msghdr *)(a + i * size);
}

/* Notes where the messages of the call go.  The header holds the room for a
   name, and the call replaces it by the name's length. */
static void note_messages(struct call *call, const struct write *w)
{
    UWord most = w->n == 0 ? 1 : at_most((UInt)call->args[w->n - 1], MESSAGES);

    if (call->messages == NULL)
        call->messages = VG_(calloc)("ds.syscalls.messages", MESSAGES,
                                     sizeof *call->messages);
    call->n_messages = 0;
    while (call->n_messages < most) {
        const struct vki_msghdr *h =
            header_at(w, place_of(call, w), call->n_messages);

        if (!is_readable((Addr)h, sizeof *h))
            break;
        call->messages[call->n_messages++] = (struct message){
            (Addr)h->msg_name, (Addr)h->msg_control, (UInt)h->msg_namelen};
    }
}

/* Notes arguments that the call may change and ds_syscalls_end needs. */
static void note(struct call *call, const struct write *w)
{
    const UInt *length;

    switch (w->extent) {
    case TIMEOUT:
        call->has_timeout = is_timeout(place_of(call, w));
        break;
    case NAME:
        length = (const UInt *)call->args[w->n - 1];
        call->room = is_readable((Addr)length, sizeof *length) ? *length : 0;
        break;
    case HEADERS:
        note_messages(call, w);
        break;
    default:
        break;
    }
}

void ds_syscalls_begin(ThreadId tid, UInt number, const UWord *args)
{
    if (calls == NULL)
        calls = VG_(calloc)("ds.syscalls", VG_N_THREADS, sizeof *calls);
    tl_assert(tid < VG_N_THREADS);
    struct call *call = &calls[tid];
    call->rule = rule_of(number, args);
    if (call->rule == NULL)
        return;
    for (UInt i = 0; i < ARGS; i++)
        call->args[i] = args[i];
    call->has_parts = False;
    for (UInt i = 0; i < WRITES; i++)
        note(call, &call->rule->write[i]);
}

static Bool is_of_message(const struct call *call, Addr a)
{
    for (UInt i = 0; i < call->n_messages; i++)
        if (a == call->messages[i].name || a == call->messages[i].control)
            return True;
    return False;
}

/* Is `a` an address that the write is about? */
static Bool is_written_by(struct call *call, const struct write *w, Addr a)
{
    switch (w->extent) {
    case PARTS:
        call->has_parts = True;
        return True;
    case HEADERS:
        return is_of_message(call, a);
    default:
        return a == place_of(call, w);
    }
}

Bool ds_syscalls_overrides(ThreadId tid, Addr a)
{
    struct call *call = &calls[tid];

    tl_assert(tid < VG_N_THREADS);
    if (calls == NULL || call->rule == NULL)
        return False;
    for (UInt i = 0; i < WRITES; i++)
        if (call->rule->write[i].instead &&
            is_written_by(call, &call->rule->write[i], a))
            return True;
    return False;
}

/* How many bytes a successful call has written for a write of its rule. */
static SizeT extent(const struct call *call, const struct write *w,
                    SysRes result)
{
    switch (w->extent) {
    case BYTES:
        return w->n;
    case RESULT:
        tl_assert(w->n >= 1 && w->n <= ARGS);
        return at_most(sr_Res(result), call->args[w->n - 1]);
    case NAME:
        tl_assert(w->n >= 1 && w->n <= ARGS);
        return at_most(*(const UInt *)call->args[w->n - 1], call->room);
    case BITS:
        return (call->args[0] + 63) / 64 * 8;
    case TIMEOUT:
        return call->has_timeout ? 16 : 0;
    default:
        return 0;
    }
}

/* Clears the writers of the messages that the call received. */
static void messages_written(const struct call *call, const struct write *w,
                             Addr a, SysRes result)
{
    UWord n = w->n == 0 ? 1 : sr_Res(result);

    tl_assert(call->n_messages <= MESSAGES);
    for (UInt m = 0; m < at_most(n, call->n_messages); m++)
        ds_written_message(header_at(w, a, m), call->messages[m].room);
}

/* An interrupted call also writes, namely the rest of its timeout. */
static Bool is_effective(enum extent extent, SysRes result)
{
    return !sr_isError(result) ||
           (extent == TIMEOUT && sr_Err(result) == VKI_EINTR);
}

void ds_syscalls_end(ThreadId tid, UInt number, const UWord *args,
                     SysRes result)
{
    struct call *call = &calls[tid];

    tl_assert(tid < VG_N_THREADS);
    if (calls == NULL || call->rule == NULL || call->rule->number != number)
        return;
    for (UInt i = 0; i < WRITES && call->rule->write[i].arg != 0; i++) {
        const struct write *w = &call->rule->write[i];
        Addr a = args[w->arg - 1];

        if (a == 0 || !is_effective(w->extent, result))
            continue;
        ds_kernel_wrote(a, extent(call, w, result));
        if (w->extent == PARTS && call->has_parts)
            ds_written_parts((const void *)a, sr_Res(result));
        if (w->extent == HEADERS)
            messages_written(call, w, a, result);
    }
    if (call->rule->act != NULL && !sr_isError(result))
        call->rule->act(args, result);
    call->rule = NULL;
}
