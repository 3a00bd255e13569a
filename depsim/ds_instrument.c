/*
 * ds_instrument: adds to each superblock what depsim has to know of it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "ds_instrument.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_transtab.h"

#include "ds_access.h"
#include "ds_confine.h"
#include "ds_filter.h"
#include "ds_functions.h"
#include "ds_gather.h"
#include "ds_ir.h"
#include "ds_live.h"
#include "ds_masked.h"
#include "ds_near.h"
#include "ds_objects.h"
#include "ds_puts.h"
#include "ds_segments.h"
#include "ds_shadow.h"
#include "ds_short.h"
#include "ds_sole.h"
#include "ds_threads.h"
#include "ds_warm.h"

static ULong n_past; /* instructions before the epoch of shadow memory */

static Bool is_precise; /* a handler may look at registers */

/* A superblock on its way from in to out. */
struct block {
    const IRSB *in;
    IRSB *out;
    const VgCallbackClosure *closure;
    UInt superblock;       /* its number in ds_warm */
    Bool is_warm;          /* worth the short way of accesses */
    Int ip;                /* offset of the instruction pointer */
    Int spare;             /* offset of the tool's part of the guest state */
    Int sp;                /* offset of the stack pointer */
    struct ds_range range; /* of the instruction's object */

    /* The instruction whose statements are being copied. */
    Addr address; /* run-time */
    UInt size;
    ULong n_before;       /* instructions of this superblock before it */
    Bool has_begun;       /* there was an instruction */
    struct ds_site *site; /* made when it accesses memory */
    Bool is_sole;         /* of ds_sole */
    UInt n_loads;         /* so far */

    IRExpr *near;      /* of ds_ir_near */
    IRExpr *start;     /* the count of instructions at the superblock's start */
    ULong n_advanced;  /* by how much the count has been advanced */
    IRConst *counter;  /* where the open segment's counter is near, or NULL, */
    IRConst *number;   /* and its number (ds_near) */
    Addr segment;      /* run-time start of the open segment */
    ULong n_outside;   /* instructions of the superblock before it */
    Addr segment_next; /* the address that continues it */
    UChar sizes[DS_SEGMENT_MAX]; /* of its instructions */
    UInt n_sizes;
    struct ds_load *loads[DS_SEGMENT_MAX]; /* executed as often as it is */
    UInt n_alike;
    struct ds_accesses open;      /* of the open segment, so far */
    struct ds_accesses *accesses; /* these, or the closed segment's */
};

/* The number at the superblock's start plus a constant. */
static IRExpr *plus(struct block *b, IRExpr *number, ULong n)
{
    if (n == 0)
        return number;
    return ds_ir_binary(b->out, Ity_I64, Iop_Add64, number, ds_ir_constant(n));
}

static IRExpr *near_address(const struct block *b, const void *field)
{
    return ds_ir_field(b->out, b->near, field);
}

/* Advances the count to `n` instructions since the superblock's start. */
static void advance(struct block *b, ULong n)
{
    if (n == b->n_advanced)
        return;
    ds_ir_store(b->out, near_address(b, &ds_access->now), plus(b, b->start, n));
    b->n_advanced = n;
}

/* Begins a segment at the present instruction, with the count advanced to it.
   Which counter it has is known only where it ends, so the counter's address
   is filled in there. */
static void open_segment(struct block *b)
{
    IRExpr *from, *to, *n;

    advance(b, b->n_before);
    b->counter = IRConst_U64(0);
    b->number = IRConst_U64(0);
    b->segment = b->address;
    b->n_outside = b->n_before;
    b->n_sizes = b->n_alike = 0;
    b->open = (struct ds_accesses){0};
    b->accesses = &b->open;
    from = ds_ir_binary(b->out, Ity_I64, Iop_Add64, b->near,
                        IRExpr_Const(b->counter));
    n = plus(b, ds_ir_loaded(b->out, from), 1);
    to = ds_ir_binary(b->out, Ity_I64, Iop_Add64, b->near,
                      IRExpr_Const(b->counter));
    ds_ir_store(b->out, to, n);
    ds_ir_store(b->out, near_address(b, &ds_access->running),
                IRExpr_Const(b->number));
}

static void close_segment(struct block *b)
{
    struct ds_segment *segment;
    struct ds_part *part;

    if (b->counter == NULL)
        return;
    segment = ds_segments_obtain(b->range.object, b->segment - b->range.bias,
                                 b->sizes, b->n_sizes);
    part = ds_segments_part(segment, b->superblock, b->n_outside);
    for (UInt i = 0; i < b->n_alike; i++)
        ds_load_attach(b->loads[i], &part->executions);
    b->number->Ico.U64 = ds_near_number(&part->executions);
    b->counter->Ico.U64 = 0 - b->number->Ico.U64;
    b->counter = NULL;
    /* The rest of an instruction that an exit divides belongs to it. */
    segment->accesses = b->open;
    b->accesses = &segment->accesses;
}

static void begin_instruction(struct block *b, Int mark)
{
    Addr address = b->in->stmts[mark]->Ist.IMark.addr;
    UInt size = b->in->stmts[mark]->Ist.IMark.len;
    Bool is_elsewhere = address < b->range.start || address >= b->range.end;

    if (b->has_begun) {
        b->n_before++;
    } else {
        b->near = ds_ir_near(b->out);
        if (!b->is_warm)
            ds_warm_add(b->out, b->near, b->closure, b->ip);
        b->start = ds_ir_loaded(b->out, near_address(b, &ds_access->now));
    }
    b->has_begun = True;
    b->address = address;
    b->size = size;
    b->site = NULL;
    b->is_sole = ds_sole_is(b->in, mark);
    b->n_loads = 0;
    if (is_elsewhere || address != b->segment_next ||
        ds_functions_begins(address))
        close_segment(b);
    if (is_elsewhere)
        b->range = ds_objects_locate(address);
    if (b->counter == NULL) {
        ds_confine_add(b->out, b->sp, address);
        open_segment(b);
    }
    b->segment_next = address + size;
    tl_assert(b->n_sizes < DS_SEGMENT_MAX);
    b->sizes[b->n_sizes++] = (UChar)size;
}

/* The count at an exit inside or behind the present instruction. */
static void prepare_exit(struct block *b)
{
    if (b->has_begun)
        advance(b, b->n_before + 1);
}

static struct ds_site *site(struct block *b)
{
    if (b->site == NULL)
        b->site = ds_sites_obtain(b->range.object, b->address - b->range.bias);
    return b->site;
}

static void add_short_load(struct block *b, IRExpr *address,
                           struct ds_load *load)
{
    Bool is_alike = b->is_sole && b->counter != NULL;

    if (is_alike)
        b->loads[b->n_alike++] = load;
    else
        ds_load_attach(load, &load->own);
    ds_short_load(b->out, b->near, address, b->start, load, !is_alike);
}

static void add_load(struct block *b, IRExpr *address, Int size, IRExpr *guard)
{
    struct ds_load *load;

    b->accesses->loads++;
    if (!ds_filter_admits(b->range.object))
        return;
    load = ds_load_obtain(site(b), b->superblock, (SizeT)size, b->n_loads++,
                          b->n_before, b->n_advanced);
    if (b->is_warm && guard == NULL && ds_short_load_is(load->n))
        add_short_load(b, address, load);
    else
        ds_ir_call(b->out, "ds_access_load", ds_access_load,
                   mkIRExprVec_2(address, ds_ir_pointer(load)), guard);
}

static void add_store(struct block *b, IRExpr *address, Int size, IRExpr *guard)
{
    SizeT n = (SizeT)size;
    IRExpr *entry = ds_ir_constant(0);

    b->accesses->stores++;
    if (ds_filter_admits(b->range.object))
        entry =
            plus(b, b->start, ds_shadow_entry(site(b)->reader.id, b->n_before));
    if (b->is_warm && guard == NULL && ds_short_store_is(n))
        ds_short_store(b->out, b->near, address, n, entry);
    else if (ds_access_store_of(n) != NULL)
        ds_ir_call(b->out, "ds_access_store_of", ds_access_store_of(n),
                   mkIRExprVec_2(address, entry), guard);
    else
        ds_ir_call(b->out, "ds_access_store", ds_access_store,
                   mkIRExprVec_3(address, ds_ir_constant(n), entry), guard);
}

static Int size_of(const struct block *b, const IRExpr *e)
{
    return sizeofIRType(typeOfIRExpr(b->out->tyenv, e));
}

/* A load whose value is of no use must not be dropped all the same: it may
   fault.  Its value goes to the part of the guest state that is the tool's. */
static void keep(struct block *b, IRTemp value)
{
    if (!ds_live_is(value))
        addStmtToIRSB(b->out, IRStmt_Put(b->spare, IRExpr_RdTmp(value)));
}

static Bool is_masked(const struct block *b)
{
    return ds_masked_is((const UChar *)b->address, b->size);
}

/* A store of each byte, on condition. */
static void add_masked_bytes(struct block *b, IRExpr *address, IRExpr *mask)
{
    Int n = size_of(b, mask);
    IRExpr *bits = n == 16 ? ds_ir_unary(b->out, Ity_I16, Iop_GetMSBs8x16, mask)
                           : ds_ir_unary(b->out, Ity_I8, Iop_GetMSBs8x8, mask);
    IRExpr *wide =
        ds_ir_unary(b->out, Ity_I64, n == 16 ? Iop_16Uto64 : Iop_8Uto64, bits);

    for (Int i = 0; i < n; i++) {
        IRExpr *shifted = ds_ir_binary(b->out, Ity_I64, Iop_Shr64, wide,
                                       IRExpr_Const(IRConst_U8((UChar)i)));

        add_store(b, plus(b, address, (ULong)i), 1,
                  ds_ir_unary(b->out, Ity_I1, Iop_64to1, shifted));
    }
}

/* What VEX loads before such a store is no access, if the mask is found. */
static void add_plain_store(struct block *b, const IRStmt *st)
{
    IRExpr *address = st->Ist.Store.addr;
    Int size = size_of(b, st->Ist.Store.data);
    IRExpr *mask = is_masked(b) ? ds_masked_mask(b->out) : NULL;

    if (mask != NULL) {
        add_masked_bytes(b, address, mask);
        return;
    }
    if (is_masked(b))
        add_load(b, address, size, NULL);
    add_store(b, address, size, NULL);
}

static void add_plain_load(struct block *b, const IRStmt *st)
{
    const IRExpr *load = st->Ist.WrTmp.data;
    IRExpr *address = load->Iex.Load.addr, *guard = NULL;

    if (is_masked(b))
        return;
    if (ds_gather_is((const UChar *)b->address, b->size))
        guard = ds_gather_guard(b->out, address);
    keep(b, st->Ist.WrTmp.tmp);
    add_load(b, address, sizeofIRType(load->Iex.Load.ty), guard);
}

/* A compare-and-swap reads, and writes if it succeeds: if what it read (one
   value, or two for the double-width form) is what it expected. */
static void add_cas(struct block *b, const IRCAS *cas)
{
    Bool is_double = cas->oldHi != IRTemp_INVALID;
    Int size = size_of(b, cas->dataLo);
    IROp equal = size == 8   ? Iop_CmpEQ64
                 : size == 4 ? Iop_CmpEQ32
                 : size == 2 ? Iop_CmpEQ16
                             : Iop_CmpEQ8;
    IRExpr *success = ds_ir_binary(b->out, Ity_I1, equal,
                                   IRExpr_RdTmp(cas->oldLo), cas->expdLo);

    if (is_double) {
        IRExpr *high = ds_ir_binary(b->out, Ity_I1, equal,
                                    IRExpr_RdTmp(cas->oldHi), cas->expdHi);

        success = ds_ir_binary(b->out, Ity_I1, Iop_And1, success, high);
        size *= 2;
    }
    add_load(b, cas->addr, size, NULL);
    add_store(b, cas->addr, size, success);
}

static void add_load_guarded(struct block *b, const IRLoadG *load)
{
    IRType loaded, widened;

    typeOfIRLoadGOp(load->cvt, &widened, &loaded);
    add_load(b, load->addr, sizeofIRType(loaded), load->guard);
}

/* A load-linked has no data; a store-conditional says if it was done. */
static void add_llsc(struct block *b, const IRStmt *st)
{
    if (st->Ist.LLSC.storedata == NULL)
        add_load(b, st->Ist.LLSC.addr,
                 sizeofIRType(typeOfIRTemp(b->out->tyenv, st->Ist.LLSC.result)),
                 NULL);
    else
        add_store(b, st->Ist.LLSC.addr, size_of(b, st->Ist.LLSC.storedata),
                  IRExpr_RdTmp(st->Ist.LLSC.result));
}

static void add_dirty(struct block *b, const IRDirty *d)
{
    if (d->mFx == Ifx_Read || d->mFx == Ifx_Modify)
        add_load(b, d->mAddr, d->mSize, d->guard);
    if (d->mFx == Ifx_Write || d->mFx == Ifx_Modify)
        add_store(b, d->mAddr, d->mSize, d->guard);
}

/* The accesses of a statement.  They are recorded behind it: a load or store
   that faults has not happened. */
static void add_accesses(struct block *b, const IRStmt *st)
{
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
    case Ist_LLSC:
        add_llsc(b, st);
        break;
    case Ist_Dirty:
        add_dirty(b, st->Ist.Dirty.details);
        break;
    default:
        break;
    }
}

/* Is the instruction one that VEX knows, but only as undefined? */
static Bool is_undefined(const IRSB *sb, Addr address)
{
    return sb->jumpkind == Ijk_NoDecode && sb->next->tag == Iex_Const &&
           sb->next->Iex.Const.con->Ico.U64 == address;
}

static void copy(struct block *b, Int i)
{
    IRStmt *st = b->in->stmts[i];

    switch (st->tag) {
    case Ist_NoOp:
        return;
    case Ist_IMark:
        /* Without a size VEX could not decode it, and it is not executed. */
        addStmtToIRSB(b->out, st);
        if (st->Ist.IMark.len > 0 && !is_undefined(b->out, st->Ist.IMark.addr))
            begin_instruction(b, i);
        return;
    case Ist_Exit:
        prepare_exit(b);
        addStmtToIRSB(b->out, st);
        /* Who goes on has executed one more segment. */
        close_segment(b);
        return;
    default:
        addStmtToIRSB(b->out, st);
        /* Before the first instruction come self-checks of the code. */
        if (b->has_begun)
            add_accesses(b, st);
    }
}

IRSB *ds_instrument(VgCallbackClosure *closure, IRSB *in,
                    const VexGuestLayout *layout,
                    const VexGuestExtents *extents, const VexArchInfo *host,
                    IRType guest_word, IRType host_word)
{
    struct block b = {.in = in,
                      .out = deepCopyIRSBExceptStmts(in),
                      .superblock = ds_warm_number(closure),
                      .closure = closure,
                      .is_warm = ds_warm_is(closure),
                      .ip = layout->offset_IP,
                      .spare = layout->total_sizeB,
                      .sp = layout->offset_SP};

    (void)extents, (void)host;
    tl_assert(guest_word == Ity_I64 && host_word == Ity_I64);
    ds_puts_drop(in, layout, ds_functions_limit, is_precise);
    ds_live_look(in);
    for (Int i = 0; i < in->stmts_used; i++)
        copy(&b, i);
    prepare_exit(&b);
    close_segment(&b);
    return b.out;
}

/* The core's own word, which it says during client requests only.  But it
   discards translations itself before and after system calls, for munmap. */
extern Bool VG_(ok_to_discard_translations);

void ds_instrument_be_precise(void)
{
    Bool ok = VG_(ok_to_discard_translations);

    if (is_precise)
        return;
    is_precise = True;
    VG_(ok_to_discard_translations) = True;
    VG_(discard_translations_safely)(0, ~(SizeT)0, "depsim");
    VG_(ok_to_discard_translations) = ok;
}

void ds_instrument_fault(Addr address)
{
    struct ds_part *part;
    struct ds_range range = ds_objects_locate(address);
    UInt n;

    if (ds_access->running == 0)
        return;
    part = (struct ds_part *)((Addr)ds_near_field(ds_access->running) -
                              __builtin_offsetof(struct ds_part, executions));
    n = ds_segments_interrupt(part, address - range.bias);
    ds_access->now += n;
    ds_load_interrupt(&part->executions, part->n_before + n);
}

void ds_instrument_resume(ThreadId tid)
{
    ULong by = ds_shadow_advance(ds_access->now);

    ds_access->now -= by;
    n_past += by;
    if (ds_threads_resume(tid, ds_instrument_executed()))
        ds_load_forget_all();
    ds_access_turn(n_past);
}

ULong ds_instrument_executed(void)
{
    return n_past + ds_access->now;
}
