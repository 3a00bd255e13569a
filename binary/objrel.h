/*
 * objrel: an object file of a compiler, which has no addresses yet.
 *
 * Its sections are placed one after the other, those with code first, from 0.
 * So a file with one section of code has the addresses that a disassembler
 * shows.  Code has the addresses of what the file defines, as after linking.
 * Jumps and calls into other files all lead to one address that has no code;
 * other addresses of what the file does not define keep the values in it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include <gelf.h>

#include "basics.h"

/* --- Relocations of the types that compilers write into code ---

   (System V ABI, AMD64 supplement, 4.4 "Relocation"; ELF for the Arm 64-bit
   Architecture, 5.7.)  Offsets of thread-local storage are replaced by
   addresses, which are as distinct. */

struct objreloc {
    uint32_t type;   /* R_X86_64_*, R_AARCH64_* */
    uint64_t symbol; /* the address of the symbol */
    uint64_t place;  /* the address of the relocated bytes */
    uint64_t slot;   /* the address of the symbol's slot in the GOT */
    uint64_t got;    /* the address of the GOT (global offset table) */
    int64_t addend;
};

/* Does a relocation of this type use the symbol's slot in the GOT?  Machines
   are those of ELF: EM_X86_64, EM_AARCH64. */
bool objreloc_needs_slot(unsigned machine, uint32_t type);

/* Applies a relocation to the n bytes at its place.  False, with nothing
   written, if its type is unknown or n is too small.  A branch that cannot
   reach its target gets the nearest distance it can encode. */
bool objreloc_apply(unsigned machine, const struct objreloc *r, uint8_t *bytes,
                    size_t n);

/* --- Sections --- */

/* Where the sections of an object file are. */
struct objrel_layout {
    uint64_t *addresses; /* by section header; 0: the section is not loaded */
    size_t n;
    uint64_t free; /* the first address after all sections */
};

/* Places the sections of an object file of this size. */
void objrel_layout_init(struct objrel_layout *layout, Elf *elf, uint64_t size);
void objrel_layout_fini(struct objrel_layout *layout);

/* A section at the address that the layout gives it. */
struct objrel_section {
    uint64_t address, size;
    uint64_t other; /* the address that elfutils gave it */
    uint8_t *bytes; /* NULL: the section has no code */
};

struct objrel {
    struct objrel_section *sections; /* those with code, by address */
    size_t n;
    struct objrel_section *data; /* the others, by address */
    size_t n_data;
    const struct objrel_section **by_number; /* by header; NULL: in neither */
    size_t n_numbers;
};

/* Finds the sections of an object file; any other file has none. */
void objrel_init(struct objrel *rel, Elf *elf);
void objrel_fini(struct objrel *rel);

/* The section that has an address, among those with code or among the others;
   NULL: none. */
const struct objrel_section *objrel_find(const struct objrel *rel, bool is_code,
                                         uint64_t address);

/* The address of a symbol; false if the file does not define it. */
bool objrel_symbol(const struct objrel *rel, const GElf_Sym *symbol,
                   uint64_t *address);
