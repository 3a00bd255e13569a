/*
 * sd_vector: what a vector instruction does that the disassembler does not
 * know either: comparisons into opmask registers and what moves those,
 * ternary logic, VAES, GFNI, VNNI.
 *
 * Decodes the VEX and EVEX prefix, the operands' byte and the displacement
 * (Intel SDM volume 2, 2.3, 2.7 and table 2-34 for the scale of short
 * displacements).  All these instructions access a whole vector, or one element
 * that is broadcast, or, the moves of opmasks, the mask.
 *
 * Limits: instructions with other prefixes before these are not described.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "sd_vector.h"

#include <string.h>

#include <libvex_guest_amd64.h>

#define AT(field) ((unsigned)offsetof(VexGuestAMD64State, field))

enum kind {
    VECTOR, /* writes register `reg`, which may be an opmask; may load */
    BYTE,   /* the same, but loads one byte, or two, and broadcasts it */
    WORD,
    MASK,       /* opmask registers alone */
    MASK_LOAD,  /* an opmask from memory or another */
    MASK_STORE, /* an opmask to memory */
    MASK_TO_GENERAL,
    FLAGS /* an opmask's, into the flags */
};

static const struct {
    bool is_evex;
    uint8_t map, first, last; /* opcodes */
    uint8_t kind;
} table[] = {
    {false, 1, 0x41, 0x4b, MASK},
    {false, 1, 0x90, 0x90, MASK_LOAD},
    {false, 1, 0x91, 0x91, MASK_STORE},
    {false, 1, 0x92, 0x92, MASK},
    {false, 1, 0x93, 0x93, MASK_TO_GENERAL},
    {false, 1, 0x98, 0x99, FLAGS},
    {false, 2, 0x50, 0x53, VECTOR},
    {false, 2, 0xb4, 0xb5, VECTOR},
    {false, 2, 0xcf, 0xcf, VECTOR},
    {false, 2, 0xdc, 0xdf, VECTOR},
    {false, 3, 0x30, 0x33, MASK},
    {false, 3, 0x44, 0x44, VECTOR},
    {false, 3, 0xce, 0xcf, VECTOR},
    {true, 1, 0x64, 0x66, VECTOR},
    {true, 1, 0x74, 0x76, VECTOR},
    {true, 1, 0xc2, 0xc2, VECTOR},
    {true, 2, 0x26, 0x29, VECTOR},
    {true, 2, 0x37, 0x39, VECTOR},
    {true, 2, 0x50, 0x55, VECTOR},
    {true, 2, 0x70, 0x73, VECTOR},
    {true, 2, 0x78, 0x78, BYTE},
    {true, 2, 0x79, 0x79, WORD},
    {true, 2, 0x8f, 0x8f, VECTOR},
    {true, 2, 0xb4, 0xb5, VECTOR},
    {true, 2, 0xcf, 0xcf, VECTOR},
    {true, 2, 0xdc, 0xdf, VECTOR},
    {true, 3, 0x1e, 0x1f, VECTOR},
    {true, 3, 0x25, 0x25, VECTOR},
    {true, 3, 0x3e, 0x3f, VECTOR},
    {true, 3, 0x44, 0x44, VECTOR},
    {true, 3, 0x70, 0x73, VECTOR},
    {true, 3, 0xce, 0xcf, VECTOR},
};

/* The fields of an instruction; register numbers with all their bits. */
struct fields {
    bool is_evex, wide, broadcast; /* wide: W */
    uint8_t map, opcode, pp, vector_bytes;
    uint8_t mod, reg, rm;
    uint8_t index_high, base_high; /* 8 or 0, for memory */
    const uint8_t *rest;           /* behind ModRM */
};

/* False if the bytes end too early or are none of these instructions. */
static bool read_prefix(struct fields *f, const uint8_t *code, unsigned length)
{
    uint8_t p0 = code[1], p1 = code[2], modrm;
    unsigned n = code[0] == 0xc5 ? 2 : code[0] == 0xc4 ? 3 : 4;

    *f = (struct fields){.is_evex = code[0] == 0x62, .map = 1};
    if ((n != 4 && code[0] != 0xc4 && code[0] != 0xc5) ||
        (n == 4 && !f->is_evex) || length < n + 2)
        return false;
    if (n == 2)
        p1 = p0 & 0x7f; /* no W, and of the high bits only R */
    else
        f->map = p0 & (n == 3 ? 0x1f : 7);
    modrm = code[n + 1];
    f->wide = p1 >> 7;
    f->pp = p1 & 3;
    f->vector_bytes = p1 & 4 ? 32 : 16;
    if (f->is_evex) {
        f->vector_bytes = (uint8_t)(16 << (code[3] >> 5 & 3));
        f->broadcast = code[3] >> 4 & 1;
    }
    f->opcode = code[n];
    f->mod = modrm >> 6;
    f->reg = (uint8_t)((modrm >> 3 & 7) | (p0 & 0x80 ? 0 : 8) |
                       (f->is_evex && !(p0 & 0x10) ? 16 : 0));
    f->index_high = n != 2 && !(p0 & 0x40) ? 8 : 0;
    f->base_high = n != 2 && !(p0 & 0x20) ? 8 : 0;
    f->rm = modrm & 7;
    f->rest = code + n + 2;
    return f->vector_bytes <= 64;
}

static uint32_t general(struct sd_insn *out, unsigned number)
{
    return sd_insn_emit(out, (struct sd_op){.code = SD_GET,
                                            .width = 64,
                                            .imm = AT(guest_RAX) + 8 * number});
}

static uint32_t add(struct sd_insn *out, uint32_t a, uint32_t b)
{
    return sd_insn_pure(out, SD_ADD, 64, a, b, SD_ZERO);
}

static uint32_t scaled_index(struct sd_insn *out, const struct fields *f,
                             uint8_t sib)
{
    unsigned number = (sib >> 3 & 7u) | f->index_high;

    if (number == 4)
        return SD_ZERO;
    return sd_insn_pure(out, SD_SHL, 64, general(out, number),
                        sd_insn_const(out, sib >> 6), SD_ZERO);
}

/* `size`: of the access, in bytes, by which EVEX scales short displacements.
   The length of the instruction has been checked against all this. */
static uint32_t address_of(struct sd_insn *out, const struct fields *f,
                           unsigned size, unsigned length)
{
    const uint8_t *at = f->rest;
    bool has_sib = f->rm == 4;
    uint8_t sib = has_sib ? *at++ : f->rm;
    bool has_base = f->mod != 0 || (sib & 7) != 5;
    uint32_t sum = SD_ZERO;
    int32_t disp = 0;

    if (f->mod == 1)
        disp = (int8_t)*at * (f->is_evex ? (int)size : 1);
    else if (f->mod == 2 || !has_base)
        memcpy(&disp, at, sizeof disp);
    if (!has_base && !has_sib)
        return sd_insn_emit(
            out, (struct sd_op){.code = SD_CONST_PC,
                                .width = 64,
                                .imm = (uint64_t)(int64_t)disp + length});
    if (has_base)
        sum = general(out, (sib & 7u) | f->base_high);
    if (has_sib)
        sum = add(out, sum, scaled_index(out, f, sib));
    return add(out, sum, sd_insn_const(out, (uint64_t)(int64_t)disp));
}

static void access_memory(struct sd_insn *out, const struct fields *f,
                          enum sd_opcode code, unsigned size, unsigned length)
{
    sd_insn_effect(out, (struct sd_op){.code = (uint8_t)code,
                                       .a = address_of(out, f, size, length),
                                       .b = sd_insn_const(out, 1),
                                       .c = size});
}

static void put_bottom(struct sd_insn *out, unsigned offset, unsigned n_words)
{
    for (unsigned i = 0; i < n_words; i++)
        sd_insn_effect(out, (struct sd_op){.code = SD_PUT,
                                           .width = 64,
                                           .a = SD_BOTTOM,
                                           .imm = offset + 8 * i});
}

/* KMOV's width is said by pp and W (SDM volume 2, "KMOVW/KMOVB/KMOVQ/KMOVD").
 */
static unsigned mask_bytes(const struct fields *f)
{
    if (f->pp == 0)
        return f->wide ? 8 : 2;
    return f->wide ? 4 : 1;
}

static unsigned vector_access(const struct fields *f, enum kind kind)
{
    if (kind != VECTOR)
        return kind == BYTE ? 1 : 2;
    if (f->broadcast)
        return f->wide ? 8 : 4;
    return f->vector_bytes;
}

static void describe(struct sd_insn *out, const struct fields *f,
                     enum kind kind, unsigned length)
{
    bool has_memory = f->mod != 3;

    switch (kind) {
    case VECTOR:
    case BYTE:
    case WORD:
        if (has_memory)
            access_memory(out, f, SD_READ, vector_access(f, kind), length);
        if (f->reg < 16)
            put_bottom(out, AT(guest_YMM0) + 32u * f->reg, 4);
        break;
    case MASK:
        break;
    case MASK_LOAD:
    case MASK_STORE:
        if (has_memory)
            access_memory(out, f, kind == MASK_LOAD ? SD_READ : SD_WRITE,
                          mask_bytes(f), length);
        break;
    case MASK_TO_GENERAL:
        put_bottom(out, AT(guest_RAX) + 8u * (f->reg & 15), 1);
        break;
    case FLAGS:
        put_bottom(out, AT(guest_CC_OP), 4); /* and DEP1, DEP2, NDEP */
        break;
    }
}

bool sd_vector(struct sd_insn *out, const uint8_t *code, unsigned length)
{
    struct fields f;

    if (length < 4 || !read_prefix(&f, code, length))
        return false;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (table[i].is_evex != f.is_evex || table[i].map != f.map ||
            f.opcode < table[i].first || f.opcode > table[i].last)
            continue;
        describe(out, &f, (enum kind)table[i].kind, length);
        return true;
    }
    return false;
}
