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

#include "core/ds_written.h"
#include "count/ds_shadow.h"

#define ARGS 6

/* What a call writes, if it succeeds, where its argument points. */
enum extent {
    NONE,
    BYTES,  /* as many bytes as `n` */
    RESULT, /* as many as it returned, and not more than argument `n` says */
    BITS,   /* a set of file descriptors, up to that in argument 1 */
    TIMEOUT /* the rest of it, unless it was zero; if interrupted, too */
};

static const struct rule {
    UInt number;
    struct {
        UInt arg; /* from 1; 0: no argument */
        enum extent extent;
        UWord n;
        Bool instead; /* of what the core says */
    } write[4];
    ds_written *act;
} rules[] = {
    {__NR_accept, {{3, BYTES, 4, False}}, NULL},
    {__NR_accept4, {{3, BYTES, 4, False}}, NULL},
    {__NR_capget, {{0}}, ds_written_capabilities},
    {__NR_clone, {{3, NONE, 0, True}, {4, NONE, 0, True}}, ds_written_cloned},
    {__NR_copy_file_range, {{2, BYTES, 8, False}, {4, BYTES, 8, False}}, NULL},
    {__NR_futex, {{1, NONE, 0, True}}, ds_written_futex},
    {__NR_getpeername, {{3, BYTES, 4, False}}, NULL},
    {__NR_getsockname, {{3, BYTES, 4, False}}, NULL},
    {__NR_getsockopt, {{5, BYTES, 4, False}}, NULL},
    {__NR_madvise, {{0}}, ds_written_dropped},
    {__NR_msgctl, {{0}}, ds_written_message_queue},
    {__NR_ppoll, {{3, TIMEOUT, 0, False}}, NULL},
    {__NR_process_vm_writev, {{0}}, ds_written_other_process},
    {__NR_pselect6,
     {{2, BITS, 0, False},
      {3, BITS, 0, False},
      {4, BITS, 0, False},
      {5, TIMEOUT, 0, False}},
     NULL},
    {__NR_recvfrom, {{2, RESULT, 3, True}, {6, BYTES, 4, False}}, NULL},
    {__NR_recvmmsg, {{0}}, ds_written_messages},
    {__NR_recvmsg, {{0}}, ds_written_message},
    {__NR_sched_getaffinity, {{3, RESULT, 2, True}}, NULL},
    {__NR_select,
     {{2, BITS, 0, False},
      {3, BITS, 0, False},
      {4, BITS, 0, False},
      {5, TIMEOUT, 0, False}},
     NULL},
    {__NR_splice, {{2, BYTES, 8, False}, {4, BYTES, 8, False}}, NULL},
    {__NR_waitid, {{3, NONE, 0, True}}, ds_written_waited},
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
