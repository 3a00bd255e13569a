/*
 * vexfront: one machine instruction -> VEX IR.  The one door to libVEX's front
 * end, which keeps its state in globals: one thread uses it.
 *
 * VEX ends the program on encodings that it does not expect, by way of a
 * function that must not return.  This module's function jumps back here.  That
 * leaks nothing: VEX allocates from an arena that the next instruction empties.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef LIFT_VEXFRONT_H
#define LIFT_VEXFRONT_H

#include <stddef.h>
#include <stdint.h>

#include <libvex.h>

#include "arch.h"

/* What an AMD64 or ARM64 processor can have that VEX knows. */
#define VEXFRONT_AMD64                                                         \
    (VEX_HWCAPS_AMD64_SSE3 | VEX_HWCAPS_AMD64_SSSE3 | VEX_HWCAPS_AMD64_CX16 |  \
     VEX_HWCAPS_AMD64_LZCNT | VEX_HWCAPS_AMD64_AVX | VEX_HWCAPS_AMD64_RDTSCP | \
     VEX_HWCAPS_AMD64_BMI | VEX_HWCAPS_AMD64_AVX2 | VEX_HWCAPS_AMD64_RDRAND |  \
     VEX_HWCAPS_AMD64_F16C | VEX_HWCAPS_AMD64_RDSEED)
#define VEXFRONT_ARM64                                                         \
    (VEX_HWCAPS_ARM64_FHM | VEX_HWCAPS_ARM64_DPBCVAP |                         \
     VEX_HWCAPS_ARM64_DPBCVADP | VEX_HWCAPS_ARM64_SM3 | VEX_HWCAPS_ARM64_SM4 | \
     VEX_HWCAPS_ARM64_SHA3 | VEX_HWCAPS_ARM64_RDM | VEX_HWCAPS_ARM64_ATOMICS | \
     VEX_HWCAPS_ARM64_I8MM | VEX_HWCAPS_ARM64_BF16 | VEX_HWCAPS_ARM64_FP16 |   \
     VEX_HWCAPS_ARM64_VFP16)

enum vexfront_result {
    VEXFRONT_OK,
    VEXFRONT_UNKNOWN, /* no instruction that VEX knows */
    VEXFRONT_PANIC    /* an internal error of VEX, in `use` perhaps */
};

/* Hands the unoptimised, flat IR of the instruction at `code` to `use`, with
   its length in bytes; the IR is valid until `use` returns.  The instruction is
   translated as if it were at `address`.  VEX may read 16 bytes after its
   end. */
enum vexfront_result
vexfront(enum arch arch, const uint8_t *code, uint64_t address,
         void (*use)(void *context, const IRSB *irsb, unsigned length),
         void *context);

/* Writes the name of a VEX operation, e.g. "Iop_Add8x16", cut to fit. */
void vexfront_operation_name(IROp operation, char *name, size_t size);

#endif
