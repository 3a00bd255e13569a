/*
 * cy_arch: the architectures whose code is predicted.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/cy_arch.h"

#include <assert.h>
#include <string.h>
#include <sys/utsname.h>

static const struct {
    const char *name, *title;
    const char *kernel; /* what uname() calls it */
    const char *machine;
} arches[CY_N_ARCHES] = {
    [CY_X86_64] = {"x86-64", "x86-64", "x86_64", "typical"},
    [CY_AARCH64] = {"aarch64", "AArch64", "aarch64", "neoverse-v2"},
};

const char *cy_arch_name(enum cy_arch arch)
{
    assert(arch < CY_N_ARCHES);
    return arches[arch].name;
}

const char *cy_arch_title(enum cy_arch arch)
{
    assert(arch < CY_N_ARCHES);
    return arches[arch].title;
}

bool cy_arch_parse(const char *name, enum cy_arch *arch)
{
    for (int i = 0; i < CY_N_ARCHES; i++) {
        if (strcmp(name, arches[i].name) != 0)
            continue;
        *arch = (enum cy_arch)i;
        return true;
    }
    return false;
}

const char *cy_arch_machine(enum cy_arch arch)
{
    assert(arch < CY_N_ARCHES);
    return arches[arch].machine;
}

enum cy_arch cy_arch_here(void)
{
    struct utsname here;

    if (uname(&here) == 0)
        for (int i = 0; i < CY_N_ARCHES; i++)
            if (strcmp(here.machine, arches[i].kernel) == 0)
                return (enum cy_arch)i;
    return CY_X86_64;
}

const char *cy_arch_llvm_cpu(enum cy_arch arch)
{
    return arch == cy_arch_here() ? "native" : "generic";
}
