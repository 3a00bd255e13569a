/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "binary/objrel.h"

#include "binary/objreloc.h"

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
    uint64_t largest;

    if (gelf_getshdr(elf_getscn(elf, i), h) == NULL ||
        !(h->sh_flags & SHF_ALLOC))
        return false;
    largest = is_code(h) ? size : LARGEST_DATA;
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
        const struct objrel_section *s;
        Elf_Data *relocations, *symbols;
        GElf_Shdr h, of;

        if (gelf_getshdr(elf_getscn(elf, i), &h) == NULL ||
            h.sh_type != SHT_RELA)
            continue;
        s = by_number(rel, h.sh_info);
        if (s == NULL || s->bytes == NULL)
            continue;
        total += h.sh_size;
        if (h.sh_link != table &&
            gelf_getshdr(elf_getscn(elf, h.sh_link), &of) != NULL)
            total += of.sh_size;
        table = h.sh_link;
        if (total > size)
            return;
        relocations = elf_getdata(elf_getscn(elf, i), NULL);
        symbols = elf_getdata(elf_getscn(elf, table), NULL);
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
