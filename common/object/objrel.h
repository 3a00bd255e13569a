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
#ifndef COMMON_OBJECT_OBJREL_H
#define COMMON_OBJECT_OBJREL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gelf.h>

/* The address of the next section; *free is the first free address, and moves
   after it. */
uint64_t objrel_place(uint64_t *free, uint64_t alignment, uint64_t size);

/* Larger sections of data are cut, so that all addresses fit 31 bits. */
#define OBJREL_LARGEST (UINT64_C(1) << 28)

/* A section. */
struct objrel_section {
    uint64_t address, size;
    uint64_t other; /* the address that elfutils gave it */
    uint8_t *bytes; /* NULL: it has no code */
};

struct objrel {
    struct objrel_section *sections; /* with code, by address */
    size_t n;
    struct objrel_section *data; /* the others, by address */
    size_t n_data;
    const struct objrel_section **by_number; /* of its header; NULL: neither */
    size_t n_numbers;
};

/* Finds the sections of an object file; any other file has none. */
void objrel_init(struct objrel *rel, Elf *elf);
void objrel_fini(struct objrel *rel);

/* The section with code that has the address, or the one without; NULL: none.
 */
const struct objrel_section *objrel_find(const struct objrel *rel,
                                         uint64_t address);
const struct objrel_section *objrel_find_data(const struct objrel *rel,
                                              uint64_t address);

/* The address of a symbol; false if the file does not define it. */
bool objrel_symbol(const struct objrel *rel, const GElf_Sym *symbol,
                   uint64_t *address);

#endif
