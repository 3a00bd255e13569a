/*
 * ds_arch_amd64: constants of x86-64 (ds_arch).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_ARCH_AMD64_H
#define DS_ARCH_AMD64_H

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

#endif
