/*
 * ds_arch_arm64: constants of AArch64 (ds_arch).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_ARCH_ARM64_H
#define DS_ARCH_ARM64_H

/* Can VEX generate code for a guarded store?  It panics. */
#define DS_ARCH_GUARDS_STORES False

/* Can it for comparisons of 8 and 16 bits?  It panics. */
#define DS_ARCH_COMPARES_NARROW False

/* Can it for 32UtoV128?  It panics. */
#define DS_ARCH_WIDENS_WORDS False

/* May pointers have a tag, which the processor ignores?  Linux lets programs
   use the upper byte. */
#define DS_ARCH_HAS_TAGS True

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
#define DS_ARCH_STUB_SIZE 8
#define DS_ARCH_JUMP      "b"

/* The argument of clone, from 1, that says where the child's id goes. */
#define DS_ARCH_CLONE_CHILD 5

/* System calls that AArch64 does not have; no call has such a number. */
#define __NR_getdents 0xffffffffu
#define __NR_select   0xffffffffu

#endif
