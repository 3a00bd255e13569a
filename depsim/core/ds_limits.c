/*
 * ds_limits: a program that limits its own address space does not limit shadow
 * memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "core/ds_core.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "count/ds_shadow.h"

#define SPACE    9 /* RLIMIT_AS */
#define INFINITE (~0UL)

static Bool is_set; /* by the program */
static struct vki_rlimit limit;

static Bool is_raised;            /* during a call */
static struct vki_rlimit *raised; /* where the program has put its limit */
static struct vki_rlimit original;

/* Where a call has a limit of this process's addresses that it sets, or NULL.
 */
static struct vki_rlimit *set_by(UInt number, const UWord *args)
{
    if (number == __NR_setrlimit && args[0] == SPACE)
        return (struct vki_rlimit *)args[1];
    if (number == __NR_prlimit64 && args[1] == SPACE &&
        (args[0] == 0 || (Int)args[0] == VG_(getpid)()))
        return (struct vki_rlimit *)args[2];
    return NULL;
}

/* The same for one that it gets. */
static struct vki_rlimit *got_by(UInt number, const UWord *args)
{
    if (number == __NR_getrlimit && args[0] == SPACE)
        return (struct vki_rlimit *)args[1];
    if (number == __NR_prlimit64 && args[1] == SPACE &&
        (args[0] == 0 || (Int)args[0] == VG_(getpid)()))
        return (struct vki_rlimit *)args[3];
    return NULL;
}

static Bool is_valid(const struct vki_rlimit *at, UInt permission)
{
    return VG_(am_is_valid_for_client)((Addr)at, sizeof *at, permission);
}

/* The reserve is on top, as far as the kernel allows. */
static ULong raise_to(ULong wanted, ULong most)
{
    ULong with_reserve = wanted + DS_SHADOW_RESERVE;

    if (wanted == INFINITE || with_reserve < wanted)
        return wanted;
    return with_reserve < most || wanted > most ? with_reserve : most;
}

static void add_reserve(struct vki_rlimit *l)
{
    struct vki_rlimit current = {INFINITE, INFINITE};

    VG_(getrlimit)(SPACE, &current);
    l->rlim_cur = raise_to(l->rlim_cur, current.rlim_max);
    l->rlim_max = raise_to(l->rlim_max, current.rlim_max);
}

void ds_limits_exec(void)
{
    if (is_set)
        VG_(setrlimit)(SPACE, &limit);
}

void ds_limits_resume(void)
{
    struct vki_rlimit l = limit;

    if (!is_set)
        return;
    add_reserve(&l);
    VG_(setrlimit)(SPACE, &l);
}

void ds_limits_begin(UInt number, const UWord *args)
{
    struct vki_rlimit *l = set_by(number, args);

    if (l == NULL || !is_valid(l, VKI_PROT_READ | VKI_PROT_WRITE) ||
        l->rlim_cur > l->rlim_max)
        return;
    raised = l;
    original = *l;
    is_raised = True;
    add_reserve(l);
}

void ds_limits_end(UInt number, const UWord *args, SysRes result)
{
    struct vki_rlimit *l = got_by(number, args), before = limit;
    Bool was_set = is_set;

    tl_assert(is_raised == (raised != NULL));
    if (is_raised) {
        *raised = original;
        raised = NULL;
        is_raised = False;
        if (!sr_isError(result)) {
            limit = original;
            is_set = True;
        }
    }
    if (l != NULL && was_set && !sr_isError(result) &&
        is_valid(l, VKI_PROT_WRITE))
        *l = before;
}
