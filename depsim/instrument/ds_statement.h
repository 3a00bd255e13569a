/*
 * ds_statement: adds the statements to a superblock that record the accesses of
 * a statement.
 *
 * ds_masked: accesses with a mask that chooses the elements.
 *
 * Gathers.  VEX has no guarded load for them: it loads an element that the mask
 * leaves out as well, but from the stack pointer's address, and drops the
 * value.
 *
 * MASKMOVDQU and MASKMOVQ.  VEX has no store with a mask of bytes: it loads all
 * of them, puts the chosen ones in, and stores all.  The processor neither
 * loads nor stores the others.
 *
 * Limit: where VEX knew the mask when it translated the instruction, it is not
 * found, and the instruction counts as what VEX makes of it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_STATEMENT_H
#define DS_STATEMENT_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

#include "count/ds_expect.h"
#include "count/ds_segments.h"
#include "count/ds_sites.h"
#include "objects/ds_objects.h"

/* A superblock that is being instrumented, on its way from in to out. */
struct ds_block {
    const IRSB *in;
    IRSB *out;
    const VgCallbackClosure *closure;
    UInt superblock;       /* its number in ds_hot */
    Bool is_hot;           /* worth the fast path of accesses */
    Bool relies;           /* on the registers that ds_aligned finds */
    Bool is_to_check;      /* those registers, at the start */
    Int ip;                /* offset of the instruction pointer */
    Int spare;             /* offset of the tool's part of the guest state */
    Int sp;                /* offset of the stack pointer */
    struct ds_range range; /* of the instruction's object */

    /* The current instruction. */
    Addr address; /* run-time */
    UInt size;
    ULong n_before;         /* instructions of this superblock before it */
    Bool has_begun;         /* the first instruction was reached */
    struct ds_site *site;   /* made when it accesses memory */
    Bool is_sole;           /* of ds_passes */
    Bool is_in_registers;   /* whatever VEX accesses, it accesses no memory */
    UInt n_loads, n_stores; /* so far */

    IRExpr *arena;     /* of ds_ir_arena */
    ULong n_advanced;  /* instructions by which the clock has been advanced */
    IRConst *counter;  /* minus the offset in the arena of the open segment's
                          counter; NULL: no segment is open */
    IRConst *offset;   /* that offset itself (ds_arena) */
    Addr segment;      /* run-time start of the open segment */
    ULong n_outside;   /* instructions of the superblock before it */
    Addr segment_next; /* the address that continues it */
    UChar sizes[DS_SEGMENT_MAX]; /* of its instructions */
    UInt n_sizes;
    struct ds_expect *loads[DS_SEGMENT_MAX]; /* executed as often as it is */
    UInt n_alike;
    struct ds_accesses open;      /* of the open segment, so far */
    struct ds_accesses *accesses; /* these, or the closed segment's */
};

/* Records the accesses of a statement of the current instruction.  Call it
   after adding the statement itself: a load or store that faults is not
   recorded. */
void ds_statement_add(struct ds_block *b, const IRStmt *st);

/* Is the instruction of these bytes a gather? */
Bool ds_masked_is_gather(const UChar *code, SizeT size);

/* The condition under which a load of a gather happens, given the statements
   before it and the load's address.  NULL: it always does. */
IRExpr *ds_masked_gather_guard(const IRSB *sb, const IRExpr *address);

/* Is the instruction of these bytes a store with a mask of bytes? */
Bool ds_masked_is_store(const UChar *code, SizeT size);

/* The mask of such a store that is the last instruction in `sb`: 8 or 16 bytes,
   each 0 or 255.  NULL: not found. */
IRExpr *ds_masked_store_mask(const IRSB *sb);

#endif
