/*
 * ds_functions: is one of the functions of --fn on the running thread's stack?
 *
 * A thread enters a function that matches at its first instruction.  It is
 * inside until its stack pointer rises above where it was then, which is
 * noticed at the next jump.  Where a return leaves the stack pointer as it was,
 * the thread is outside at the return address, too.  So the functions that it
 * calls count, recursion is within the outermost call, and a return, a longjmp
 * and an exception all leave it.  A function that it tail-calls counts as well,
 * because the call from outside has not returned.
 *
 * A signal handler belongs to what it interrupts, on an alternate signal stack
 * as well.  A new thread begins outside; the child of a fork goes on as its
 * parent.
 *
 * A pattern is compared with each symbol of a function, with its name as
 * Valgrind prints it, and with its name as covcheck does, which shortens it by
 * "...". The two differ for Rust: covcheck takes symbols of Rust's old scheme
 * for those of C++, and so ends their names with a hash.
 *
 * A symbol without a size, as a label of assembly code has, is a function
 * unless it lies inside of one that has a size.
 *
 * Limits: a stripped function has no name, and an inlined one is not entered.
 * A program that switches stacks itself (swapcontext) seems to enter a caller
 * or a callee, whichever the addresses suggest.  On AArch64 a longjmp out of a
 * function to the one that called it counts as a return only when the latter
 * returns.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "record/ds_record.h"

#include "base/ds_options.h"
#include "text.h"

#define OUTSIDE ((struct ds_stack){0, ~(Addr)0, 0})

Bool ds_functions_limit;
struct ds_stack ds_functions_stack;

static struct ds_stack *stacks; /* by thread */
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
    ds_record_confine(False);
}

/* Compares the names in a symbol like _ZN3std2io17h0123456789abcdefE, joined by
   "::".  False if it is of another form. */
static Bool is_joined(const HChar *symbol, const HChar *shape)
{
    HChar *names = VG_(malloc)("ds.functions", 2 * VG_(strlen)(symbol));
    const HChar *from = symbol + 3;
    SizeT at = 0;
    Bool is;

    while (*from >= '1' && *from <= '9') {
        HChar *name;
        SizeT n = (SizeT)VG_(strtoll10)(from, &name);

        if (n > VG_(strlen)(name))
            break;
        VG_(memcpy)(names + at, "::", 2);
        VG_(memcpy)(names + at + 2, name, n);
        at += n + 2;
        from = name + n;
    }
    names[at] = '\0';
    is =
        at > 0 && VG_(strcmp)(from, "E") == 0 && text_matches(names + 2, shape);
    VG_(free)(names);
    return is;
}

static Bool is_named(const HChar *symbol, const HChar *shape)
{
    return text_matches(symbol, shape) ||
           text_matches(ds_valgrind_demangle(symbol), shape) ||
           (VG_(strncmp)(symbol, "_ZN", 3) == 0 && is_joined(symbol, shape));
}

static Bool is_any_named(struct ds_names names, const HChar *shape)
{
    Bool is = names.first != NULL && is_named(names.first, shape);

    for (; !is && names.others != NULL && *names.others != NULL; names.others++)
        is = is_named(*names.others, shape);
    return is;
}

/* Is it a symbol without a size, which is no label inside of a function? */
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
    struct ds_names names;
    Bool is = False;

    if (!ds_functions_limit)
        return NULL;
    names = ds_valgrind_names(address);
    for (; !is && *i < ds_options.functions.n; ++*i)
        is = is_any_named(names, shapes[*i]) ||
             is_label_named(range, address, names, shapes[*i]);
    return is ? &ds_options.functions.pattern[*i - 1] : NULL;
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
    ds_functions_enter_from(sp, pattern, 0);
}

void ds_functions_enter_from(Addr sp, struct ds_pattern *pattern, Addr back)
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
