/*
 * ds_fault: did the program end in the middle of a superblock?
 *
 * A fault that ends the program is not announced to a tool, and a signal from
 * outside that ends it between two superblocks looks the same afterwards.  But
 * a segment is counted when it begins and its instructions when it is left:
 * unless the two sums agree, the last segment was not left.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_FAULT_H
#define DS_FAULT_H

#include "pub_tool_basics.h"

/* The executions of segments have been changed from outside, between two
   superblocks.  O(segments). */
void ds_fault_settle(void);

/* The program has ended with the instruction at this run-time address as its
   next: if a fault there was the reason, corrects the counts.  O(segments). */
void ds_fault_finish(Addr address);

#endif
