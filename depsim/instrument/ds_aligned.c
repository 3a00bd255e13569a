/*
 * ds_aligned: which addresses of a superblock are multiples of some bytes.
 *
 * Nearly all addresses are, but the fast path of an access (ds_fastpath) must
 * be sure, and a test of each address would double its time.  Most addresses
 * are sums of registers and constants, so they are multiples if these registers
 * are at the superblock's start.  One test decides that for all of them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "instrument/ds_instrument.h"

/* What addresses may be multiples of, by how many low bits are then clear. */
enum unit { GRANULE, WORD, N_UNITS };
static const UInt bits_of[N_UNITS] = {2, 3};

#define N_REGISTERS ds_arch.n_general
#define FIRST       ds_arch.general
#define END         (FIRST + N_REGISTERS * 8)

/* A set of general registers: bit i is the i-th in Valgrind's guest state. */
typedef ULong ds_registers;

/* A value is a multiple of a unit if all registers of its set are.  The set may
   be empty; UNKNOWN if no set of registers decides it. */
#define UNKNOWN ((ds_registers)1 << DS_ARCH_GENERAL_MAX)

struct needed {
    ds_registers of[N_UNITS];
};

static struct needed *needed; /* what each temporary needs */
static UInt n_temporaries, room;
static struct needed
    now[DS_ARCH_GENERAL_MAX];   /* what the value of each register needs now */
static struct needed relied_on; /* needed by the superblock's addresses */

static ds_registers both(ds_registers x, ds_registers y)
{
    return ((x | y) & UNKNOWN) != 0 ? UNKNOWN : x | y;
}

static ds_registers lesser(ds_registers x, ds_registers y)
{
    return (x & UNKNOWN) != 0 ? y : x;
}

static const struct needed unknown = {{UNKNOWN, UNKNOWN}};

/* The set for the value of a register, or of its lower half. */
static ds_registers of_register(Int offset, enum unit unit)
{
    if (offset < FIRST || offset >= END || (offset - FIRST) % 8 != 0)
        return UNKNOWN;
    return now[(offset - FIRST) / 8].of[unit];
}

/* Notes that bytes of the guest state are written. */
static void write_registers(Int offset, Int size, struct needed value)
{
    for (Int i = 0; i < N_REGISTERS; i++) {
        Int at = FIRST + 8 * i;

        if (offset == at && size == 8)
            now[i] = value;
        else if (offset < at + 8 && offset + size > at)
            now[i] = unknown;
    }
}

static ds_registers of_constant(const IRConst *c, enum unit unit)
{
    ULong value = c->tag == Ico_U64 ? c->Ico.U64 : c->Ico.U32;

    if (c->tag != Ico_U64 && c->tag != Ico_U32)
        return UNKNOWN;
    return value >> bits_of[unit] << bits_of[unit] == value ? 0 : UNKNOWN;
}

static ds_registers of(const IRExpr *e, enum unit unit);

/* x << n.  For words, a constant shift that is too small is unknown: x is
   usually an index, which is a multiple of nothing. */
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
        return of_register(e->Iex.Get.offset, unit);
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

static void make_room(UInt n)
{
    n_temporaries = n;
    if (n > room) {
        room = 2 * n;
        needed = VG_(realloc)("ds.aligned", needed, room * sizeof *needed);
    }
}

static void reset(const IRSB *sb)
{
    make_room((UInt)sb->tyenv->types_used);
    for (UInt i = 0; i < n_temporaries; i++)
        needed[i] = unknown;
    for (Int i = 0; i < N_REGISTERS; i++)
        now[i] = (struct needed){{(ds_registers)1 << i, (ds_registers)1 << i}};
    relied_on = (struct needed){{0, 0}};
}

/* The address of a statement's access of at least a granule, or NULL; *unit:
   what the fast path wants the address to be a multiple of. */
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

Bool ds_aligned_find(const IRSB *sb, SizeT most)
{
    reset(sb);
    for (Int i = 0; i < sb->stmts_used; i++) {
        const IRStmt *st = sb->stmts[i];
        SizeT unit;
        const IRExpr *address = accessed(sb, st, &unit);

        /* The registers that decide about an access's address are relied on. */
        if (address != NULL && unit <= most &&
            (of(address, unit_of(unit)) & UNKNOWN) == 0)
            relied_on.of[unit_of(unit)] |= of(address, unit_of(unit));
        if (st->tag == Ist_WrTmp)
            needed[st->Ist.WrTmp.tmp] = of_each_unit(st->Ist.WrTmp.data);
        else if (st->tag == Ist_Put)
            write_registers(
                st->Ist.Put.offset,
                sizeofIRType(typeOfIRExpr(sb->tyenv, st->Ist.Put.data)),
                of_each_unit(st->Ist.Put.data));
        else if (st->tag == Ist_PutI || st->tag == Ist_Dirty)
            write_registers(FIRST, END - FIRST, unknown);
    }
    return (relied_on.of[GRANULE] | relied_on.of[WORD]) != 0;
}

Bool ds_aligned_lasts(void)
{
    ds_registers words = relied_on.of[WORD];
    ds_registers granules = words | relied_on.of[GRANULE];

    for (Int i = 0; i < N_REGISTERS; i++)
        if (((words >> i & 1) != 0 && (now[i].of[WORD] & ~words) != 0) ||
            ((granules >> i & 1) != 0 && (now[i].of[GRANULE] & ~granules) != 0))
            return False;
    return True;
}

void ds_aligned_repeat(const IRSB *sb)
{
    UInt n = n_temporaries;

    make_room((UInt)sb->tyenv->types_used);
    for (UInt i = n; i < n_temporaries; i++)
        needed[i] = needed[i - n];
}

/* A multiple of a word is also a multiple of a granule. */
Bool ds_aligned_has(const IRExpr *address, SizeT unit)
{
    ds_registers known = relied_on.of[WORD];

    if (address->tag == Iex_RdTmp && address->Iex.RdTmp.tmp >= n_temporaries)
        return False;
    if (unit_of(unit) == GRANULE)
        known |= relied_on.of[GRANULE];
    return (of(address, unit_of(unit)) & ~known) == 0;
}

/* The bits of these registers that are 0 in each multiple of a unit; NULL if
   there are no registers. */
static IRExpr *bits(IRSB *sb, ds_registers registers, enum unit unit)
{
    IRExpr *all = NULL;

    for (Int i = 0; i < N_REGISTERS; i++) {
        if ((registers >> i & 1) == 0)
            continue;
        IRExpr *r = ds_ir_assign(sb, IRExpr_Get(FIRST + 8 * i, Ity_I64));
        all = all == NULL ? r : ds_ir_binary(sb, Iop_Or64, all, r);
    }
    if (all == NULL)
        return NULL;
    return ds_ir_binary(sb, Iop_And64, all,
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
    return ds_ir_binary(sb, Iop_Or64, words, granules);
}
