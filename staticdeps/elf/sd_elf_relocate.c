/*
 * sd_elf_relocate: gives an object file's code the addresses it would have
 * after linking.
 *
 * In the file all sections are at address 0.  Sections with code are placed
 * first, from 0, so that a file with one such section has the addresses that a
 * disassembler shows.
 *
 * Each symbol that other files define gets an address of its own, far enough
 * from the next for most arrays; so two symbols never overlap by accident.
 * Only code is relocated here; sd_contents relocates data.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "elf/sd_elf.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "object/objrel.h"

/* The distance of two symbols of other files, and the space for all. */
#define SYMBOL_SPACE   UINT64_C(65536)
#define ALL_SPACE      UINT64_C(0x20000000)
#define LARGEST_COMMON (UINT64_C(1) << 28)
#define SLOT_SIZE      UINT64_C(8)

struct symbols {
    uint64_t *address; /* by number in the symbol table */
    uint64_t *slot;    /* by number, too; 0: none yet */
    size_t n, n_slots;
    uint64_t got; /* the global offset table, which has the slots */
};

/* Slots are numbered in the order of their use, because AArch64's instructions
   for small code reach only the first ones. */
static uint64_t slot_of(struct symbols *symbols, uint64_t symbol)
{
    if (symbols->slot[symbol] == 0)
        symbols->slot[symbol] = symbols->got + SLOT_SIZE * ++symbols->n_slots;
    return symbols->slot[symbol];
}

static uint64_t round_up(uint64_t n)
{
    return (n + 15) & ~UINT64_C(15);
}

/* Allocates the address of a symbol that is undefined or common; *next is the
   first free address. */
static uint64_t fresh_address(const GElf_Sym *sym, uint64_t space,
                              uint64_t *next)
{
    uint64_t address = *next, size = 0;

    if (sym->st_shndx == SHN_COMMON)
        size = sym->st_size < LARGEST_COMMON ? sym->st_size : LARGEST_COMMON;
    *next += size > space ? round_up(size) : space;
    return address;
}

/* Is this the symbol of the global offset table itself? */
static bool is_table(const struct sd_strings *names, const GElf_Sym *sym,
                     uint32_t index)
{
    const char *name = NULL;

    if (index == SHN_UNDEF)
        name = sd_strings_at(names, sym->st_name);
    return name != NULL && strcmp(name, "_GLOBAL_OFFSET_TABLE_") == 0;
}

/* Longer names are left out: tables of libraries describe no such functions.
   The total length of names is limited to the file's size, which only files
   with overlapping names exceed. */
#define LONGEST_NAME 255

static void add_outside(struct sd_image *image, const char *name,
                        uint64_t address, size_t *room)
{
    size_t length = name != NULL ? strnlen(name, LONGEST_NAME + 1) : 0;
    char *copy;

    if (length == 0 || length > LONGEST_NAME || length > *room)
        return;
    *room -= length;
    copy = memory_text(name);
    sd_image_keep(image, copy);
    array_append(image, outside, (struct sd_outside){copy, address});
}

static void place_symbols(const struct sd_elf *elf,
                          const struct objrel_layout *layout, size_t number,
                          Elf_Data *data, struct symbols *symbols,
                          struct sd_image *image)
{
    Elf_Data *extended = sd_elf_indices(elf, number);
    uint64_t space = SYMBOL_SPACE, next;
    struct sd_strings names = {NULL, 0};
    size_t room = elf->size;
    Elf32_Word index = 0;
    GElf_Shdr h;
    GElf_Sym sym;

    if (sd_elf_header(elf, number, &h))
        names = sd_elf_strings(elf, h.sh_link);
    symbols->n = data->d_size / sizeof(Elf64_Sym);
    symbols->address = memory_new(symbols->n, sizeof *symbols->address);
    symbols->slot = memory_new(symbols->n, sizeof *symbols->slot);
    symbols->got = (layout->free + 0xfff) & ~UINT64_C(0xfff);
    next = symbols->got + SLOT_SIZE * (symbols->n + 1);
    if (symbols->n > ALL_SPACE / SYMBOL_SPACE)
        space = round_up(ALL_SPACE / symbols->n + 1);
    for (size_t i = 1; i < symbols->n; i++) { /* number 0 is none */
        if (gelf_getsymshndx(data, extended, (int)i, &sym, &index) == NULL)
            continue;
        if (sym.st_shndx != SHN_XINDEX)
            index = sym.st_shndx;
        if (is_table(&names, &sym, index))
            symbols->address[i] = symbols->got;
        else if (index == SHN_UNDEF || index == SHN_COMMON)
            symbols->address[i] = fresh_address(&sym, space, &next);
        else if (index < layout->n)
            symbols->address[i] = layout->addresses[index] + sym.st_value;
        else
            symbols->address[i] = sym.st_value; /* SHN_ABS */
        if (index == SHN_UNDEF)
            add_outside(image, sd_strings_at(&names, sym.st_name),
                        symbols->address[i], &room);
    }
}

static void relocate(const struct sd_elf *elf, struct symbols *symbols,
                     struct sd_section *section, Elf_Data *data,
                     struct sd_image *image)
{
    GElf_Rela rela;

    for (int i = 0; gelf_getrela(data, i, &rela) != NULL; i++) {
        uint64_t symbol = GELF_R_SYM(rela.r_info);
        struct objreloc r = {.type = (uint32_t)GELF_R_TYPE(rela.r_info),
                             .got = symbols->got,
                             .addend = rela.r_addend};

        if (symbol >= symbols->n || rela.r_offset >= section->size) {
            image->n_unknown_relocations++;
            continue;
        }
        r.symbol = symbols->address[symbol];
        r.slot = objreloc_needs_slot(elf->header.e_machine, r.type)
                     ? slot_of(symbols, symbol)
                     : symbols->got;
        r.place = section->address + rela.r_offset;
        if (!objreloc_apply(elf->header.e_machine, &r,
                            section->bytes + rela.r_offset,
                            section->size - rela.r_offset))
            image->n_unknown_relocations++;
    }
}

/* An object file has one symbol table. */
static int read_symbols(const struct sd_elf *elf,
                        const struct objrel_layout *layout, size_t *number,
                        struct symbols *symbols, struct sd_image *image,
                        struct diag *d)
{
    Elf_Data *data;
    GElf_Shdr h;

    *number = 1;
    if (!sd_elf_section(elf, SHT_SYMTAB, number, &h))
        return 0;
    data = sd_elf_data(elf, *number, false);
    if (data == NULL && h.sh_size > 0)
        return diag_set(d, "%s: damaged symbol table", elf->path);
    if (data != NULL)
        place_symbols(elf, layout, *number, data, symbols, image);
    return 0;
}

static int relocate_all(const struct sd_elf *elf,
                        const struct objrel_layout *layout,
                        const size_t *section, struct sd_image *image,
                        struct symbols *symbols, struct diag *d)
{
    uint64_t size = 0;
    size_t table;
    Elf_Data *data;
    GElf_Shdr h;

    if (read_symbols(elf, layout, &table, symbols, image, d) != 0)
        return -1;
    for (size_t i = 1; sd_elf_section(elf, SHT_RELA, &i, &h); i++) {
        if (h.sh_info >= elf->n_headers || section[h.sh_info] == SIZE_MAX ||
            h.sh_size == 0)
            continue;
        data = sd_elf_data(elf, i, false);
        if (data == NULL || h.sh_link != table)
            return diag_set(d, "%s: damaged relocations", elf->path);
        size += h.sh_size;
        if (size > elf->size)
            return diag_set(d, "%s: its relocations overlap", elf->path);
        relocate(elf, symbols, &image->sections[section[h.sh_info]], data,
                 image);
    }
    return 0;
}

int sd_elf_relocate(const struct sd_elf *elf,
                    const struct objrel_layout *layout, struct sd_image *image,
                    struct diag *d)
{
    struct symbols symbols = {.n = 0};
    size_t *section = memory_new(elf->n_headers, sizeof *section);
    int rc;

    for (size_t i = 0; i < elf->n_headers; i++)
        section[i] = SIZE_MAX;
    for (size_t i = 0; i < image->n_sections; i++)
        section[image->sections[i].header] = i;
    rc = relocate_all(elf, layout, section, image, &symbols, d);
    free(symbols.address);
    free(symbols.slot);
    free(section);
    return rc;
}
