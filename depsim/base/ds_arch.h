/*
 * ds_arch: what depsim must know of the processor's architecture: its
 * registers, system calls and pointers, and what VEX's generator lacks.
 *
 * ds_arch_amd64.c and ds_arch_arm64.c have the tables; configure chooses one.
 * Besides these, only instrument/ds_code_amd64 and instrument/ds_code_arm64
 * know an architecture: its instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "base/ds_valgrind.h"

/* Constants of the architecture:
   - COMPARES_NARROW, WIDENS_WORDS: can VEX generate code for comparisons of 8
     and 16 bits, and for 32UtoV128?  Where it cannot, it panics.
   - HAS_TAGS: may pointers have a tag, which the processor ignores?  On AArch64
     Linux lets programs use the upper byte.
   - ASSISTED, if it is there: what the end of a translation that is executed
     alone jumps to.  A register has why control goes back to the core; if that
     is VEX_TRC_JMP_BORING, ds_alone_next may know a better way.
   - CLONE_CHILD: the argument of clone, from 1, that says where the child's id
     goes. */
#ifdef VGA_amd64
#define DS_ARCH_COMPARES_NARROW True
#define DS_ARCH_WIDENS_WORDS    True
#define DS_ARCH_HAS_TAGS        False
#define DS_ARCH_ASSISTED(assisted, core, next)             \
    ".pushsection .text\n"                                 \
    ".globl " assisted "\n" assisted ":\n"                 \
    "cmp $95, %rbp\n" /* VEX_TRC_JMP_BORING */             \
    "jne " core "\n"                                       \
    "sub $16, %rsp\n"                                      \
    "mov %rsp, %rdi\n"                                     \
    "call " next "\n"                                      \
    "mov (%rsp), %rdx\n"                                   \
    "add $16, %rsp\n"                                      \
    "test %rax, %rax\n"                                    \
    "je " core "\n"                                        \
    "mov %rdx, %rbp\n" /* translated code has the state */ \
    "jmp *%rax\n"                                          \
    ".popsection"
#define DS_ARCH_CLONE_CHILD 4
#else
#define DS_ARCH_COMPARES_NARROW False
#define DS_ARCH_WIDENS_WORDS    False
#define DS_ARCH_HAS_TAGS        True
#define DS_ARCH_CLONE_CHILD     5
/* System calls that AArch64 does not have; no call has such a number. */
#define __NR_getdents           0xffffffffu
#define __NR_select             0xffffffffu
#endif

/* The address that the processor accesses through a pointer. */
static inline Addr ds_arch_untagged(Addr pointer)
{
    return DS_ARCH_HAS_TAGS ? pointer & (((Addr)1 << 56) - 1) : pointer;
}

/* Offsets in VEX's guest state, and sizes, in bytes. */
struct ds_arch {
    Int general;   /* the first general register; the others follow it, with 8
                      bytes each, the stack pointer among them */
    Int n_general; /* at most DS_ARCH_GENERAL_MAX */
    Int vector;    /* the first of the n_vectors vector registers */
    Int n_vectors;
    Int vector_size;
    Int spare; /* the tool's own part of the state, after the program's */
    Int ip;    /* the instruction pointer */
    Int link;  /* the register that a call leaves the return address in, or -1
                  if it is on the stack */
};
extern const struct ds_arch ds_arch;

#define DS_ARCH_GENERAL_MAX 32
