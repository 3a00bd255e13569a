/*
 * objrel: the code of an object file of a compiler, which has no addresses yet.
 *
 * Its sections are placed one after the other, those with code first, from 0.
 * So a file with one section of code has the addresses that a disassembler
 * shows.  Jumps and calls lead where they would after linking; those into other
 * files all lead to one address that has no code.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMMON_OBJECT_OBJREL_H
#define COMMON_OBJECT_OBJREL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gelf.h>

/* The address of the next section; *free is the first free address, and moves
   after it. */
uint64_t objrel_place(uint64_t *free, uint64_t alignment, uint64_t size);

/* A section with code. */
struct objrel_section {
    size_t number; /* of its header */
    uint64_t address, size;
    uint64_t other; /* the address that elfutils gave it */
    uint8_t *bytes;
};

struct objrel {
    struct objrel_section *sections;
    size_t n;
};

/* Finds the sections of an object file; any other file has none. */
void objrel_init(struct objrel *rel, Elf *elf);
void objrel_fini(struct objrel *rel);

/* The section that has the address; NULL: none. */
const struct objrel_section *objrel_find(const struct objrel *rel,
                                         uint64_t address);

/* The address of a symbol with code; false if it has none. */
bool objrel_symbol(const struct objrel *rel, const GElf_Sym *symbol,
                   uint64_t *address);

#endif
