/* ds_switch: recording, on and off, in the functions of --fn. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/ds_valgrind.h"

#include "base/ds_options.h"
#include "objects/ds_objects.h"

/* Turns recording on or off; it is off before the first call.  Call this only
   between segments, when all counts are complete; O(segments), at a change. */
void ds_switch_set(Bool on);

/* Is recording on, as the user is told: "on", "stopped" or "outside --fn". */
const HChar *ds_switch_state(void);

/* Brings the counts up to date before they are read.  Idempotent. */
void ds_switch_settle(void);

/* The callback for VG_(needs_client_requests): the requests of depsim.h. */
Bool ds_switch_request(ThreadId tid, UWord *args, UWord *result);

/* ds_functions: is one of the functions of --fn on the running thread's stack?
   Call it when the command line has been read. */
void ds_functions_init(void);

/* Is there a --fn option?  If not, the other functions do nothing. */
extern Bool ds_functions_limit;

/* The running thread stays inside, or outside, as long as its stack pointer
   lies in [low, low + span].  Outside, that is all addresses.  Where a call
   leaves the return address in a register, a return moves no stack pointer:
   then the thread is outside when it comes to `back` with the stack pointer at
   the end of the range. */
struct ds_stack {
    Addr low, span;
    Addr back; /* 0: there is no such address */
};
extern struct ds_stack ds_functions_stack;

/* The next pattern, from number *i on, that matches a function that begins at
   this run-time address, which lies in the range; sets *i to the number after
   it.  NULL: none.  O(log(symbols)): call it only when code is translated. */
struct ds_pattern *ds_functions_match(struct ds_range range, Addr address,
                                      UInt *i);

/* Translated code calls these between segments: when the function that the
   pattern matched begins (`back` is where it will return to, or 0 if that is on
   the stack), and when the thread is outside, as said above. */
void ds_functions_enter(Addr sp, struct ds_pattern *pattern, Addr back);
void ds_functions_leave(Addr sp);

/* Notes that a thread is new, or is about to run. */
void ds_functions_start(ThreadId tid);
void ds_functions_resume(ThreadId tid);

/* Writes a line for each pattern by which no function was entered. */
void ds_functions_complain(void);
