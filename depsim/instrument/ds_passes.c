/*
 * ds_passes: what is known of a superblock, and dropped from it, before it is
 * instrumented.  Three passes, independent of each other.
 *
 * Register writes.  VEX is told to keep all registers up to date at each
 * instruction, because otherwise it drops loads before a tool sees them
 * (ds_loads).
 * Once they have been seen, most of these writes are useless: another write to
 * the same register follows in the superblock, and nothing reads it in between.
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
#include "instrument/internal.h"

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

/* Bytes of the guest state that are written again before they are read,
   seen from the current statement. */
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

/* An exit writes the instruction pointer. */
static void read_at_exit(void)
{
    Bool ip = is_dead[guest->offset_IP];

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
        if (!is_dead[i])
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
        if (st->Ist.Put.offset == ds_arch.spare) /* of ds_loads */
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

/* Hints execute nothing. */
static Bool has_effect(const IRStmt *st)
{
    return st->tag != Ist_AbiHint &&
           (st->tag != Ist_WrTmp || is_live[st->Ist.WrTmp.tmp]);
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
    for (Int i = sb->stmts_used - 1; i >= 0; i--)
        if (has_effect(sb->stmts[i]))
            ds_ir_visit(sb->stmts[i], use);
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
