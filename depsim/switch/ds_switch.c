/*
 * While recording is off, writers are still followed, but no dependency and no
 * execution of a segment is counted.  Recording is on if --record-from-start, a
 * client request or the monitor turned it on, and a function of --fn is on the
 * stack.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "switch/ds_switch.h"

#include "count/ds_access.h"
#include "count/ds_clock.h"
#include "count/ds_deps.h"
#include "count/ds_trace.h"
#include "depsim.h"
#include "funcname.h"
#include "text.h"
#include "window/ds_window.h"

static Bool is_asked, is_within = True; /* in a function of --fn, or no --fn */
static Bool is_on;                      /* is_asked and is_within */

void ds_switch_settle(void)
{
    ds_expect_settle_all();
    ds_segments_settle();
    if (!is_on)
        ds_segments_rollback();
}

/* Turns recording on or off, if it is to change. */
static void change(void)
{
    Bool on = is_asked && is_within;

    tl_assert(is_within || ds_functions_limit);
    if (on == is_on)
        return;
    ds_trace_record();
    if (on)
        ds_segments_rollback();
    else
        ds_segments_keep(True);
    ds_expect_forget_all();
    ds_deps_record(on);
    ds_alias_record(on);
    ds_clock_record(on);
    ds_window_record(on);
    is_on = on;
}

void ds_switch_set(Bool on)
{
    is_asked = on;
    change();
}

const HChar *ds_switch_state(void)
{
    return !is_asked ? "stopped" : !is_within ? "outside --fn" : "on";
}

Bool ds_switch_request(ThreadId tid, UWord *args, UWord *result)
{
    (void)tid;
    if (args[0] != VG_USERREQ__DEPSIM_START &&
        args[0] != VG_USERREQ__DEPSIM_STOP)
        return False;
    ds_switch_set(args[0] == VG_USERREQ__DEPSIM_START);
    *result = 0;
    return True;
}

/* Is one of the functions of --fn on the running thread's stack?

   A thread enters a function that matches at its first instruction.  It is
   inside until its stack pointer rises above where it was then, which is
   noticed at the next jump.  Where a return leaves the stack pointer as it was,
   the thread is outside at the return address, too.  So the functions that it
   calls count, recursion is within the outermost call, and a return, a longjmp
   and an exception all leave it.  A function that it tail-calls counts as well,
   because the call from outside has not returned.

   A signal handler belongs to what it interrupts, on an alternate signal stack
   as well.  A new thread begins outside; the child of a fork goes on as its
   parent.

   A pattern is compared with each symbol of a function, and with all forms of
   its name (funcname), which covcheck and depbound show shortened by "...".

   A symbol without a size, as a label of assembly code has, is a function
   unless it lies inside of one that has a size.

   Limits: a stripped function has no name, and an inlined one is not entered.
   A program that switches stacks itself (swapcontext) seems to enter a caller
   or a callee, whichever the addresses suggest.  On AArch64 a longjmp out of a
   function to the one that called it counts as a return only when the latter
   returns. */

#define OUTSIDE ((struct ds_stack){0, ~(Addr)0, 0})

Bool ds_functions_limit;
struct ds_stack ds_functions_stack;

static struct ds_stack *stacks; /* the stack of each thread */
static ThreadId running;

static Bool is_inside(void)
{
    return ds_functions_stack.span != OUTSIDE.span;
}

/* For each pattern of --fn, what is compared: "*" instead of "...". */
static const HChar **shapes;

static const HChar *shape_of(const HChar *pattern)
{
    HChar *shape = VG_(strdup)("ds.functions", pattern), *dots;

    while ((dots = VG_(strstr)(shape, "...")) != NULL) {
        *dots = '*';
        VG_(memmove)(dots + 1, dots + 3, VG_(strlen)(dots + 3) + 1);
    }
    return shape;
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
    shapes =
        VG_(malloc)("ds.functions", ds_options.functions.n * sizeof *shapes);
    for (UInt i = 0; i < ds_options.functions.n; i++)
        shapes[i] = shape_of(ds_options.functions.pattern[i].text);
    is_within = False;
    change();
}

/* The name of a symbol, which the caller frees. */
static HChar *name_of(const HChar *symbol, Bool *was_mangled)
{
    HChar *name = VG_(strdup)("ds.functions", ds_valgrind_demangle(symbol));

    *was_mangled = VG_(strcmp)(name, symbol) != 0 || funcname_fortran(name);
    return name;
}

/* Does a symbol, or one of the forms of its name, match? */
static Bool is_named(const HChar *symbol, const HChar *shape)
{
    Bool was_mangled, is = text_matches(symbol, shape);
    HChar *name = name_of(symbol, &was_mangled);

    for (UInt form = FUNCNAME_WHOLE; form < FUNCNAME_FORMS && !is; form++) {
        funcname_reduce(name, form, was_mangled);
        is = text_matches(name, shape);
    }
    VG_(free)(name);
    return is;
}

static Bool is_any_named(struct ds_names names, const HChar *shape)
{
    Bool is = names.first != NULL && is_named(names.first, shape);

    for (; !is && names.others != NULL && *names.others != NULL; names.others++)
        is = is_named(*names.others, shape);
    return is;
}

/* Does a symbol without a size match that is no label inside of a function? */
static Bool is_label_named(struct ds_range range, Addr a, struct ds_names names,
                           const HChar *shape)
{
    const struct ds_elf *elf = &ds_objects_get(range.object)->elf;
    const HChar *name;
    Bool is = False;

    for (UInt i = 0;
         !is && (name = ds_elf_label(elf, a - range.bias, i)) != NULL; i++)
        is = is_named(name, shape);
    return is && (names.first != NULL || !ds_valgrind_is_in_function(a));
}

struct ds_pattern *ds_functions_match(struct ds_range range, Addr address,
                                      UInt *i)
{
    Bool is = False;

    if (!ds_functions_limit)
        return NULL;
    struct ds_names names = ds_valgrind_names(address);
    for (; !is && *i < ds_options.functions.n; ++*i)
        is = is_any_named(names, shapes[*i]) ||
             is_label_named(range, address, names, shapes[*i]);
    return is ? &ds_options.functions.pattern[*i - 1] : NULL;
}

static void set(struct ds_stack stack)
{
    tl_assert(ds_functions_limit && running < VG_N_THREADS);
    ds_functions_stack = stacks[running] = stack;
    is_within = is_inside();
    change();
}

/* The alternate signal stack of the running thread, if `sp` lies on it. */
static Bool is_alternate(Addr sp, Addr *low)
{
    *low = VG_(thread_get_altstack_min)(running);
    return sp - *low < VG_(thread_get_altstack_size)(running);
}

void ds_functions_enter(Addr sp, struct ds_pattern *pattern, Addr back)
{
    Addr low;

    pattern->has_matched = True;
    if (is_inside())
        return;
    if (!is_alternate(sp, &low))
        low = 0;
    tl_assert(sp >= low);
    set((struct ds_stack){low, sp - low, back});
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
    if (ds_functions_limit)
        stacks[tid] = OUTSIDE;
}

void ds_functions_resume(ThreadId tid)
{
    if (!ds_functions_limit)
        return;
    running = tid;
    set(stacks[tid]);
}

/* What is looked for among all symbols: one that matches, and the name that is
   nearest to the pattern. */
struct search {
    const HChar *text, *shape;
    Bool is_found;
    HChar *nearest; /* the nearest name; NULL: there are no names */
    UInt distance;
};

static void look_at(void *argument, const HChar *symbol)
{
    struct search *s = argument;
    Bool was_mangled;

    s->is_found = s->is_found || is_named(symbol, s->shape);
    if (s->is_found)
        return;
    HChar *name = name_of(symbol, &was_mangled);
    for (UInt form = FUNCNAME_NO_CLONE; form < FUNCNAME_FORMS; form++)
        funcname_reduce(name, form, was_mangled);
    UInt distance = text_distance(name, s->text);
    if (s->nearest != NULL && s->distance <= distance) {
        VG_(free)(name);
        return;
    }
    VG_(free)(s->nearest);
    s->nearest = name;
    s->distance = distance;
}

/* Searches all functions that are loaded, and all symbols without a size. */
static void look(struct search *s)
{
    ds_valgrind_each_function(look_at, s);
    for (UInt i = 0; i < ds_objects_number(); i++) {
        const struct ds_elf *elf = &ds_objects_get(i)->elf;

        for (SizeT l = 0; l < elf->n_labels; l++)
            look_at(s, elf->label[l].name);
    }
}

/* Names the nearest symbol, unless the pattern has wildcards. */
void ds_functions_complain(void)
{
    for (UInt i = 0; i < ds_options.functions.n; i++) {
        struct search s = {.text = ds_options.functions.pattern[i].text,
                           .shape = shapes[i]};

        if (ds_options.functions.pattern[i].has_matched)
            continue;
        look(&s);
        if (s.is_found || s.nearest == NULL ||
            VG_(strpbrk)(s.text, "*?") != NULL)
            ds_message("--fn=%s: no such function was entered", s.text);
        else
            ds_message("--fn=%s: no symbol has this name; the nearest is %s",
                       s.text, s.nearest);
        VG_(free)(s.nearest);
    }
}
