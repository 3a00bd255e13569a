/*
 * ds_arch: what depsim must know of the processor's architecture: its
 * registers, system calls and pointers, and what VEX's code generator for it
 * lacks.
 *
 * ds_arch_amd64.c and ds_arch_arm64.c have the tables; configure chooses one.
 * Besides these, only instrument/ds_code_amd64 and instrument/ds_code_arm64
 * know an architecture: its instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_ARCH_H
#define DS_ARCH_H

#include "base/ds_valgrind.h"

/* Constants of the architecture; the names begin with DS_ARCH_. */
#ifdef VGA_amd64

/* Can VEX generate code for a guarded store? */
#define DS_ARCH_GUARDS_STORES True

/* Can it for comparisons of 8 and 16 bits? */
#define DS_ARCH_COMPARES_NARROW True

/* Can it for 32UtoV128? */
#define DS_ARCH_WIDENS_WORDS True

/* May pointers have a tag, which the processor ignores? */
#define DS_ARCH_HAS_TAGS False

/* The address that the processor accesses by a pointer. */
static inline Addr ds_arch_untagged(Addr pointer)
{
    return pointer;
}

/* A function that puts a constant of up to 16 bits, ds_stubs_number, into the
   second argument, and jumps to the label 1 before it; and its size.  Bytes,
   since the assembler would choose among forms of different lengths. */
#define DS_ARCH_STUB                       \
    ".byte 0xbe\n" /* mov $number, %esi */ \
    ".long ds_stubs_number\n"              \
    ".byte 0xe9\n" /* jmp 1b */            \
    ".long 1b - . - 4\n"
#define DS_ARCH_STUB_SIZE 10
#define DS_ARCH_JUMP      "jmp"

/* The argument of clone, from 1, that says where the child's id goes. */
#define DS_ARCH_CLONE_CHILD 4

#else /* AArch64 */

/* Can VEX generate code for a guarded store?  It panics. */
#define DS_ARCH_GUARDS_STORES   False

/* Can it for comparisons of 8 and 16 bits?  It panics. */
#define DS_ARCH_COMPARES_NARROW False

/* Can it for 32UtoV128?  It panics. */
#define DS_ARCH_WIDENS_WORDS    False

/* May pointers have a tag, which the processor ignores?  Linux lets programs
   use the upper byte. */
#define DS_ARCH_HAS_TAGS        True

/* The address that the processor accesses by a pointer. */
static inline Addr ds_arch_untagged(Addr pointer)
{
    return pointer & (((Addr)1 << 56) - 1);
}

/* A function that puts a constant of up to 16 bits, ds_stubs_number, into the
   second argument, and jumps to the label 1 before it; and its size. */
#define DS_ARCH_STUB                              \
    ".inst 0x52800001 | (ds_stubs_number << 5)\n" \
    "b 1b\n" /* after movz w1, number */
#define DS_ARCH_STUB_SIZE   8
#define DS_ARCH_JUMP        "b"

/* The argument of clone, from 1, that says where the child's id goes. */
#define DS_ARCH_CLONE_CHILD 5

/* System calls that AArch64 does not have; no call has such a number. */
#define __NR_getdents       0xffffffffu
#define __NR_select         0xffffffffu

#endif

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
