/*
 * objrel: the code of an object file of a compiler, which has no addresses yet.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "object/objrel.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

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
    *s = (struct objrel_section){.number = number,
                                 .address = address,
                                 .size = data->d_size,
                                 .other = h->sh_addr,
                                 .bytes = memory_new(data->d_size, 1)};
    memcpy(s->bytes, data->d_buf, data->d_size);
    rel->n++;
}

static void add_sections(struct objrel *rel, Elf *elf, size_t n)
{
    uint64_t free = 0, total = 0;
    size_t size = 0;

    elf_rawfile(elf, &size);
    for (size_t i = 1; i < n; i++) {
        Elf_Scn *section = elf_getscn(elf, i);
        GElf_Shdr h;
        uint64_t address;

        if (gelf_getshdr(section, &h) == NULL || !(h.sh_flags & SHF_ALLOC) ||
            !(h.sh_flags & SHF_EXECINSTR))
            continue;
        address = objrel_place(&free, h.sh_addralign,
                               h.sh_size < size ? h.sh_size : size);
        /* All sections together may be as large as the file: overlapping ones
           could have any total size. */
        total += h.sh_size < size ? h.sh_size : size;
        if (h.sh_type == SHT_PROGBITS && total <= size)
            add_section(rel, i, &h, address, section);
    }
}

static struct objrel_section *by_number(const struct objrel *rel, size_t number)
{
    for (size_t i = 0; i < rel->n; i++)
        if (rel->sections[i].number == number)
            return &rel->sections[i];
    return NULL;
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

/* Is a distance of four bytes that of a jump or call? */
static bool is_jump(const struct objrel_section *s, uint64_t offset)
{
    const uint8_t *at = s->bytes + offset;

    if (offset >= 1 && (at[-1] & 0xfe) == 0xe8)
        return true;
    return offset >= 2 && at[-2] == 0x0f && (at[-1] & 0xf0) == 0x80;
}

/* Relocates jumps and calls.  Displacements of data keep the values in the
   file. */
static void relocate(const struct objrel *rel, struct objrel_section *s,
                     Elf_Data *relocations, Elf_Data *symbols)
{
    GElf_Rela r;

    for (int i = 0; gelf_getrela(relocations, i, &r) != NULL; i++) {
        uint64_t type = GELF_R_TYPE(r.r_info), symbol = ELSEWHERE;
        GElf_Sym sym;
        uint32_t value;

        if ((type != R_X86_64_PC32 && type != R_X86_64_PLT32) ||
            s->size < sizeof value || r.r_offset > s->size - sizeof value ||
            !is_jump(s, r.r_offset))
            continue;
        if (gelf_getsym(symbols, (int)GELF_R_SYM(r.r_info), &sym) != NULL)
            objrel_symbol(rel, &sym, &symbol);
        value = (uint32_t)(symbol + (uint64_t)r.r_addend -
                           (s->address + r.r_offset));
        memcpy(s->bytes + r.r_offset, &value, sizeof value);
    }
}

static void relocate_all(const struct objrel *rel, Elf *elf, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        Elf_Scn *section = elf_getscn(elf, i);
        struct objrel_section *s;
        Elf_Data *relocations, *symbols;
        GElf_Shdr h;

        if (gelf_getshdr(section, &h) == NULL || h.sh_type != SHT_RELA)
            continue;
        s = by_number(rel, h.sh_info);
        relocations = elf_getdata(section, NULL);
        symbols = elf_getdata(elf_getscn(elf, h.sh_link), NULL);
        if (s != NULL && relocations != NULL && symbols != NULL)
            relocate(rel, s, relocations, symbols);
    }
}

void objrel_init(struct objrel *rel, Elf *elf)
{
    GElf_Ehdr header;
    size_t n;

    *rel = (struct objrel){0};
    if (gelf_getehdr(elf, &header) == NULL || header.e_type != ET_REL ||
        elf_getshdrnum(elf, &n) != 0)
        return;
    rel->sections = memory_new(n, sizeof *rel->sections);
    add_sections(rel, elf, n);
    if (header.e_machine == EM_X86_64)
        relocate_all(rel, elf, n);
}

void objrel_fini(struct objrel *rel)
{
    for (size_t i = 0; i < rel->n; i++)
        free(rel->sections[i].bytes);
    free(rel->sections);
    *rel = (struct objrel){0};
}

const struct objrel_section *objrel_find(const struct objrel *rel,
                                         uint64_t address)
{
    for (size_t i = 0; i < rel->n; i++)
        if (address - rel->sections[i].address < rel->sections[i].size)
            return &rel->sections[i];
    return NULL;
}
