/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "binary/objrel.h"

#include <elf.h>

/* --- Relocations --- */

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

/* --- Sections --- */

#define LARGEST_ALIGNMENT (UINT64_C(1) << 16)

/* Larger sections of data are cut, so that all addresses fit 31 bits. */
#define LARGEST_DATA (UINT64_C(1) << 28)

/* A gap between sections, in bytes, because a linker may put sections of other
   files between them: an address just past one section is not in the next. */
#define SPACE UINT64_C(4096)

/* The target of jumps into other files. */
#define ELSEWHERE UINT64_C(0x7f000000)

static uint64_t align(uint64_t address, uint64_t alignment)
{
    if (alignment < 16 || (alignment & (alignment - 1)) != 0)
        alignment = 16;
    if (alignment > LARGEST_ALIGNMENT)
        alignment = LARGEST_ALIGNMENT;
    return (address + alignment - 1) & ~(alignment - 1);
}

static bool is_code(const GElf_Shdr *h)
{
    return (h->sh_flags & SHF_EXECINSTR) != 0;
}

/* Reads the header of a section that is loaded, with its size cut; false:
   section i is not loaded. */
static bool header_of(Elf *elf, size_t i, uint64_t size, GElf_Shdr *h)
{
    if (gelf_getshdr(elf_getscn(elf, i), h) == NULL ||
        !(h->sh_flags & SHF_ALLOC))
        return false;
    uint64_t largest = is_code(h) ? size : LARGEST_DATA;
    if (h->sh_size > largest)
        h->sh_size = largest;
    return true;
}

static void place(struct objrel_layout *layout, Elf *elf, uint64_t size,
                  bool with_code)
{
    GElf_Shdr h;

    for (size_t i = 1; i < layout->n; i++) {
        if (!header_of(elf, i, size, &h) || is_code(&h) != with_code)
            continue;
        layout->addresses[i] = align(layout->free, h.sh_addralign);
        assert(layout->addresses[i] >= layout->free);
        layout->free = layout->addresses[i] + SPACE + h.sh_size;
    }
}

void objrel_layout_init(struct objrel_layout *layout, Elf *elf, uint64_t size)
{
    *layout = (struct objrel_layout){.n = 0};
    if (elf_getshdrnum(elf, &layout->n) != 0)
        return;
    layout->addresses = memory_new(layout->n, sizeof *layout->addresses);
    place(layout, elf, size, true);
    place(layout, elf, size, false);
}

void objrel_layout_fini(struct objrel_layout *layout)
{
    free(layout->addresses);
}

static void add_code(struct objrel *rel, size_t number, const GElf_Shdr *h,
                     uint64_t address, Elf_Scn *section)
{
    Elf_Data *data = elf_getdata(section, NULL);
    struct objrel_section *s = &rel->sections[rel->n];

    if (data == NULL || data->d_buf == NULL || data->d_size == 0)
        return;
    *s = (struct objrel_section){.address = address,
                                 .size = data->d_size,
                                 .other = h->sh_addr,
                                 .bytes = memory_new(data->d_size, 1)};
    memcpy(s->bytes, data->d_buf, data->d_size);
    assert(rel->n == 0 || s[-1].address + s[-1].size < address);
    rel->by_number[number] = s;
    rel->n++;
}

static void add_sections(struct objrel *rel, Elf *elf, uint64_t size,
                         const struct objrel_layout *layout)
{
    uint64_t total = 0;
    GElf_Shdr h;

    for (size_t i = 1; i < layout->n; i++) {
        struct objrel_section *s = &rel->data[rel->n_data];

        if (!header_of(elf, i, size, &h))
            continue;
        if (is_code(&h)) {
            /* All sections together may be as large as the file: overlapping
               ones could be any size in total. */
            total += h.sh_size;
            if (h.sh_type == SHT_PROGBITS && total <= size)
                add_code(rel, i, &h, layout->addresses[i], elf_getscn(elf, i));
            continue;
        }
        *s = (struct objrel_section){.address = layout->addresses[i],
                                     .size = h.sh_size,
                                     .other = h.sh_addr};
        assert(rel->n_data == 0 || s[-1].address + s[-1].size < s->address);
        rel->by_number[i] = s;
        rel->n_data++;
    }
}

static const struct objrel_section *by_number(const struct objrel *rel,
                                              size_t number)
{
    return number < rel->n_numbers ? rel->by_number[number] : NULL;
}

bool objrel_symbol(const struct objrel *rel, const GElf_Sym *symbol,
                   uint64_t *address)
{
    const struct objrel_section *s = by_number(rel, symbol->st_shndx);

    if (s == NULL)
        return false;
    *address = s->address + symbol->st_value;
    return true;
}

/* Does a relocation change the distance in a jump or call of x86-64? */
static bool is_jump(const struct objrel_section *s, uint64_t offset,
                    unsigned machine, uint32_t type)
{
    const uint8_t *at = s->bytes + offset;

    assert(offset < s->size);
    if (machine != EM_X86_64 ||
        (type != R_X86_64_PC32 && type != R_X86_64_PLT32))
        return false;
    if (offset >= 1 && (at[-1] & 0xfe) == 0xe8)
        return true;
    return offset >= 2 && at[-2] == 0x0f && (at[-1] & 0xf0) == 0x80;
}

static void relocate(const struct objrel *rel, const struct objrel_section *s,
                     unsigned machine, Elf_Data *relocations, Elf_Data *symbols)
{
    GElf_Rela rela;

    for (int i = 0; gelf_getrela(relocations, i, &rela) != NULL; i++) {
        struct objreloc r = {.type = (uint32_t)GELF_R_TYPE(rela.r_info),
                             .symbol = ELSEWHERE,
                             .place = s->address + rela.r_offset,
                             .addend = rela.r_addend};
        GElf_Sym sym;
        bool is_known;

        if (rela.r_offset >= s->size || objreloc_needs_slot(machine, r.type))
            continue;
        is_known =
            gelf_getsym(symbols, (int)GELF_R_SYM(rela.r_info), &sym) != NULL &&
            GELF_ST_TYPE(sym.st_info) != STT_TLS &&
            objrel_symbol(rel, &sym, &r.symbol);
        if (is_known || is_jump(s, rela.r_offset, machine, r.type))
            objreloc_apply(machine, &r, s->bytes + rela.r_offset,
                           s->size - rela.r_offset);
    }
}

/* Applies all relocations.  All tables together may be as large as the file:
   overlapping ones could take any amount of time and memory. */
static void relocate_all(const struct objrel *rel, Elf *elf, unsigned machine,
                         uint64_t size)
{
    size_t table = 0;
    uint64_t total = 0;

    for (size_t i = 1; i < rel->n_numbers; i++) {
        GElf_Shdr h, of;

        if (gelf_getshdr(elf_getscn(elf, i), &h) == NULL ||
            h.sh_type != SHT_RELA)
            continue;
        const struct objrel_section *s = by_number(rel, h.sh_info);
        if (s == NULL || s->bytes == NULL)
            continue;
        total += h.sh_size;
        if (h.sh_link != table &&
            gelf_getshdr(elf_getscn(elf, h.sh_link), &of) != NULL)
            total += of.sh_size;
        table = h.sh_link;
        if (total > size)
            return;
        Elf_Data *relocations = elf_getdata(elf_getscn(elf, i), NULL);
        Elf_Data *symbols = elf_getdata(elf_getscn(elf, table), NULL);
        if (relocations != NULL && symbols != NULL)
            relocate(rel, s, machine, relocations, symbols);
    }
}

void objrel_init(struct objrel *rel, Elf *elf)
{
    struct objrel_layout layout;
    size_t size = 0;
    GElf_Ehdr header;

    *rel = (struct objrel){0};
    if (gelf_getehdr(elf, &header) == NULL || header.e_type != ET_REL)
        return;
    elf_rawfile(elf, &size);
    objrel_layout_init(&layout, elf, size);
    if (layout.addresses != NULL) {
        rel->sections = memory_new(layout.n, sizeof *rel->sections);
        rel->data = memory_new(layout.n, sizeof *rel->data);
        rel->by_number = memory_new(layout.n, sizeof *rel->by_number);
        rel->n_numbers = layout.n;
        add_sections(rel, elf, size, &layout);
        relocate_all(rel, elf, header.e_machine, size);
    }
    objrel_layout_fini(&layout);
}

void objrel_fini(struct objrel *rel)
{
    for (size_t i = 0; i < rel->n; i++)
        free(rel->sections[i].bytes);
    free(rel->sections);
    free(rel->data);
    free(rel->by_number);
    *rel = (struct objrel){0};
}

const struct objrel_section *objrel_find(const struct objrel *rel, bool is_code,
                                         uint64_t address)
{
    const struct objrel_section *list = is_code ? rel->sections : rel->data;
    size_t n = is_code ? rel->n : rel->n_data;
    size_t after = array_bisect(0, n, i, list[i].address <= address);

    return after > 0 && address - list[after - 1].address < list[after - 1].size
               ? &list[after - 1]
               : NULL;
}
