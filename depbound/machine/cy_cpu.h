/*
 * cy_cpu: which processor this is, as the kernel says in /proc/cpuinfo, and
 * what is known about its core without measurements.
 *
 * Sizes of buffers are from the optimization guides of AMD and Intel; names of
 * cores are LLVM's.
 *
 * Limits: all processors of the machine count as the first one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CYCLES_CY_CPU_H
#define CYCLES_CY_CPU_H

#include <stdbool.h>
#include <stddef.h>

#include "diag.h"

struct cy_cpu {
    char vendor[32];        /* as cpuid has it: "GenuineIntel"; of AArch64 the
                               implementer: "0x41" */
    unsigned family, model; /* of AArch64 the architecture and the part */
    char name[128];   /* as it is sold; empty if the kernel does not say */
    char flags[4096]; /* between blanks: " fpu sse2 avx512f " */
};

/* Reads the first processor of a file like /proc/cpuinfo. */
int cy_cpu_read(struct cy_cpu *cpu, const char *path, struct diag *d);

/* Entries of buffers, and cycles that a comparison and branch costs, if
   mispredicted, after its operands are known; 0: unknown. */
struct cy_window {
    unsigned scheduler, reorder_buffer, load_buffer, store_buffer;
    unsigned misprediction;
    /* Of schedulers of their own, which take nothing of `scheduler`: for
       accesses, for what computes in vector registers, and for what these
       store; and of the queue in order before the latter two. */
    unsigned address_scheduler, vector_scheduler, vector_queue, vector_stores;
    unsigned predicted_rounds; /* the most of a loop whose exit is predicted */
    unsigned renamed_after;    /* times in a row that a load gets its value from
                                  the same store before it is renamed */
};

/* A key of a machine file, and the offset of its number in a struct.  The key
   NULL ends a table. */
struct cy_member {
    const char *key;
    size_t offset;
};

extern const struct cy_member cy_window_members[];

struct cy_core {
    const char *vendor;
    unsigned family, first, last; /* models */
    const char *name, *llvm;
    struct cy_window window;
};

/* Does the processor have this flag of /proc/cpuinfo? */
bool cy_cpu_has(const struct cy_cpu *cpu, const char *flag);

/* The core of the processor.  A core that is not listed is named "unknown", and
   "native" for LLVM. */
const struct cy_core *cy_core_of(const struct cy_cpu *cpu);

#endif
