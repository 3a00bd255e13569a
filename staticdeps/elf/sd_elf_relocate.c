/*
 * sd_elf_relocate: gives an object file's code the addresses it would have
 * after linking.
 *
 * In the file all sections are at address 0; objrel places them.  Each symbol
 * that other files define gets an address of its own, far enough from the next
 * for most arrays; so two symbols never overlap by accident.  Only code is
 * relocated here; sd_contents relocates data.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "elf/sd_elf.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "binary/objrel.h"

/* The distance of two symbols of other files, and the space for all. */
#define SYMBOL_SPACE   UINT64_C(65536)
#define ALL_SPACE      UINT64_C(0x20000000)
#define LARGEST_COMMON (UINT64_C(1) << 28)
#define SLOT_SIZE      UINT64_C(8)

/* Longer names are left out: tables of libraries describe no such functions. */
#define LONGEST_NAME 255

/* The file while it is relocated. */
struct linker {
    const struct sd_elf *elf;
    const struct objrel_layout *layout;
    struct sd_image *image;
    size_t *section;      /* of the image, by section header; SIZE_MAX: none */
    size_t table;         /* the section header of the symbols */
    uint64_t *addresses;  /* of symbols, by number in their table */
    uint64_t *slots;      /* by number, too; 0: none yet */
    size_t n, n_slots;    /* symbols */
    uint64_t got;         /* the global offset table, which has the slots */
    uint64_t next, space; /* for the next symbol of other files */
    size_t names_room; /* the bytes of names that may still be kept: only files
                          with overlapping names have more than their size */
};

static uint64_t round_up(uint64_t n)
{
    return (n + 15) & ~UINT64_C(15);
}

/* The image tells which symbols other files define. */
static void add_outside(struct linker *l, const char *name, uint64_t address)
{
    size_t length = name != NULL ? strnlen(name, LONGEST_NAME + 1) : 0;
    char *copy;

    if (length == 0 || length > LONGEST_NAME || length > l->names_room)
        return;
    l->names_room -= length;
    copy = memory_text(name);
    sd_image_keep(l->image, copy);
    array_append(l->image, outside, (struct sd_outside){copy, address});
}

/* The address of a symbol; `index` is the header of its section. */
static uint64_t place(struct linker *l, const GElf_Sym *sym, uint32_t index,
                      const char *name)
{
    uint64_t address = l->next, size = 0;

    if (index == SHN_UNDEF && name != NULL &&
        strcmp(name, "_GLOBAL_OFFSET_TABLE_") == 0)
        return l->got;
    if (index != SHN_UNDEF && index != SHN_COMMON)
        return index < l->layout->n
                   ? l->layout->addresses[index] + sym->st_value
                   : sym->st_value; /* SHN_ABS */
    if (sym->st_shndx == SHN_COMMON)
        size = sym->st_size < LARGEST_COMMON ? sym->st_size : LARGEST_COMMON;
    l->next += size > l->space ? round_up(size) : l->space;
    return address;
}

static void place_symbols(struct linker *l, Elf_Data *data,
                          const struct sd_strings *names)
{
    Elf_Data *extended = sd_elf_indices(l->elf, l->table);
    Elf32_Word index = 0;
    GElf_Sym sym;

    l->n = data->d_size / sizeof(Elf64_Sym);
    l->addresses = memory_new(l->n, sizeof *l->addresses);
    l->slots = memory_new(l->n, sizeof *l->slots);
    l->got = (l->layout->free + 0xfff) & ~UINT64_C(0xfff);
    l->next = l->got + SLOT_SIZE * (l->n + 1);
    l->space = l->n > ALL_SPACE / SYMBOL_SPACE ? round_up(ALL_SPACE / l->n + 1)
                                               : SYMBOL_SPACE;
    for (size_t i = 1; i < l->n; i++) { /* number 0 is none */
        const char *name;

        if (gelf_getsymshndx(data, extended, (int)i, &sym, &index) == NULL)
            continue;
        if (sym.st_shndx != SHN_XINDEX)
            index = sym.st_shndx;
        name = sd_strings_at(names, sym.st_name);
        l->addresses[i] = place(l, &sym, index, name);
        if (index == SHN_UNDEF)
            add_outside(l, name, l->addresses[i]);
    }
}

/* Slots are numbered in the order of their use, because AArch64's instructions
   for small code reach only the first ones. */
static uint64_t slot_of(struct linker *l, uint64_t symbol)
{
    if (l->slots[symbol] == 0)
        l->slots[symbol] = l->got + SLOT_SIZE * ++l->n_slots;
    return l->slots[symbol];
}

static void relocate(struct linker *l, struct sd_section *section,
                     Elf_Data *data)
{
    unsigned machine = l->elf->header.e_machine;
    GElf_Rela rela;

    for (int i = 0; gelf_getrela(data, i, &rela) != NULL; i++) {
        uint64_t symbol = GELF_R_SYM(rela.r_info);
        struct objreloc r = {.type = (uint32_t)GELF_R_TYPE(rela.r_info),
                             .place = section->address + rela.r_offset,
                             .slot = l->got,
                             .got = l->got,
                             .addend = rela.r_addend};
        bool is_known = symbol < l->n && rela.r_offset < section->size;

        if (is_known) {
            r.symbol = l->addresses[symbol];
            if (objreloc_needs_slot(machine, r.type))
                r.slot = slot_of(l, symbol);
            is_known =
                objreloc_apply(machine, &r, section->bytes + rela.r_offset,
                               section->size - rela.r_offset);
        }
        l->image->n_unknown_relocations += !is_known;
    }
}

/* An object file has one symbol table. */
static int read_symbols(struct linker *l, struct diag *d)
{
    struct sd_strings names;
    Elf_Data *data;
    GElf_Shdr h;

    l->table = 1;
    if (!sd_elf_section(l->elf, SHT_SYMTAB, &l->table, &h))
        return 0;
    data = sd_elf_data(l->elf, l->table, false);
    if (data == NULL && h.sh_size > 0)
        return diag_set(d, "%s: damaged symbol table", l->elf->path);
    names = sd_elf_strings(l->elf, h.sh_link);
    if (data != NULL)
        place_symbols(l, data, &names);
    return 0;
}

static int relocate_all(struct linker *l, struct diag *d)
{
    const struct sd_elf *elf = l->elf;
    uint64_t size = 0;
    Elf_Data *data;
    GElf_Shdr h;

    if (read_symbols(l, d) != 0)
        return -1;
    for (size_t i = 1; sd_elf_section(elf, SHT_RELA, &i, &h); i++) {
        if (h.sh_info >= elf->n_headers || l->section[h.sh_info] == SIZE_MAX ||
            h.sh_size == 0)
            continue;
        data = sd_elf_data(elf, i, false);
        if (data == NULL || h.sh_link != l->table)
            return diag_set(d, "%s: damaged relocations", elf->path);
        size += h.sh_size;
        if (size > elf->size)
            return diag_set(d, "%s: its relocations overlap", elf->path);
        relocate(l, &l->image->sections[l->section[h.sh_info]], data);
    }
    return 0;
}

int sd_elf_relocate(const struct sd_elf *elf,
                    const struct objrel_layout *layout, struct sd_image *image,
                    struct diag *d)
{
    struct linker l = {.elf = elf,
                       .layout = layout,
                       .image = image,
                       .section = memory_new(elf->n_headers, sizeof *l.section),
                       .names_room = elf->size};
    int rc;

    for (size_t i = 0; i < elf->n_headers; i++)
        l.section[i] = SIZE_MAX;
    for (size_t i = 0; i < image->n_sections; i++)
        l.section[image->sections[i].header] = i;
    rc = relocate_all(&l, d);
    free(l.addresses);
    free(l.slots);
    free(l.section);
    return rc;
}
