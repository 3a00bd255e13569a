/*
 * ds_faults: maps shadow memory at its first access (ds_reserve).
 *
 * The first access to a slab faults, in translated code or in the tool.  The
 * handler of SIGSEGV maps the slab, and the access is repeated; any other fault
 * goes to the core's handler.  When the core replaces its handler, it checks
 * that the old one is in place, so it is put back for that call.
 *
 * Limits: nothing may use closed shadow memory while the core has its handler.
 * ds_shadow_clear, which the core's own calls lead to, never does.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "core/internal.h"

#include "base/ds_memory.h"

typedef void handler(Int signal, vki_siginfo_t *info, void *context);

static vki_sigaction_toK_t of_core; /* while ours is in its place */

/* A fault that the kernel reports, and not kill, has a positive code. */
static void fault(Int signal, vki_siginfo_t *info, void *context)
{
    if (info->si_code > 0 &&
        ds_reserve_open((Addr)info->_sifields._sigfault._addr))
        return;
    ((handler *)(Addr)of_core.ksa_handler)(signal, info, context);
}

static void set_action(const vki_sigaction_toK_t *action,
                       vki_sigaction_fromK_t *old)
{
    Word error = ds_valgrind_system_call(__NR_rt_sigaction, VKI_SIGSEGV,
                                         (Word)(Addr)action, (Word)(Addr)old,
                                         sizeof old->sa_mask, 0, 0);

    tl_assert(error == 0);
}

static Bool is_ours(const vki_sigaction_fromK_t *action)
{
    return (Addr)action->ksa_handler == (Addr)fault;
}

void ds_faults_catch(void)
{
    vki_sigaction_toK_t action;

    set_action(NULL, &action);
    if (is_ours(&action))
        return;
    tl_assert((Addr)action.ksa_handler > 1); /* neither default nor ignored */
    of_core = action;
    action.ksa_handler = (__vki_sighandler_t)(Addr)fault;
    set_action(&action, NULL);
}

void ds_faults_release(void)
{
    vki_sigaction_fromK_t action;

    set_action(NULL, &action);
    if (is_ours(&action))
        set_action(&of_core, NULL);
}
