/*
 * objreloc: relocations of the types that compilers write into code.  (System V
 * ABI, AMD64 supplement, 4.4 "Relocation"; ELF for the Arm 64-bit Architecture,
 * 5.7.)  Offsets of thread-local storage are replaced by addresses, which are
 * as distinct.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "basics.h"

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
