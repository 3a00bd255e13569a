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
#ifndef DS_FUNCTIONS_H
#define DS_FUNCTIONS_H

#include "pub_tool_basics.h"

#include "base/ds_patterns.h"

/* Call it when the command line has been read. */
void ds_functions_init(void);

/* Is there a --fn option?  If not, the other functions do nothing. */
extern Bool ds_functions_limit;

/* The running thread stays inside, or outside, as long as its stack pointer
   lies in [low, low + span].  Outside, that is all addresses. */
struct ds_stack {
    Addr low, span;
};
extern struct ds_stack ds_functions_stack;

/* Does a function that matches begin at a run-time address?  O(log(symbols)):
   call it only when code is translated. */
Bool ds_functions_begins(Addr address);

/* The next pattern that it matches, from number *i on; sets *i to the number
   after it.  NULL: none. */
struct ds_pattern *ds_functions_match(Addr address, UInt *i);

/* Translated code calls these between segments: when the function that the
   pattern matched begins, and when the stack pointer has left the range
   above. */
void ds_functions_enter(Addr sp, struct ds_pattern *pattern);
void ds_functions_leave(Addr sp);

/* Notes that a thread is new, or is about to run. */
void ds_functions_start(ThreadId tid);
void ds_functions_resume(ThreadId tid);

/* Writes a line for each pattern by which no function was entered. */
void ds_functions_complain(void);

#endif
