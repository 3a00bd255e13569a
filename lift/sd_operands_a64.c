/*
 * sd_operands_a64: replaces AArch64 instructions that VEX does not know by
 * others with the same effect, or describes them by their operands (Arm ARM,
 * C4.1 for the groups of the encoding, C6.2 and C8.2 for the instructions).
 *
 * The order that other processors see does not matter here, and neither do
 * privileges.
 *
 * Limits: the upper bits of pointers stay: signing a pointer, checking or
 * tagging it does not change it.  SVE is not computed, not even its
 * addresses, because the length of a vector depends on the processor; its
 * accesses, and its prefetches, are loads and stores at unknown addresses, and
 * unallocated encodings of SVE are accepted.  Dc zva clears 64 bytes, as in
 * nearly all processors.  The tags of memory are not memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "lift/sd_operands.h"

#include <libvex_guest_arm64.h>

#define AT(field) ((unsigned)offsetof(VexGuestARM64State, guest_##field))

#define NOP 0xd503201f

static const struct {
    uint32_t mask, bits; /* recognise the instruction */
    uint32_t kept, rest; /* make the alias: bits to keep, and others */
} aliases[] = {
    /* ldapr: ldar */
    {0x3ffffc00, 0x38bfc000, 0xc00003ff, 0x08dffc00},
    /* ldlar: ldar; stllr: stlr */
    {0x3fe08000, 0x08c00000, 0xc00003ff, 0x08dffc00},
    {0x3fe08000, 0x08800000, 0xc00003ff, 0x089ffc00},
    /* ldapur, stlur: ldur, stur */
    {0x3f200c00, 0x19000000, 0xc0dff3ff, 0x38000000},
    /* ldtr, sttr: ldur, stur */
    {0x3f200c00, 0x38000800, 0xc0dff3ff, 0x38000000},
    /* ldnp, stnp: ldp, stp */
    {0x7b800000, 0x28000000, 0xc47fffff, 0x29000000},
    {0xff800000, 0x6c000000, 0xc47fffff, 0x29000000},
    /* braa, blraa: br, blr; retaa: ret */
    {0xfedff800, 0xd61f0800, 0x002003e0, 0xd61f0000},
    {0xfffffbff, 0xd65f0bff, 0x00000000, 0xd65f03c0},
    /* pacia, autia, xpaci, ... */
    {0xffff8000, 0xdac10000, 0x00000000, NOP},
    /* irg: add of zero, which may name the stack pointer, too */
    {0xffe0fc00, 0x9ac01000, 0x000003ff, 0x91000000},
    /* ldg, and stg and st2g without a new base; dc gva */
    {0xffe00c00, 0xd9600000, 0x00000000, NOP},
    {0xff600c00, 0xd9200800, 0x00000000, NOP},
    {0xffffffe0, 0xd50b7460, 0x00000000, NOP},
    /* sb; cfp, dvp, cpp; msr of a field of the processor's state other than the
       flags */
    {0xffffffff, 0xd50330ff, 0x00000000, NOP},
    {0xffffff80, 0xd50b7380, 0x00000000, NOP},
    {0xfff8f09f, 0xd500409f, 0x00000000, NOP},
    {0xfff8f0ff, 0xd500407f, 0x00000000, NOP},
    {0xfffff01f, 0xd503401f, 0x00000000, NOP},
};

bool sd_alias_a64(uint32_t word, uint32_t *alias)
{
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++) {
        if ((word & aliases[i].mask) != aliases[i].bits)
            continue;
        *alias = (word & aliases[i].kept) | aliases[i].rest;
        return true;
    }
    return false;
}

#define ZVA_BYTES 64u

enum kind {
    NOTHING,
    GENERAL,       /* writes the general register Rd */
    GENERAL_FLAGS, /* writes Rd and the flags */
    GENERAL_SP,    /* writes Rd, which may be the stack pointer */
    FLAGS,
    VECTOR,       /* writes the vector register Rd */
    VECTOR_FLAGS, /* writes Rd and the flags */
    ADD_TAG,      /* writes the sum of Rn and a number to Rd */
    SUB_TAG,
    CLEAR_LINE, /* clears ZVA_BYTES */
    TAG,        /* writes tags, and maybe its base */
    TAG_CLEAR,  /* writes tags and clears 16 or 32 bytes */
    TAG_PAIR,   /* stores two registers */
    LOAD_SIGNED,
    SVE_LOAD,
    SVE_STORE
};

/* Instructions and what they do; the first entry that matches counts. */
static const struct {
    uint32_t mask, bits;
    uint8_t kind;
} table[] = {
    {0xffe0fc00, 0x9ac03000, GENERAL},       /* pacga */
    {0xffe0fc00, 0x9ac01400, GENERAL},       /* gmi */
    {0xffe0fc00, 0x9ac00000, GENERAL},       /* subp */
    {0xffe0fc00, 0xbac00000, GENERAL_FLAGS}, /* subps */
    {0xffffffc0, 0xd53b2400, GENERAL_FLAGS}, /* mrs of rndr, rndrrs */
    {0xfff00000, 0xd5300000, GENERAL},       /* mrs */
    {0xfff00000, 0xd5100000, NOTHING},       /* msr */
    {0xffffff9f, 0xd500401f, FLAGS},         /* cfinv, xaflag, axflag */
    {0xffffbc1f, 0x3a00080d, FLAGS},         /* setf8, setf16 */
    {0xffe07c10, 0xba000400, FLAGS},         /* rmif */
    {0xffffffe0, 0xd50b7420, CLEAR_LINE},    /* dc zva */
    {0xffffffe0, 0xd50b7480, CLEAR_LINE},    /* dc gzva */
    {0xffc0c000, 0x91800000, ADD_TAG},       /* addg */
    {0xffc0c000, 0xd1800000, SUB_TAG},       /* subg */
    {0xff600400, 0xd9200400, TAG},           /* stg, st2g with a new base */
    {0xff600c00, 0xd9600800, TAG_CLEAR},     /* stzg, stz2g */
    {0xff600400, 0xd9600400, TAG_CLEAR},     /* with a new base */
    {0xff400000, 0x69000000, TAG_PAIR},      /* stgp */
    {0xffc00000, 0x68800000, TAG_PAIR},
    {0xff200400, 0xf8200400, LOAD_SIGNED}, /* ldraa, ldrab */
    /* Conversions: into vector registers, and out of them. */
    {0xfffffc00, 0x1e7e0000, GENERAL_FLAGS}, /* fjcvtzs */
    {0x7f26fc00, 0x1e220000, VECTOR},
    {0x7f27fc00, 0x1e270000, VECTOR},
    {0x7f20fc00, 0x1e200000, GENERAL},
    {0x7f260000, 0x1e020000, VECTOR},
    {0x7f200000, 0x1e000000, GENERAL},
    {0xff203c00, 0x1e202000, FLAGS},  /* fcmp */
    {0xff200c00, 0x1e200400, FLAGS},  /* fccmp */
    {0x0e000000, 0x0e000000, VECTOR}, /* all other vector instructions */
    {0xfe000000, 0x84000000, SVE_LOAD},
    {0xfe000000, 0xa4000000, SVE_LOAD},
    {0xfe000000, 0xc4000000, SVE_LOAD},
    {0xfe000000, 0xe4000000, SVE_STORE},
    {0xff20e000, 0x0420e000, GENERAL},    /* cntb, incb, ... */
    {0xfffff800, 0x04bf5000, GENERAL},    /* rdvl */
    {0xffa0f800, 0x04205000, GENERAL_SP}, /* addvl, addpl */
    {0xff38c200, 0x25208000, GENERAL},    /* cntp */
    {0xff38f800, 0x25288800, GENERAL},    /* incp, ... */
    {0xff2ee000, 0x0520a000, GENERAL},    /* lasta, clasta, ... */
    {0x1e000000, 0x04000000, VECTOR_FLAGS},
};

static uint32_t field(uint32_t word, unsigned from, unsigned width)
{
    return word >> from & ((1u << width) - 1);
}

static int64_t signed_field(uint32_t word, unsigned from, unsigned width)
{
    return (int32_t)(word << (32 - from - width)) >> (32 - width);
}

/* The place of a general register; number 31 is the stack pointer. */
static unsigned general(unsigned number)
{
    return AT(X0) + 8 * number;
}

_Static_assert(offsetof(VexGuestARM64State, guest_XSP) ==
                   offsetof(VexGuestARM64State, guest_X0) + 8 * 31,
               "the stack pointer follows the general registers");

bool sd_zero_load_a64(uint32_t *word, unsigned *place)
{
    uint32_t w = *word, opc = field(w, 22, 2);
    /* A prefetch has the form of a load of 64 bits with another opc. */
    bool is_single =
        (w & 0x3c000000) == 0x38000000 && opc != 0 &&
        (w >> 30 != 3 || opc == 1) &&
        (field(w, 24, 1) != 0 || field(w, 21, 1) == 0 || field(w, 10, 2) == 2);
    bool is_pair = (w & 0x3e400000) == 0x28400000;
    unsigned other = 0;

    if (field(w, 0, 5) != 31 || (!is_single && !is_pair))
        return false;
    while (other == field(w, 5, 5) || other == field(w, 10, 5) ||
           other == field(w, 16, 5))
        other++;
    *word = (w & ~31u) | other;
    *place = general(other);
    return true;
}

static void clobber_vector(struct sd_insn *out, unsigned number)
{
    sd_insn_clobber(out, AT(Q0) + 16 * number, 2);
}

static void clobber_flags(struct sd_insn *out)
{
    sd_insn_clobber(out, AT(CC_OP), 4); /* all four words of flags */
}

static uint32_t add(struct sd_insn *out, uint32_t a, int64_t b)
{
    return sd_insn_add(out, a, sd_insn_const(out, (uint64_t)b));
}

static void store(struct sd_insn *out, uint32_t address, unsigned at,
                  uint32_t value)
{
    sd_insn_effect(out, (struct sd_op){.code = SD_STORE,
                                       .width = 64,
                                       .disp = (int16_t)at,
                                       .a = address,
                                       .b = value,
                                       .c = SD_ZERO});
}

static void clear(struct sd_insn *out, uint32_t address, unsigned n_bytes)
{
    for (unsigned at = 0; at < n_bytes; at += 8)
        store(out, address, at, SD_ZERO);
}

/* How the base register Rn and a distance give an address. */
enum index { POST = 1, OFFSET = 2, PRE = 3 };

/* Writes the new base, if there is one, and returns the address. */
static uint32_t address_of(struct sd_insn *out, uint32_t word, enum index index,
                           int64_t distance)
{
    unsigned base = field(word, 5, 5);
    uint32_t old = sd_insn_get(out, general(base), 64),
             new = add(out, old, distance);

    if (index != OFFSET)
        sd_insn_put(out, general(base), 64, new);
    return index == POST ? old : new;
}

/* The address of stg and others: the distance is in granules of 16 bytes. */
static uint32_t tagged_address(struct sd_insn *out, uint32_t word)
{
    return address_of(out, word, (enum index)field(word, 10, 2),
                      16 * signed_field(word, 12, 9));
}

static void store_pair(struct sd_insn *out, uint32_t word)
{
    unsigned first = field(word, 0, 5), second = field(word, 10, 5);
    uint32_t a = first != 31 ? sd_insn_get(out, general(first), 64) : SD_ZERO;
    uint32_t b = second != 31 ? sd_insn_get(out, general(second), 64) : SD_ZERO;
    uint32_t address = address_of(out, word, (enum index)field(word, 23, 2),
                                  16 * signed_field(word, 15, 7));

    store(out, address, 0, a);
    store(out, address, 8, b);
}

static void load_signed(struct sd_insn *out, uint32_t word)
{
    int64_t distance = (int64_t)field(word, 12, 9) * 8 -
                       (field(word, 22, 1) != 0 ? 1 << 12 : 0);
    uint32_t address =
        address_of(out, word, field(word, 11, 1) != 0 ? PRE : OFFSET, distance);
    uint32_t value = sd_insn_emit(
        out,
        (struct sd_op){
            .code = SD_LOAD, .width = 64, .a = address, .b = SD_ZERO, .c = 8});

    if (field(word, 0, 5) != 31)
        sd_insn_put(out, general(field(word, 0, 5)), 64, value);
}

static void sve_access(struct sd_insn *out, uint32_t word, bool is_load)
{
    /* ld2, ld3, ld4 */
    unsigned n = (word & 0xfe00c000) == 0xa400c000 ? 1 + field(word, 21, 2) : 1;

    sd_insn_access(out, is_load ? SD_READ : SD_WRITE, SD_BOTTOM, 16);
    for (unsigned i = 0; is_load && i < n; i++)
        clobber_vector(out, (field(word, 0, 5) + i) % 32);
}

static void describe(struct sd_insn *out, uint32_t word, enum kind kind)
{
    unsigned rd = field(word, 0, 5);
    int64_t distance = 16 * (int64_t)field(word, 16, 6);

    switch (kind) {
    case NOTHING:
        break;
    case GENERAL_FLAGS:
        clobber_flags(out);
        __attribute__((fallthrough));
    case GENERAL:
        if (rd != 31) /* 31: the zero register */
            sd_insn_clobber(out, general(rd), 1);
        break;
    case GENERAL_SP:
        sd_insn_clobber(out, general(rd), 1);
        break;
    case VECTOR_FLAGS:
        clobber_vector(out, rd);
        __attribute__((fallthrough));
    case FLAGS:
        clobber_flags(out);
        break;
    case VECTOR:
        clobber_vector(out, rd);
        break;
    case ADD_TAG:
    case SUB_TAG:
        sd_insn_put(out, general(rd), 64,
                    add(out, sd_insn_get(out, general(field(word, 5, 5)), 64),
                        kind == ADD_TAG ? distance : -distance));
        break;
    case CLEAR_LINE:
        clear(out,
              sd_insn_pure(
                  out, SD_AND, 64,
                  rd != 31 ? sd_insn_get(out, general(rd), 64) : SD_ZERO,
                  sd_insn_const(out, ~(uint64_t)(ZVA_BYTES - 1)), SD_ZERO),
              ZVA_BYTES);
        break;
    case TAG:
        tagged_address(out, word);
        break;
    case TAG_CLEAR:
        clear(out, tagged_address(out, word), field(word, 23, 1) ? 32 : 16);
        break;
    case TAG_PAIR:
        store_pair(out, word);
        break;
    case LOAD_SIGNED:
        load_signed(out, word);
        break;
    case SVE_LOAD:
    case SVE_STORE:
        sve_access(out, word, kind == SVE_LOAD);
        break;
    }
}

bool sd_operands_a64(struct sd_insn *out, uint32_t word)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if ((word & table[i].mask) != table[i].bits)
            continue;
        describe(out, word, (enum kind)table[i].kind);
        return true;
    }
    return false;
}
