/*
 * cy_cases: loops that a calibration measures, and what each shows.
 *
 * Each is machine code that this file's sources expand when they are compiled:
 * a chain whose links are all of one kind, so that cycles a round divided by
 * links a round is the latency of the kind; or independent instructions, whose
 * cycles are the time that they occupy their unit.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CYCLES_CY_CASES_H
#define CYCLES_CY_CASES_H

#include <stddef.h>

#include "calibrate/cy_clock.h"

/* Memory of all loops: their data, aligned to its size. */
#define CY_DATA_SIZE 16384

/* What a loop measures. */
enum cy_what {
    CY_LATENCY,
    CY_OCCUPANCY,
    CY_LOAD,
    CY_IDIOM,  /* it is an idiom if its round is short */
    CY_ACCESS, /* how long one access takes the units for it */
    CY_FUSED, /* two share a place in the dispatch, if its round is shorter than
                 that of "dispatch" */
    CY_BESIDE, /* the case NAME_beside: latency of NAME beside other
                  instructions; the case NAME has nothing else in its chain */
};

/* Instructions, and loads. */
struct cy_insn_case {
    const char *name; /* unique; the first of a load's class has "general" */
    enum cy_what what;
    const char *keys;  /* of the figure in JSON, or the idiom's mnemonics */
    const char *flag;  /* that the processor needs, as /proc/cpuinfo has it */
    double links;      /* in a round */
    const char *minus; /* the case whose latency each link has besides */
    cy_loop *loop;
};

/* What goes through memory: three chains, of moves alone, and with arithmetic
   between load and store. */
enum cy_op { CY_COPY, CY_ADD, CY_MUL, CY_N_OPS };

struct cy_forward_case {
    const char *name;  /* unique */
    const char *class; /* the word in rules */
    const char *keys;  /* in JSON, how it differs from the first of its class;
                          empty: not at all */
    const char *flag;
    double links;                /* in a round */
    const char *minus[CY_N_OPS]; /* cases whose latency each link has, too */
    cy_loop *loops[CY_N_OPS];    /* NULL: there is no such chain */
};

struct cy_insn_table {
    const struct cy_insn_case *cases;
    size_t n;
};

/* Of general registers and loads; of xmm registers; of wider ones; of division
   and square root; of many at once. */
extern const struct cy_insn_table cy_general_cases, cy_xmm_cases, cy_wide_cases,
    cy_division_cases, cy_throughput_cases;

extern const struct cy_forward_case cy_forward_cases[];
extern const size_t cy_n_forward_cases;

/* Keys of figures in JSON: names is a text or an array of texts. */
#define CY_NAMES_1(a)        "\"" a "\""
#define CY_NAMES_2(a, b)     "[\"" a "\", \"" b "\"]"
#define CY_KEYS(names, bits) "\"mnemonic\": " names ", \"bits\": " bits
#define CY_FORM(form)        ", \"form\": \"" form "\""

/* The setup that fills the upper halves of ymm0 and ymm2, too. */
#define CY_FILL_YMM                              \
    "vinsertf128 $1, %%xmm0, %%ymm0, %%ymm0\n\t" \
    "vinsertf128 $1, %%xmm2, %%ymm2, %%ymm2"

/* A loop.  Data is at %rdi, %rbx and %rsi; %rax and %rcx are 0; all parts of
   xmm0 and xmm1 are 1.5, those of xmm2 and xmm3 are 1.7; the stack has room
   above %rsp, too. */
#define CY_LOOP(name, setup, body, end)                                    \
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

#endif
