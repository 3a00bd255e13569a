/*
 * ds_code_arm64: AArch64's instructions whose accesses VEX does not show as the
 * processor makes them.
 *
 * Store-exclusive.  VEX compares what is in memory with what load-exclusive
 * loaded, by a load and a compare-and-swap (ds_arch_arm64); the processor does
 * not load.
 *
 * Loads into the zero register.  VEX does not translate them, and so there is
 * no fault that they may raise.  They are decoded here, and put at
 * the start of their instruction.  The decoding follows the Arm Architecture
 * Reference Manual (C4.1, "Loads and Stores").
 *
 * Limits: of a pair with one zero register, that register's load comes first.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "instrument/ds_instrument.h"

#define ZERO 31 /* the number of the zero register, or of the stack pointer */

static UInt instruction_at(const UChar *code)
{
    return (UInt)code[0] | (UInt)code[1] << 8 | (UInt)code[2] << 16 |
           (UInt)code[3] << 24;
}

static UInt bits(UInt insn, UInt high, UInt low)
{
    return insn >> low & ((2u << (high - low)) - 1);
}

static Long signed_bits(UInt insn, UInt high, UInt low)
{
    ULong sign = (ULong)1 << (high - low);

    return (Long)((bits(insn, high, low) ^ sign) - sign);
}

static Bool is_store_exclusive(UInt insn)
{
    return (insn & 0x3fe00000) == 0x08000000 || /* STXR and STLXR */
           (insn & 0xbfe00000) == 0x88200000;   /* STXP and STLXP */
}

enum ds_code ds_code_of(const UChar *code, SizeT size)
{
    /* Valgrind takes a client request, several instructions, for one. */
    return size == 4 && is_store_exclusive(instruction_at(code))
               ? DS_CODE_STORE_EXCLUSIVE
               : DS_CODE_PLAIN;
}

/* A load into the zero register: from base + offset, or from an address that
   depends on no register. */
struct lost {
    UInt size; /* bytes; 0: the instruction has no such load */
    UInt n;    /* how many loads the instruction has, with this one */
    Bool is_literal;
    Long offset; /* offset, or the address itself */
    UInt base;   /* a register's number; ZERO is the stack pointer */
    Bool has_index;
    UInt index, extend, shift;
};

/* Is it a load, by the fields size and opc of a form with one register? */
static Bool loads(UInt size, UInt opc)
{
    return opc == 1 || (opc == 2 && size < 3) || (opc == 3 && size < 2);
}

/* LDR and related instructions that load one register. */
static struct lost single(UInt insn)
{
    UInt size = bits(insn, 31, 30), form = bits(insn, 11, 10);
    struct lost load = {.n = 1, .base = bits(insn, 9, 5)};

    if (bits(insn, 4, 0) != ZERO || !loads(size, bits(insn, 23, 22)))
        return load;
    if ((insn & 0x3f000000) == 0x39000000) { /* with a scaled offset */
        load.offset = (Long)bits(insn, 21, 10) << size;
    } else if ((insn & 0x3f200000) == 0x38000000) {
        /* form 1 is post-indexed and accesses the base itself */
        load.offset = form == 1 ? 0 : signed_bits(insn, 20, 12);
    } else if ((insn & 0x3f200c00) == 0x38200800) { /* with an index register */
        load.has_index = True;
        load.index = bits(insn, 20, 16);
        load.extend = bits(insn, 15, 13);
        load.shift = bits(insn, 12, 12) * size;
    } else if ((insn & 0x3f200c00) == 0x19000000) { /* LDAPUR */
        load.offset = signed_bits(insn, 20, 12);
    } else {
        return load;
    }
    load.size = 1u << size;
    return load;
}

/* The load of LDAR, LDLAR or LDAPR. */
static struct lost ordered(UInt insn)
{
    struct lost load = {.n = 1, .base = bits(insn, 9, 5)};

    if (bits(insn, 4, 0) == ZERO && ((insn & 0x3fe00000) == 0x08c00000 ||
                                     (insn & 0x3ffffc00) == 0x38bfc000))
        load.size = 1u << bits(insn, 31, 30);
    return load;
}

/* The load of LDP, LDNP or LDPSW. */
static struct lost pair(UInt insn)
{
    struct lost load = {.n = 2, .base = bits(insn, 9, 5)};
    Bool is_second = bits(insn, 14, 10) == ZERO;
    UInt size = bits(insn, 31, 30) == 2 ? 8 : 4;

    if ((insn & 0x3e400000) != 0x28400000 || bits(insn, 31, 30) == 3 ||
        is_second == (bits(insn, 4, 0) == ZERO))
        return load;
    load.size = size;
    if (bits(insn, 24, 23) != 1)
        load.offset = signed_bits(insn, 21, 15) * size;
    load.offset += is_second ? size : 0;
    return load;
}

/* The load of LDR or LDRSW with a literal. */
static struct lost literal(UInt insn, Addr address)
{
    struct lost load = {.n = 1, .is_literal = True};

    if ((insn & 0x3f000000) != 0x18000000 || bits(insn, 4, 0) != ZERO ||
        bits(insn, 31, 30) == 3)
        return load;
    load.size = bits(insn, 31, 30) == 1 ? 8 : 4;
    load.offset = (Long)address + 4 * signed_bits(insn, 23, 5);
    return load;
}

static struct lost lost_by(UInt insn, Addr address)
{
    struct lost load = single(insn);

    if (load.size == 0)
        load = ordered(insn);
    if (load.size == 0)
        load = pair(insn);
    if (load.size == 0)
        load = literal(insn, address);
    return load;
}

static IRExpr *get(IRSB *sb, UInt number)
{
    return ds_ir_assign(sb,
                        IRExpr_Get(ds_arch.general + 8 * (Int)number, Ity_I64));
}

/* The index register, extended as bits 15 to 13 of the instruction say. */
static IRExpr *index_of(IRSB *sb, const struct lost *load)
{
    IRExpr *index =
        load->index == ZERO ? ds_ir_constant(0) : get(sb, load->index);

    if (load->extend == 2 || load->extend == 6)
        index = ds_ir_unary(sb, load->extend == 2 ? Iop_32Uto64 : Iop_32Sto64,
                            ds_ir_unary(sb, Iop_64to32, index));
    return ds_ir_binary(sb, Iop_Shl64, index,
                        IRExpr_Const(IRConst_U8((UChar)load->shift)));
}

static void add(IRSB *sb, const struct lost *load)
{
    IRType type = load->size == 8   ? Ity_I64
                  : load->size == 4 ? Ity_I32
                  : load->size == 2 ? Ity_I16
                                    : Ity_I8;
    IRExpr *address = ds_ir_constant((ULong)load->offset);

    if (!load->is_literal)
        address = ds_ir_plus(sb, get(sb, load->base), (ULong)load->offset);
    if (load->has_index)
        address = ds_ir_binary(sb, Iop_Add64, address, index_of(sb, load));
    ds_ir_assign(sb, IRExpr_Load(Iend_LE, type, address));
}

/* The number of loads of the instruction whose mark is this statement. */
static UInt n_loads(const IRSB *sb, Int mark)
{
    UInt n = 0;

    for (Int i = mark + 1; i < sb->stmts_used && sb->stmts[i]->tag != Ist_IMark;
         i++)
        n += sb->stmts[i]->tag == Ist_WrTmp &&
             sb->stmts[i]->Ist.WrTmp.data->tag == Iex_Load;
    return n;
}

/* VEX marks what it cannot decode by a size of 0. */
static struct lost lost_at(const IRSB *sb, Int mark)
{
    const IRStmt *st = sb->stmts[mark];
    struct lost load = {.size = 0};

    if (st->tag == Ist_IMark && st->Ist.IMark.len == 4)
        load = lost_by(instruction_at((const UChar *)st->Ist.IMark.addr),
                       st->Ist.IMark.addr);
    if (load.size != 0 && n_loads(sb, mark) >= load.n)
        load.size = 0;
    return load;
}

IRSB *ds_code_complete(IRSB *in)
{
    IRSB *sb = deepCopyIRSBExceptStmts(in);

    for (Int i = 0; i < in->stmts_used; i++) {
        struct lost load = lost_at(in, i);

        addStmtToIRSB(sb, in->stmts[i]);
        if (load.size != 0)
            add(sb, &load);
    }
    return sb;
}
