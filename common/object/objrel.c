/*
 * objrel: an object file of a compiler, which has no addresses yet.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "object/objrel.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "memory.h"
#include "object/objreloc.h"

#define LARGEST_ALIGNMENT (UINT64_C(1) << 16)

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

uint64_t objrel_place(uint64_t *free, uint64_t alignment, uint64_t size)
{
    uint64_t address = align(*free, alignment);

    *free = address + SPACE + size;
    return address;
}

static void add_section(struct objrel *rel, size_t number, const GElf_Shdr *h,
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
    rel->by_number[number] = s;
    rel->n++;
}

static void add_data(struct objrel *rel, size_t number, const GElf_Shdr *h,
                     uint64_t address)
{
    struct objrel_section *s = &rel->data[rel->n_data++];

    *s = (struct objrel_section){
        .address = address, .size = h->sh_size, .other = h->sh_addr};
    rel->by_number[number] = s;
}

static void add_sections(struct objrel *rel, Elf *elf, size_t n, bool with_code,
                         uint64_t *free)
{
    uint64_t total = 0, largest = OBJREL_LARGEST;
    size_t size = 0;

    elf_rawfile(elf, &size);
    if (with_code)
        largest = size;
    for (size_t i = 1; i < n; i++) {
        Elf_Scn *section = elf_getscn(elf, i);
        GElf_Shdr h;
        uint64_t address;

        if (gelf_getshdr(section, &h) == NULL || !(h.sh_flags & SHF_ALLOC) ||
            with_code != ((h.sh_flags & SHF_EXECINSTR) != 0))
            continue;
        if (h.sh_size > largest)
            h.sh_size = largest;
        address = objrel_place(free, h.sh_addralign, h.sh_size);
        /* All sections together may be as large as the file: overlapping ones
           could have any total size. */
        total += h.sh_size;
        if (!with_code)
            add_data(rel, i, &h, address);
        else if (h.sh_type == SHT_PROGBITS && total <= size)
            add_section(rel, i, &h, address, section);
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

/* Is what is relocated the distance of x86-64's jump or call? */
static bool is_jump(const struct objrel_section *s, uint64_t offset,
                    unsigned machine, uint32_t type)
{
    const uint8_t *at = s->bytes + offset;

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

static void relocate_all(const struct objrel *rel, Elf *elf, unsigned machine,
                         size_t n)
{
    for (size_t i = 1; i < n; i++) {
        Elf_Scn *section = elf_getscn(elf, i);
        const struct objrel_section *s;
        Elf_Data *relocations, *symbols;
        GElf_Shdr h;

        if (gelf_getshdr(section, &h) == NULL || h.sh_type != SHT_RELA)
            continue;
        s = by_number(rel, h.sh_info);
        relocations = elf_getdata(section, NULL);
        symbols = elf_getdata(elf_getscn(elf, h.sh_link), NULL);
        if (s != NULL && s->bytes != NULL && relocations != NULL &&
            symbols != NULL)
            relocate(rel, s, machine, relocations, symbols);
    }
}

void objrel_init(struct objrel *rel, Elf *elf)
{
    uint64_t free = 0;
    GElf_Ehdr header;
    size_t n;

    *rel = (struct objrel){0};
    if (gelf_getehdr(elf, &header) == NULL || header.e_type != ET_REL ||
        elf_getshdrnum(elf, &n) != 0)
        return;
    rel->sections = memory_new(n, sizeof *rel->sections);
    rel->data = memory_new(n, sizeof *rel->data);
    rel->by_number = memory_new(n, sizeof *rel->by_number);
    rel->n_numbers = n;
    add_sections(rel, elf, n, true, &free);
    add_sections(rel, elf, n, false, &free);
    relocate_all(rel, elf, header.e_machine, n);
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

static const struct objrel_section *find(const struct objrel_section *sections,
                                         size_t n, uint64_t address)
{
    size_t after = array_bisect(0, n, i, sections[i].address <= address);

    return after > 0 && address - sections[after - 1].address <
                            sections[after - 1].size
               ? &sections[after - 1]
               : NULL;
}

const struct objrel_section *objrel_find(const struct objrel *rel,
                                         uint64_t address)
{
    return find(rel->sections, rel->n, address);
}

const struct objrel_section *objrel_find_data(const struct objrel *rel,
                                              uint64_t address)
{
    return find(rel->data, rel->n_data, address);
}
