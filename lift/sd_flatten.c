/*
 * sd_flatten: flattens VEX's statements.
 *
 * The semantics are straight-line: side exits are ignored, except those of a
 * rep prefix, which make the instruction a loop.  Only the declared effects of
 * a dirty helper are known: what it writes becomes bottom.  A store-conditional
 * always succeeds.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "lift/sd_flat.h"

/* The temporary of a guard; SD_ALWAYS if the guard is constantly true. */
static uint32_t guard_of(struct sd_flat *f, const IRExpr *e)
{
    if (e->tag == Iex_Const && e->Iex.Const.con->Ico.U1)
        return SD_ALWAYS;
    return sd_flat_expr(f, e).part[0];
}

static void put_register(struct sd_flat *f, int offset, const IRExpr *data)
{
    IRType type = typeOfIRExpr(f->types, data);

    /* Every instruction sets the program counter, and nothing reads it. */
    if (offset == (int)f->guest->program_counter)
        return;
    struct sd_vec value = sd_flat_expr(f, data);
    for (unsigned i = 0; i < sd_flat_n_parts(f, type); i++)
        sd_insn_put(f->out, (unsigned)offset + 8 * i, sd_flat_width(type),
                    value.part[i]);
    sd_flat_note_size(f, type);
}

static void put_indexed(struct sd_flat *f, const IRPutI *p)
{
    uint32_t index = sd_flat_expr(f, p->ix).part[0];
    uint32_t value = sd_flat_expr(f, p->data).part[0];

    if (sd_flat_n_parts(f, p->descr->elemTy) > 1)
        value = index = SD_BOTTOM;
    sd_insn_effect(f->out, (struct sd_op){.code = SD_PUTI,
                                          .width = (uint8_t)sd_flat_width(
                                              p->descr->elemTy),
                                          .disp = (int16_t)p->bias,
                                          .dst = value,
                                          .a = index,
                                          .b = (uint32_t)p->descr->base,
                                          .c = (uint32_t)p->descr->nElems});
}

static void load_guarded(struct sd_flat *f, const IRLoadG *l)
{
    static const struct {
        IRType type;
        IROp widening; /* Iop_INVALID: nothing is widened */
    } kinds[] = {
        [ILGop_IdentV128 - ILGop_INVALID] = {Ity_V128, Iop_INVALID},
        [ILGop_Ident64 - ILGop_INVALID] = {Ity_I64, Iop_INVALID},
        [ILGop_Ident32 - ILGop_INVALID] = {Ity_I32, Iop_INVALID},
        [ILGop_16Uto32 - ILGop_INVALID] = {Ity_I16, Iop_16Uto32},
        [ILGop_16Sto32 - ILGop_INVALID] = {Ity_I16, Iop_16Sto32},
        [ILGop_8Uto32 - ILGop_INVALID] = {Ity_I8, Iop_8Uto32},
        [ILGop_8Sto32 - ILGop_INVALID] = {Ity_I8, Iop_8Sto32},
    };
    IRType type = kinds[l->cvt - ILGop_INVALID].type;
    IROp widening = kinds[l->cvt - ILGop_INVALID].widening;
    uint32_t address = sd_flat_expr(f, l->addr).part[0];
    struct sd_vec alternative = sd_flat_expr(f, l->alt);
    uint32_t guard = guard_of(f, l->guard);
    struct sd_vec value = sd_flat_load(f, type, address, guard);

    if (widening != Iop_INVALID)
        value = sd_flat_irop(f, widening, &value, 1);
    if (f->is_whole) { /* the alternative costs nothing */
        const uint32_t values[] = {value.part[0], alternative.part[0]};

        f->temps[l->dst].part[0] = sd_flat_opaque(f, true, 2, values);
        return;
    }
    for (unsigned i = 0; guard != SD_ALWAYS && i < sd_flat_n_parts(f, type);
         i++)
        value.part[i] = sd_insn_pure(f->out, SD_ITE, 64, guard, value.part[i],
                                     alternative.part[i]);
    f->temps[l->dst] = value;
}

static void store_guarded(struct sd_flat *f, const IRStoreG *s)
{
    uint32_t address = sd_flat_expr(f, s->addr).part[0];
    struct sd_vec value = sd_flat_expr(f, s->data);

    sd_flat_store(f, typeOfIRExpr(f->types, s->data), address, value,
                  guard_of(f, s->guard));
}

/* Was a value loaded from the address by the instruction itself?  With a lock
   prefix and in xchg it was: no other processor stores in between, so the store
   takes place.  (Intel, Software Developer's Manual, volume 2, LOCK.) */
static bool was_loaded(const struct sd_flat *f, uint32_t value,
                       uint32_t address, unsigned width)
{
    const struct sd_op *op = sd_insn_definition(f->out, value);

    while (f->is_whole && op != NULL && op->code == SD_EXTRACT && op->imm == 0)
        op = sd_insn_definition(f->out, op->a);
    return op != NULL && op->code == SD_LOAD && op->a == address &&
           op->disp == 0 && op->width == width && !f->out->stores;
}

/* Appends one load and one store of `size` bytes; the stored value is made of
   all values that may decide it. */
static void swap_whole(struct sd_flat *f, const IRCAS *cas, uint32_t address,
                       uint32_t size)
{
    const IRExpr *operands[] = {cas->dataLo, cas->expdLo, cas->dataHi,
                                cas->expdHi};
    uint32_t values[5] = {sd_insn_emit(
        f->out,
        (struct sd_op){.code = SD_LOAD, .width = 64, .a = address, .c = size})};
    unsigned n = 1;

    for (int i = 0; i < 4; i++)
        if (operands[i] != NULL)
            values[n++] = sd_flat_expr(f, operands[i]).part[0];
    sd_insn_effect(f->out,
                   (struct sd_op){.code = SD_STORE,
                                  .width = 64,
                                  .a = address,
                                  .b = sd_flat_opaque(f, false, n, values),
                                  .imm = size});
    f->temps[cas->oldLo].part[0] = values[0];
    if (cas->oldHi != IRTemp_INVALID)
        f->temps[cas->oldHi].part[0] = values[0];
}

/* A load, a comparison, and a store if the values are equal or may be.  Two
   elements, the lower one first in memory, are compared and stored together. */
static void compare_and_swap(struct sd_flat *f, const IRCAS *cas)
{
    IRType type = typeOfIRExpr(f->types, cas->dataLo);
    unsigned width = sd_flat_width(type);
    bool is_double = cas->oldHi != IRTemp_INVALID;
    size_t first = f->out->n_ops;
    uint32_t address = sd_flat_expr(f, cas->addr).part[0];
    uint32_t above = SD_ZERO, equal, equal_above;
    struct sd_vec expected = sd_flat_expr(f, cas->expdLo), lo, hi;

    if (!is_double && was_loaded(f, expected.part[0], address, width)) {
        sd_flat_store(f, type, address, sd_flat_expr(f, cas->dataLo),
                      SD_ALWAYS);
        f->temps[cas->oldLo] = expected;
        return;
    }
    if (f->is_whole) {
        swap_whole(f, cas, address,
                   (uint32_t)sizeofIRType(type) * (is_double ? 2 : 1));
        return;
    }
    lo = sd_flat_load(f, type, address, SD_ALWAYS);
    equal = sd_flat_pure(f, SD_CMPEQ, width, lo.part[0], expected.part[0]);
    if (is_double) {
        above = sd_insn_add(f->out, address, sd_insn_const(f->out, width / 8));
        hi = sd_flat_load(f, type, above, SD_ALWAYS);
        equal_above = sd_flat_pure(f, SD_CMPEQ, width, hi.part[0],
                                   sd_flat_expr(f, cas->expdHi).part[0]);
        equal = sd_flat_pure(f, SD_AND, 1, equal, equal_above);
        sd_flat_store(f, type, above, sd_flat_expr(f, cas->dataHi), equal);
        f->temps[cas->oldHi] = hi;
    }
    sd_flat_store(f, type, address, sd_flat_expr(f, cas->dataLo), equal);
    if (is_double) {
        /* Each is half of an access, so that their sizes are not known. */
        for (size_t i = first; i < f->out->n_ops; i++)
            if (sd_op_is(&f->out->ops[i], SD_LOADS))
                f->out->ops[i].c = 0;
            else if (sd_op_is(&f->out->ops[i], SD_STORES))
                f->out->ops[i].imm = 0;
    }
    f->temps[cas->oldLo] = lo;
}

static void load_linked(struct sd_flat *f, const IRStmt *s)
{
    uint32_t address = sd_flat_expr(f, s->Ist.LLSC.addr).part[0];
    const IRExpr *data = s->Ist.LLSC.storedata;

    if (data == NULL) {
        f->temps[s->Ist.LLSC.result] = sd_flat_load(
            f, typeOfIRTemp(f->types, s->Ist.LLSC.result), address, SD_ALWAYS);
        return;
    }
    sd_flat_store(f, typeOfIRExpr(f->types, data), address,
                  sd_flat_expr(f, data), SD_ALWAYS);
    f->temps[s->Ist.LLSC.result].part[0] = sd_insn_const(f->out, 1);
}

/* Sets n bytes of guest state to bottom, byte by byte at ragged ends. */
static void clobber(struct sd_flat *f, unsigned offset, unsigned n)
{
    while (n > 0) {
        unsigned step = offset % 8 == 0 && n >= 8 ? 8 : 1;

        sd_insn_put(f->out, offset, 8 * step, SD_BOTTOM);
        offset += step;
        n -= step;
    }
}

static void dirty_memory(struct sd_flat *f, const IRDirty *d)
{
    uint32_t guard = guard_of(f, d->guard);
    struct sd_op op = {.a = sd_flat_expr(f, d->mAddr).part[0],
                       .b = guard == SD_ALWAYS ? sd_insn_const(f->out, 1)
                                               : guard,
                       .c = (uint32_t)d->mSize,
                       .imm = (uint32_t)d->mSize};

    if (d->mFx == Ifx_Read || d->mFx == Ifx_Modify) {
        op.code = SD_READ;
        sd_insn_effect(f->out, op);
    }
    if (d->mFx == Ifx_Write || d->mFx == Ifx_Modify) {
        op.code = SD_WRITE;
        sd_insn_effect(f->out, op);
    }
}

/* How many bytes a helper accesses, up to 255: more are rare, and slow. */
static uint32_t size_of_memory(const IRDirty *d)
{
    return d->mSize < 255 ? (uint32_t)d->mSize : 255;
}

/* With is_whole, all that a helper writes is made of all that it reads. */
static void dirty_whole(struct sd_flat *f, const IRDirty *d)
{
    uint32_t values[32], all, address = SD_ZERO;
    unsigned n = 0;

    for (int i = 0; d->args[i] != NULL; i++)
        if (!is_IRExpr_VECRET_or_GSPTR(d->args[i])) {
            assert(n < 16);
            values[n++] = sd_flat_expr(f, d->args[i]).part[0];
        }
    for (int i = 0; i < d->nFxState; i++)
        if (d->fxState[i].fx != Ifx_Write) {
            assert(n < 31);
            values[n++] = sd_insn_emit(
                f->out, (struct sd_op){.code = SD_GET,
                                       .width = 8,
                                       .c = d->fxState[i].size,
                                       .imm = d->fxState[i].offset});
        }
    if (d->mFx != Ifx_None)
        address = sd_flat_expr(f, d->mAddr).part[0];
    if (d->mFx == Ifx_Read || d->mFx == Ifx_Modify)
        values[n++] =
            sd_insn_emit(f->out, (struct sd_op){.code = SD_LOAD,
                                                .width = 64,
                                                .a = address,
                                                .c = size_of_memory(d)});
    all = sd_flat_opaque(f, false, n, values);
    if (d->mFx == Ifx_Write || d->mFx == Ifx_Modify)
        sd_insn_effect(f->out, (struct sd_op){.code = SD_STORE,
                                              .width = 64,
                                              .a = address,
                                              .b = all,
                                              .imm = size_of_memory(d)});
    for (int i = 0; i < d->nFxState; i++)
        if (d->fxState[i].fx != Ifx_Read)
            sd_insn_effect(f->out, (struct sd_op){.code = SD_PUT,
                                                  .width = 8,
                                                  .a = all,
                                                  .c = d->fxState[i].size,
                                                  .imm = d->fxState[i].offset});
    if (d->tmp != IRTemp_INVALID)
        f->temps[d->tmp].part[0] = all;
}

static void dirty(struct sd_flat *f, const IRDirty *d)
{
    if (d->mFx != Ifx_None && d->mSize > 0)
        dirty_memory(f, d);
    if (d->tmp != IRTemp_INVALID)
        f->temps[d->tmp] = sd_flat_bottom();
    for (int i = 0; i < d->nFxState; i++) {
        if (d->fxState[i].fx == Ifx_Read)
            continue;
        for (unsigned k = 0; k <= d->fxState[i].nRepeats; k++)
            clobber(f, d->fxState[i].offset + k * d->fxState[i].repeatLen,
                    d->fxState[i].size);
    }
}

/* Is `address` the target of an exit? */
static bool leads_to(const IRConst *target, uint64_t address)
{
    return target->tag == Ico_U64 && target->Ico.U64 == address;
}

static bool ends_at_itself(const IRSB *irsb)
{
    return irsb->jumpkind == Ijk_Boring && irsb->next->tag == Iex_Const &&
           leads_to(irsb->next->Iex.Const.con, SD_LIFT_BASE);
}

/* Does the IR have a rep prefix?  Then it exits to the next instruction if no
   element is left, and at its end jumps to itself, always or on a condition. */
static bool is_repeated(const struct sd_flat *f, const IRSB *irsb)
{
    bool may_leave = false;

    for (int i = 0; i < irsb->stmts_used; i++) {
        const IRStmt *s = irsb->stmts[i];

        if (s->tag != Ist_Exit || s->Ist.Exit.jk != Ijk_Boring)
            continue;
        if (leads_to(s->Ist.Exit.dst, SD_LIFT_BASE + f->out->length))
            may_leave = true;
        else if (may_leave && leads_to(s->Ist.Exit.dst, SD_LIFT_BASE))
            return true;
    }
    return may_leave && ends_at_itself(irsb);
}

/* Flattens an exit of a repeated instruction.  The exit to the next instruction
   is taken if the number of elements left is zero. */
static void leave_or_repeat(struct sd_flat *f, const IRStmt *s)
{
    uint32_t guard = sd_flat_expr(f, s->Ist.Exit.guard).part[0];
    const struct sd_op *equals = sd_insn_definition(f->out, guard);

    if (leads_to(s->Ist.Exit.dst, SD_LIFT_BASE))
        f->again = guard;
    else
        sd_insn_effect(
            f->out, (struct sd_op){.code = SD_LEAVE,
                                   .a = guard,
                                   .b = equals != NULL ? equals->a : SD_BOTTOM,
                                   .c = SD_ZERO});
}

static int64_t distance(const IRConst *target)
{
    return (int64_t)(target->Ico.U64 - SD_LIFT_BASE);
}

/* Takes the exit of a conditional jump: the first conditional exit.  Exits to
   signals are ignored. */
static void conditional(struct sd_flat *f, const IRStmt *s)
{
    struct sd_exit *exit = &f->out->exit;

    if (exit->is_guarded || s->Ist.Exit.jk != Ijk_Boring)
        return;
    exit->is_guarded = true;
    exit->guard = sd_flat_expr(f, s->Ist.Exit.guard).part[0];
    exit->taken = distance(s->Ist.Exit.dst);
}

static enum sd_flow flow_of(IRJumpKind kind)
{
    switch (kind) {
    case Ijk_Call:
        return SD_FLOW_CALL;
    case Ijk_Ret:
        return SD_FLOW_RETURN;
    case Ijk_Sys_syscall ... Ijk_Sys_sysenter:
        return SD_FLOW_SYSCALL;
    case Ijk_SigILL ... Ijk_SigFPE_IntOvf:
        return SD_FLOW_TRAP;
    default:
        return SD_FLOW_JUMP;
    }
}

static void leave(struct sd_flat *f, const IRSB *irsb)
{
    struct sd_exit *exit = &f->out->exit;

    exit->flow = flow_of(irsb->jumpkind);
    exit->is_special =
        irsb->jumpkind != Ijk_Boring && irsb->jumpkind != Ijk_Call &&
        irsb->jumpkind != Ijk_Ret && irsb->jumpkind != Ijk_Sys_syscall &&
        irsb->jumpkind != Ijk_Yield;
    exit->is_direct = irsb->next->tag == Iex_Const;
    if (exit->is_direct)
        exit->next = distance(irsb->next->Iex.Const.con);
    else
        exit->target = sd_flat_expr(f, irsb->next).part[0];
    if (f->is_repeated) { /* the loop ends at the next instruction */
        exit->is_direct = true;
        exit->next = f->out->length;
    }
}

static void statement(struct sd_flat *f, const IRStmt *s)
{
    switch (s->tag) {
    case Ist_Put:
        put_register(f, s->Ist.Put.offset, s->Ist.Put.data);
        break;
    case Ist_PutI:
        put_indexed(f, s->Ist.PutI.details);
        break;
    case Ist_WrTmp:
        f->temps[s->Ist.WrTmp.tmp] = sd_flat_expr(f, s->Ist.WrTmp.data);
        break;
    case Ist_Store:
        sd_flat_store(f, typeOfIRExpr(f->types, s->Ist.Store.data),
                      sd_flat_expr(f, s->Ist.Store.addr).part[0],
                      sd_flat_expr(f, s->Ist.Store.data), SD_ALWAYS);
        break;
    case Ist_LoadG:
        load_guarded(f, s->Ist.LoadG.details);
        break;
    case Ist_StoreG:
        store_guarded(f, s->Ist.StoreG.details);
        break;
    case Ist_CAS:
        compare_and_swap(f, s->Ist.CAS.details);
        break;
    case Ist_LLSC:
        load_linked(f, s);
        break;
    case Ist_Dirty:
        (f->is_whole ? dirty_whole : dirty)(f, s->Ist.Dirty.details);
        break;
    case Ist_NoOp:
    case Ist_IMark:
    case Ist_AbiHint:
    case Ist_MBE:
        break;
    case Ist_Exit:
        if (f->is_whole) /* reads what decides where control goes */
            sd_insn_effect(
                f->out,
                (struct sd_op){.code = SD_LEAVE,
                               .a = sd_flat_expr(f, s->Ist.Exit.guard).part[0],
                               .b = SD_ZERO});
        if (f->is_repeated)
            leave_or_repeat(f, s);
        else
            conditional(f, s);
        break;
    }
}

static void loop_marker(struct sd_flat *f, enum sd_opcode code,
                        uint32_t condition)
{
    sd_insn_effect(f->out, (struct sd_op){.code = (uint8_t)code,
                                          .a = condition,
                                          .b = SD_ZERO,
                                          .c = SD_ZERO});
}

static void system_call(struct sd_flat *f, IRJumpKind kind)
{
    if (f->is_whole && kind != Ijk_Sys_syscall)
        return;
    sd_insn_put(f->out, f->guest->result, 64, SD_BOTTOM);
    sd_flat_note_size(f, Ity_I64);
    if (!f->is_whole && kind == Ijk_Sys_syscall &&
        f->guest->syscall_clobbers != GUEST_NO_OFFSET)
        sd_insn_put(f->out, f->guest->syscall_clobbers, 64, SD_BOTTOM);
}

void sd_flatten(struct sd_flat *f, const IRSB *irsb)
{
    struct sd_insn *out = f->out;

    assert(out != NULL && f->guest != NULL);
    f->types = irsb->tyenv;
    f->temps = memory_new((size_t)irsb->tyenv->types_used, sizeof *f->temps);
    f->is_repeated = !f->is_whole && is_repeated(f, irsb);
    if (f->is_repeated)
        loop_marker(f, SD_LOOP, SD_ZERO);
    for (int i = 0; i < irsb->stmts_used; i++)
        statement(f, irsb->stmts[i]);
    if (f->is_repeated)
        loop_marker(f, SD_AGAIN,
                    ends_at_itself(irsb) ? sd_insn_const(out, 1) : f->again);
    leave(f, irsb);
    if (irsb->jumpkind >= Ijk_Sys_syscall && irsb->jumpkind <= Ijk_Sys_sysenter)
        system_call(f, irsb->jumpkind);
    free(f->temps);
}
