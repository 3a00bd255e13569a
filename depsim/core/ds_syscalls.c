/*
 * ds_syscalls: where the core is wrong about what a system call writes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "core/ds_core.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "count/ds_shadow.h"

#define ARGS 6
#define PAGE 4096

/* Numbers of the kernel's that the SDK does not have. */
#define MADV_DONTNEED        4
#define MADV_REMOVE          9
#define MADV_DONTNEED_LOCKED 24
#define MSG_STAT             11
#define MSG_STAT_ANY         13
#define MSQID_DS_SIZE        120 /* bytes */
#define CAPABILITY_VERSION_1 0x19980330u

/* What a call writes, if it succeeds, where its argument points. */
enum extent {
    NONE,
    BYTES,  /* as many bytes as `n` */
    RESULT, /* as many as it returned, and not more than argument `n` says */
    BITS,   /* a set of file descriptors, up to that in argument 1 */
    TIMEOUT /* the rest of it, unless it was zero; if interrupted, too */
};

typedef void action(const UWord *args, SysRes result);

static action dropped, futex, message_queue, capabilities, message, messages,
    other_process, waited;

static const struct rule {
    UInt number;
    struct {
        UInt arg; /* from 1; 0: no argument */
        enum extent extent;
        UWord n;
        Bool instead; /* of what the core says */
    } write[4];
    action *act;
} rules[] = {
    {__NR_accept, {{3, BYTES, 4, False}}, NULL},
    {__NR_accept4, {{3, BYTES, 4, False}}, NULL},
    {__NR_capget, {{0}}, capabilities},
    {__NR_copy_file_range, {{2, BYTES, 8, False}, {4, BYTES, 8, False}}, NULL},
    {__NR_futex, {{1, NONE, 0, True}}, futex},
    {__NR_getpeername, {{3, BYTES, 4, False}}, NULL},
    {__NR_getsockname, {{3, BYTES, 4, False}}, NULL},
    {__NR_getsockopt, {{5, BYTES, 4, False}}, NULL},
    {__NR_madvise, {{0}}, dropped},
    {__NR_msgctl, {{0}}, message_queue},
    {__NR_ppoll, {{3, TIMEOUT, 0, False}}, NULL},
    {__NR_process_vm_writev, {{0}}, other_process},
    {__NR_pselect6,
     {{2, BITS, 0, False},
      {3, BITS, 0, False},
      {4, BITS, 0, False},
      {5, TIMEOUT, 0, False}},
     NULL},
    {__NR_recvfrom, {{2, RESULT, 3, True}, {6, BYTES, 4, False}}, NULL},
    {__NR_recvmmsg, {{0}}, messages},
    {__NR_recvmsg, {{0}}, message},
    {__NR_sched_getaffinity, {{3, RESULT, 2, True}}, NULL},
    {__NR_select,
     {{2, BITS, 0, False},
      {3, BITS, 0, False},
      {4, BITS, 0, False},
      {5, TIMEOUT, 0, False}},
     NULL},
    {__NR_splice, {{2, BYTES, 8, False}, {4, BYTES, 8, False}}, NULL},
    {__NR_waitid, {{3, NONE, 0, True}}, waited},
};

#define WRITES (sizeof rules[0].write / sizeof rules[0].write[0])

/* A thread's current call. */
struct call {
    const struct rule *rule; /* NULL: none that is in the table */
    UWord args[ARGS];
    Bool has_timeout; /* and not zero */
};

static struct call *calls; /* by thread */

static const struct rule *rule_of(UInt number)
{
    for (SizeT i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (rules[i].number == number)
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

void ds_syscalls_begin(ThreadId tid, UInt number, const UWord *args)
{
    struct call *call;

    if (calls == NULL)
        calls = VG_(calloc)("ds.syscalls", VG_N_THREADS, sizeof *calls);
    tl_assert(tid < VG_N_THREADS);
    call = &calls[tid];
    call->rule = rule_of(number);
    if (call->rule == NULL)
        return;
    for (UInt i = 0; i < ARGS; i++)
        call->args[i] = args[i];
    for (UInt i = 0; i < WRITES; i++)
        if (call->rule->write[i].extent == TIMEOUT)
            call->has_timeout = is_timeout(args[call->rule->write[i].arg - 1]);
}

Bool ds_syscalls_overrides(ThreadId tid, Addr a)
{
    const struct call *call = &calls[tid];

    if (calls == NULL || call->rule == NULL)
        return False;
    for (UInt i = 0; i < WRITES; i++)
        if (call->rule->write[i].instead &&
            call->args[call->rule->write[i].arg - 1] == a)
            return True;
    return False;
}

static UWord at_most(UWord n, UWord limit)
{
    return n < limit ? n : limit;
}

/* How many bytes argument i of the rule got. */
static SizeT extent(const struct call *call, UInt i, SysRes result)
{
    UWord n = call->rule->write[i].n;

    tl_assert(call->rule->write[i].extent != RESULT || (n >= 1 && n <= ARGS));
    switch (call->rule->write[i].extent) {
    case BYTES:
        return sr_isError(result) ? 0 : n;
    case RESULT:
        return sr_isError(result) ? 0
                                  : at_most(sr_Res(result), call->args[n - 1]);
    case BITS:
        return sr_isError(result) ? 0 : (call->args[0] + 63) / 64 * 8;
    case TIMEOUT:
        return call->has_timeout &&
                       (!sr_isError(result) || sr_Err(result) == VKI_EINTR)
                   ? 16
                   : 0;
    default:
        return 0;
    }
}

void ds_syscalls_end(ThreadId tid, UInt number, const UWord *args,
                     SysRes result)
{
    struct call *call = &calls[tid];

    if (calls == NULL || call->rule == NULL || call->rule->number != number)
        return;
    for (UInt i = 0; i < WRITES && call->rule->write[i].arg != 0; i++) {
        Addr a = args[call->rule->write[i].arg - 1];

        if (a != 0)
            ds_shadow_clear(a, extent(call, i, result));
    }
    if (call->rule->act != NULL && !sr_isError(result))
        call->rule->act(args, result);
    call->rule = NULL;
}

/* A file that is read character by character. */
struct reader {
    Int fd;
    Int n, next;
    HChar buffer[4096];
};

/* The next character, or -1 at the end. */
static Int take(struct reader *r)
{
    if (r->next == r->n) {
        r->n = VG_(read)(r->fd, r->buffer, sizeof r->buffer);
        r->next = 0;
    }
    return r->n <= 0 ? -1 : r->buffer[r->next++];
}

/* A hexadecimal number; *after is the character behind it. */
static Addr take_address(struct reader *r, Int *after)
{
    Addr a = 0;

    while (VG_(isdigit)((HChar)(*after = take(r))) ||
           (*after >= 'a' && *after <= 'f'))
        a = a << 4 | (Addr)(*after <= '9' ? *after - '0' : *after - 'a' + 10);
    return a;
}

/* A line is "START-END rwxp ...", or rwxs if it is shared.  False at the end.
 */
static Bool take_line(struct reader *r, Addr *start, Addr *end, Bool *private)
{
    Int c;

    *start = take_address(r, &c);
    *end = c == '-' ? take_address(r, &c) : 0;
    for (Int i = 0; i < 4 && c != -1; i++)
        c = take(r);
    *private = c == 'p';
    while (c != '\n' && c != -1)
        c = take(r);
    return c == '\n';
}

/* Calls `visit` with each part of the n bytes at `a` that is mapped privately,
   as the kernel lists the mappings.  O(mappings of the process); none if the
   kernel does not tell. */
static void each_private(Addr a, SizeT n, void (*visit)(Addr a, SizeT n))
{
    struct reader r = {.fd = VG_(fd_open)("/proc/self/maps", VKI_O_RDONLY, 0)};
    Addr start, end;
    Bool private;

    if (r.fd < 0)
        return;
    while (take_line(&r, &start, &end, &private)) {
        Addr low = start > a ? start : a, high = end < a + n ? end : a + n;

        if (private && low < high)
            visit(low, high - low);
    }
    VG_(close)(r.fd);
}

/* madvise: private pages are as new, or as in their file.  Shared ones come
   back with the same bytes, unless they are removed. */
static void dropped(const UWord *args, SysRes result)
{
    SizeT n = (args[1] + PAGE - 1) & ~(UWord)(PAGE - 1);

    (void)result;
    if (args[2] == MADV_REMOVE)
        ds_shadow_clear(args[0], n);
    else if (args[2] == MADV_DONTNEED || args[2] == MADV_DONTNEED_LOCKED)
        each_private(args[0], n, ds_shadow_clear);
}

/* Waiting and waking only read.  What hands a lock over (..._PI) writes it, and
   so does an operation on the second word. */
static void futex(const UWord *args, SysRes result)
{
    (void)result;
    switch (args[1] &
            ~(UWord)(VKI_FUTEX_PRIVATE_FLAG | VKI_FUTEX_CLOCK_REALTIME)) {
    case VKI_FUTEX_LOCK_PI:
    case VKI_FUTEX_UNLOCK_PI:
    case VKI_FUTEX_TRYLOCK_PI:
        ds_shadow_clear(args[0], 4);
        break;
    case VKI_FUTEX_WAKE_OP:
    case VKI_FUTEX_WAIT_REQUEUE_PI:
    case VKI_FUTEX_CMP_REQUEUE_PI:
        ds_shadow_clear(args[4], 4);
        break;
    default:
        break;
    }
}

/* msgctl: the core's structure is of an older kernel. */
static void message_queue(const UWord *args, SysRes result)
{
    (void)result;
    if (args[1] == VKI_IPC_STAT || args[1] == MSG_STAT ||
        args[1] == MSG_STAT_ANY)
        ds_shadow_clear(args[2], MSQID_DS_SIZE);
}

/* capget: from the second version on two sets of three words. */
static void capabilities(const UWord *args, SysRes result)
{
    const UInt *version = (const UInt *)args[0];

    (void)result;
    if (args[1] != 0)
        ds_shadow_clear(args[1], *version == CAPABILITY_VERSION_1 ? 12 : 24);
}

/* process_vm_writev: the other process may be this one. */
static void other_process(const UWord *args, SysRes result)
{
    const struct vki_iovec *part = (const struct vki_iovec *)args[3];
    SizeT left = sr_Res(result);

    if ((Int)args[0] != VG_(getpid)())
        return;
    for (; left > 0; part++) {
        SizeT n = at_most(part->iov_len, left);

        ds_shadow_clear((Addr)part->iov_base, n);
        left -= n;
    }
}

/* waitid: three numbers, a gap, and three more, in a siginfo_t. */
static void waited(const UWord *args, SysRes result)
{
    (void)result;
    if (args[2] == 0)
        return;
    ds_shadow_clear(args[2], 12);
    ds_shadow_clear(args[2] + 16, 12);
}

/* The lengths in a message's header, as they were used. */
static void header(const struct vki_msghdr *h)
{
    if (h->msg_name != NULL)
        ds_shadow_clear((Addr)&h->msg_namelen, sizeof h->msg_namelen);
    ds_shadow_clear((Addr)&h->msg_controllen, sizeof h->msg_controllen);
}

static void message(const UWord *args, SysRes result)
{
    (void)result;
    header((const struct vki_msghdr *)args[1]);
}

static void messages(const UWord *args, SysRes result)
{
    const struct vki_mmsghdr *h = (const struct vki_mmsghdr *)args[1];

    for (UWord i = 0; i < sr_Res(result); i++)
        header(&h[i].msg_hdr);
}
