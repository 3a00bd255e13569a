/*
 * ds_puts: drops register writes that nothing can see.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "instrument/ds_puts.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"

#define STATE_MAX 4096 /* bytes of guest state */

/* Bytes of the guest state that are written again before they are read,
   seen from the statement that is being looked at. */
static Bool is_dead[STATE_MAX];
static Int state_size;

static const VexGuestLayout *guest;
static Bool is_precise;

static void set(Int offset, Int size, Bool dead)
{
    tl_assert(offset >= 0 && size >= 0 && offset + size <= state_size);
    VG_(memset)(is_dead + offset, dead, (SizeT)size);
}

static void read_all(void)
{
    set(0, state_size, False);
}

/* What may fault needs all registers if a handler can see them, and otherwise
   only those that a stack trace is made of. */
static void read_at_fault(void)
{
    if (is_precise) {
        read_all();
        return;
    }
    set(guest->offset_IP, guest->sizeof_IP, False);
    set(guest->offset_SP, guest->sizeof_SP, False);
    set(guest->offset_FP, guest->sizeof_FP, False);
}

static Bool all_dead(Int offset, Int size)
{
    for (Int i = offset; i < offset + size; i++)
        if (!is_dead[i])
            return False;
    return True;
}

/* Can the operation fault?  Of x86's, only the divisions of integers. */
static Bool may_fault(IROp op)
{
    return op == Iop_DivModU64to32 || op == Iop_DivModS64to32 ||
           op == Iop_DivModU128to64 || op == Iop_DivModS128to64;
}

static void look_at_value(const IRExpr *e)
{
    if (e->tag == Iex_Get)
        set(e->Iex.Get.offset, sizeofIRType(e->Iex.Get.ty), False);
    else if (e->tag == Iex_GetI)
        read_all();
    else if (e->tag == Iex_Load ||
             (e->tag == Iex_Binop && may_fault(e->Iex.Binop.op)))
        read_at_fault();
}

/* Is the statement of no use?  If not, notes what it writes and reads. */
static Bool look_at(const IRSB *sb, const IRStmt *st)
{
    Int size;

    switch (st->tag) {
    case Ist_Put:
        size = sizeofIRType(typeOfIRExpr(sb->tyenv, st->Ist.Put.data));
        if (all_dead(st->Ist.Put.offset, size))
            return True;
        set(st->Ist.Put.offset, size, True);
        break;
    case Ist_WrTmp:
        look_at_value(st->Ist.WrTmp.data);
        break;
    case Ist_Store:
    case Ist_StoreG:
    case Ist_LoadG:
    case Ist_CAS:
        read_at_fault();
        break;
    case Ist_NoOp:
    case Ist_IMark:
    case Ist_AbiHint:
        break;
    default: /* exits and calls */
        read_all();
    }
    return False;
}

void ds_puts_drop(IRSB *sb, const VexGuestLayout *layout, Bool keep_sp,
                  Bool precise)
{
    tl_assert(layout->total_sizeB <= STATE_MAX);
    state_size = layout->total_sizeB;
    guest = layout;
    is_precise = precise;
    read_all();
    for (Int i = sb->stmts_used - 1; i >= 0; i--) {
        if (look_at(sb, sb->stmts[i]))
            sb->stmts[i] = IRStmt_NoOp();
        if (keep_sp && sb->stmts[i]->tag == Ist_IMark)
            set(layout->offset_SP, layout->sizeof_SP, False);
    }
}
