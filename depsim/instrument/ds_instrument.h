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

#include "base/ds_arch.h"
#include "count/ds_access.h"
#include "count/ds_clock.h"
#include "count/ds_shadow.h"
#include "count/ds_deps.h"
#include "instrument/ds_ir.h"
#include "objects/ds_objects.h"
#include "window/ds_window.h"

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
   it left because its superblock is to be translated anew, discards
   the translation, sets *ip to the superblock's start, and returns True. */
Bool ds_instrument_left(Addr *ip);

/* As VG_(basic_tool_funcs) wants it. */
IRSB *ds_instrument(VgCallbackClosure *closure, IRSB *in,
                    const VexGuestLayout *layout,
                    const VexGuestExtents *extents, const VexArchInfo *host,
                    IRType guest_word, IRType host_word);

/* ds_fastpath: */

/* Is there a fast path for an access of n bytes that is always made? */
Bool ds_fastpath_has_load(SizeT n);
Bool ds_fastpath_has_store(SizeT n);

/* The unit of which a plain address is a multiple, in bytes. */
SizeT ds_fastpath_unit_of_load(SizeT n);
SizeT ds_fastpath_unit_of_store(SizeT n);

/* Adds statements that record a load, after the program's own load; they call
   the slow path (ds_access_missed) if it misses.  `arena` is what ds_ir_arena
   made for the superblock.  A load of a single byte is plain at any address
   below DS_LINEAR_END; one of two bytes never is.  With `counts` they count the
   load's executions. */
void ds_fastpath_load(IRSB *sb, IRExpr *arena, IRExpr *address,
                      struct ds_expect *load, Bool is_plain, Bool counts);

/* Adds statements that write a store's entry to shadow memory, or call
   ds_access_store if its address is not plain. */
void ds_fastpath_store(IRSB *sb, IRExpr *arena, IRExpr *address, SizeT n,
                       IRExpr *entry, Bool is_plain);

/* ds_code: instructions whose accesses VEX does not show as the processor makes
   them.  There is a file for each architecture. */

enum ds_code {
    DS_CODE_PLAIN,          /* none of the following */
    DS_CODE_IN_REGISTERS,   /* whatever VEX accesses, it accesses no memory */
    DS_CODE_GATHER,         /* loads with a mask that chooses the elements */
    DS_CODE_MASKED_STORE,   /* a store with a mask of bytes */
    DS_CODE_STORE_EXCLUSIVE /* VEX loads, but the instruction only stores */
};

/* Which is the instruction of these bytes? */
enum ds_code ds_code_of(const UChar *code, SizeT size);

/* The superblock with the loads that VEX does not translate although the
   processor makes them.  Their values are not used. */
IRSB *ds_code_complete(IRSB *sb);

/* ds_statement: */

/* An instruction of a superblock. */
struct ds_instruction {
    Addr address; /* run-time */
    UInt size;
    Bool is_sole;           /* of ds_passes */
    enum ds_code code;      /* what is special about it */
    struct ds_site *site;   /* made when it accesses memory */
    UInt n_loads, n_stores; /* so far */
};

/* A segment that is still growing. */
struct ds_open_segment {
    IRConst *counter; /* minus the offset in the arena of its counter; NULL: no
                         segment is open */
    IRConst *offset;  /* that offset itself (ds_arena) */
    Addr start, next; /* run-time; an instruction at `next` continues it */
    ULong n_before;   /* instructions of the superblock before it */
    UInt n;           /* its instructions, of these sizes */
    UChar sizes[DS_SEGMENT_MAX];
    UInt n_loads; /* those that are executed as often as it is */
    struct ds_expect *loads[DS_SEGMENT_MAX];
    struct ds_accesses accesses; /* so far */
};

/* A superblock that is being instrumented, on its way from in to out. */
struct ds_block {
    const IRSB *in;
    IRSB *out;
    const VgCallbackClosure *closure;
    UInt superblock;  /* its number */
    Bool is_hot;      /* worth the fast path of accesses */
    Bool is_recorded; /* the form that is executed in windows (ds_window) */
    Bool relies;      /* on the registers that ds_aligned finds */
    Bool is_to_check; /* those registers, at the start */
    Int ip;           /* offset of the instruction pointer */
    Int sp;           /* offset of the stack pointer */

    IRConst *way;     /* recorded: a pointer to its struct ds_way */
    IRExpr *arena;    /* of ds_ir_arena */
    Bool has_begun;   /* the first instruction was reached */
    ULong n_before;   /* instructions before the current one */
    ULong n_advanced; /* instructions by which the clock has been advanced */
    struct ds_instruction insn; /* the current one */
    struct ds_range range;      /* of its object */
    struct ds_open_segment open;
    struct ds_accesses *accesses; /* of the open segment, or the closed one */
};

/* Records the accesses of a statement of the current instruction.  Call it
   after adding the statement itself: a load or store that faults is not
   recorded. */
void ds_statement_add(struct ds_block *b, const IRStmt *st);

#endif
