/*
 * ds_functions: is one of the functions of --fn on the running thread's stack?
 *
 * A thread enters a function that matches at its first instruction.  It is
 * inside until its stack pointer rises above where it was then, which is
 * noticed at the next jump.  So the functions that it calls count, recursion is
 * within the outermost call, and a return, a longjmp and an exception all leave
 * it.  A function that it tail-calls counts as well, because the call from
 * outside has not returned.
 *
 * A signal handler belongs to what it interrupts, on an alternate signal stack
 * as well.  A new thread begins outside; the child of a fork goes on as its
 * parent.
 *
 * Limits: the names are those of the symbol tables, as Valgrind prints them:
 * demangled, C++ with parameters, one name where a function has several.  A
 * stripped function has none, and an inlined one is not entered.  A program
 * that switches stacks itself (swapcontext) seems to enter a caller or a
 * callee, whichever the addresses suggest.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "record/ds_record.h"

#include "pub_tool_debuginfo.h"
#include "pub_tool_seqmatch.h"

#include "base/ds_options.h"

#define OUTSIDE ((struct ds_stack){0, ~(Addr)0})

Bool ds_functions_limit;
struct ds_stack ds_functions_stack;

static struct ds_stack *stacks; /* by thread */
static ThreadId running;

static Bool is_inside(void)
{
    return ds_functions_stack.span != OUTSIDE.span;
}

void ds_functions_init(void)
{
    ds_functions_limit = ds_options.functions.n > 0;
    if (!ds_functions_limit)
        return;
    ds_functions_stack = OUTSIDE;
    stacks = VG_(malloc)("ds.functions", VG_N_THREADS * sizeof *stacks);
    for (ThreadId tid = 0; tid < VG_N_THREADS; tid++)
        stacks[tid] = OUTSIDE;
    ds_record_confine(False);
}

struct ds_pattern *ds_functions_match(Addr address, UInt *i)
{
    const HChar *name;

    if (!ds_functions_limit ||
        !VG_(get_fnname_if_entry)(VG_(current_DiEpoch)(), address, &name))
        return NULL;
    while (*i < ds_options.functions.n) {
        struct ds_pattern *pattern = &ds_options.functions.pattern[(*i)++];

        if (VG_(string_match)(pattern->text, name))
            return pattern;
    }
    return NULL;
}

static void set(struct ds_stack stack)
{
    tl_assert(ds_functions_limit && running < VG_N_THREADS);
    ds_functions_stack = stacks[running] = stack;
    ds_record_confine(is_inside());
}

/* The alternate signal stack of the running thread, if `sp` lies on it. */
static Bool is_alternate(Addr sp, Addr *low)
{
    *low = VG_(thread_get_altstack_min)(running);
    return sp - *low < VG_(thread_get_altstack_size)(running);
}

void ds_functions_enter(Addr sp, struct ds_pattern *pattern)
{
    Addr low;

    pattern->has_matched = True;
    if (is_inside())
        return;
    if (!is_alternate(sp, &low))
        low = 0;
    tl_assert(sp >= low);
    set((struct ds_stack){low, sp - low});
}

/* A handler on the alternate stack may have higher addresses than the function
   that it interrupted, which goes on afterwards. */
void ds_functions_leave(Addr sp)
{
    Addr low;

    tl_assert(is_inside());
    if (ds_functions_stack.low == 0 && is_alternate(sp, &low))
        return;
    set(OUTSIDE);
}

void ds_functions_start(ThreadId tid)
{
    if (!ds_functions_limit)
        return;
    stacks[tid] = OUTSIDE;
}

void ds_functions_resume(ThreadId tid)
{
    if (!ds_functions_limit)
        return;
    running = tid;
    set(stacks[tid]);
}

void ds_functions_complain(void)
{
    ds_patterns_complain(&ds_options.functions, "--fn",
                         "no such function was entered");
}
