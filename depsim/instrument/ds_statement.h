/*
 * ds_statement: adds the statements to a superblock that record the accesses of
 * a statement.
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

#endif
