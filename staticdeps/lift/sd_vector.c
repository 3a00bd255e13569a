/*
 * sd_vector: what a vector instruction does that VEX does not know: AVX-512,
 * what moves and tests opmasks, VAES, GFNI, VNNI.  Capstone 4 knows half
 * of it.
 *
 * Decodes the VEX and EVEX prefix, the operands' byte and the displacement, and
 * knows for each opcode how much memory it accesses (Intel SDM volume 2, 2.3,
 * 2.7 and tables 2-34 and 2-35 for the scale of short displacements, which is
 * the size of the access).
 *
 * Limits: instructions with other prefixes before these are not described.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "lift/sd_vector.h"

#include <string.h>

#include <libvex_guest_amd64.h>

#include "lift/sd_avx.h"

#define AT(field) ((unsigned)offsetof(VexGuestAMD64State, field))

/* The fields of an instruction; register numbers with all their bits. */
struct fields {
    bool is_evex, wide, broadcast; /* wide: W */
    uint8_t map, opcode, pp, vector_bytes;
    uint8_t mod, reg, rm, vvvv;
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
    /* In a register's number, what would be the index's bit is one more. */
    if (f->mod == 3)
        f->rm |=
            (uint8_t)(f->base_high | (f->is_evex && f->index_high ? 16 : 0));
    f->vvvv =
        (uint8_t)((~p1 >> 3 & 0xf) | (f->is_evex && !(code[3] & 8) ? 16 : 0));
    f->rest = code + n + 2;
    return f->vector_bytes <= 64 || f->mod == 3;
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
   All parts together end before 16 bytes, which can be read. */
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

/* KMOV's width is said by pp and W (SDM volume 2, "KMOVW/KMOVB/KMOVQ/KMOVD").
 */
static unsigned mask_bytes(const struct fields *f)
{
    if (f->pp == 0)
        return f->wide ? 8 : 2;
    return f->wide ? 4 : 1;
}

static unsigned access_bytes(const struct fields *f, unsigned size)
{
    switch (size) {
    case SD_AVX_FULL:
        if (f->is_evex && f->broadcast)
            return f->wide ? 8 : 4;
        return f->vector_bytes;
    case SD_AVX_HALF:
        return f->vector_bytes / 2u;
    case SD_AVX_QUARTER:
        return f->vector_bytes / 4u;
    case SD_AVX_EIGHTH:
        return f->vector_bytes / 8u;
    case SD_AVX_WORD:
        return f->wide ? 8 : 4;
    case SD_AVX_OPMASK:
        return mask_bytes(f);
    default:
        return size;
    }
}

static bool writes_memory(enum sd_avx_kind kind)
{
    return kind == SD_AVX_STORE || kind == SD_AVX_STORE_PART ||
           kind == SD_AVX_SCATTER || kind == SD_AVX_MASK_STORE;
}

static void access_memory(struct sd_insn *out, const struct fields *f,
                          enum sd_avx_kind kind, unsigned size, unsigned length)
{
    bool is_unknown = kind == SD_AVX_GATHER || kind == SD_AVX_SCATTER;

    sd_insn_effect(
        out, (struct sd_op){.code = writes_memory(kind) ? SD_WRITE : SD_READ,
                            .a = is_unknown ? SD_BOTTOM
                                            : address_of(out, f, size, length),
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

/* VEX has the first sixteen. */
static void clobber_vector(struct sd_insn *out, unsigned number)
{
    if (number < 16)
        put_bottom(out, AT(guest_YMM0) + 32 * number, 4);
}

static void clobber_general(struct sd_insn *out, unsigned number)
{
    put_bottom(out, AT(guest_RAX) + 8 * (number & 15), 1);
}

static void clobber_flags(struct sd_insn *out)
{
    put_bottom(out, AT(guest_CC_OP), 4); /* and DEP1, DEP2, NDEP */
}

static void clobber(struct sd_insn *out, const struct fields *f,
                    enum sd_avx_kind kind)
{
    switch (kind) {
    case SD_AVX_LOAD:
    case SD_AVX_GATHER:
        clobber_vector(out, f->reg);
        break;
    case SD_AVX_STORE:
        if (f->mod == 3)
            clobber_vector(out, f->rm);
        break;
    case SD_AVX_STORE_PART:
        if (f->mod == 3)
            clobber_general(out, f->rm);
        break;
    case SD_AVX_GROUP:
        clobber_vector(out, f->vvvv);
        break;
    case SD_AVX_MASK_TO_GENERAL:
        clobber_general(out, f->reg);
        break;
    case SD_AVX_FLAGS:
        clobber_flags(out);
        break;
    case SD_AVX_SCATTER:
    case SD_AVX_MASK:
    case SD_AVX_MASK_STORE:
        break;
    }
}

bool sd_vector(struct sd_insn *out, const uint8_t *code, unsigned length)
{
    const struct sd_avx_entry *entry;
    enum sd_avx_kind kind;
    struct fields f;

    if (length < 4 || !read_prefix(&f, code, length))
        return false;
    entry = sd_avx_find(f.is_evex, f.map, f.pp, f.opcode);
    if (entry == NULL)
        return false;
    kind = (enum sd_avx_kind)entry->kind;
    if (f.mod != 3 && entry->size != SD_AVX_NONE)
        access_memory(out, &f, kind, access_bytes(&f, entry->size), length);
    clobber(out, &f, kind);
    return true;
}

bool sd_vector_registers(struct sd_insn *out, const uint8_t *code,
                         unsigned length)
{
    struct fields f;

    if (length < 6 || !read_prefix(&f, code, length) || !f.is_evex ||
        f.mod != 3 || f.map < 1 || f.map > 3)
        return false;
    clobber_vector(out, f.reg);
    clobber_vector(out, f.vvvv);
    clobber_vector(out, f.rm);
    if (f.map != 1)
        return true;
    switch (f.opcode) {
    case 0x2c: /* conversions to integers */
    case 0x2d:
    case 0x78:
    case 0x79:
    case 0xc5: /* pextrw */
        clobber_general(out, f.reg);
        break;
    case 0x7e: /* movd, movq */
        clobber_general(out, f.rm);
        break;
    case 0x2e: /* comparisons */
    case 0x2f:
        clobber_flags(out);
        break;
    }
    return true;
}
