/*
 * cy_assembly: how llvm-mc and llvm-mca are asked about each architecture.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "mca/internal.h"

#include <assert.h>

static const struct cy_assembly assemblies[N_ARCHES] = {
    [ARCH_X86_64] =
        {
            .triple = "x86_64",
            .marker_bytes = "[0x0f 0x1f 0x84 0x00 0x12 0x34 0x56 0x78]\n",
            .marker = "\tnopl\t2018915346(%rax,%rax)\n",
            .accesses = "movq (%rdi), %rax\n"
                        "movups (%rdi), %xmm0\n"
                        "movq %rax, (%rdi)\n"
                        "movups %xmm0, (%rdi)\n",
        },
    /* The data of a vector come from units that also compute. */
    [ARCH_AARCH64] =
        {
            .triple = "aarch64",
            .marker_bytes = "[0x1b 0xcf 0xea 0xf2]\n",
            .marker = "\tmovk\tx27, #22136, lsl #48\n",
            .accesses = "ldr x0, [x1]\n"
                        "ldr q0, [x1]\n"
                        "str x0, [x1]\n",
        },
};

const struct cy_assembly *cy_assembly_of(enum arch arch)
{
    assert(arch < N_ARCHES);
    return &assemblies[arch];
}
