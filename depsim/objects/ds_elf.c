/* Structures and numbers are those of the System V ABI, chapters 4 and 5. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "objects/ds_objects.h"

#include <elf.h>

#include "base/ds_memory.h"

#define HEADERS_MAX 4096 /* program headers; a file with more is not ELF */
#define NOTES_MAX   4096 /* bytes */

static Bool read_file(const struct ds_elf_source *source, ULong offset,
                      void *buffer, UInt n)
{
    return VG_(lseek)(source->fd, (Off64T)offset, VKI_SEEK_SET) ==
               (Off64T)offset &&
           VG_(read)(source->fd, buffer, (Int)n) == (Int)n;
}

struct ds_elf_source ds_elf_file(Int fd)
{
    return (struct ds_elf_source){.read = read_file, .fd = fd};
}

/* The mapping that begins at an address, if it is of the file and holds n
   readable bytes from a file offset on. */
static const UChar *bytes_in(Addr start, const struct ds_elf_source *source,
                             ULong offset, UInt n)
{
    const NSegment *s = VG_(am_find_nsegment)(start);

    if (s == NULL || !s->hasR || s->dev != source->dev || s->ino != source->ino)
        return NULL;
    ULong first = (ULong)s->offset;
    ULong size = s->end - s->start + 1;
    if (offset < first || offset - first > size || n > size - (offset - first))
        return NULL;
    return (const UChar *)(s->start + (offset - first));
}

/* The starts of all mapped files, which the caller frees. */
static Addr *mappings(Int *n)
{
    Addr *starts = NULL;
    Int room = 64;

    do {
        room *= 2;
        starts = VG_(realloc)("ds.elf", starts, (SizeT)room * sizeof *starts);
        *n = VG_(am_get_segment_starts)(SkFileC, starts, room);
    } while (*n < 0);
    return starts;
}

static Bool read_mappings(const struct ds_elf_source *source, ULong offset,
                          void *buffer, UInt n)
{
    const UChar *bytes = NULL;
    Int n_starts;
    Addr *starts = mappings(&n_starts);

    for (Int i = 0; i < n_starts && bytes == NULL; i++)
        bytes = bytes_in(starts[i], source, offset, n);
    if (bytes != NULL)
        VG_(memcpy)(buffer, bytes, n);
    VG_(free)(starts);
    return bytes != NULL;
}

struct ds_elf_source ds_elf_mappings(ULong dev, ULong ino)
{
    return (struct ds_elf_source){
        .read = read_mappings, .fd = -1, .dev = dev, .ino = ino};
}

/* Notes: name size, descriptor size, type, then both padded to 4 bytes. */
static void find_build_id(struct ds_elf *elf, const UChar *notes, UInt n)
{
    UInt at = 0;

    while (at + sizeof(Elf64_Nhdr) <= n) {
        const Elf64_Nhdr *note = (const Elf64_Nhdr *)(notes + at);
        ULong name = at + sizeof *note;
        ULong desc = name + (((ULong)note->n_namesz + 3) & ~3ULL);
        ULong end = desc + (((ULong)note->n_descsz + 3) & ~3ULL);

        if (desc + note->n_descsz > n)
            return;
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
            VG_(memcmp)(notes + name, "GNU", 4) == 0 &&
            note->n_descsz <= DS_ELF_BUILD_ID_MAX) {
            elf->build_id_size = note->n_descsz;
            VG_(memcpy)(elf->build_id, notes + desc, note->n_descsz);
            return;
        }
        if (end > n)
            return;
        at = (UInt)end;
    }
}

static void read_notes(struct ds_elf *elf, const struct ds_elf_source *source,
                       const Elf64_Phdr *ph)
{
    static UChar notes[NOTES_MAX] __attribute__((aligned(8)));
    UInt n = ph->p_filesz < NOTES_MAX ? (UInt)ph->p_filesz : NOTES_MAX;

    if (elf->build_id_size == 0 && source->read(source, ph->p_offset, notes, n))
        find_build_id(elf, notes, n);
}

void ds_elf_read(struct ds_elf *elf, const struct ds_elf_source *source)
{
    Elf64_Ehdr eh;

    *elf = (struct ds_elf){0};
    if (!source->read(source, 0, &eh, sizeof eh) ||
        VG_(memcmp)(eh.e_ident, ELFMAG, SELFMAG) != 0 ||
        eh.e_ident[EI_CLASS] != ELFCLASS64 ||
        eh.e_phentsize != sizeof(Elf64_Phdr) || eh.e_phnum > HEADERS_MAX)
        return;
    elf->piece = VG_(calloc)("ds.elf", eh.e_phnum + 1u, sizeof *elf->piece);
    for (UInt i = 0; i < eh.e_phnum; i++) {
        Elf64_Phdr ph;

        if (!source->read(source, eh.e_phoff + i * sizeof ph, &ph, sizeof ph))
            return;
        if (ph.p_type == PT_LOAD)
            elf->piece[elf->n_pieces++] = (struct ds_elf_piece){
                ph.p_offset, ph.p_filesz, ph.p_vaddr, (ph.p_flags & PF_X) != 0};
        if (ph.p_type == PT_NOTE)
            read_notes(elf, source, &ph);
        tl_assert(elf->n_pieces <= i + 1);
    }
    tl_assert(elf->build_id_size <= DS_ELF_BUILD_ID_MAX);
}

void ds_elf_free(struct ds_elf *elf)
{
    VG_(free)(elf->piece);
    for (SizeT i = 0; i < elf->n_labels; i++)
        VG_(free)(elf->label[i].name);
    VG_(free)(elf->label);
    *elf = (struct ds_elf){0};
}

const struct ds_elf_piece *ds_elf_find(const struct ds_elf *elf, ULong offset)
{
    const struct ds_elf_piece *data = NULL;

    for (UInt i = 0; i < elf->n_pieces; i++) {
        const struct ds_elf_piece *piece = &elf->piece[i];

        if (offset < piece->offset || offset - piece->offset >= piece->size)
            continue;
        if (piece->is_code)
            return piece;
        data = piece;
    }
    return data;
}

/* Functions whose symbols have no size, as assemblers write them
   unless they are told otherwise; Valgrind does not keep these.

   Limits: only symbols of the file itself are read, not of a separate file with
   its debug information, and only if the file is still there; their names have
   fewer than LONGEST bytes. */

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

/* Could the symbol be a function, or a label in one? */
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
    elf->label = ds_memory_grow(elf->label, &elf->labels_room, elf->n_labels,
                                sizeof *elf->label);
    elf->label[elf->n_labels++] = (struct ds_elf_label){
        .address = address, .name = VG_(strdup)("ds.labels", name)};
}

/* Adds a symbol, whose name is in this section, if it is a label. */
static void consider(struct ds_elf *elf, const struct ds_elf_source *source,
                     const Elf64_Shdr *strings, const Elf64_Sym *symbol)
{
    static HChar name[LONGEST + 1]; /* and a zero byte */
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

    if (elf->n_pieces == 0 || !source->read(source, 0, &eh, sizeof eh) ||
        eh.e_shoff == 0 || eh.e_shentsize != sizeof table ||
        !read_section(source, &eh, 0, &table))
        return;
    /* A number of sections too large for e_shnum is in the first section. */
    ULong n = eh.e_shnum != 0 ? eh.e_shnum : table.sh_size;
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
