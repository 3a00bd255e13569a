/* sd_expr: flattens VEX's expressions, types and constants. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lift/sd_flat.h"

unsigned sd_flat_n_parts(const struct sd_flat *f, IRType type)
{
    if (f->is_whole)
        return 1;
    switch (type) {
    case Ity_I128:
    case Ity_F128:
    case Ity_D128:
    case Ity_V128:
        return 2;
    case Ity_V256:
        return 4;
    default:
        return 1;
    }
}

unsigned sd_flat_width(IRType type)
{
    switch (type) {
    case Ity_I1:
        return 1;
    case Ity_I8:
        return 8;
    case Ity_I16:
    case Ity_F16:
        return 16;
    case Ity_I32:
    case Ity_F32:
    case Ity_D32:
        return 32;
    default:
        return 64;
    }
}

uint32_t sd_flat_opaque(struct sd_flat *f, bool is_move, unsigned n,
                        const uint32_t *values)
{
    struct sd_op op = {
        .code = SD_OPAQUE, .width = 64, .b = SD_ZERO, .imm = is_move};

    op.a = n > 0 ? values[0] : SD_ZERO;
    for (unsigned i = 1; i < n; i++) {
        op.b = values[i];
        op.a = sd_insn_emit(f->out, op);
    }
    return n > 1 ? op.a : sd_insn_emit(f->out, op);
}

void sd_flat_note_size(struct sd_flat *f, IRType type)
{
    if (f->is_whole)
        f->out->ops[f->out->n_ops - 1].c = (uint32_t)sizeofIRType(type);
}

/* A 64-bit constant, which is an address in the code if it is near the place of
   lifting. */
static uint32_t address_const(struct sd_flat *f, uint64_t value)
{
    uint64_t distance = value - SD_LIFT_BASE;

    if (distance + (UINT64_C(1) << 32) >= UINT64_C(1) << 33)
        return sd_insn_const(f->out, value);
    return sd_insn_emit(
        f->out, (struct sd_op){.code = f->is_page ? SD_CONST_PAGE : SD_CONST_PC,
                               .width = 64,
                               .imm = distance});
}

/* A constant in which each bit of the mask is a byte of zeros or of ones. */
static uint32_t byte_mask(struct sd_flat *f, unsigned mask)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < 8; i++)
        if (mask >> i & 1)
            value |= UINT64_C(0xff) << 8 * i;
    return sd_insn_const(f->out, value);
}

static struct sd_vec constant(struct sd_flat *f, const IRConst *c)
{
    struct sd_vec r = {{SD_ZERO, SD_ZERO, SD_ZERO, SD_ZERO}};
    uint64_t bits = 0;

    switch (c->tag) {
    case Ico_U1:
        bits = c->Ico.U1 != 0;
        break;
    case Ico_U8:
        bits = c->Ico.U8;
        break;
    case Ico_U16:
        bits = c->Ico.U16;
        break;
    case Ico_U32:
    case Ico_F32i:
        bits = c->Ico.U32;
        break;
    case Ico_F32:
        memcpy(&bits, &c->Ico.F32, sizeof c->Ico.F32);
        break;
    case Ico_F64:
        memcpy(&bits, &c->Ico.F64, sizeof c->Ico.F64);
        break;
    case Ico_U64:
    case Ico_F64i:
        r.part[0] = address_const(f, c->Ico.U64);
        return r;
    case Ico_U128:
    case Ico_V128:
        for (unsigned i = 0; i < 2; i++)
            r.part[i] = byte_mask(f, c->Ico.V128 >> 8 * i & 0xffu);
        return r;
    case Ico_V256:
        for (unsigned i = 0; i < 4; i++)
            r.part[i] = byte_mask(f, c->Ico.V256 >> 8 * i & 0xffu);
        return r;
    }
    r.part[0] = sd_insn_const(f->out, bits);
    if (f->is_whole && c->tag == Ico_U32 && bits != 0)
        f->out->ops[f->out->n_ops - 1].width = 32;
    return r;
}

/* A register, by its byte offset in the guest state. */
static struct sd_vec get(struct sd_flat *f, int offset, IRType type)
{
    struct sd_vec r = sd_flat_bottom();
    unsigned width = sd_flat_width(type);

    for (unsigned i = 0; i < sd_flat_n_parts(f, type); i++)
        r.part[i] = sd_insn_get(f->out, (unsigned)offset + 8 * i, width);
    sd_flat_note_size(f, type);
    return r;
}

static struct sd_vec get_indexed(struct sd_flat *f, const IRExpr *e)
{
    const IRRegArray *array = e->Iex.GetI.descr;
    struct sd_vec r = sd_flat_bottom(), index;

    index = sd_flat_expr(f, e->Iex.GetI.ix);
    if (sd_flat_n_parts(f, array->elemTy) == 1)
        r.part[0] = sd_insn_emit(
            f->out,
            (struct sd_op){.code = SD_GETI,
                           .width = (uint8_t)sd_flat_width(array->elemTy),
                           .disp = (int16_t)e->Iex.GetI.bias,
                           .a = index.part[0],
                           .b = (uint32_t)array->base,
                           .c = (uint32_t)array->nElems});
    return r;
}

static struct sd_vec operation(struct sd_flat *f, IROp op, unsigned n,
                               const IRExpr *const *exprs)
{
    struct sd_vec args[4] = {{{0}}};

    for (unsigned i = 0; i < n; i++)
        args[i] = sd_flat_expr(f, exprs[i]);
    return sd_flat_irop(f, op, args, n);
}

static struct sd_vec choose(struct sd_flat *f, const IRExpr *e)
{
    uint32_t cond = sd_flat_expr(f, e->Iex.ITE.cond).part[0];
    struct sd_vec t = sd_flat_expr(f, e->Iex.ITE.iftrue);
    struct sd_vec u = sd_flat_expr(f, e->Iex.ITE.iffalse);
    IRType type = typeOfIRExpr(f->types, e->Iex.ITE.iftrue);
    struct sd_vec r = sd_flat_bottom();

    for (unsigned i = 0; i < sd_flat_n_parts(f, type); i++)
        r.part[i] = sd_insn_pure(f->out, SD_ITE, sd_flat_width(type), cond,
                                 t.part[i], u.part[i]);
    return r;
}

/* VEX's codes for the last operation that set the flags, from 0 on
   (guest_amd64_defs.h, guest_arm64_defs.h). */
#define N_CC_AMD64 65
#define N_CC_ARM64 11

/* Notes which argument of a VEX helper is the operation that set the flags: the
   second one, or the first if the helper computes no single condition.
   AArch64's helper for a condition takes both in one argument. */
static void mark_cc(struct sd_call *call, const char *name)
{
    static const struct {
        const char *name;
        uint8_t arg, n;
        bool has_condition, keeps_flags;
    } cc[] = {
        {"amd64g_calculate_condition", 1, N_CC_AMD64, false, false},
        {"amd64g_calculate_rflags_c", 0, N_CC_AMD64, false, true},
        {"amd64g_calculate_rflags_all", 0, N_CC_AMD64, false, true},
        {"arm64g_calculate_condition", 0, N_CC_ARM64, true, false},
        {"arm64g_calculate_flags_nzcv", 0, N_CC_ARM64, false, false},
        {"arm64g_calculate_flag_n", 0, N_CC_ARM64, false, false},
        {"arm64g_calculate_flag_z", 0, N_CC_ARM64, false, false},
        {"arm64g_calculate_flag_c", 0, N_CC_ARM64, false, false},
        {"arm64g_calculate_flag_v", 0, N_CC_ARM64, false, false},
    };

    for (size_t i = 0; i < sizeof cc / sizeof cc[0]; i++) {
        if (strcmp(name, cc[i].name) != 0)
            continue;
        call->takes_cc = true;
        call->cc_arg = cc[i].arg;
        call->n_cc = cc[i].n;
        call->has_condition = cc[i].has_condition;
        call->keeps_flags = cc[i].keeps_flags;
    }
}

static struct sd_vec call_helper(struct sd_flat *f, const IRExpr *e)
{
    struct sd_call call = {.function = e->Iex.CCall.cee->addr,
                           .width = (uint8_t)sd_flat_width(e->Iex.CCall.retty)};
    struct sd_vec r = sd_flat_bottom();

    for (IRExpr **arg = e->Iex.CCall.args; *arg != NULL; arg++) {
        if (call.n_args == SD_CALL_ARGS || is_IRExpr_VECRET_or_GSPTR(*arg))
            return r;
        call.args[call.n_args++] = sd_flat_expr(f, *arg).part[0];
    }
    if (sd_flat_n_parts(f, e->Iex.CCall.retty) != 1)
        return r;
    mark_cc(&call, e->Iex.CCall.cee->name);
    r.part[0] = sd_insn_call(f->out, call);
    return r;
}

/* The offset in bits of an address from that of the spilled register, to which
   VEX has added bytes. */
static uint32_t spilled_shift(struct sd_flat *f, uint32_t address)
{
    const struct sd_op *op = sd_insn_definition(f->out, address);

    if (address == f->spilled_at)
        return SD_ZERO;
    if (op == NULL || op->code != SD_ADD || op->a != f->spilled_at)
        return SD_BOTTOM;
    return sd_flat_pure(f, SD_SHL, 64, op->b, sd_insn_const(f->out, 3));
}

static struct sd_vec load_spilled(struct sd_flat *f, IRType type,
                                  uint32_t address)
{
    struct sd_vec r = sd_flat_bottom();

    r.part[0] = sd_flat_extract(
        f, sd_flat_width(type), 0,
        sd_flat_pure(f, SD_SHR, 64, f->spilled, spilled_shift(f, address)));
    return r;
}

/* VEX's first store spills the register; the next one changes a part of it. */
static void store_spilled(struct sd_flat *f, unsigned width, uint32_t address,
                          uint32_t value)
{
    if (f->spilled_at == SD_BOTTOM) {
        assert(address != SD_BOTTOM);
        f->spilled_at = address;
        f->spilled = value;
        return;
    }
    uint32_t shift = spilled_shift(f, address);
    uint32_t mask = sd_flat_pure(f, SD_SHL, 64,
                                 sd_insn_const(f->out, sd_mask(width)), shift);
    uint32_t kept = sd_flat_pure(f, SD_AND, 64, f->spilled,
                                 sd_flat_pure(f, SD_NOT, 64, mask, SD_ZERO));
    f->spilled = sd_flat_pure(f, SD_OR, 64, kept,
                              sd_flat_pure(f, SD_SHL, 64, value, shift));
}

struct sd_vec sd_flat_load(struct sd_flat *f, IRType type, uint32_t address,
                           uint32_t guard)
{
    struct sd_vec r = sd_flat_bottom();

    assert(sd_flat_width(type) % 8 == 0);
    if (f->is_in_registers)
        return load_spilled(f, type, address);
    for (unsigned i = 0; i < sd_flat_n_parts(f, type); i++)
        r.part[i] = sd_insn_emit(
            f->out,
            (struct sd_op){.code = guard == SD_ALWAYS ? SD_LOAD : SD_LOADIF,
                           .width = (uint8_t)sd_flat_width(type),
                           .disp = (int16_t)(8 * i),
                           .a = address,
                           .b = guard == SD_ALWAYS ? SD_ZERO : guard,
                           .c = (uint32_t)sizeofIRType(type)});
    return r;
}

void sd_flat_store(struct sd_flat *f, IRType type, uint32_t address,
                   struct sd_vec value, uint32_t guard)
{
    assert(sd_flat_width(type) % 8 == 0);
    if (f->is_in_registers) {
        store_spilled(f, sd_flat_width(type), address, value.part[0]);
        return;
    }
    for (unsigned i = 0; i < sd_flat_n_parts(f, type); i++)
        sd_insn_effect(
            f->out,
            (struct sd_op){
                .code = guard == SD_ALWAYS ? SD_STORE : SD_STOREIF,
                .width = (uint8_t)sd_flat_width(type),
                .disp = (int16_t)(8 * i),
                .a = address,
                .b = value.part[i],
                .c = guard == SD_ALWAYS ? SD_ZERO : guard,
                .imm = f->is_repeated ? 0 : (uint64_t)sizeofIRType(type)});
}

/* VEX has no guarded load for the elements of a gather: for an element that the
   mask leaves out it loads from the stack pointer's address, and drops the
   value.  No other instruction selects between two addresses. */
static struct sd_vec load_plain(struct sd_flat *f, const IRExpr *e)
{
    uint32_t address = sd_flat_expr(f, e->Iex.Load.addr).part[0];
    const struct sd_op *op = sd_insn_definition(f->out, address);

    if (op != NULL && op->code == SD_ITE && !f->is_whole)
        return sd_flat_load(f, e->Iex.Load.ty, op->b, op->a);
    return sd_flat_load(f, e->Iex.Load.ty, address, SD_ALWAYS);
}

struct sd_vec sd_flat_expr(struct sd_flat *f, const IRExpr *e)
{
    switch (e->tag) {
    case Iex_Get:
        return get(f, e->Iex.Get.offset, e->Iex.Get.ty);
    case Iex_GetI:
        return get_indexed(f, e);
    case Iex_RdTmp:
        return f->temps[e->Iex.RdTmp.tmp];
    case Iex_Unop:
        return operation(f, e->Iex.Unop.op, 1,
                         (const IRExpr *const[]){e->Iex.Unop.arg});
    case Iex_Binop:
        return operation(
            f, e->Iex.Binop.op, 2,
            (const IRExpr *const[]){e->Iex.Binop.arg1, e->Iex.Binop.arg2});
    case Iex_Triop:
        return operation(f, e->Iex.Triop.details->op, 3,
                         (const IRExpr *const[]){e->Iex.Triop.details->arg1,
                                                 e->Iex.Triop.details->arg2,
                                                 e->Iex.Triop.details->arg3});
    case Iex_Qop:
        return operation(f, e->Iex.Qop.details->op, 4,
                         (const IRExpr *const[]){e->Iex.Qop.details->arg1,
                                                 e->Iex.Qop.details->arg2,
                                                 e->Iex.Qop.details->arg3,
                                                 e->Iex.Qop.details->arg4});
    case Iex_Load:
        return load_plain(f, e);
    case Iex_Const:
        return constant(f, e->Iex.Const.con);
    case Iex_ITE:
        return choose(f, e);
    case Iex_CCall:
        return call_helper(f, e);
    default: /* Binder, VECRET and GSPTR are not values */
        return sd_flat_bottom();
    }
}
