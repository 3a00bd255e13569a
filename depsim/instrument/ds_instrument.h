/*
 * ds_instrument: adds to each superblock what depsim has to know of it: the
 * memory accesses, the timestamps, and the executions of its segments.
 *
 * The count of executed instructions is advanced at every exit, by a number
 * known when the code is translated; an access's timestamp is the count at
 * the superblock's start plus its instruction's place.
 *
 * An instruction that faults leaves its superblock in the middle; the counts
 * are put right when the signal is delivered, or when the program has ended.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_INSTRUMENT_H
#define DS_INSTRUMENT_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

/* The program will handle faults: from now on its handlers see all registers.
   To be called before a system call. */
void ds_instrument_be_precise(void);

/* The instruction at a run-time address has faulted, and has not been
   executed: corrects the counts that its segment made in advance.  Only for a
   fault in translated code, before the thread goes on elsewhere. */
void ds_instrument_fault(Addr address);

/* As VG_(basic_tool_funcs) wants it. */
IRSB *ds_instrument(VgCallbackClosure *closure, IRSB *in,
                    const VexGuestLayout *layout,
                    const VexGuestExtents *extents, const VexArchInfo *host,
                    IRType guest_word, IRType host_word);

#endif
