/*
 * ds_short: the short way of a load and a store, in translated code.
 *
 * The address without what the short way does not know, which is low bits of a
 * misaligned address and high bits of one beyond linear shadow memory, leads to
 * entries in any case; whether something was taken away is looked at later.  So
 * there is no branch but that around the call of the long way, and the
 * processor can do all this while it waits for the program's own work.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "ds_short.h"

#include "ds_ir.h"
#include "ds_shadow.h"

#define ENTRY_SIZE  8 /* bytes */
#define ENTRY_SHIFT 1 /* entries take twice as many bytes as granules */

static ULong trash[8]; /* where entries are stored that have no place */

Bool ds_short_load_is(SizeT n)
{
    return n == 1 || n == 2 || n == 4 || n == 8 || n == 16;
}

Bool ds_short_store_is(SizeT n)
{
    return n == 4 || n == 8 || n == 16 || n == 32;
}

/* What an address may have bits in, if it is a multiple of n. */
static ULong known_bits(SizeT n)
{
    return (DS_LINEAR_END - 1) & ~((ULong)n - 1);
}

static IRExpr *entry_address(IRSB *sb, IRExpr *granule)
{
    IRExpr *offset = ds_ir_binary(sb, Ity_I64, Iop_Shl64, granule,
                                  IRExpr_Const(IRConst_U8(ENTRY_SHIFT)));

    return ds_ir_binary(sb, Ity_I64, Iop_Add64,
                        ds_ir_pointer(ds_shadow_granules), offset);
}

static IRExpr *behind(IRSB *sb, IRExpr *entry, SizeT i)
{
    return ds_ir_binary(sb, Ity_I64, Iop_Add64, entry,
                        ds_ir_constant(i * ENTRY_SIZE));
}

static IRExpr *either(IRSB *sb, IRExpr *x, IRExpr *y)
{
    return ds_ir_binary(sb, Ity_I64, Iop_Or64, x, y);
}

/* All ones if the entries of further granules differ from the first, else 0. */
static IRExpr *differences(IRSB *sb, IRExpr *address, IRExpr *first, SizeT n)
{
    IRExpr *sum = NULL;

    for (SizeT i = 1; i < n / DS_GRANULE; i++) {
        IRExpr *other = ds_ir_loaded(sb, behind(sb, address, i));
        IRExpr *differ = ds_ir_binary(sb, Ity_I64, Iop_Xor64, first, other);

        sum = sum == NULL ? differ : either(sb, sum, differ);
    }
    return ds_ir_unary(sb, Ity_I64, Iop_CmpwNEZ64, sum);
}

/* Whatever does not fit makes the number too large: bits that were taken from
   the address because their sum is subtracted from 0.  The comparison comes
   last, so that it needs no register of its own. */
void ds_short_load(IRSB *sb, IRExpr *address, IRExpr *start,
                   struct ds_load *load)
{
    SizeT unit = load->n < DS_GRANULE ? load->n : DS_GRANULE;
    IRExpr *known = ds_ir_binary(sb, Ity_I64, Iop_And64, address,
                                 ds_ir_constant(known_bits(unit)));
    IRExpr *granule =
        unit == DS_GRANULE
            ? known
            : ds_ir_binary(sb, Ity_I64, Iop_And64, address,
                           ds_ir_constant(known_bits(DS_GRANULE)));
    IRExpr *place = entry_address(sb, granule);
    IRExpr *entry = ds_ir_loaded(sb, place);
    IRExpr *counter = ds_ir_loaded(sb, ds_ir_pointer(&load->counter));
    IRExpr *x, *hit;

    ds_ir_store(sb, counter,
                ds_ir_binary(sb, Ity_I64, Iop_Add64, ds_ir_loaded(sb, counter),
                             ds_ir_constant(1)));
    x = ds_ir_binary(sb, Ity_I64, Iop_Sub64, start, entry);
    x = ds_ir_binary(sb, Ity_I64, Iop_Sub64, x,
                     ds_ir_loaded(sb, ds_ir_pointer(&load->base)));
    x = either(sb, x, ds_ir_binary(sb, Ity_I64, Iop_Sub64, known, address));
    if (load->n > DS_GRANULE)
        x = either(sb, x, differences(sb, place, entry, load->n));
    hit = ds_ir_binary(sb, Ity_I1, Iop_CmpLE64U, x,
                       ds_ir_loaded(sb, ds_ir_pointer(&load->span)));
    ds_ir_call(sb, "ds_access_missed", ds_access_missed,
               mkIRExprVec_2(address, ds_ir_pointer(load)),
               ds_ir_unary(sb, Ity_I1, Iop_Not1, hit));
}

/* The same comparison twice is faster than its result in a register. */
void ds_short_store(IRSB *sb, IRExpr *address, SizeT n, IRExpr *entry)
{
    IRExpr *known = ds_ir_binary(sb, Ity_I64, Iop_And64, address,
                                 ds_ir_constant(known_bits(DS_GRANULE)));
    IRExpr *place = entry_address(sb, known);

    if (n == DS_GRANULE) {
        addStmtToIRSB(sb, IRStmt_StoreG(Iend_LE, place, entry,
                                        ds_ir_binary(sb, Ity_I1, Iop_CmpEQ64,
                                                     known, address)));
    } else {
        place = ds_ir_assign(
            sb, Ity_I64,
            IRExpr_ITE(ds_ir_binary(sb, Ity_I1, Iop_CmpEQ64, known, address),
                       place, ds_ir_pointer(trash)));
        for (SizeT i = 0; i < n / DS_GRANULE; i++)
            ds_ir_store(sb, i == 0 ? place : behind(sb, place, i), entry);
    }
    ds_ir_call(sb, "ds_access_store", ds_access_store,
               mkIRExprVec_3(address, ds_ir_constant(n), entry),
               ds_ir_binary(sb, Ity_I1, Iop_CmpNE64, known, address));
}
