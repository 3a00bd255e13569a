/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch.h"

#include <sys/utsname.h>

static const struct {
    const char *name, *title;
    const char *kernel; /* what uname() calls it */
    unsigned unit;
} arches[N_ARCHES] = {
    [ARCH_X86_64] = {"x86-64", "x86-64", "x86_64", 1},
    [ARCH_AARCH64] = {"aarch64", "AArch64", "aarch64", 4},
};

const char *arch_name(enum arch arch)
{
    assert(arch < N_ARCHES);
    return arches[arch].name;
}

const char *arch_title(enum arch arch)
{
    assert(arch < N_ARCHES);
    return arches[arch].title;
}

bool arch_parse(const char *name, enum arch *arch)
{
    for (int i = 0; i < N_ARCHES; i++) {
        if (strcmp(name, arches[i].name) != 0)
            continue;
        *arch = (enum arch)i;
        return true;
    }
    return false;
}

unsigned arch_unit(enum arch arch)
{
    assert(arch < N_ARCHES);
    return arches[arch].unit;
}

enum arch arch_here(void)
{
    struct utsname here;

    if (uname(&here) == 0)
        for (int i = 0; i < N_ARCHES; i++)
            if (strcmp(here.machine, arches[i].kernel) == 0)
                return (enum arch)i;
    return ARCH_X86_64;
}
