/*
 * ds_aligned: which addresses in a superblock are multiples of a granule.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "instrument/ds_aligned.h"

#include "pub_tool_guest.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_mallocfree.h"

#include "count/ds_shadow.h"
#include "instrument/ds_ir.h"

#define GRANULE_BITS 2 /* multiples have so many low bits clear */

#define N_REGISTERS 16
#define FIRST       ((Int)offsetof(VexGuestAMD64State, guest_RAX))
#define END         (FIRST + N_REGISTERS * 8)

/* A value is a multiple of a granule if these registers are, which may be none;
   or it is not known when it is. */
#define UNKNOWN ((ds_registers)1 << N_REGISTERS)

static ds_registers *needed; /* by temporary */
static UInt n_temporaries, room;
static ds_registers written;   /* so far in the superblock */
static ds_registers relied_on; /* by the addresses of its accesses */

static ds_registers both(ds_registers x, ds_registers y)
{
    return ((x | y) & UNKNOWN) != 0 ? UNKNOWN : x | y;
}

static ds_registers lesser(ds_registers x, ds_registers y)
{
    return (x & UNKNOWN) != 0 ? y : x;
}

/* The registers that some bytes of the guest state belong to. */
static ds_registers registers_at(Int offset, Int size)
{
    ds_registers found = 0;

    for (Int i = 0; i < N_REGISTERS; i++)
        if (offset < FIRST + 8 * i + 8 && offset + size > FIRST + 8 * i)
            found |= (ds_registers)1 << i;
    return found;
}

/* A register, or its lower half. */
static ds_registers of_register(Int offset)
{
    ds_registers r;

    if (offset < FIRST || offset >= END || (offset - FIRST) % 8 != 0)
        return UNKNOWN;
    r = (ds_registers)1 << (offset - FIRST) / 8;
    return (r & written) != 0 ? UNKNOWN : r;
}

static ds_registers of_constant(const IRConst *c)
{
    ULong value = c->tag == Ico_U64 ? c->Ico.U64 : c->Ico.U32;

    if (c->tag != Ico_U64 && c->tag != Ico_U32)
        return UNKNOWN;
    return value % DS_GRANULE == 0 ? 0 : UNKNOWN;
}

static ds_registers of(const IRExpr *e);

static ds_registers of_shift(const IRExpr *x, const IRExpr *n)
{
    if (n->tag == Iex_Const && n->Iex.Const.con->Ico.U8 >= GRANULE_BITS)
        return 0;
    return n->tag == Iex_Const ? of(x) : UNKNOWN;
}

static ds_registers of_binary(const IRExpr *e)
{
    const IRExpr *x = e->Iex.Binop.arg1, *y = e->Iex.Binop.arg2;

    switch (e->Iex.Binop.op) {
    case Iop_Add32:
    case Iop_Add64:
    case Iop_Sub32:
    case Iop_Sub64:
    case Iop_Or32:
    case Iop_Or64:
    case Iop_Xor32:
    case Iop_Xor64:
        return both(of(x), of(y));
    case Iop_And32:
    case Iop_And64:
    case Iop_Mul32:
    case Iop_Mul64:
        return lesser(of(x), of(y));
    case Iop_Shl32:
    case Iop_Shl64:
        return of_shift(x, y);
    default:
        return UNKNOWN;
    }
}

static ds_registers of_unary(const IRExpr *e)
{
    switch (e->Iex.Unop.op) {
    case Iop_64to32:
    case Iop_32Uto64:
    case Iop_32Sto64:
        return of(e->Iex.Unop.arg);
    default:
        return UNKNOWN;
    }
}

/* The expressions are flat: operands are temporaries and constants. */
static ds_registers of(const IRExpr *e)
{
    switch (e->tag) {
    case Iex_Get:
        return of_register(e->Iex.Get.offset);
    case Iex_Const:
        return of_constant(e->Iex.Const.con);
    case Iex_RdTmp:
        return needed[e->Iex.RdTmp.tmp];
    case Iex_Unop:
        return of_unary(e);
    case Iex_Binop:
        return of_binary(e);
    case Iex_ITE:
        return both(of(e->Iex.ITE.iftrue), of(e->Iex.ITE.iffalse));
    default:
        return UNKNOWN;
    }
}

static void reset(const IRSB *sb)
{
    n_temporaries = (UInt)sb->tyenv->types_used;
    if (n_temporaries > room) {
        room = 2 * n_temporaries;
        needed = VG_(realloc)("ds.aligned", needed, room * sizeof *needed);
    }
    for (UInt i = 0; i < n_temporaries; i++)
        needed[i] = UNKNOWN;
    written = relied_on = 0;
}

/* The address, if it is an access of at least a granule, or NULL. */
static const IRExpr *accessed(const IRSB *sb, const IRStmt *st)
{
    const IRExpr *address = NULL;
    IRType type = Ity_INVALID;

    if (st->tag == Ist_Store) {
        address = st->Ist.Store.addr;
        type = typeOfIRExpr(sb->tyenv, st->Ist.Store.data);
    } else if (st->tag == Ist_WrTmp && st->Ist.WrTmp.data->tag == Iex_Load) {
        address = st->Ist.WrTmp.data->Iex.Load.addr;
        type = st->Ist.WrTmp.data->Iex.Load.ty;
    }
    return address != NULL && sizeofIRType(type) >= (Int)DS_GRANULE ? address
                                                                    : NULL;
}

ds_registers ds_aligned_find(const IRSB *sb)
{
    reset(sb);
    for (Int i = 0; i < sb->stmts_used; i++) {
        const IRStmt *st = sb->stmts[i];
        const IRExpr *address = accessed(sb, st);

        if (address != NULL && (of(address) & UNKNOWN) == 0)
            relied_on |= of(address);
        if (st->tag == Ist_WrTmp)
            needed[st->Ist.WrTmp.tmp] = of(st->Ist.WrTmp.data);
        else if (st->tag == Ist_Put)
            written |= registers_at(
                st->Ist.Put.offset,
                sizeofIRType(typeOfIRExpr(sb->tyenv, st->Ist.Put.data)));
        else if (st->tag == Ist_PutI || st->tag == Ist_Dirty)
            written = UNKNOWN - 1;
    }
    return relied_on;
}

Bool ds_aligned_has(const IRExpr *address)
{
    if (address->tag == Iex_RdTmp && address->Iex.RdTmp.tmp >= n_temporaries)
        return False;
    return (of(address) & ~relied_on) == 0;
}

IRExpr *ds_aligned_add(IRSB *sb, ds_registers registers)
{
    IRExpr *all = NULL;

    for (Int i = 0; i < N_REGISTERS; i++) {
        IRExpr *r;

        if ((registers >> i & 1) == 0)
            continue;
        r = ds_ir_assign(sb, Ity_I64, IRExpr_Get(FIRST + 8 * i, Ity_I64));
        all = all == NULL ? r : ds_ir_binary(sb, Ity_I64, Iop_Or64, all, r);
    }
    tl_assert(all != NULL);
    return ds_ir_binary(sb, Ity_I64, Iop_And64, all,
                        ds_ir_constant(DS_GRANULE - 1));
}
