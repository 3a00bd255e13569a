/*
 * ds_confine: adds to a superblock what --fn has to know of it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "instrument/ds_confine.h"

#include "record/ds_functions.h"
#include "instrument/ds_ir.h"

/* Whether the stack pointer lies in the stretch is one unsigned comparison. */
static void add_leave(IRSB *sb, IRExpr *sp)
{
    IRExpr *low = ds_ir_loaded(sb, ds_ir_pointer(&ds_functions_stack.low));
    IRExpr *span = ds_ir_loaded(sb, ds_ir_pointer(&ds_functions_stack.span));
    IRExpr *above = ds_ir_binary(sb, Ity_I64, Iop_Sub64, sp, low);
    IRExpr *has_left = ds_ir_binary(sb, Ity_I1, Iop_CmpLT64U, span, above);

    ds_ir_call(sb, "ds_functions_leave", ds_functions_leave, mkIRExprVec_1(sp),
               has_left);
}

void ds_confine_add(IRSB *sb, Int sp_offset, Addr address)
{
    struct ds_pattern *pattern;
    IRExpr *sp;
    UInt i = 0;

    if (!ds_functions_limit)
        return;
    sp = ds_ir_assign(sb, Ity_I64, IRExpr_Get(sp_offset, Ity_I64));
    add_leave(sb, sp);
    while ((pattern = ds_functions_match(address, &i)) != NULL)
        ds_ir_call(sb, "ds_functions_enter", ds_functions_enter,
                   mkIRExprVec_2(sp, ds_ir_pointer(pattern)), NULL);
}
