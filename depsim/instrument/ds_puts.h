/*
 * ds_puts: drops register writes that nothing can see.
 *
 * VEX is told to keep all registers up to date at each instruction, because
 * otherwise it deletes loads before a tool sees them.  Once they have been
 * seen, most of these writes are of no use: another write to the same register
 * follows in the superblock, and nothing reads it in between.
 *
 * All registers stay up to date at exits.  At a memory access, which may fault,
 * it depends: a handler may look at them, and restart the instruction.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_PUTS_H
#define DS_PUTS_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

/* Replaces the useless writes of a superblock by no-ops.  With keep_sp the
   stack pointer is up to date at each instruction.  With `precise` all
   registers are at what may fault, and otherwise the instruction pointer and
   those that a stack trace needs. */
void ds_puts_drop(IRSB *sb, const VexGuestLayout *layout, Bool keep_sp,
                  Bool precise);

#endif
