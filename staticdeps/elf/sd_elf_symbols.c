/*
 * sd_elf_symbols: reads the symbols of the code, and which bytes of the code
 * are data; names the entries of the procedure linkage table.
 *
 * A symbol without a type is a function if it has a size, or if sd_elf_image.c
 * finds that it labels one.  Objects in executable sections are data.  On
 * AArch64, the bytes from a mapping symbol "$d" to the next "$x" are data, too.
 *
 * An entry of the procedure linkage table jumps to the address in a slot of the
 * global offset table, and a relocation names the slot's symbol: the entry for
 * puts is "puts@plt".  The slot is read from the instructions that the ABIs
 * prescribe: jmp *slot(%rip), or adrp x16, ldr x17.  (System V ABI, AMD64
 * supplement, 5.2; ELF for the Arm 64-bit Architecture, PLT sequences.)
 * Entries with other instructions get no names.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "elf/sd_elf.h"

/* A mapping symbol: from here on, code or data. */
struct turn {
    size_t section;
    uint64_t address;
    bool is_data;
};

struct reader {
    const struct sd_elf *elf;
    struct sd_image *image;
    bool by_address;
    struct sd_sections sections;
    size_t *section_of; /* number in the image, by section header */
    size_t *indices;    /* by symbol table: number of its SHT_SYMTAB_SHNDX */
    struct sd_strings *strings; /* copies of those in use, by section header */
    uint64_t strings_size;      /* total bytes of all copies */
    struct turn *turns;
    size_t n_turns, turns_room;
};

/* Functions are shown before labels; then global names before weak ones, and
   weak names before local ones. */
static int rank(const GElf_Sym *sym, bool is_function)
{
    int binding = GELF_ST_BIND(sym->st_info);

    return (is_function ? 0 : 3) + (binding == STB_GLOBAL ? 0
                                    : binding == STB_WEAK ? 1
                                                          : 2);
}

/* The number of the image's section that contains a symbol, or ends there. */
static size_t section_of(const struct reader *r, const GElf_Sym *sym,
                         size_t header)
{
    GElf_Shdr h;

    /* The value of a symbol in a section that is not loaded is no address. */
    if (r->by_address)
        return sd_elf_header(r->elf, header, &h) && (h.sh_flags & SHF_ALLOC)
                   ? sd_sections_find(&r->sections, sym->st_value)
                   : SD_NO_SECTION;
    return header < r->elf->n_headers ? r->section_of[header] : SD_NO_SECTION;
}

static bool is_mapping_symbol(const struct sd_elf *elf, const char *name)
{
    return elf->arch == ARCH_AARCH64 && name[0] == '$' &&
           (name[1] == 'x' || name[1] == 'd') &&
           (name[2] == '\0' || name[2] == '.');
}

static void number_symbol(struct sd_image *image, struct sd_symbol symbol)
{
    assert(symbol.name[0] != '\0' && image->n_symbols < UINT32_MAX);
    assert(symbol.section < image->n_sections);
    symbol.number = (uint32_t)image->n_symbols;
    array_append(image, symbols, symbol);
}

static void add_symbol(struct reader *r, const GElf_Sym *sym, size_t header,
                       const char *name)
{
    struct sd_image *image = r->image;
    int type = GELF_ST_TYPE(sym->st_info);
    bool is_function = type == STT_FUNC || type == STT_GNU_IFUNC ||
                       (type == STT_NOTYPE && sym->st_size > 0);
    uint64_t address = sym->st_value, offset;

    if (name == NULL || name[0] == '\0' || type == STT_SECTION ||
        type == STT_FILE || type == STT_TLS || header == SHN_UNDEF)
        return;
    size_t section = section_of(r, sym, header);
    if (section == SD_NO_SECTION)
        return;
    if (r->elf->is_relocatable)
        address += image->sections[section].address;
    offset = address - image->sections[section].address;
    if (offset > image->sections[section].size)
        return;
    bool is_global_label = type == STT_NOTYPE && sym->st_size == 0 &&
                           GELF_ST_BIND(sym->st_info) != STB_LOCAL &&
                           offset < image->sections[section].size;
    if (is_mapping_symbol(r->elf, name)) {
        array_append(r, turns, (struct turn){section, address, name[1] == 'd'});
        return;
    }
    if (type == STT_OBJECT) {
        if (sym->st_size <= image->sections[section].size - offset)
            array_append(image, data,
                         (struct sd_range){address, address + sym->st_size});
        return;
    }
    number_symbol(image, (struct sd_symbol){.name = name,
                                            .address = address,
                                            .size = sym->st_size,
                                            .section = section,
                                            .is_function = is_function,
                                            .is_global_label = is_global_label,
                                            .rank = rank(sym, is_function)});
}

ARRAY_ORDER(compare_turns, struct turn,
            array_order(a->section, b->section)
                ?: array_order(a->address, b->address)
                ?: array_order(a->is_data, b->is_data))

/* Adds the data; of several turns at an address, the last one counts. */
static void add_mapped_data(struct reader *r)
{
    array_sort(r->turns, r->n_turns, compare_turns);
    for (size_t i = 0; i < r->n_turns; i++) {
        const struct turn *t = &r->turns[i];
        const struct sd_section *s = &r->image->sections[t->section];
        bool is_last = i + 1 == r->n_turns || t[1].section != t->section;
        uint64_t end = is_last ? s->address + s->size : t[1].address;

        assert(t->address - s->address <= s->size);
        if (t->is_data && end > t->address)
            array_append(r->image, data, (struct sd_range){t->address, end});
    }
}

/* The section header of a symbol; SHN_UNDEF if the symbol is in no section. */
static size_t header_of(const GElf_Sym *sym, Elf32_Word index)
{
    if (sym->st_shndx == SHN_XINDEX)
        return index;
    return sym->st_shndx < SHN_LORESERVE ? sym->st_shndx : SHN_UNDEF;
}

/* Copies a string table into the texts of the image. */
static int copy_strings(struct reader *r, size_t number, struct diag *d)
{
    struct sd_strings names = sd_elf_strings(r->elf, number);

    if (names.size == 0 || r->strings[number].bytes != NULL)
        return 0;
    /* Tables that overlap could make a small file take any amount of memory. */
    r->strings_size += names.size;
    if (r->strings_size > r->elf->size)
        return diag_set(d, "%s: its string tables overlap", r->elf->path);
    assert(names.bytes[names.size - 1] == '\0');
    char *copy = memory_new(names.size, 1);
    memcpy(copy, names.bytes, names.size);
    array_append(r->image, texts, copy);
    r->strings[number] = (struct sd_strings){copy, names.size};
    return 0;
}

static int read_table(struct reader *r, size_t number, const GElf_Shdr *h,
                      struct diag *d)
{
    const struct sd_elf *elf = r->elf;
    Elf_Data *data = sd_elf_data(elf, number, false), *extended = NULL;
    struct sd_strings names = {NULL, 0};
    GElf_Sym sym;
    Elf32_Word index = 0;

    if (data == NULL)
        return diag_set(d, "%s: damaged symbol table", elf->path);
    if (r->indices[number] != 0)
        extended = sd_elf_data(elf, r->indices[number], false);
    if (h->sh_link < elf->n_headers) {
        if (copy_strings(r, h->sh_link, d) != 0)
            return -1;
        names = r->strings[h->sh_link];
    }
    for (int k = 0; gelf_getsymshndx(data, extended, k, &sym, &index) != NULL;
         k++)
        add_symbol(r, &sym, header_of(&sym, index),
                   sd_strings_at(&names, sym.st_name));
    return 0;
}

static int read_tables(struct reader *r, struct diag *d)
{
    uint64_t size = 0;
    GElf_Shdr h;

    for (size_t i = 1; sd_elf_section(r->elf, SHT_SYMTAB_SHNDX, &i, &h); i++)
        if (h.sh_link < r->elf->n_headers && r->indices[h.sh_link] == 0)
            r->indices[h.sh_link] = i;
    for (size_t i = 1; sd_elf_section(r->elf, SHT_NULL, &i, &h); i++) {
        if ((h.sh_type != SHT_SYMTAB && h.sh_type != SHT_DYNSYM) ||
            h.sh_size == 0)
            continue;
        size += h.sh_size;
        if (r->indices[i] != 0) {
            GElf_Shdr indices;

            if (sd_elf_header(r->elf, r->indices[i], &indices))
                size += indices.sh_size;
        }
        if (size > r->elf->size)
            return diag_set(d, "%s: its symbol tables overlap", r->elf->path);
        if (read_table(r, i, &h, d) != 0)
            return -1;
    }
    add_mapped_data(r);
    return 0;
}

int sd_elf_symbols(const struct sd_elf *elf, struct sd_image *image,
                   bool by_address, struct diag *d)
{
    struct reader r = {.elf = elf, .image = image, .by_address = by_address};

    sd_sections_init(&r.sections, image);
    r.section_of = memory_new(elf->n_headers, sizeof *r.section_of);
    r.indices = memory_new(elf->n_headers, sizeof *r.indices);
    r.strings = memory_new(elf->n_headers, sizeof *r.strings);
    for (size_t i = 0; i < elf->n_headers; i++)
        r.section_of[i] = SD_NO_SECTION;
    for (size_t i = 0; i < image->n_sections && !by_address; i++)
        if (image->sections[i].header < elf->n_headers)
            r.section_of[image->sections[i].header] = i;
    if (elf->n_headers > 0)
        r.section_of[0] = SD_NO_SECTION; /* header 0 is no section */
    int rc = read_tables(&r, d);
    sd_sections_fini(&r.sections);
    free(r.section_of);
    free(r.indices);
    free(r.strings);
    free(r.turns);
    return rc;
}

/* --- The procedure linkage table --- */

#define ENTRY_SIZE 16
#define PLT_RANK   9 /* every other symbol has a lower rank */

struct slot {
    uint64_t address;
    const char *name; /* belongs to libelf */
    const char *plt;  /* belongs to the image; NULL: not named yet */
};

struct slots {
    struct slot *list; /* sorted by address */
    size_t n, room;
    size_t table;     /* the symbol table of the last slots */
    uint64_t size;    /* bytes of relocation sections read up to now */
    uint64_t n_bytes; /* total length of the names of entries */
};

static void add_slots(const struct sd_elf *elf, struct slots *slots,
                      size_t number, const GElf_Shdr *h)
{
    Elf_Data *data = sd_elf_data(elf, number, false);
    GElf_Shdr table;
    GElf_Rela rela;
    GElf_Sym sym;

    if (data == NULL || !sd_elf_header(elf, h->sh_link, &table) ||
        table.sh_type != SHT_DYNSYM)
        return;
    if (slots->table != h->sh_link)
        slots->size += table.sh_size;
    slots->table = h->sh_link;
    Elf_Data *symbols = sd_elf_data(elf, h->sh_link, false);
    if (symbols == NULL || slots->size > elf->size)
        return;
    struct sd_strings names = sd_elf_strings(elf, table.sh_link);
    for (int i = 0; gelf_getrela(data, i, &rela) != NULL; i++) {
        uint64_t symbol = GELF_R_SYM(rela.r_info);

        if (symbol == 0 || symbol > INT32_MAX ||
            gelf_getsym(symbols, (int)symbol, &sym) == NULL)
            continue;
        const char *name = sd_strings_at(&names, sym.st_name);
        if (name == NULL || name[0] == '\0')
            continue;
        array_push(slots->list, slots->n, slots->room,
                   (struct slot){rela.r_offset, name, NULL});
    }
}

/* The name for the entries of a slot, or NULL.  The names' total length is
   limited to the file's size, which only overlapping names exceed. */
static const char *name_of(struct slots *slots, struct slot *slot,
                           const struct sd_elf *elf, struct sd_image *image)
{
    char *plt;

    if (slot->plt != NULL || slots->n_bytes > elf->size)
        return slot->plt;
    slots->n_bytes += strlen(slot->name);
    if (slots->n_bytes > elf->size)
        return NULL;
    plt = memory_printf("%s@plt", slot->name);
    array_append(image, texts, plt);
    return slot->plt = plt;
}

static uint32_t word_at(const uint8_t *bytes)
{
    uint32_t word;

    memcpy(&word, bytes, sizeof word);
    return word;
}

/* Reads the slot of the jump at an offset, and where the entry begins; false if
   there is no such jump.  At least 8 bytes follow the offset. */
static bool x86_slot(const struct sd_section *s, size_t at, size_t *entry,
                     uint64_t *slot)
{
    static const uint8_t endbr[] = {0xf3, 0x0f, 0x1e, 0xfa};

    if (s->bytes[at] != 0xff || s->bytes[at + 1] != 0x25)
        return false;
    *slot = s->address + at + 6 +
            (uint64_t)(int64_t)(int32_t)word_at(s->bytes + at + 2);
    *entry = at;
    assert(at + 8 <= s->size);
    if (*entry >= 1 && s->bytes[*entry - 1] == 0xf2) /* bnd */
        --*entry;
    if (*entry >= 4 && memcmp(s->bytes + *entry - 4, endbr, 4) == 0)
        *entry -= 4;
    return true;
}

static bool a64_slot(const struct sd_section *s, size_t at, size_t *entry,
                     uint64_t *slot)
{
    uint32_t adrp = word_at(s->bytes + at), ldr = word_at(s->bytes + at + 4);
    uint64_t pages = (adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3);

    if (at % 4 != 0 || (adrp & 0x9f00001f) != 0x90000010 ||
        (ldr & 0xffc003ff) != 0xf9400211)
        return false;
    pages = (pages ^ 0x100000) - 0x100000; /* 21 bits, signed */
    *slot = ((s->address + at) & ~UINT64_C(0xfff)) + (pages << 12) +
            8 * (ldr >> 10 & 0xfff);
    *entry = at;
    if (at >= 4 && word_at(s->bytes + at - 4) == 0xd503245f) /* bti c */
        *entry -= 4;
    return true;
}

static void add_name(struct sd_image *image, size_t section, size_t entry,
                     const char *name)
{
    const struct sd_section *s = &image->sections[section];
    size_t left = s->size - entry;

    assert(entry < s->size);
    number_symbol(
        image, (struct sd_symbol){.name = name,
                                  .address = s->address + entry,
                                  .size = left < ENTRY_SIZE ? left : ENTRY_SIZE,
                                  .section = section,
                                  .is_function = true,
                                  .rank = PLT_RANK});
}

static void name_entries(const struct sd_elf *elf, struct slots *slots,
                         struct sd_image *image, size_t section)
{
    const struct sd_section *s = &image->sections[section];

    for (size_t at = 0; at + 8 <= s->size; at++) {
        uint64_t address;
        size_t entry;
        const char *name = NULL;

        if (elf->arch == ARCH_X86_64 ? !x86_slot(s, at, &entry, &address)
                                     : !a64_slot(s, at, &entry, &address))
            continue;
        array_append(image, stubs,
                     (struct sd_stub){s->address + entry, address});
        struct slot *slot =
            array_find(&address, slots->list, slots->n, array_by_number);
        if (slot != NULL)
            name = name_of(slots, slot, elf, image);
        if (name != NULL)
            add_name(image, section, entry, name);
    }
}

void sd_elf_plt(const struct sd_elf *elf, struct sd_image *image)
{
    struct slots slots = {.n = 0};
    GElf_Shdr h;

    /* Sections larger than the file overlap: they would take any amount of
       time. */
    for (size_t i = 1;
         slots.size <= elf->size && sd_elf_section(elf, SHT_RELA, &i, &h); i++)
        if (h.sh_flags & SHF_ALLOC) {
            slots.size += h.sh_size;
            if (slots.size <= elf->size)
                add_slots(elf, &slots, i, &h);
        }
    array_sort(slots.list, slots.n, array_by_number);
    for (size_t i = 0; i < image->n_sections; i++)
        if (strncmp(image->sections[i].name, ".plt", 4) == 0)
            name_entries(elf, &slots, image, i);
    free(slots.list);
}
