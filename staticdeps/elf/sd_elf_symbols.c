/*
 * sd_elf_symbols: reads the symbols of the code, and which of it is data.
 *
 * A symbol without a type is a function if it has a size, or as sd_elf_image
 * says.  Objects in executable sections are data.  On AArch64, the bytes from a
 * mapping symbol "$d" to the next "$x" are data, too.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "elf/sd_elf.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "elf/sd_lookup.h"

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
    size_t *section_of; /* by section header */
    size_t *indices;    /* by symbol table: the section of its large numbers */
    struct sd_strings *strings; /* by section header: copies of those in use */
    uint64_t strings_size;      /* of all copies */
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

/* The section of the image that contains the symbol, or ends there. */
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
    return elf->arch == SD_AARCH64 && name[0] == '$' &&
           (name[1] == 'x' || name[1] == 'd') &&
           (name[2] == '\0' || name[2] == '.');
}

static void add_symbol(struct reader *r, const GElf_Sym *sym, size_t header,
                       const char *name)
{
    struct sd_image *image = r->image;
    int type = GELF_ST_TYPE(sym->st_info);
    bool is_function = type == STT_FUNC || type == STT_GNU_IFUNC ||
                       (type == STT_NOTYPE && sym->st_size > 0);
    bool is_global_label;
    size_t section;
    uint64_t address = sym->st_value, offset;

    if (name == NULL || name[0] == '\0' || type == STT_SECTION ||
        type == STT_FILE || type == STT_TLS || header == SHN_UNDEF)
        return;
    section = section_of(r, sym, header);
    if (section == SD_NO_SECTION)
        return;
    if (r->elf->is_relocatable)
        address += image->sections[section].address;
    offset = address - image->sections[section].address;
    if (offset > image->sections[section].size)
        return;
    is_global_label = type == STT_NOTYPE && sym->st_size == 0 &&
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
    sd_image_add_symbol(image,
                        (struct sd_symbol){.name = name,
                                           .address = address,
                                           .size = sym->st_size,
                                           .section = section,
                                           .is_function = is_function,
                                           .is_global_label = is_global_label,
                                           .rank = rank(sym, is_function)});
}

static int compare_turns(const void *x, const void *y)
{
    const struct turn *a = x, *b = y;

    return array_order(a->section, b->section)
               ?: array_order(a->address, b->address)
               ?: array_order(a->is_data, b->is_data);
}

/* The last one of several turns at an address counts. */
static void add_mapped_data(struct reader *r)
{
    array_sort(r->turns, r->n_turns, compare_turns);
    for (size_t i = 0; i < r->n_turns; i++) {
        const struct turn *t = &r->turns[i];
        const struct sd_section *s = &r->image->sections[t->section];
        bool is_last = i + 1 == r->n_turns || t[1].section != t->section;
        uint64_t end = is_last ? s->address + s->size : t[1].address;

        if (t->is_data && end > t->address)
            array_append(r->image, data, (struct sd_range){t->address, end});
    }
}

/* The section header of a symbol; SHN_UNDEF: it has none, or is a number. */
static size_t header_of(const GElf_Sym *sym, Elf32_Word index)
{
    if (sym->st_shndx == SHN_XINDEX)
        return index;
    return sym->st_shndx < SHN_LORESERVE ? sym->st_shndx : SHN_UNDEF;
}

/* Copies a string table, which the image keeps. */
static int copy_strings(struct reader *r, size_t number, struct diag *d)
{
    struct sd_strings names = sd_elf_strings(r->elf, number);
    char *copy;

    if (names.size == 0 || r->strings[number].bytes != NULL)
        return 0;
    /* Tables that overlap could make a small file take any amount of memory. */
    r->strings_size += names.size;
    if (r->strings_size > r->elf->size)
        return diag_set(d, "%s: its string tables overlap", r->elf->path);
    copy = memory_new(names.size, 1);
    memcpy(copy, names.bytes, names.size);
    sd_image_keep(r->image, copy);
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
    int rc;

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
        r.section_of[0] = SD_NO_SECTION; /* for symbols of segments */
    rc = read_tables(&r, d);
    sd_sections_fini(&r.sections);
    free(r.section_of);
    free(r.indices);
    free(r.strings);
    free(r.turns);
    return rc;
}
