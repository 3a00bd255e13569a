/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "binary/objreloc.h"

#include <elf.h>

/* What a relocation computes; the addend is always added. */
enum kind {
    SYMBOL,    /* the symbol's address */
    DISTANCE,  /* from the place to the symbol */
    SLOT,      /* the slot's address */
    SLOT_AWAY, /* from the place to the slot */
    SLOT_IN,   /* from the GOT to the slot */
    SLOT_LOW,  /* from the GOT's page to the slot: 15 bits */
    FROM_GOT,  /* from the GOT to the symbol */
    GOT,       /* from the place to the GOT */
    PAGE,      /* from the place to the symbol, in pages of 4 KiB */
    SLOT_PAGE, /* from the place to the slot, in pages of 4 KiB */
    NOTHING    /* a hint to the linker */
};

/* Where the result of a relocation is put. */
enum field {
    BYTES,   /* `size` bytes */
    ADR,     /* 21 bits of AArch64's ADR and ADRP */
    AT_10,   /* 12 bits at bit 10, after a shift by `size` */
    AT_5,    /* 16 bits at bit 5, after a shift by `size` */
    WORD_26, /* a distance in words: 26 bits at bit 0 */
    WORD_19, /* 19 bits at bit 5 */
    WORD_14  /* 14 bits at bit 5 */
};

struct rule {
    uint16_t type;
    uint8_t kind, field, size;
};

#define X86(type, kind, size)              \
    {                                      \
        R_X86_64_##type, kind, BYTES, size \
    }
static const struct rule x86_rules[] = {
    X86(NONE, NOTHING, 0),
    X86(64, SYMBOL, 8),
    X86(32, SYMBOL, 4),
    X86(32S, SYMBOL, 4),
    X86(16, SYMBOL, 2),
    X86(8, SYMBOL, 1),
    X86(PC64, DISTANCE, 8),
    X86(PC32, DISTANCE, 4),
    X86(PLT32, DISTANCE, 4),
    X86(PC16, DISTANCE, 2),
    X86(PC8, DISTANCE, 1),
    X86(GOT32, SLOT_IN, 4),
    X86(GOT64, SLOT_IN, 8),
    X86(GOTPLT64, SLOT_IN, 8),
    X86(PLTOFF64, FROM_GOT, 8),
    X86(GOTPCREL, SLOT_AWAY, 4),
    X86(GOTPCREL64, SLOT_AWAY, 8),
    X86(GOTPCRELX, SLOT_AWAY, 4),
    X86(REX_GOTPCRELX, SLOT_AWAY, 4),
    X86(GOTOFF64, FROM_GOT, 8),
    X86(GOTPC32, GOT, 4),
    X86(GOTPC64, GOT, 8),
    X86(TLSGD, SLOT_AWAY, 4),
    X86(TLSLD, SLOT_AWAY, 4),
    X86(GOTTPOFF, SLOT_AWAY, 4),
    X86(GOTPC32_TLSDESC, SLOT_AWAY, 4),
    X86(TLSDESC_CALL, NOTHING, 0),
    X86(DTPOFF32, SYMBOL, 4),
    X86(DTPOFF64, SYMBOL, 8),
    X86(TPOFF32, SYMBOL, 4),
    X86(TPOFF64, SYMBOL, 8),
    X86(SIZE32, NOTHING, 0),
    X86(SIZE64, NOTHING, 0),
};

#define A64(type, kind, field, size)        \
    {                                       \
        R_AARCH64_##type, kind, field, size \
    }
static const struct rule a64_rules[] = {
    A64(NONE, NOTHING, BYTES, 0),
    {256, NOTHING, BYTES, 0}, /* the other number of R_AARCH64_NONE */
    A64(ABS64, SYMBOL, BYTES, 8),
    A64(ABS32, SYMBOL, BYTES, 4),
    A64(ABS16, SYMBOL, BYTES, 2),
    A64(PREL64, DISTANCE, BYTES, 8),
    A64(PREL32, DISTANCE, BYTES, 4),
    A64(PREL16, DISTANCE, BYTES, 2),
    A64(MOVW_UABS_G0, SYMBOL, AT_5, 0),
    A64(MOVW_UABS_G0_NC, SYMBOL, AT_5, 0),
    A64(MOVW_UABS_G1, SYMBOL, AT_5, 16),
    A64(MOVW_UABS_G1_NC, SYMBOL, AT_5, 16),
    A64(MOVW_UABS_G2, SYMBOL, AT_5, 32),
    A64(MOVW_UABS_G2_NC, SYMBOL, AT_5, 32),
    A64(MOVW_UABS_G3, SYMBOL, AT_5, 48),
    A64(LD_PREL_LO19, DISTANCE, WORD_19, 0),
    A64(ADR_PREL_LO21, DISTANCE, ADR, 0),
    A64(ADR_PREL_PG_HI21, PAGE, ADR, 0),
    A64(ADR_PREL_PG_HI21_NC, PAGE, ADR, 0),
    A64(ADD_ABS_LO12_NC, SYMBOL, AT_10, 0),
    A64(LDST8_ABS_LO12_NC, SYMBOL, AT_10, 0),
    A64(LDST16_ABS_LO12_NC, SYMBOL, AT_10, 1),
    A64(LDST32_ABS_LO12_NC, SYMBOL, AT_10, 2),
    A64(LDST64_ABS_LO12_NC, SYMBOL, AT_10, 3),
    A64(LDST128_ABS_LO12_NC, SYMBOL, AT_10, 4),
    A64(TSTBR14, DISTANCE, WORD_14, 0),
    A64(CONDBR19, DISTANCE, WORD_19, 0),
    A64(JUMP26, DISTANCE, WORD_26, 0),
    A64(CALL26, DISTANCE, WORD_26, 0),
    A64(ADR_GOT_PAGE, SLOT_PAGE, ADR, 0),
    A64(LD64_GOT_LO12_NC, SLOT, AT_10, 3),
    A64(LD64_GOTPAGE_LO15, SLOT_LOW, AT_10, 3),
    A64(GOT_LD_PREL19, SLOT_AWAY, WORD_19, 0),
    A64(TLSGD_ADR_PAGE21, SLOT_PAGE, ADR, 0),
    A64(TLSGD_ADD_LO12_NC, SLOT, AT_10, 0),
    A64(TLSIE_ADR_GOTTPREL_PAGE21, SLOT_PAGE, ADR, 0),
    A64(TLSIE_LD64_GOTTPREL_LO12_NC, SLOT, AT_10, 3),
    A64(TLSLE_ADD_TPREL_HI12, SYMBOL, AT_10, 12),
    A64(TLSLE_ADD_TPREL_LO12, SYMBOL, AT_10, 0),
    A64(TLSLE_ADD_TPREL_LO12_NC, SYMBOL, AT_10, 0),
    A64(TLSLE_LDST8_TPREL_LO12, SYMBOL, AT_10, 0),
    A64(TLSLE_LDST8_TPREL_LO12_NC, SYMBOL, AT_10, 0),
    A64(TLSLE_LDST16_TPREL_LO12, SYMBOL, AT_10, 1),
    A64(TLSLE_LDST16_TPREL_LO12_NC, SYMBOL, AT_10, 1),
    A64(TLSLE_LDST32_TPREL_LO12, SYMBOL, AT_10, 2),
    A64(TLSLE_LDST32_TPREL_LO12_NC, SYMBOL, AT_10, 2),
    A64(TLSLE_LDST64_TPREL_LO12, SYMBOL, AT_10, 3),
    A64(TLSLE_LDST64_TPREL_LO12_NC, SYMBOL, AT_10, 3),
    A64(TLSLE_LDST128_TPREL_LO12, SYMBOL, AT_10, 4),
    A64(TLSLE_LDST128_TPREL_LO12_NC, SYMBOL, AT_10, 4),
    A64(TLSDESC_ADR_PAGE21, SLOT_PAGE, ADR, 0),
    A64(TLSDESC_LD64_LO12, SLOT, AT_10, 3),
    A64(TLSDESC_ADD_LO12, SLOT, AT_10, 0),
    A64(TLSDESC_CALL, NOTHING, BYTES, 0),
};

static uint64_t value_of(const struct objreloc *r, enum kind kind)
{
    uint64_t addend = (uint64_t)r->addend;
    uint64_t symbol = r->symbol + addend, slot = r->slot + addend;

    switch (kind) {
    case SYMBOL:
        return symbol;
    case DISTANCE:
        return symbol - r->place;
    case SLOT:
        return slot;
    case SLOT_AWAY:
        return slot - r->place;
    case SLOT_IN:
        return slot - r->got;
    case SLOT_LOW:
        return (slot - (r->got & ~UINT64_C(0xfff))) & 0x7fff;
    case FROM_GOT:
        return symbol - r->got;
    case GOT:
        return r->got + addend - r->place;
    case PAGE:
        return (symbol >> 12) - (r->place >> 12);
    case SLOT_PAGE:
        return (slot >> 12) - (r->place >> 12);
    default:
        return 0;
    }
}

/* A distance in words of 4 bytes, or the nearest that fits `width` bits. */
static uint32_t words(uint64_t value, unsigned width)
{
    int64_t n = (int64_t)value / 4, limit = INT64_C(1) << (width - 1);

    if (n < -limit)
        n = -limit;
    if (n >= limit)
        n = limit - 1;
    assert(n >= -limit);
    return (uint32_t)n & ((1u << width) - 1);
}

static uint32_t put(uint32_t word, unsigned at, unsigned width, uint64_t value)
{
    uint32_t mask = (1u << width) - 1;

    assert(width < 32 && at + width <= 32);
    return (word & ~(mask << at)) | ((uint32_t)value & mask) << at;
}

static uint32_t put_field(uint32_t word, const struct rule *rule,
                          uint64_t value)
{
    switch ((enum field)rule->field) {
    case ADR:
        return put(put(word, 29, 2, value), 5, 19, value >> 2);
    case AT_10:
        if (rule->size < 12 && rule->kind != SLOT_LOW)
            value &= 0xfff; /* only the offset in the page */
        return put(word, 10, 12, value >> rule->size);
    case AT_5:
        return put(word, 5, 16, value >> rule->size);
    case WORD_26:
        return put(word, 0, 26, words(value, 26));
    case WORD_19:
        return put(word, 5, 19, words(value, 19));
    default:
        return put(word, 5, 14, words(value, 14));
    }
}

static const struct rule *rule_of(unsigned machine, uint32_t type)
{
    const struct rule *rules = machine == EM_X86_64 ? x86_rules : a64_rules;
    size_t n = machine == EM_X86_64 ? sizeof x86_rules / sizeof *x86_rules
                                    : sizeof a64_rules / sizeof *a64_rules;

    if (machine != EM_X86_64 && machine != EM_AARCH64)
        return NULL;
    for (size_t i = 0; i < n; i++)
        if (rules[i].type == type)
            return &rules[i];
    return NULL;
}

bool objreloc_needs_slot(unsigned machine, uint32_t type)
{
    const struct rule *rule = rule_of(machine, type);

    return rule != NULL && ((rule->kind >= SLOT && rule->kind <= SLOT_LOW) ||
                            rule->kind == SLOT_PAGE);
}

bool objreloc_apply(unsigned machine, const struct objreloc *r, uint8_t *bytes,
                    size_t n)
{
    const struct rule *rule = rule_of(machine, r->type);
    uint64_t value;
    uint32_t word;

    if (rule == NULL)
        return false;
    assert(rule->field != BYTES || rule->size <= sizeof value);
    value = value_of(r, (enum kind)rule->kind);
    if (rule->field == BYTES) {
        if (rule->size > n)
            return false;
        memcpy(bytes, &value, rule->size);
        return true;
    }
    if (n < sizeof word)
        return false;
    memcpy(&word, bytes, sizeof word);
    word = put_field(word, rule, value);
    memcpy(bytes, &word, sizeof word);
    return true;
}
