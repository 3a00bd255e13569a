/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "calibrate/cy_measure.h"

#include <string.h>

/* A loop with the registers that cases.txt promises. */
#define LOOP(name, setup, body, end)                                       \
    static void name(uint64_t rounds, void *data)                          \
    {                                                                      \
        static const double values[] = {1.5, 1.5, 1.7, 1.7};               \
                                                                           \
        __asm__ volatile("mov %%rsp, %%r12\n\t"                            \
                         "sub $16384, %%rsp\n\t"                           \
                         "and $-4096, %%rsp\n\t"                           \
                         "mov %%rdi, %%rbx\n\t"                            \
                         "mov %%rdi, %%rsi\n\t"                            \
                         "xor %%ecx, %%ecx\n\t"                            \
                         "xor %%eax, %%eax\n\t"                            \
                         "movups (%[values]), %%xmm0\n\t"                  \
                         "movups (%[values]), %%xmm1\n\t"                  \
                         "movups 16(%[values]), %%xmm2\n\t"                \
                         "movups 16(%[values]), %%xmm3\n\t" setup "\n\t"   \
                         ".p2align 6\n"                                    \
                         "1:\n\t" body "\n\t"                              \
                         "dec %[rounds]\n\t"                               \
                         "jnz 1b\n\t" end "\n\t"                           \
                         "mov %%r12, %%rsp"                                \
                         : [rounds] "+r"(rounds), "+D"(data)               \
                         : [values] "r"(values)                            \
                         : "rax", "rbx", "rcx", "rdx", "rsi", "r8", "r12", \
                           "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", \
                           "xmm6", "xmm7", "memory", "cc");                \
    }
#include "calibrate/cases.h"

const size_t cy_n_cases = sizeof cy_cases / sizeof *cy_cases;

size_t cy_case_named(const char *name)
{
    size_t i = 0;

    while (i < cy_n_cases && strcmp(cy_cases[i].name, name) != 0)
        i++;
    return i;
}

bool cy_case_runs(const struct cy_case *c, const struct cy_cpu *cpu)
{
    return c->flag == NULL || cy_cpu_has(cpu, c->flag);
}
