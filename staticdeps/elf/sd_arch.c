/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "elf/sd_arch.h"

#include <assert.h>
#include <string.h>

static const struct {
    const char *name;
    unsigned unit;
} arches[SD_N_ARCHES] = {
    [SD_X86_64] = {"x86-64", 1},
    [SD_AARCH64] = {"aarch64", 4},
};

const char *sd_arch_name(enum sd_arch arch)
{
    assert(arch < SD_N_ARCHES);
    return arches[arch].name;
}

bool sd_arch_parse(const char *name, enum sd_arch *arch)
{
    for (int i = 0; i < SD_N_ARCHES; i++) {
        if (strcmp(name, arches[i].name) != 0)
            continue;
        *arch = (enum sd_arch)i;
        return true;
    }
    return false;
}

unsigned sd_arch_unit(enum sd_arch arch)
{
    assert(arch < SD_N_ARCHES);
    return arches[arch].unit;
}
