/*
 * Register writes.  VEX is told to keep all registers up to date at each
 * instruction, because otherwise it drops loads before a tool sees them.  Once
 * they have been seen, most of these writes are useless: another write to the
 * same register follows in the superblock, and nothing reads it in between.
 * All registers stay up to date at exits.  At a memory access, which may fault,
 * they are kept up to date only if a handler may read them, or restart the
 * instruction.
 *
 * Live temporaries.  VEX drops a load whose value is not used, and with it the
 * fault that the load may raise.  The caller can give such a value a use.
 *
 * Sole loads.  If one load is all in an instruction that can fail, the load
 * needs no counter of its own: it is executed as often as its segment.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "instrument/ds_instrument.h"

/* The only operations that can fault are x86's divisions of integers. */
static Bool divides(const IRExpr *e)
{
    if (e->tag != Iex_Binop)
        return False;
    switch (e->Iex.Binop.op) {
    case Iop_DivModU64to32:
    case Iop_DivModS64to32:
    case Iop_DivModU128to64:
    case Iop_DivModS128to64:
        return True;
    default:
        return False;
    }
}

/* Register writes */

#define STATE_MAX 4096 /* bytes of guest state */

/* A byte of the guest state has this number while it is dead: written again
   before it is read, seen from the current statement. */
static UInt dead = 1;
static UInt number[STATE_MAX];
static Int state_size;

static const VexGuestLayout *guest;
static Bool is_precise;

static void set(Int offset, Int size, Bool is_dead)
{
    tl_assert(offset >= 0 && size >= 0 && offset + size <= state_size);
    for (Int i = offset; i < offset + size; i++)
        number[i] = is_dead ? dead : 0;
}

static void read_all(void)
{
    dead++;
}

/* An exit writes the instruction pointer. */
static void read_at_exit(void)
{
    Bool ip = number[guest->offset_IP] == dead;

    read_all();
    set(guest->offset_IP, guest->sizeof_IP, ip);
}

/* A statement that may fault needs all registers if a handler can see them, and
   otherwise only those that a stack trace needs. */
static void read_at_fault(void)
{
    if (is_precise) {
        read_all();
        return;
    }
    set(guest->offset_IP, guest->sizeof_IP, False);
    set(guest->offset_SP, guest->sizeof_SP, False);
    set(guest->offset_FP, guest->sizeof_FP, False);
    if (ds_arch.link >= 0)
        set(ds_arch.link, sizeof(Addr), False);
}

static Bool all_dead(Int offset, Int size)
{
    tl_assert(offset >= 0 && size >= 0 && offset + size <= state_size);
    for (Int i = offset; i < offset + size; i++)
        if (number[i] != dead)
            return False;
    return True;
}

static void read_by(const IRExpr *e)
{
    if (e->tag == Iex_Get)
        set(e->Iex.Get.offset, sizeofIRType(e->Iex.Get.ty), False);
    else if (e->tag == Iex_GetI)
        read_all();
    else if (e->tag == Iex_Load || divides(e))
        read_at_fault();
}

/* Is the statement a useless register write?  If not, notes what it writes and
   reads. */
static Bool is_useless(const IRSB *sb, const IRStmt *st)
{
    Int size;

    switch (st->tag) {
    case Ist_Put:
        size = sizeofIRType(typeOfIRExpr(sb->tyenv, st->Ist.Put.data));
        if (st->Ist.Put.offset == ds_arch.spare) /* of a loaded value */
            return True;
        if (all_dead(st->Ist.Put.offset, size))
            return True;
        set(st->Ist.Put.offset, size, True);
        break;
    case Ist_WrTmp:
        read_by(st->Ist.WrTmp.data);
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
    case Ist_Exit:
        read_at_exit();
        break;
    default: /* calls */
        read_all();
    }
    return False;
}

void ds_passes_drop_puts(IRSB *sb, const VexGuestLayout *layout, Bool keep_sp,
                         Bool precise)
{
    tl_assert(layout->total_sizeB <= STATE_MAX);
    tl_assert(layout->total_sizeB == ds_arch.spare);
    state_size = layout->total_sizeB;
    guest = layout;
    is_precise = precise;
    read_all();
    set(guest->offset_IP, guest->sizeof_IP, True);
    for (Int i = sb->stmts_used - 1; i >= 0; i--) {
        if (is_useless(sb, sb->stmts[i]))
            sb->stmts[i] = IRStmt_NoOp();
        if (keep_sp && sb->stmts[i]->tag == Ist_IMark)
            set(layout->offset_SP, layout->sizeof_SP, False);
    }
}

/* Live temporaries */

static Bool *is_live; /* by temporary */
static UInt n_temporaries, room;

static void use(IRTemp *t)
{
    is_live[*t] = True;
}

void ds_passes_find_live(const IRSB *sb)
{
    n_temporaries = (UInt)sb->tyenv->types_used;
    if (n_temporaries > room) {
        room = 2 * n_temporaries;
        is_live = VG_(realloc)("ds.passes", is_live, room * sizeof *is_live);
    }
    VG_(memset)(is_live, False, n_temporaries * sizeof *is_live);
    ds_ir_visit_expression(sb->next, use);
    for (Int i = sb->stmts_used - 1; i >= 0; i--) {
        IRStmt *st = sb->stmts[i];

        /* Hints execute nothing. */
        if (st->tag != Ist_AbiHint &&
            (st->tag != Ist_WrTmp || is_live[st->Ist.WrTmp.tmp]))
            ds_ir_visit(st, use);
    }
}

Bool ds_passes_is_live(IRTemp t)
{
    tl_assert(t < n_temporaries);
    return is_live[t];
}

/* Sole loads */

Bool ds_passes_is_sole(const IRSB *sb, Int mark)
{
    UInt n_loads = 0;

    tl_assert(sb->stmts[mark]->tag == Ist_IMark);
    for (Int i = mark + 1; i < sb->stmts_used; i++) {
        const IRStmt *st = sb->stmts[i];

        switch (st->tag) {
        case Ist_IMark:
            return n_loads == 1;
        case Ist_WrTmp:
            n_loads += st->Ist.WrTmp.data->tag == Iex_Load;
            if (divides(st->Ist.WrTmp.data))
                return False;
            break;
        case Ist_NoOp:
        case Ist_AbiHint:
        case Ist_Put:
        case Ist_PutI:
        case Ist_MBE:
            break;
        default: /* other accesses, calls and exits */
            return False;
        }
    }
    return n_loads == 1;
}

/* Writes of a vector register's parts become one.

   For an instruction that writes the lowest part of a vector register and
   clears the rest, as movsd does, VEX writes the whole as zero and then the
   part.  When the register is read, the processor has to wait until both writes
   have left its store buffer, since neither has all bytes.  That takes more
   than twenty cycles, most of the time of double arithmetic under Valgrind.
   This pass joins both into one write of the whole register. */

#define FIRST ds_arch.vector
#define SIZE  ds_arch.vector_size
#define N     ds_arch.n_vectors

/* The statement, from 1, that last cleared the lower 16 bytes of a register, or
   0 if they were read or written since, or a handler may have seen them; and
   the offset of the register. */
static Int cleared, cleared_at;

static void forget(Int offset, Int size)
{
    if (offset < cleared_at + 16 && offset + size > cleared_at)
        cleared = 0;
}

/* Do the lower bytes of a register have this offset? */
static Bool is_register(Int offset)
{
    return offset >= FIRST && offset < FIRST + N * SIZE &&
           (offset - FIRST) % SIZE == 0;
}

static Bool is_zero(const IRExpr *e)
{
    return e->tag == Iex_Const && e->Iex.Const.con->tag == Ico_V128 &&
           e->Iex.Const.con->Ico.V128 == 0;
}

/* The value as a vector with zeros above it; NULL for any other type. */
static IRExpr *widened(IRSB *sb, IRExpr *value)
{
    switch (typeOfIRExpr(sb->tyenv, value)) {
    case Ity_F64:
        value = ds_ir_unary(sb, Iop_ReinterpF64asI64, value);
        return ds_ir_unary(sb, Iop_64UtoV128, value);
    case Ity_I64:
        return ds_ir_unary(sb, Iop_64UtoV128, value);
    case Ity_I32:
        if (DS_ARCH_WIDENS_WORDS)
            return ds_ir_unary(sb, Iop_32UtoV128, value);
        value = ds_ir_unary(sb, Iop_32Uto64, value);
        return ds_ir_unary(sb, Iop_64UtoV128, value);
    default:
        return NULL;
    }
}

/* Adds a register write.  If it writes the lowest part of a register that was
   just cleared, it replaces the write that cleared it. */
static void add_put(IRSB *sb, IRStmt *st)
{
    Int offset = st->Ist.Put.offset;
    IRExpr *data = st->Ist.Put.data, *wide = NULL;
    Int size = sizeofIRType(typeOfIRExpr(sb->tyenv, data));

    if (cleared > 0 && offset == cleared_at && size < 16)
        wide = widened(sb, data);
    if (wide != NULL) {
        sb->stmts[cleared - 1] = IRStmt_NoOp();
        st = IRStmt_Put(offset, wide);
    }
    forget(offset, size);
    addStmtToIRSB(sb, st);
    if (is_register(offset) && is_zero(data)) {
        cleared = sb->stmts_used;
        cleared_at = offset;
    }
}

/* A fault in the instruction of this mark shows a precise handler the registers
   as they were before it. */
static void note_value(const IRExpr *e, Bool precise, Int mark)
{
    if (e->tag == Iex_Get)
        forget(e->Iex.Get.offset, sizeofIRType(e->Iex.Get.ty));
    else if (e->tag == Iex_GetI)
        cleared = 0;
    else if (precise && e->tag != Iex_Const && e->tag != Iex_RdTmp &&
             cleared <= mark)
        cleared = 0;
}

IRSB *ds_passes_join_puts(const IRSB *in, Bool precise)
{
    IRSB *sb = deepCopyIRSBExceptStmts(in);
    Int mark = 0;

    cleared = 0;
    for (Int i = 0; i < in->stmts_used; i++) {
        IRStmt *st = in->stmts[i];

        if (st->tag == Ist_Put) {
            add_put(sb, st);
            continue;
        }
        addStmtToIRSB(sb, st);
        if (st->tag == Ist_IMark)
            mark = sb->stmts_used;
        else if (st->tag == Ist_WrTmp)
            note_value(st->Ist.WrTmp.data, precise, mark);
        else if (st->tag != Ist_NoOp && st->tag != Ist_AbiHint)
            cleared = 0;
    }
    return sb;
}

/* Makes several rounds of a loop into one superblock.

   Each superblock starts with the load of the arena's address, the test of
   registers (ds_aligned), and the core's bookkeeping, which --tool=none has,
   too.  In a short loop these take a good part of the time.  So a superblock
   that leads to its own start is repeated a few times.  Each round is
   instrumented as if it began the superblock again, with the clock up to date.
   All rounds share counters and expected loads: each learns its kind once.

   VEX can unroll, too, but its rounds look like different instructions to a
   tool, each with counters of its own. */

#define ROUNDS_MAX     8
#define STATEMENTS_MAX 240 /* of all rounds together */

static Bool is_common(const IRStmt *st)
{
    switch (st->tag) {
    case Ist_NoOp:
    case Ist_IMark:
    case Ist_AbiHint:
    case Ist_Put:
    case Ist_WrTmp:
    case Ist_Store:
    case Ist_Exit:
        return True;
    default:
        return False;
    }
}

/* Statements before the first instruction check the code itself. */
static Bool begins_with_mark(const IRSB *sb)
{
    Int i = 0;

    while (i < sb->stmts_used && sb->stmts[i]->tag == Ist_NoOp)
        i++;
    return i < sb->stmts_used && sb->stmts[i]->tag == Ist_IMark;
}

static UInt rounds_of(const IRSB *sb)
{
    UInt n = 0, rounds;

    for (Int i = 0; i < sb->stmts_used; i++)
        n += sb->stmts[i]->tag != Ist_NoOp;
    rounds = STATEMENTS_MAX / n;
    return rounds < ROUNDS_MAX ? rounds : ROUNDS_MAX;
}

Bool ds_unroll_can(const IRSB *sb, Addr start)
{
    if (sb->jumpkind != Ijk_Boring || sb->next->tag != Iex_Const ||
        sb->next->Iex.Const.con->Ico.U64 != start || !begins_with_mark(sb))
        return False;
    for (Int i = 0; i < sb->stmts_used; i++)
        if (!is_common(sb->stmts[i]))
            return False;
    return rounds_of(sb) > 1;
}

static IRTemp shift; /* of temporaries, in the current round */

static void rename(IRTemp *t)
{
    *t += shift;
}

static IRStmt *renamed(const IRStmt *st)
{
    IRStmt *copy = deepCopyIRStmt(st);

    if (copy->tag == Ist_WrTmp)
        rename(&copy->Ist.WrTmp.tmp);
    ds_ir_visit(copy, rename);
    return copy;
}

UInt ds_unroll(IRSB *sb)
{
    Int n_statements = sb->stmts_used, n = sb->tyenv->types_used;
    UInt rounds = rounds_of(sb);

    tl_assert(rounds > 1 && rounds <= ROUNDS_MAX);
    for (UInt round = 1; round < rounds; round++) {
        shift = (IRTemp)(round * (UInt)n);
        tl_assert(sb->tyenv->types_used == (Int)shift);
        for (Int t = 0; t < n; t++)
            newIRTemp(sb->tyenv, sb->tyenv->types[t]);
        for (Int i = 0; i < n_statements; i++)
            addStmtToIRSB(sb, renamed(sb->stmts[i]));
    }
    return (UInt)n_statements;
}

/* Keeps the loads that VEX would drop.

   To VEX, a load is an expression like any other.  Its optimiser drops one
   whose value is not used, and folds what does not need the value: a
   conjunction with 0, a disjunction with -1, a blend that takes nothing from
   memory.  The processor makes all of these loads.  So the linker puts the
   function below in the place of the optimiser's first pass (--wrap), which
   makes a superblock flat and folds nothing.  After that pass, the function
   adds a write of each loaded value to the tool's part of the guest state.  VEX
   removes no such write while it keeps all registers up to date at each
   instruction (ds_main).  When VEX has optimised, ds_passes_drop_puts removes
   them.

   Limits: what VEX does not load when it translates an instruction is not here
   (ds_code_complete). */

/* The temporary that gets its value from memory, or IRTemp_INVALID. */
static IRTemp loaded(const IRStmt *st)
{
    if (st->tag == Ist_LoadG)
        return st->Ist.LoadG.details->dst;
    if (st->tag == Ist_WrTmp && st->Ist.WrTmp.data->tag == Iex_Load)
        return st->Ist.WrTmp.tmp;
    return IRTemp_INVALID;
}

/* The names that the linker's --wrap gives to a function and its wrapper. */
extern IRSB *__real_do_minimal_initial_iropt_BB(IRSB *sb);
extern IRSB *__wrap_do_minimal_initial_iropt_BB(IRSB *sb);

IRSB *__wrap_do_minimal_initial_iropt_BB(IRSB *translated)
{
    const IRSB *flat = __real_do_minimal_initial_iropt_BB(translated);
    IRSB *sb = deepCopyIRSBExceptStmts(flat);

    for (Int i = 0; i < flat->stmts_used; i++) {
        IRTemp t = loaded(flat->stmts[i]);

        addStmtToIRSB(sb, flat->stmts[i]);
        if (t != IRTemp_INVALID)
            addStmtToIRSB(sb, IRStmt_Put(ds_arch.spare, IRExpr_RdTmp(t)));
    }
    return sb;
}

/* Leaves out what VEX does to each superblock and depsim does not need, which
   is a tenth of the time of translating: it checks the superblock before its
   first pass and after its last one, and, when a tool has instrumented it,
   looks for constants once more, but ds_instrument adds none that could be
   folded. */

extern void __real_sanityCheckIRSB(const IRSB *sb, const HChar *caller,
                                   Bool is_flat, IRType word);
extern void __wrap_sanityCheckIRSB(const IRSB *sb, const HChar *caller,
                                   Bool is_flat, IRType word);
extern IRSB *__wrap_cprop_BB(IRSB *sb);

void __wrap_sanityCheckIRSB(const IRSB *sb, const HChar *caller, Bool is_flat,
                            IRType word)
{
    if (ds_valgrind_checks())
        __real_sanityCheckIRSB(sb, caller, is_flat, word);
}

IRSB *__wrap_cprop_BB(IRSB *sb)
{
    return sb;
}
