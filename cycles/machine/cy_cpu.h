/*
 * cy_cpu: which processor this is, as the kernel says in /proc/cpuinfo.
 *
 * Limits: all processors of the machine count as the first one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CYCLES_CY_CPU_H
#define CYCLES_CY_CPU_H

#include <stdbool.h>

#include "diag.h"

struct cy_cpu {
    char vendor[32]; /* as cpuid has it: "GenuineIntel" */
    unsigned family, model;
    char name[128];   /* as it is sold; empty if the kernel does not say */
    char flags[4096]; /* between blanks: " fpu sse2 avx512f " */
};

/* Reads the first processor of a file like /proc/cpuinfo. */
int cy_cpu_read(struct cy_cpu *cpu, const char *path, struct diag *d);

/* Has the processor what the kernel calls so? */
bool cy_cpu_has(const struct cy_cpu *cpu, const char *flag);

#endif
