/*
 * ds_functions: is one of the functions of --fn on the running thread's stack?
 *
 * A function that matches is entered at its first instruction.  The thread is
 * inside until its stack pointer rises above where it was then, which is
 * noticed at the next jump: so the functions that it calls count, recursion is
 * within the outermost call, and a return, a longjmp and an exception leave it
 * alike.  A function that it ends with by a tail call still counts, because the
 * call from outside has not returned.
 *
 * A signal handler belongs to what it interrupts, on an alternate signal stack
 * as well.  A new thread begins outside; the child of a fork goes on as its
 * parent.
 *
 * Limits: the names are those of the symbol tables, as Valgrind prints them:
 * demangled, C++ with parameters, one name where a function has several.  A
 * stripped function has none, and one that was inlined is not entered.  A
 * program that switches stacks by itself (swapcontext) looks as if it went to
 * a caller or a callee, whichever the addresses suggest.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_FUNCTIONS_H
#define DS_FUNCTIONS_H

#include "pub_tool_basics.h"

#include "base/ds_patterns.h"

/* Once, before the program starts: reads the command line. */
void ds_functions_init(void);

/* Is there a --fn at all?  If not, the rest does nothing. */
extern Bool ds_functions_limit;

/* The running thread is inside, or outside, as long as its stack pointer lies
   in [low, low + span]; the largest span there is when it is outside. */
struct ds_stack {
    Addr low, span;
};
extern struct ds_stack ds_functions_stack;

/* Does a function that matches begin at a run-time address?  The name is looked
   for in O(log(symbols)), so ask when code is translated. */
Bool ds_functions_begins(Addr address);

/* The next pattern that it matches, from number *i on; *i is then the number
   after it.  NULL if there is none. */
struct ds_pattern *ds_functions_match(Addr address, UInt *i);

/* For translated code: the function that the pattern matched begins, and the
   stack pointer has left the stretch above.  Between segments. */
void ds_functions_enter(Addr sp, struct ds_pattern *pattern);
void ds_functions_leave(Addr sp);

/* A thread is new; a thread goes on. */
void ds_functions_start(ThreadId tid);
void ds_functions_resume(ThreadId tid);

/* Writes a line for each pattern by which no function was entered. */
void ds_functions_complain(void);

#endif
