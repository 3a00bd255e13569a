/*
 * ds_elf: what depsim needs of an ELF file.
 *
 * Structures and numbers are those of the System V ABI, chapters 4 and 5.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "ds_elf.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"

#include <elf.h>

#define HEADERS_MAX 4096 /* more program headers than this are not ELF's */
#define NOTES_MAX   4096 /* bytes */

static Bool read_at(Int fd, ULong offset, void *buffer, UInt n)
{
    return VG_(lseek)(fd, (Off64T)offset, VKI_SEEK_SET) == (Off64T)offset &&
           VG_(read)(fd, buffer, (Int)n) == (Int)n;
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

static void read_notes(struct ds_elf *elf, Int fd, const Elf64_Phdr *ph)
{
    static UChar notes[NOTES_MAX] __attribute__((aligned(8)));
    UInt n = ph->p_filesz < NOTES_MAX ? (UInt)ph->p_filesz : NOTES_MAX;

    if (elf->build_id_size == 0 && read_at(fd, ph->p_offset, notes, n))
        find_build_id(elf, notes, n);
}

static void read_headers(struct ds_elf *elf, Int fd)
{
    Elf64_Ehdr eh;

    if (!read_at(fd, 0, &eh, sizeof eh) ||
        VG_(memcmp)(eh.e_ident, ELFMAG, SELFMAG) != 0 ||
        eh.e_ident[EI_CLASS] != ELFCLASS64 ||
        eh.e_phentsize != sizeof(Elf64_Phdr) || eh.e_phnum > HEADERS_MAX)
        return;
    elf->load = VG_(calloc)("ds.elf", eh.e_phnum + 1u, sizeof *elf->load);
    for (UInt i = 0; i < eh.e_phnum; i++) {
        Elf64_Phdr ph;

        if (!read_at(fd, eh.e_phoff + i * sizeof ph, &ph, sizeof ph))
            return;
        if (ph.p_type == PT_LOAD)
            elf->load[elf->n_loads++] = (struct ds_elf_load){
                ph.p_offset, ph.p_filesz, ph.p_vaddr, (ph.p_flags & PF_X) != 0};
        if (ph.p_type == PT_NOTE)
            read_notes(elf, fd, &ph);
    }
}

void ds_elf_read(struct ds_elf *elf, const HChar *path)
{
    Int fd = VG_(fd_open)(path, VKI_O_RDONLY, 0);

    *elf = (struct ds_elf){0};
    if (fd < 0)
        return;
    read_headers(elf, fd);
    VG_(close)(fd);
}

const struct ds_elf_load *ds_elf_find(const struct ds_elf *elf, ULong offset)
{
    const struct ds_elf_load *data = NULL;

    for (UInt i = 0; i < elf->n_loads; i++) {
        const struct ds_elf_load *load = &elf->load[i];

        if (offset < load->offset || offset - load->offset >= load->size)
            continue;
        if (load->is_code)
            return load;
        data = load;
    }
    return data;
}
