/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "count/ds_access.h"
#include "count/ds_lines.h"
#include "instrument/ds_instrument.h"

/* Accesses with a mask that chooses the elements.

   Gathers.  VEX has no guarded load for them: it loads an element that the mask
   leaves out as well, but from the stack pointer's address, and drops the
   value.

   MASKMOVDQU and MASKMOVQ.  VEX has no store with a mask of bytes: it loads all
   of them, puts the chosen ones in, and stores all.  The processor neither
   loads nor stores the others.

   Limit: where VEX knew the mask when it translated the instruction, the mask
   is not found, and the instruction counts as what VEX makes of it. */

/* The condition under which a load of a gather happens, given the statements
   before it and the load's address.  NULL: it always does.  The address is
   `mask ? element : stack pointer`, perhaps by way of copies. */
static IRExpr *gather_guard(const IRSB *sb, const IRExpr *address)
{
    const IRExpr *e = address;

    for (Int i = sb->stmts_used - 1; i >= 0 && e->tag == Iex_RdTmp; i--) {
        const IRStmt *st = sb->stmts[i];

        if (st->tag == Ist_WrTmp && st->Ist.WrTmp.tmp == e->Iex.RdTmp.tmp)
            e = st->Ist.WrTmp.data;
    }
    return e->tag == Iex_ITE ? e->Iex.ITE.cond : NULL;
}

/* The mask of a masked store that is the last instruction in `sb`: 8 or 16
   bytes, each 0 or 255.  NULL: not found.  The mask's complement chooses which
   of the old bytes are kept. */
static IRExpr *store_mask(const IRSB *sb)
{
    for (Int i = sb->stmts_used - 1; i >= 0; i--) {
        const IRStmt *st = sb->stmts[i];
        const IRExpr *e;

        if (st->tag == Ist_IMark)
            break;
        if (st->tag != Ist_WrTmp || st->Ist.WrTmp.data->tag != Iex_Unop)
            continue;
        e = st->Ist.WrTmp.data;
        if (e->Iex.Unop.op == Iop_Not64 || e->Iex.Unop.op == Iop_NotV128)
            return e->Iex.Unop.arg;
    }
    return NULL;
}

static struct ds_site *site(struct ds_block *b)
{
    if (b->insn.site == NULL)
        b->insn.site =
            ds_sites_obtain(b->range.object, b->insn.address - b->range.bias);
    return b->insn.site;
}

/* Is the address known to be a multiple of `unit`, so that the fast path need
   not test it? */
static Bool is_plain(const struct ds_block *b, const IRExpr *address,
                     SizeT unit)
{
    return b->relies &&
           (unit == 1 || (unit >= DS_GRANULE && ds_aligned_has(address, unit)));
}

static void add_fast_load(struct ds_block *b, IRExpr *address,
                          struct ds_expect *load)
{
    Bool is_alike = b->insn.is_sole && b->open.counter != NULL;

    tl_assert(!is_alike || b->open.n_loads < b->open.n);
    if (is_alike)
        b->open.loads[b->open.n_loads++] = load;
    else
        ds_expect_attach(load, &load->own);
    ds_fastpath_load(b->out, b->arena, address, load,
                     is_plain(b, address, ds_fastpath_unit_of_load(load->n)),
                     !is_alike);
}

static IRType type_of(const struct ds_block *b, const IRExpr *e)
{
    return typeOfIRExpr(b->out->tyenv, e);
}

static void check_access(const struct ds_block *b, const IRExpr *address,
                         Int size, const IRExpr *guard)
{
    tl_assert(b->has_begun && b->accesses != NULL);
    tl_assert(type_of(b, address) == Ity_I64);
    tl_assert(guard == NULL || type_of(b, guard) == Ity_I1);
    tl_assert(size >= 1 && size <= DS_READ_MAX);
}

/* Has the superblock's record say where an access was. */
static void trace(struct ds_block *b, IRExpr *address, Int size, Bool is_store,
                  UInt writer, IRExpr *guard)
{
    Bool is_seen = ds_filter_admits(b->range.object);
    SizeT slot = ds_trace_add((struct ds_load){.site = is_seen ? site(b) : NULL,
                                               .n = (UShort)size,
                                               .writer = writer,
                                               .n_before = (UChar)b->n_before,
                                               .is_store = is_store});
    IRExpr *to = ds_ir_plus(b->out, b->record, slot);

    tl_assert(!b->is_hot && b->size != NULL && b->n_before < DS_SEGMENT_MAX);
    if (b->is_shown)
        ds_way_access((SizeT)size, is_store);
    ds_ir_store_guarded(b->out, b->arena, to, address, guard);
}

/* The current time, plus a constant. */
static IRExpr *time_plus(struct ds_block *b, ULong n)
{
    return ds_ir_plus(b->out, ds_ir_value(b->out, b->arena, ds_clock_now),
                      n + b->n_before - b->n_advanced);
}

/* VEX makes one address of this order. */
static void touch_line(struct ds_block *b, IRExpr *at, IRExpr *guard)
{
    if (b->is_careful)
        at = ds_ir_binary(b->out, Iop_And64, at,
                          ds_ir_constant(DS_LINEAR_END - 1));
    at = ds_ir_unary(b->out, Iop_Not64, at);
    at = ds_ir_binary(b->out, Iop_Sar64, at, IRExpr_Const(IRConst_U8(6)));
    at = ds_ir_binary(b->out, Iop_Shl64, at, IRExpr_Const(IRConst_U8(3)));
    at = ds_ir_binary(b->out, Iop_Add64, b->arena, at);
    at = ds_ir_plus(b->out, at, 0 - DS_SHADOW_FRONT);
    ds_ir_store_guarded(b->out, b->arena, at, b->now, guard);
}

/* Notes that an access of hot code touches its lines (ds_reuse), at the time
   when the round began, which VEX has in a register: that of its
   first byte, each one that begins 64 bytes on, and that of its last byte.
   ds_access does so for traced accesses; on the slow path alone, it sees those
   of up to a word that cross a line. */
static void add_touches(struct ds_block *b, IRExpr *address, SizeT n,
                        IRExpr *guard)
{
    Bool is_seen = ds_filter_admits(b->range.object);

    if (ds_window == NULL || !b->is_hot)
        return;
    touch_line(b, address, guard);
    for (SizeT i = DS_REUSE_LINE; i < n; i += DS_REUSE_LINE)
        touch_line(b, ds_ir_plus(b->out, address, i), guard);
    if (n > (is_seen ? DS_WORD : 1))
        touch_line(b, ds_ir_plus(b->out, address, n - 1), guard);
}

/* Adds a call of ds_alias_load or ds_alias_store, if aliases are counted. */
static void add_alias(struct ds_block *b, const HChar *name,
                      void (*call)(Addr a, SizeT n, ULong ahead),
                      IRExpr *address, Int size, IRExpr *guard)
{
    if (ds_alias_is_on())
        ds_ir_call(b->out, name, call,
                   mkIRExprVec_3(address, ds_ir_constant((ULong)size),
                                 ds_ir_constant(b->n_before - b->n_advanced)),
                   guard);
}

/* Adds a call of ds_lines_access, made if it may be shared, to hot code. */
static void add_line(struct ds_block *b, IRExpr *address, Int size, Bool stores,
                     IRExpr *guard)
{
    ULong id = ds_filter_admits(b->range.object) ? site(b)->reader.id : 0;
    IRExpr *may_share;

    if (!ds_lines_are_on() || !b->is_hot)
        return;
    may_share = ds_fastpath_may_share(b->out, b->arena, address, stores);
    if (guard != NULL)
        may_share = ds_ir_binary(b->out, Iop_And1, may_share, guard);
    ds_ir_call(b->out, "ds_lines_access", ds_lines_access,
               mkIRExprVec_4(address, ds_ir_constant((ULong)size),
                             ds_ir_constant(stores), ds_ir_constant(id)),
               may_share);
}

/* A load that has no fast path. */
static void add_slow_load(struct ds_block *b, IRExpr *address, SizeT n,
                          IRExpr *guard)
{
    struct ds_load *load = ds_memory_new(sizeof *load);

    *load = (struct ds_load){.site = site(b), .n = (UShort)n};
    ds_ir_call(b->out, "ds_access_load", ds_access_load,
               mkIRExprVec_3(ds_ir_pointer(load), address, time_plus(b, 0)),
               guard);
}

static void add_load(struct ds_block *b, IRExpr *address, Int size,
                     IRExpr *guard)
{
    Bool is_seen = ds_filter_admits(b->range.object);
    SizeT n = (SizeT)size;

    check_access(b, address, size, guard);
    add_touches(b, address, n, guard);
    b->accesses->loads++;
    add_line(b, address, size, False, guard);
    if (is_seen)
        add_alias(b, "ds_alias_load", ds_alias_load, address, size, guard);
    if (!b->is_hot)
        trace(b, address, size, False, 0, guard);
    else if (is_seen && (guard != NULL || !ds_fastpath_has(n)))
        add_slow_load(b, address, n, guard);
    else if (is_seen)
        add_fast_load(b, address,
                      ds_expect_obtain(site(b), b->superblock, n,
                                       b->insn.n_loads++, b->n_before,
                                       b->n_advanced));
}

static void add_store(struct ds_block *b, IRExpr *address, Int size,
                      IRExpr *guard)
{
    Bool is_seen = ds_filter_admits(b->range.object);
    SizeT n = (SizeT)size;
    UInt writer = is_seen ? ds_sites_writer(site(b), n, b->insn.n_stores++) : 0;
    IRExpr *entry;

    check_access(b, address, size, guard);
    add_touches(b, address, n, guard);
    b->accesses->stores++;
    add_line(b, address, size, True, guard);
    add_alias(b, "ds_alias_store", ds_alias_store, address, size, guard);
    if (!b->is_hot) {
        trace(b, address, size, True, writer, guard);
        return;
    }
    entry =
        is_seen ? time_plus(b, ds_shadow_entry(writer, 0)) : ds_ir_constant(0);
    if (guard == NULL && ds_fastpath_has(n))
        ds_fastpath_store(b->out, b->arena, address, n, entry,
                          is_plain(b, address, ds_fastpath_unit_of_store(n)));
    else
        ds_ir_call(b->out, "ds_access_store", ds_access_store,
                   mkIRExprVec_3(address, ds_ir_constant(n), entry), guard);
}

static Int size_of(const struct ds_block *b, const IRExpr *e)
{
    return sizeofIRType(type_of(b, e));
}

/* Adds a guarded store for each byte of the mask. */
static void add_masked_bytes(struct ds_block *b, IRExpr *address, IRExpr *mask)
{
    Int n = size_of(b, mask);
    IRExpr *bits = n == 16 ? ds_ir_unary(b->out, Iop_GetMSBs8x16, mask)
                           : ds_ir_unary(b->out, Iop_GetMSBs8x8, mask);
    IRExpr *wide =
        ds_ir_unary(b->out, n == 16 ? Iop_16Uto64 : Iop_8Uto64, bits);

    tl_assert(n == 8 || n == 16);
    for (Int i = 0; i < n; i++) {
        IRExpr *shifted = ds_ir_binary(b->out, Iop_Shr64, wide,
                                       IRExpr_Const(IRConst_U8((UChar)i)));

        add_store(b, ds_ir_plus(b->out, address, (ULong)i), 1,
                  ds_ir_unary(b->out, Iop_64to1, shifted));
    }
}

/* VEX's loads before a masked store are no accesses, if the mask is found. */
static void add_plain_store(struct ds_block *b, const IRStmt *st)
{
    IRExpr *address = st->Ist.Store.addr;
    Int size = size_of(b, st->Ist.Store.data);
    Bool is_masked = b->insn.code == DS_CODE_MASKED_STORE;
    IRExpr *mask = is_masked ? store_mask(b->out) : NULL;

    if (mask != NULL) {
        add_masked_bytes(b, address, mask);
        return;
    }
    if (is_masked)
        add_load(b, address, size, NULL);
    add_store(b, address, size, NULL);
}

static void add_plain_load(struct ds_block *b, const IRStmt *st)
{
    const IRExpr *load = st->Ist.WrTmp.data;
    IRExpr *address = load->Iex.Load.addr, *guard = NULL;

    if (b->insn.code == DS_CODE_MASKED_STORE ||
        b->insn.code == DS_CODE_STORE_EXCLUSIVE)
        return;
    if (b->insn.code == DS_CODE_GATHER)
        guard = gather_guard(b->out, address);
    /* Keeps a load with an unused value, which may fault. */
    if (!ds_passes_is_live(st->Ist.WrTmp.tmp))
        addStmtToIRSB(
            b->out, IRStmt_Put(ds_arch.spare, IRExpr_RdTmp(st->Ist.WrTmp.tmp)));
    add_load(b, address, sizeofIRType(load->Iex.Load.ty), guard);
}

/* Are two values of this size in bytes equal? */
static IRExpr *equal(struct ds_block *b, Int size, IRExpr *x, IRExpr *y)
{
    IROp op = size == 8   ? Iop_CmpEQ64
              : size == 4 ? Iop_CmpEQ32
              : size == 2 ? Iop_CmpEQ16
                          : Iop_CmpEQ8;

    if (size < 4 && !DS_ARCH_COMPARES_NARROW) {
        IROp widen = size == 2 ? Iop_16Uto64 : Iop_8Uto64;

        x = ds_ir_unary(b->out, widen, x);
        y = ds_ir_unary(b->out, widen, y);
        op = Iop_CmpEQ64;
    }
    return ds_ir_binary(b->out, op, x, y);
}

/* A compare-and-swap reads, and writes if it succeeds: if what it read (one
   value, or two for the double-width form) is what it expected. */
static void add_cas(struct ds_block *b, const IRCAS *cas)
{
    Bool is_double = cas->oldHi != IRTemp_INVALID;
    Int size = size_of(b, cas->dataLo);
    IRExpr *success = equal(b, size, IRExpr_RdTmp(cas->oldLo), cas->expdLo);

    if (is_double) {
        IRExpr *high = equal(b, size, IRExpr_RdTmp(cas->oldHi), cas->expdHi);

        success = ds_ir_binary(b->out, Iop_And1, success, high);
        size *= 2;
    }
    if (b->insn.code != DS_CODE_STORE_EXCLUSIVE)
        add_load(b, cas->addr, size, NULL);
    add_store(b, cas->addr, size, success);
}

static void add_load_guarded(struct ds_block *b, const IRLoadG *load)
{
    IRType loaded, widened;

    typeOfIRLoadGOp(load->cvt, &widened, &loaded);
    add_load(b, load->addr, sizeofIRType(loaded), load->guard);
}

static void add_dirty(struct ds_block *b, const IRDirty *d)
{
    if (d->mFx == Ifx_Read || d->mFx == Ifx_Modify)
        add_load(b, d->mAddr, d->mSize, d->guard);
    if (d->mFx == Ifx_Write || d->mFx == Ifx_Modify)
        add_store(b, d->mAddr, d->mSize, d->guard);
}

void ds_statement_add(struct ds_block *b, const IRStmt *st)
{
    if (b->insn.code == DS_CODE_IN_REGISTERS)
        return;
    switch (st->tag) {
    case Ist_WrTmp:
        if (st->Ist.WrTmp.data->tag == Iex_Load)
            add_plain_load(b, st);
        break;
    case Ist_Store:
        add_plain_store(b, st);
        break;
    case Ist_LoadG:
        add_load_guarded(b, st->Ist.LoadG.details);
        break;
    case Ist_StoreG:
        add_store(b, st->Ist.StoreG.details->addr,
                  size_of(b, st->Ist.StoreG.details->data),
                  st->Ist.StoreG.details->guard);
        break;
    case Ist_CAS:
        add_cas(b, st->Ist.CAS.details);
        break;
    case Ist_Dirty:
        add_dirty(b, st->Ist.Dirty.details);
        break;
    default: /* no access; load-linked is not asked for (ds_arch) */
        tl_assert(st->tag != Ist_LLSC);
        break;
    }
}
