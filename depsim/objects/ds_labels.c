/*
 * ds_labels: functions whose symbols have no size, as assemblers write them
 * unless they are told otherwise; Valgrind does not keep these.
 *
 * Limits: they are those of the file itself, not of one with its debug
 * information elsewhere, and of a file that is still there; their names have
 * fewer than LONGEST bytes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "objects/ds_elf.h"

#include <elf.h>

#define LONGEST 1024

static Bool is_code(const struct ds_elf *elf, ULong address)
{
    for (UInt i = 0; i < elf->n_pieces; i++) {
        const struct ds_elf_piece *piece = &elf->piece[i];

        if (piece->is_code && address - piece->vaddr < piece->size)
            return True;
    }
    return False;
}

/* Could it be a function, or a label in one? */
static Bool is_label(const struct ds_elf *elf, const Elf64_Sym *symbol)
{
    UInt type = ELF64_ST_TYPE(symbol->st_info);

    return symbol->st_size == 0 && symbol->st_shndx != SHN_UNDEF &&
           symbol->st_shndx != SHN_ABS &&
           (type == STT_FUNC || type == STT_NOTYPE) &&
           is_code(elf, symbol->st_value);
}

/* On AArch64, "$x" and "$d", perhaps with ".ANYTHING", mark code and data. */
static Bool is_mark(const HChar *name)
{
    return name[0] == '$' && (name[1] == 'x' || name[1] == 'd') &&
           (name[2] == '\0' || name[2] == '.');
}

static void add(struct ds_elf *elf, ULong address, const HChar *name)
{
    if (elf->n_labels == elf->labels_room) {
        elf->labels_room = 2 * elf->n_labels + 64;
        elf->label = VG_(realloc)("ds.labels", elf->label,
                                  elf->labels_room * sizeof *elf->label);
    }
    elf->label[elf->n_labels++] = (struct ds_elf_label){
        .address = address, .name = VG_(strdup)("ds.labels", name)};
}

/* Adds a symbol, whose name is in this section, if it is a label. */
static void consider(struct ds_elf *elf, const struct ds_elf_source *source,
                     const Elf64_Shdr *strings, const Elf64_Sym *symbol)
{
    static HChar name[LONGEST + 1]; /* ends with 0 */
    ULong left = strings->sh_size - symbol->st_name;
    UInt n = left < LONGEST ? (UInt)left : LONGEST;

    if (is_label(elf, symbol) && symbol->st_name < strings->sh_size &&
        source->read(source, strings->sh_offset + symbol->st_name, name, n) &&
        VG_(strlen)(name) < n && name[0] != '\0' && !is_mark(name))
        add(elf, symbol->st_value, name);
}

static void read_table(struct ds_elf *elf, const struct ds_elf_source *source,
                       const Elf64_Shdr *table, const Elf64_Shdr *strings)
{
    static Elf64_Sym symbols[512];
    ULong at = 0, n;

    for (; (n = (table->sh_size - at) / sizeof *symbols) > 0;
         at += n * sizeof *symbols) {
        n = n < 512 ? n : 512;
        if (!source->read(source, table->sh_offset + at, symbols,
                          (UInt)(n * sizeof *symbols)))
            return;
        for (UInt i = 0; i < n; i++)
            consider(elf, source, strings, &symbols[i]);
    }
}

static Bool read_section(const struct ds_elf_source *source,
                         const Elf64_Ehdr *eh, ULong i, Elf64_Shdr *section)
{
    return source->read(source, eh->e_shoff + i * sizeof *section, section,
                        sizeof *section);
}

static Int compare(const void *x, const void *y)
{
    const struct ds_elf_label *a = x, *b = y;

    return a->address < b->address ? -1 : a->address > b->address;
}

void ds_elf_read_labels(struct ds_elf *elf, const struct ds_elf_source *source)
{
    Elf64_Ehdr eh;
    Elf64_Shdr table, strings;
    ULong n;

    if (elf->n_pieces == 0 || !source->read(source, 0, &eh, sizeof eh) ||
        eh.e_shoff == 0 || eh.e_shentsize != sizeof table ||
        !read_section(source, &eh, 0, &table))
        return;
    /* The first section has the number of those that are too many. */
    n = eh.e_shnum != 0 ? eh.e_shnum : table.sh_size;
    for (ULong i = 1; i < n && read_section(source, &eh, i, &table); i++)
        if ((table.sh_type == SHT_SYMTAB || table.sh_type == SHT_DYNSYM) &&
            table.sh_link < n &&
            read_section(source, &eh, table.sh_link, &strings))
            read_table(elf, source, &table, &strings);
    VG_(ssort)(elf->label, elf->n_labels, sizeof *elf->label, compare);
}

const HChar *ds_elf_label(const struct ds_elf *elf, ULong address, UInt i)
{
    SizeT low = 0, high = elf->n_labels;

    while (low < high) {
        SizeT middle = low + (high - low) / 2;

        if (elf->label[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    low += i;
    return low < elf->n_labels && elf->label[low].address == address
               ? elf->label[low].name
               : NULL;
}
