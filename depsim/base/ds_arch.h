/*
 * ds_arch: what depsim must know of the processor's architecture: its
 * registers, system calls and pointers, and what VEX's code generator for it
 * lacks.
 *
 * ds_arch_amd64 and ds_arch_arm64 say this for x86-64 and AArch64; configure
 * chooses one.  Besides these, only instrument/ds_code_amd64 and
 * instrument/ds_code_arm64 know an architecture: its instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_ARCH_H
#define DS_ARCH_H

#include "base/ds_valgrind.h"

/* Constants of the architecture; the names begin with DS_ARCH_.  This header is
   ds_arch_amd64.h or ds_arch_arm64.h. */
#include DS_ARCH_HEADER

/* Offsets in VEX's guest state, and sizes, in bytes. */
struct ds_arch {
    Int general;   /* the first general register; the others follow it, with 8
                      bytes each, the stack pointer among them */
    Int n_general; /* at most DS_ARCH_GENERAL_MAX */
    Int vector;    /* the first vector register, and the number of all */
    Int n_vectors; /* at most DS_ARCH_VECTORS_MAX */
    Int vector_size;
    Int spare; /* the tool's own part, after the program's */
    Int ip;    /* the instruction pointer */
    Int link;  /* the register that a call leaves the return address in, or -1
                  if it is on the stack */
};
extern const struct ds_arch ds_arch;

#define DS_ARCH_GENERAL_MAX 32
#define DS_ARCH_VECTORS_MAX 32

#endif
