/*
 * ds_instrument: adds to each superblock statements that record its memory
 * accesses, their times, and the executions of its segments, and the checks for
 * --fn.
 *
 * The clock (ds_clock) is advanced at every exit, by a number known when the
 * code is translated; an access's time is that at the superblock's start plus
 * its instruction's place.
 *
 * An instruction that faults leaves its superblock in the middle; the counts
 * are corrected when the signal is delivered, or when the program has ended.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_INSTRUMENT_H
#define DS_INSTRUMENT_H

#include "base/ds_valgrind.h"

/* Call it when the program is about to handle faults, before a system call:
   from now on its handlers see the precise values of all registers. */
void ds_instrument_be_precise(void);

/* Call it in a system call, when the program has memory from DS_LINEAR_END on:
   from now on each access tests its address. */
void ds_instrument_be_careful(void);

/* The instruction at a run-time address has faulted, and was not executed:
   corrects what its segment counted in advance.  Only for a fault in translated
   code, before the thread goes on elsewhere. */
void ds_instrument_fault(Addr address);

/* Call it when a thread has left translated code and would continue at *ip.  If
   it left because its superblock is to be translated anew (ds_hot), discards
   the translation, sets *ip to the superblock's start, and returns True. */
Bool ds_hot_left(Addr *ip);

/* As VG_(basic_tool_funcs) wants it. */
IRSB *ds_instrument(VgCallbackClosure *closure, IRSB *in,
                    const VexGuestLayout *layout,
                    const VexGuestExtents *extents, const VexArchInfo *host,
                    IRType guest_word, IRType host_word);

#endif
