/*
 * ds_aligned: which addresses in a superblock are multiples of a granule or
 * word.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "instrument/ds_aligned.h"

#include "pub_tool_guest.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_mallocfree.h"

#include "count/ds_shadow.h"
#include "instrument/ds_fastpath.h"
#include "instrument/ds_ir.h"

/* What addresses may be multiples of: so many low bits of theirs are clear. */
enum unit { GRANULE, WORD, N_UNITS };
static const UInt bits_of[N_UNITS] = {2, 3};

#define N_REGISTERS 16
#define FIRST       ((Int)offsetof(VexGuestAMD64State, guest_RAX))
#define END         (FIRST + N_REGISTERS * 8)

/* A set of general registers: bit i is the i-th in Valgrind's guest state. */
typedef UInt ds_registers;

/* A value is a multiple of a unit if these registers are, which may be none; or
   it is not known when it is. */
#define UNKNOWN ((ds_registers)1 << N_REGISTERS)

struct needed {
    ds_registers of[N_UNITS];
};

static struct needed *needed; /* by temporary */
static UInt n_temporaries, room;
static ds_registers written;    /* so far in the superblock */
static struct needed relied_on; /* by the addresses of its accesses */

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

static ds_registers of_constant(const IRConst *c, enum unit unit)
{
    ULong value = c->tag == Ico_U64 ? c->Ico.U64 : c->Ico.U32;

    if (c->tag != Ico_U64 && c->tag != Ico_U32)
        return UNKNOWN;
    return value >> bits_of[unit] << bits_of[unit] == value ? 0 : UNKNOWN;
}

static ds_registers of(const IRExpr *e, enum unit unit);

/* An index is no multiple of anything, as a rule. */
static ds_registers of_shift(const IRExpr *x, const IRExpr *n, enum unit unit)
{
    if (n->tag == Iex_Const && n->Iex.Const.con->Ico.U8 >= bits_of[unit])
        return 0;
    return n->tag == Iex_Const && unit == GRANULE ? of(x, unit) : UNKNOWN;
}

static ds_registers of_binary(const IRExpr *e, enum unit unit)
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
        return both(of(x, unit), of(y, unit));
    case Iop_And32:
    case Iop_And64:
    case Iop_Mul32:
    case Iop_Mul64:
        return lesser(of(x, unit), of(y, unit));
    case Iop_Shl32:
    case Iop_Shl64:
        return of_shift(x, y, unit);
    default:
        return UNKNOWN;
    }
}

static ds_registers of_unary(const IRExpr *e, enum unit unit)
{
    switch (e->Iex.Unop.op) {
    case Iop_64to32:
    case Iop_32Uto64:
    case Iop_32Sto64:
        return of(e->Iex.Unop.arg, unit);
    default:
        return UNKNOWN;
    }
}

/* The expressions are flat: operands are temporaries and constants. */
static ds_registers of(const IRExpr *e, enum unit unit)
{
    switch (e->tag) {
    case Iex_Get:
        return of_register(e->Iex.Get.offset);
    case Iex_Const:
        return of_constant(e->Iex.Const.con, unit);
    case Iex_RdTmp:
        return needed[e->Iex.RdTmp.tmp].of[unit];
    case Iex_Unop:
        return of_unary(e, unit);
    case Iex_Binop:
        return of_binary(e, unit);
    case Iex_ITE:
        return both(of(e->Iex.ITE.iftrue, unit), of(e->Iex.ITE.iffalse, unit));
    default:
        return UNKNOWN;
    }
}

static struct needed of_each_unit(const IRExpr *e)
{
    return (struct needed){{of(e, GRANULE), of(e, WORD)}};
}

static void reset(const IRSB *sb)
{
    n_temporaries = (UInt)sb->tyenv->types_used;
    if (n_temporaries > room) {
        room = 2 * n_temporaries;
        needed = VG_(realloc)("ds.aligned", needed, room * sizeof *needed);
    }
    for (UInt i = 0; i < n_temporaries; i++)
        needed[i] = (struct needed){{UNKNOWN, UNKNOWN}};
    written = 0;
    relied_on = (struct needed){{0, 0}};
}

/* The address, if it is an access of at least a granule, or NULL; and what the
   fast path wants it to be a multiple of. */
static const IRExpr *accessed(const IRSB *sb, const IRStmt *st, SizeT *unit)
{
    const IRExpr *address = NULL;
    SizeT n = 0;

    if (st->tag == Ist_Store) {
        address = st->Ist.Store.addr;
        n = (SizeT)sizeofIRType(typeOfIRExpr(sb->tyenv, st->Ist.Store.data));
        *unit = ds_fastpath_unit_of_store(n);
    } else if (st->tag == Ist_WrTmp && st->Ist.WrTmp.data->tag == Iex_Load) {
        address = st->Ist.WrTmp.data->Iex.Load.addr;
        n = (SizeT)sizeofIRType(st->Ist.WrTmp.data->Iex.Load.ty);
        *unit = ds_fastpath_unit_of_load(n);
    }
    return n >= DS_GRANULE ? address : NULL;
}

static enum unit unit_of(SizeT n)
{
    return n == DS_WORD ? WORD : GRANULE;
}

/* An access relies on registers, if they tell of its address. */
static void rely(const IRExpr *address, enum unit unit)
{
    if ((of(address, unit) & UNKNOWN) == 0)
        relied_on.of[unit] |= of(address, unit);
}

Bool ds_aligned_find(const IRSB *sb, SizeT most)
{
    reset(sb);
    for (Int i = 0; i < sb->stmts_used; i++) {
        const IRStmt *st = sb->stmts[i];
        SizeT unit;
        const IRExpr *address = accessed(sb, st, &unit);

        if (address != NULL && unit <= most)
            rely(address, unit_of(unit));
        if (st->tag == Ist_WrTmp)
            needed[st->Ist.WrTmp.tmp] = of_each_unit(st->Ist.WrTmp.data);
        else if (st->tag == Ist_Put)
            written |= registers_at(
                st->Ist.Put.offset,
                sizeofIRType(typeOfIRExpr(sb->tyenv, st->Ist.Put.data)));
        else if (st->tag == Ist_PutI || st->tag == Ist_Dirty)
            written = UNKNOWN - 1;
    }
    return (relied_on.of[GRANULE] | relied_on.of[WORD]) != 0;
}

/* What is a multiple of a word is one of a granule. */
Bool ds_aligned_has(const IRExpr *address, SizeT unit)
{
    ds_registers known = relied_on.of[WORD];

    if (address->tag == Iex_RdTmp && address->Iex.RdTmp.tmp >= n_temporaries)
        return False;
    if (unit_of(unit) == GRANULE)
        known |= relied_on.of[GRANULE];
    return (of(address, unit_of(unit)) & ~known) == 0;
}

/* The bits of these registers that no multiple of a unit has, or NULL. */
static IRExpr *bits(IRSB *sb, ds_registers registers, enum unit unit)
{
    IRExpr *all = NULL;

    for (Int i = 0; i < N_REGISTERS; i++) {
        IRExpr *r;

        if ((registers >> i & 1) == 0)
            continue;
        r = ds_ir_assign(sb, Ity_I64, IRExpr_Get(FIRST + 8 * i, Ity_I64));
        all = all == NULL ? r : ds_ir_binary(sb, Ity_I64, Iop_Or64, all, r);
    }
    if (all == NULL)
        return NULL;
    return ds_ir_binary(sb, Ity_I64, Iop_And64, all,
                        ds_ir_constant(((ULong)1 << bits_of[unit]) - 1));
}

IRExpr *ds_aligned_add(IRSB *sb)
{
    IRExpr *words = bits(sb, relied_on.of[WORD], WORD);
    IRExpr *granules =
        bits(sb, relied_on.of[GRANULE] & ~relied_on.of[WORD], GRANULE);

    tl_assert(words != NULL || granules != NULL);
    if (words == NULL || granules == NULL)
        return words != NULL ? words : granules;
    return ds_ir_binary(sb, Ity_I64, Iop_Or64, words, granules);
}
