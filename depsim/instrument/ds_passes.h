/*
 * ds_passes: what is known of a superblock, and dropped from it, before it is
 * instrumented.  Four passes, independent of each other.
 *
 * Register writes.  VEX is told to keep all registers up to date at each
 * instruction, because otherwise it deletes loads before a tool sees them.
 * Once they have been seen, most of these writes are useless: another write to
 * the same register follows in the superblock, and nothing reads it in between.
 * All registers stay up to date at exits.  At a memory access, which may fault,
 * they are kept up to date only if a handler may read them, or restart the
 * instruction.
 *
 * Vector writes (ds_vectors).  For an instruction that writes the lowest part
 * of a vector register and clears the rest, as movsd does, VEX writes the whole
 * as zero and then the part.  When the register is read, the processor has to
 * wait until both writes have left its store buffer, since neither has all
 * bytes.  That takes more than twenty cycles, most of the time of double
 * arithmetic under Valgrind.  This pass joins both into one write of the whole
 * register.
 *
 * Live temporaries.  VEX drops a load whose value is not used, and with it the
 * fault that the load may raise.  The caller can give such a value a use.
 *
 * Sole loads.  If one load is all in an instruction that can fail, the load
 * needs no counter of its own: it is executed as often as its segment.
 *
 * ds_unroll: makes several rounds of a loop into one superblock.
 *
 * Each superblock starts with the load of the arena's address, the test of
 * registers (ds_aligned), and the core's bookkeeping, which --tool=none has,
 * too.  In a short loop these take a good part of the time.  So a superblock
 * that leads to its own start is repeated a few times.  Each round is
 * instrumented as if it began the superblock again, with the clock up to date.
 * All rounds share counters and expected loads, so each load learns its kind
 * once.
 *
 * VEX can unroll, too, but only at a level at which it deletes loads; and its
 * rounds look like different instructions to a tool, each with counters of its
 * own.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_PASSES_H
#define DS_PASSES_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

/* Replaces the useless register writes of a superblock by no-ops.  With
   keep_sp the stack pointer is up to date at each instruction.  With `precise`
   all registers are up to date at what may fault; otherwise only the
   instruction pointer and those that a stack trace needs. */
void ds_passes_drop_puts(IRSB *sb, const VexGuestLayout *layout, Bool keep_sp,
                         Bool precise);

/* A copy of the superblock with vector writes joined; with `precise` only where
   no handler can see the difference. */
IRSB *ds_passes_join_puts(const IRSB *sb, Bool precise);

/* Finds the live temporaries of a superblock, in O(statements), and forgets
   those of the one before. */
void ds_passes_find_live(const IRSB *sb);

/* Does the value of a temporary reach a register, memory, an exit or a call? */
Bool ds_passes_is_live(IRTemp t);

/* Is the instruction whose mark is this statement a sole load?  If it ends
   early, then its load has not happened. */
Bool ds_passes_is_sole(const IRSB *sb, Int mark);

/* Is a superblock whose code is at this address a loop that can be repeated?
   It cannot if a statement must be at its start, or is of a rare kind. */
Bool ds_unroll_can(const IRSB *sb, Addr start);

/* Appends copies of the statements to such a superblock, with temporaries of
   their own: the temporary t of the first round is t + i * n in round i, where
   n is the number of temporaries before.  Returns how many statements a round
   has, in O(statements). */
UInt ds_unroll(IRSB *sb);

#endif
