/*
 * sd_vector: describes vector instructions that VEX does not know: AVX-512,
 * instructions on opmasks, VAES, GFNI, VNNI.  Capstone 4 knows half of them.
 *
 * It decodes the VEX or EVEX prefix, ModRM, SIB and displacement, and has a
 * table of the size of each opcode's access (Intel SDM volume 2, the pages of
 * the instructions; 2.3, 2.7 and tables 2-34 and 2-35 for the scale of short
 * displacements, which is the size of the access).
 *
 * Limits: instructions with other prefixes before these are not described.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "lift/sd_operands.h"

#include <libvex_guest_amd64.h>

#define AT(field) ((unsigned)offsetof(VexGuestAMD64State, field))

enum kind {
    LOAD,       /* writes vector or opmask register `reg` */
    STORE,      /* writes memory or vector register `rm` */
    STORE_PART, /* writes memory or general register `rm` */
    GROUP,      /* writes the register of the prefix */
    GATHER,     /* as LOAD, at addresses from a vector */
    SCATTER,
    MASK,       /* writes an opmask register; may load */
    MASK_STORE, /* stores an opmask */
    MASK_TO_GENERAL,
    FLAGS /* tests opmasks and writes the flags */
};

/* Sizes of accesses: a number of bytes, or one of the following. */
enum {
    FULL = 100, /* the vector, or one element to be broadcast */
    RATIO,      /* a half, quarter or eighth of the vector, by the opcode */
    POWER,      /* 4, 8, 16 or 32 bytes, by the opcode's lowest two bits */
    WORD,       /* 8 bytes or 4, by W */
    OPMASK,     /* the width of an opmask, by pp and W */
    NONE
};

struct entry {
    uint8_t encoding, map, pp;
    uint8_t first, last; /* the range of opcodes */
    uint8_t kind, size;
};

enum { VEX = 0, EVEX = 1 };
enum { ANY = 0xf, P0 = 1, P66 = 2, PF3 = 4, PF2 = 8 }; /* sets of prefixes */

static const struct entry table[] = {
    {VEX, 1, ANY, 0x41, 0x4b, MASK, NONE},
    {VEX, 1, ANY, 0x90, 0x90, MASK, OPMASK},
    {VEX, 1, ANY, 0x91, 0x91, MASK_STORE, OPMASK},
    {VEX, 1, ANY, 0x92, 0x92, MASK, NONE},
    {VEX, 1, ANY, 0x93, 0x93, MASK_TO_GENERAL, NONE},
    {VEX, 1, ANY, 0x98, 0x99, FLAGS, NONE},
    {VEX, 2, ANY, 0x50, 0x53, LOAD, FULL},
    {VEX, 2, P66, 0xb4, 0xb5, LOAD, FULL},
    {VEX, 2, P66, 0xcf, 0xcf, LOAD, FULL},
    {VEX, 2, P66, 0xdc, 0xdf, LOAD, FULL},
    {VEX, 3, P66, 0x30, 0x33, MASK, NONE},
    {VEX, 3, P66, 0x44, 0x44, LOAD, FULL},
    {VEX, 3, P66, 0xce, 0xcf, LOAD, FULL},
    {EVEX, 1, P0 | P66, 0x10, 0x10, LOAD, FULL},
    {EVEX, 1, P0 | P66, 0x11, 0x11, STORE, FULL},
    {EVEX, 1, P0 | P66, 0x12, 0x12, LOAD, 8},
    {EVEX, 1, P0 | P66, 0x13, 0x13, STORE, 8},
    {EVEX, 1, P0 | P66, 0x14, 0x15, LOAD, FULL},
    {EVEX, 1, P0 | P66, 0x16, 0x16, LOAD, 8},
    {EVEX, 1, P0 | P66, 0x17, 0x17, STORE, 8},
    {EVEX, 1, P0 | P66, 0x54, 0x57, LOAD, FULL},
    {EVEX, 1, P66, 0x60, 0x6d, LOAD, FULL},
    {EVEX, 1, P66, 0x6e, 0x6e, LOAD, WORD},
    {EVEX, 1, ANY, 0x6f, 0x70, LOAD, FULL},
    {EVEX, 1, P66, 0x71, 0x73, GROUP, FULL},
    {EVEX, 1, P66, 0x74, 0x76, LOAD, FULL},
    {EVEX, 1, ANY, 0x7f, 0x7f, STORE, FULL},
    {EVEX, 1, P0 | P66, 0xc2, 0xc2, LOAD, FULL},
    {EVEX, 1, P66, 0xc4, 0xc4, LOAD, 2},
    {EVEX, 1, P0 | P66, 0xc6, 0xc6, LOAD, FULL},
    {EVEX, 1, P66, 0xd1, 0xd3, LOAD, 16}, /* a number of bits to shift by */
    {EVEX, 1, P66, 0xd4, 0xd5, LOAD, FULL},
    {EVEX, 1, P66, 0xd8, 0xe0, LOAD, FULL},
    {EVEX, 1, P66, 0xe1, 0xe2, LOAD, 16},
    {EVEX, 1, P66, 0xe3, 0xe5, LOAD, FULL},
    {EVEX, 1, P66, 0xe7, 0xe7, STORE, FULL},
    {EVEX, 1, P66, 0xe8, 0xef, LOAD, FULL},
    {EVEX, 1, P66, 0xf1, 0xf3, LOAD, 16},
    {EVEX, 1, P66, 0xf4, 0xfe, LOAD, FULL},
    {EVEX, 2, P66, 0x00, 0x0d, LOAD, FULL},
    {EVEX, 2, PF3, 0x10, 0x15, STORE, RATIO}, /* narrow the elements */
    {EVEX, 2, P66, 0x10, 0x12, LOAD, FULL},   /* shift by vectors */
    {EVEX, 2, P66, 0x16, 0x16, LOAD, FULL},
    {EVEX, 2, P66, 0x18, 0x1b, LOAD, POWER}, /* broadcast */
    {EVEX, 2, P66, 0x1c, 0x1f, LOAD, FULL},
    {EVEX, 2, P66, 0x20, 0x25, LOAD, RATIO}, /* widen the elements */
    {EVEX, 2, PF3, 0x20, 0x25, STORE, RATIO},
    {EVEX, 2, P66 | PF3, 0x26, 0x29, LOAD, FULL},
    {EVEX, 2, P66, 0x2a, 0x2b, LOAD, FULL},
    {EVEX, 2, P66, 0x30, 0x35, LOAD, RATIO},
    {EVEX, 2, PF3, 0x30, 0x35, STORE, RATIO},
    {EVEX, 2, P66, 0x36, 0x40, LOAD, FULL},
    {EVEX, 2, PF3, 0x38, 0x39, LOAD, FULL},
    {EVEX, 2, P66, 0x44, 0x47, LOAD, FULL},
    {EVEX, 2, P66, 0x50, 0x55, LOAD, FULL},
    {EVEX, 2, P66, 0x58, 0x5b, LOAD, POWER}, /* broadcast */
    {EVEX, 2, P66, 0x64, 0x66, LOAD, FULL},
    {EVEX, 2, P66, 0x70, 0x73, LOAD, FULL},
    {EVEX, 2, P66, 0x75, 0x77, LOAD, FULL},
    {EVEX, 2, P66, 0x78, 0x78, LOAD, 1},
    {EVEX, 2, P66, 0x79, 0x79, LOAD, 2},
    {EVEX, 2, P66, 0x7d, 0x7f, LOAD, FULL},
    {EVEX, 2, P66, 0x83, 0x83, LOAD, FULL},
    {EVEX, 2, P66, 0x8d, 0x8d, LOAD, FULL},
    {EVEX, 2, P66, 0x8f, 0x8f, LOAD, FULL},
    {EVEX, 2, P66, 0x90, 0x93, GATHER, WORD},
    {EVEX, 2, P66, 0xa0, 0xa3, SCATTER, WORD},
    {EVEX, 2, P66, 0xb4, 0xb5, LOAD, FULL},
    {EVEX, 2, P66, 0xc4, 0xc4, LOAD, FULL},
    {EVEX, 2, P66, 0xcf, 0xcf, LOAD, FULL},
    {EVEX, 2, P66, 0xdc, 0xdf, LOAD, FULL},
    {EVEX, 3, P66, 0x00, 0x01, LOAD, FULL},
    {EVEX, 3, P66, 0x03, 0x05, LOAD, FULL},
    {EVEX, 3, P66, 0x0f, 0x0f, LOAD, FULL},
    {EVEX, 3, P66, 0x14, 0x14, STORE_PART, 1},
    {EVEX, 3, P66, 0x15, 0x15, STORE_PART, 2},
    {EVEX, 3, P66, 0x16, 0x16, STORE_PART, WORD},
    {EVEX, 3, P66, 0x17, 0x17, STORE_PART, 4},
    {EVEX, 3, P66, 0x18, 0x18, LOAD, 16},
    {EVEX, 3, P66, 0x19, 0x19, STORE, 16},
    {EVEX, 3, P66, 0x1a, 0x1a, LOAD, 32},
    {EVEX, 3, P66, 0x1b, 0x1b, STORE, 32},
    {EVEX, 3, P66, 0x1e, 0x1f, LOAD, FULL},
    {EVEX, 3, P66, 0x20, 0x20, LOAD, 1},
    {EVEX, 3, P66, 0x21, 0x21, LOAD, 4},
    {EVEX, 3, P66, 0x22, 0x22, LOAD, WORD},
    {EVEX, 3, P66, 0x23, 0x23, LOAD, FULL},
    {EVEX, 3, P66, 0x25, 0x25, LOAD, FULL},
    {EVEX, 3, P66, 0x38, 0x38, LOAD, 16},
    {EVEX, 3, P66, 0x39, 0x39, STORE, 16},
    {EVEX, 3, P66, 0x3a, 0x3a, LOAD, 32},
    {EVEX, 3, P66, 0x3b, 0x3b, STORE, 32},
    {EVEX, 3, P66, 0x3e, 0x3f, LOAD, FULL},
    {EVEX, 3, P66, 0x42, 0x44, LOAD, FULL},
    {EVEX, 3, P66, 0x70, 0x73, LOAD, FULL},
    {EVEX, 3, P66, 0xce, 0xcf, LOAD, FULL},
};

/* The entry for an opcode of a map with a prefix; NULL if there is none. */
static const struct entry *find_entry(bool is_evex, unsigned map, unsigned pp,
                                      unsigned opcode)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].encoding == (is_evex ? EVEX : VEX) &&
            table[i].map == map && (table[i].pp >> pp & 1) != 0 &&
            opcode >= table[i].first && opcode <= table[i].last)
            return &table[i];
    return NULL;
}

/* The fields of an instruction; register numbers have all their bits. */
struct fields {
    bool is_evex, wide, broadcast; /* `wide` is the bit W */
    uint8_t map, opcode, pp, vector_bytes;
    uint8_t mod, reg, rm, vvvv;
    uint8_t index_high, base_high; /* the high bit, 8 or 0, for memory */
    const uint8_t *rest;           /* the bytes after ModRM */
};

/* Reads the prefix; false if the bytes end too early or have no such prefix. */
static bool read_prefix(struct fields *f, const uint8_t *code, unsigned length)
{
    uint8_t p0 = code[1], p1 = code[2], modrm;
    unsigned n = code[0] == 0xc5 ? 2 : code[0] == 0xc4 ? 3 : 4;

    *f = (struct fields){.is_evex = code[0] == 0x62, .map = 1};
    if ((n != 4 && code[0] != 0xc4 && code[0] != 0xc5) ||
        (n == 4 && !f->is_evex) || length < n + 2)
        return false;
    if (n == 2)
        p1 = p0 & 0x7f; /* no W; R is the only high bit */
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
    /* Without memory, the bit for the index extends the number of register rm.
     */
    if (f->mod == 3)
        f->rm |=
            (uint8_t)(f->base_high | (f->is_evex && f->index_high ? 16 : 0));
    f->vvvv =
        (uint8_t)((~p1 >> 3 & 0xf) | (f->is_evex && !(code[3] & 8) ? 16 : 0));
    f->rest = code + n + 2;
    return f->vector_bytes <= 64 || f->mod == 3;
}

static uint32_t scaled_index(struct sd_insn *out, const struct fields *f,
                             uint8_t sib)
{
    unsigned number = (sib >> 3 & 7u) | f->index_high;

    if (number == 4)
        return SD_ZERO;
    return sd_insn_pure(out, SD_SHL, 64,
                        sd_insn_get(out, AT(guest_RAX) + 8 * number, 64),
                        sd_insn_const(out, sib >> 6), SD_ZERO);
}

/* Computes the address of the operand in memory.  EVEX scales short
   displacements by the access's `size` in bytes.  Only bytes before the 16th
   are read. */
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
        return sd_insn_const_pc(out, (uint64_t)(int64_t)disp + length);
    if (has_base)
        sum = sd_insn_get(out, AT(guest_RAX) + 8 * ((sib & 7u) | f->base_high),
                          64);
    if (has_sib)
        sum = sd_insn_add(out, sum, scaled_index(out, f, sib));
    return sd_insn_add(out, sum, sd_insn_const(out, (uint64_t)(int64_t)disp));
}

/* The width of KMOV, given by pp and W (SDM volume 2,
   "KMOVW/KMOVB/KMOVQ/KMOVD"). */
static unsigned mask_bytes(const struct fields *f)
{
    if (f->pp == 0)
        return f->wide ? 8 : 2;
    return f->wide ? 4 : 1;
}

static unsigned access_bytes(const struct fields *f, unsigned size)
{
    /* The quotients of two widths of elements: 16 / 8 bits, 32 / 8, ... */
    static const uint8_t ratios[8] = {2, 4, 8, 2, 4, 2, 1, 1};

    switch (size) {
    case FULL:
        if (f->is_evex && f->broadcast)
            return f->wide ? 8 : 4;
        return f->vector_bytes;
    case RATIO:
        return f->vector_bytes / ratios[f->opcode & 7];
    case POWER:
        return 4u << (f->opcode & 3);
    case WORD:
        return f->wide ? 8 : 4;
    case OPMASK:
        return mask_bytes(f);
    default:
        return size;
    }
}

static void access_memory(struct sd_insn *out, const struct fields *f,
                          enum kind kind, unsigned size, unsigned length)
{
    bool is_unknown = kind == GATHER || kind == SCATTER;
    bool is_store = kind == STORE || kind == STORE_PART || kind == SCATTER ||
                    kind == MASK_STORE;

    sd_insn_access(out, is_store ? SD_WRITE : SD_READ,
                   is_unknown ? SD_BOTTOM : address_of(out, f, size, length),
                   size);
}

/* Makes a vector register bottom.  VEX has only the first sixteen. */
static void clobber_vector(struct sd_insn *out, unsigned number)
{
    if (number < 16)
        sd_insn_clobber(out, AT(guest_YMM0) + 32 * number, 4);
}

static void clobber_general(struct sd_insn *out, unsigned number)
{
    sd_insn_clobber(out, AT(guest_RAX) + 8 * (number & 15), 1);
}

static void clobber_flags(struct sd_insn *out)
{
    sd_insn_clobber(out, AT(guest_CC_OP), 4); /* all four words of flags */
}

static void clobber(struct sd_insn *out, const struct fields *f, enum kind kind)
{
    switch (kind) {
    case LOAD:
    case GATHER:
        clobber_vector(out, f->reg);
        break;
    case STORE:
        if (f->mod == 3)
            clobber_vector(out, f->rm);
        break;
    case STORE_PART:
        if (f->mod == 3)
            clobber_general(out, f->rm);
        break;
    case GROUP:
        clobber_vector(out, f->vvvv);
        break;
    case MASK_TO_GENERAL:
        clobber_general(out, f->reg);
        break;
    case FLAGS:
        clobber_flags(out);
        break;
    case SCATTER:
    case MASK:
    case MASK_STORE:
        break;
    }
}

bool sd_vector(struct sd_insn *out, const uint8_t *code, unsigned length)
{
    enum kind kind;
    struct fields f;

    if (length < 4 || !read_prefix(&f, code, length))
        return false;
    const struct entry *entry = find_entry(f.is_evex, f.map, f.pp, f.opcode);
    if (entry == NULL)
        return false;
    kind = (enum kind)entry->kind;
    if (f.mod != 3 && entry->size != NONE)
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
