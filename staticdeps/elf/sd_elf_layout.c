/*
 * sd_elf_layout: where an object file's sections would be after linking.
 *
 * In the file all of them are at address 0.  Those with code come first, from
 * 0, so that a file with one has the addresses that a disassembler shows.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "elf/sd_elf.h"

#include "memory.h"

/* Data or an alignment beyond these are cut: all should fit 31 bits. */
#define LARGEST_SECTION   (UINT64_C(1) << 28)
#define LARGEST_ALIGNMENT (UINT64_C(1) << 16)

/* A linker may put other files' sections between any two; so much space keeps
   an address past the end of one from being in the next. */
#define SPACE UINT64_C(4096)

static uint64_t align(uint64_t address, uint64_t alignment)
{
    if (alignment < 16 || (alignment & (alignment - 1)) != 0)
        alignment = 16;
    if (alignment > LARGEST_ALIGNMENT)
        alignment = LARGEST_ALIGNMENT;
    return (address + alignment - 1) & ~(alignment - 1);
}

static void place(const struct sd_elf *elf, struct sd_layout *layout,
                  bool with_code)
{
    uint64_t largest;
    GElf_Shdr h;

    for (size_t i = 1; i < elf->n_headers; i++) {
        if (!sd_elf_header(elf, i, &h) || !(h.sh_flags & SHF_ALLOC) ||
            with_code != ((h.sh_flags & SHF_EXECINSTR) != 0))
            continue;
        layout->sections[i] = align(layout->free, h.sh_addralign);
        largest = with_code ? elf->size : LARGEST_SECTION;
        layout->free = layout->sections[i] + SPACE +
                       (h.sh_size < largest ? h.sh_size : largest);
    }
}

void sd_elf_layout(const struct sd_elf *elf, struct sd_layout *layout)
{
    *layout = (struct sd_layout){.n_sections = elf->n_headers};
    layout->sections = memory_new(elf->n_headers, sizeof *layout->sections);
    place(elf, layout, true);
    place(elf, layout, false);
}
