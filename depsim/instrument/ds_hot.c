/*
 * ds_hot: which superblocks are executed often.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "instrument/ds_hot.h"

#include "pub_tool_guest.h"
#include "pub_tool_libcassert.h"

#include "base/ds_options.h"
#include "base/ds_table.h"
#include "count/ds_arena.h"
#include "instrument/ds_ir.h"

struct heat {
    struct ds_key key; /* where the superblock begins: before redirection,
                          and its code */
    ULong executions;  /* while it is not hot */
};

static struct ds_table table = {.allocate = ds_arena_new};

/* Executions.  Discarding a translation empties the core's cache of
   translations, which costs as much as some thousand calls: the default is of
   that order. */
static ULong hot_threshold(void)
{
    return (ULong)ds_options.inline_after;
}

static struct heat *obtain(const VgCallbackClosure *closure)
{
    struct heat *h;

    h = ds_table_obtain(&table,
                        (struct ds_key){{closure->nraddr, closure->readdr, 0}},
                        sizeof *h);
    return h;
}

UInt ds_hot_number(const VgCallbackClosure *closure)
{
    return (UInt)ds_arena_offset(obtain(closure)); /* 31 bits */
}

Bool ds_hot_is(const VgCallbackClosure *closure)
{
    return obtain(closure)->executions >= hot_threshold();
}

static void put(IRSB *sb, SizeT offset, ULong value)
{
    addStmtToIRSB(sb, IRStmt_Put((Int)offset, ds_ir_constant(value)));
}

/* The exit tells the core to discard translations of the first byte, and to
   continue with a new one.  It is taken once: if the core keeps this one, that
   one remains in use. */
void ds_hot_add(IRSB *sb, IRExpr *arena, const VgCallbackClosure *closure,
                Int offset_ip)
{
    const ULong *executions = &obtain(closure)->executions;
    IRExpr *n, *is_hot;

    tl_assert(*executions < hot_threshold());
    ds_ir_increment(sb, arena, executions);
    n = ds_ir_loaded(sb, ds_ir_field(sb, arena, executions));
    is_hot = ds_ir_binary(sb, Ity_I1, Iop_CmpEQ64, n,
                          ds_ir_constant(hot_threshold()));
    put(sb, offsetof(VexGuestAMD64State, guest_CMSTART), closure->readdr);
    put(sb, offsetof(VexGuestAMD64State, guest_CMLEN), 1);
    addStmtToIRSB(sb, IRStmt_Exit(is_hot, Ijk_InvalICache,
                                  IRConst_U64(closure->nraddr), offset_ip));
}
