/*
 * internal: the parts of the calibration.
 *
 * Cases are loops that are measured.  Each is machine code that cy_cases_*.c
 * expand when they are compiled: a chain whose links are all of one kind, so
 * that the cycles of a round divided by its links are the latency of the kind;
 * or independent instructions, whose cycles are the time that they occupy their
 * unit.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_CALIBRATE_INTERNAL_H
#define CY_CALIBRATE_INTERNAL_H

#include <stdio.h>

#include "calibrate/cy_calibrate.h"
#include "calibrate/cy_clock.h"

/* Memory of all loops: their data, aligned to its size. */
#define CY_DATA_SIZE 16384

/* What a loop measures. */
enum cy_what {
    CY_LATENCY,
    CY_OCCUPANCY,
    CY_UNITS, /* how many of its kind begin in a cycle */
    CY_LOAD,
    CY_IDIOM,  /* it is an idiom if its round is short */
    CY_ACCESS, /* how long one access takes the units for it */
    CY_WIDTH,  /* its links are instructions that only the dispatch limits */
    CY_ROUND,  /* a round of some instructions, and the jump back */
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
    const char *minus; /* a case whose latency each link includes, too */
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
    const char *minus[CY_N_OPS]; /* as above, for each chain */
    cy_loop *loops[CY_N_OPS];    /* NULL: there is no such chain */
};

struct cy_insn_table {
    const struct cy_insn_case *cases;
    size_t n;
};

/* Cases of general registers and loads, of vectors, of division and square
   root, of atomics and fences, of units, and of how much else goes at once. */
extern const struct cy_insn_table cy_general_cases, cy_vector_cases,
    cy_division_cases, cy_order_cases, cy_unit_cases, cy_throughput_cases;

extern const struct cy_forward_case cy_forward_cases[];
extern const size_t cy_n_forward_cases;

/* Keys of figures in JSON: names is a text or an array of texts. */
#define CY_NAMES_1(a)        "\"" a "\""
#define CY_NAMES_2(a, b)     "[\"" a "\", \"" b "\"]"
#define CY_KEYS(names, bits) "\"mnemonic\": " names ", \"bits\": " bits
#define CY_FORM(form)        ", \"form\": \"" form "\""

/* Expands to macro(x, a) for each further argument a, up to 80 of them.  A
   macro does not expand within itself; so CY_EACH_1 leaves the rest as
   CY_AGAIN (), which each further scan expands once. */
#define CY_EACH(macro, x, ...) CY_SCAN(CY_EACH_1(macro, x, __VA_ARGS__))
#define CY_EACH_1(macro, x, a, ...) \
    macro(x, a) __VA_OPT__(CY_AGAIN CY_NO_ARGUMENTS(macro, x, __VA_ARGS__))
#define CY_AGAIN()      CY_EACH_1
#define CY_NO_ARGUMENTS ()
#define CY_SCAN(...)    CY_SCAN_27(CY_SCAN_27(CY_SCAN_27(__VA_ARGS__)))
#define CY_SCAN_27(...) CY_SCAN_9(CY_SCAN_9(CY_SCAN_9(__VA_ARGS__)))
#define CY_SCAN_9(...)  CY_SCAN_3(CY_SCAN_3(CY_SCAN_3(__VA_ARGS__)))
#define CY_SCAN_3(...)  __VA_ARGS__

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

/* cy_measure: measures all cases.

   Each case is measured in several passes, as far apart in time as possible.
   The figure is their median.  Cases whose passes disagree get more passes, and
   the quickest speed that repeats counts, in half cycles, since some processors
   have several speeds for the same code.  A case with none, or that never ran
   undisturbed, is not steady. */
#define CY_PASSES 24

struct cy_result {
    double cycles; /* a round; NAN: it could not be measured at all */
    bool steady;
    unsigned n_passes;
    double passes[CY_PASSES];
};

struct cy_results {
    const struct cy_insn_case **cases; /* of all tables */
    struct cy_result *insns;           /* by case */
    size_t n;
    struct cy_result (*forwards)[CY_N_OPS]; /* by case */
    struct cy_window window;                /* 0: no clear figure */
    double undisturbed;                     /* the share of all samples */
};

/* Results without figures.  The caller frees. */
struct cy_results *cy_results_new(void);

/* Measures everything that the processor can run, in at most 60 seconds. */
void cy_measure(struct cy_results *results, const struct cy_cpu *cpu);

/* Sets the figure of a case from its passes so far. */
void cy_result_settle(struct cy_result *result);

/* Accepts NULL. */
void cy_results_free(struct cy_results *results);

/* What a link of a case takes without its `minus`; NAN if one of the two could
   not be measured. */
double cy_result_insn(const struct cy_results *results, size_t i);

/* The cycles of a link of a chain of a forward case; NAN: there is no such
   chain, or it could not be measured. */
double cy_result_forward(const struct cy_results *results, size_t i,
                         enum cy_op op);

/* The latency that the case of this name shows; NAN if there is none. */
double cy_result_named(const struct cy_results *results, const char *name);

/* cy_buffers: how many instructions, and how many stores, can be between two
   that go on at once.

   Chains of square roots depend on nothing but themselves, with n instructions
   after each.  As long as the buffer holds n, the next chain begins before this
   one is done; a round takes longer where n gets larger than that (H. Wong,
   Measuring Reorder Buffer Capacity, 2013). */
void cy_buffers_measure(struct cy_window *window, struct cy_clock *clock,
                        char *place);

/* The index of the last round before the clearest jump of n rounds that get
   longer; SIZE_MAX: no jump is clear.  NAN: a round could not be measured. */
size_t cy_jump(const double *rounds, size_t n);

/* cy_uncertain: the names of figures that did not repeat. */
struct cy_uncertain {
    const char **names;
    size_t n, room;
    size_t n_figures; /* of cases that the processor can run */
};

/* `agree`: all rules for what goes through memory tell what was measured. */
void cy_uncertain_find(struct cy_uncertain *u, const struct cy_results *results,
                       const struct cy_cpu *cpu, bool agree);
void cy_uncertain_tell(FILE *out, const struct cy_uncertain *u);
void cy_uncertain_fini(struct cy_uncertain *u);

/* Fails with *d set if the machine was too busy to measure. */
int cy_uncertain_refuse(const struct cy_uncertain *u,
                        const struct cy_results *results, struct diag *d);

/* cy_derive: rules for what goes through memory, from measured chains.

   A class of registers has a plain case, and cases that each differ from it in
   one respect.  A case that costs what the plain one does needs no rule.  The
   others come slowest first, and the plain one last, so that an access that
   differs in several respects costs what the slowest of these does.
   Instructions that both load and store a cell have rules of their own before
   these. */

/* Rounds a figure to what repeats: to a whole number if one is within 1.5 %; or
   below 4 to halves, thirds, quarters, fifths or sixths within 2.5 %, as units
   that share the work have them.  Else to hundredths, tenths from 1 on,
   quarters from 4 on, halves from 10 on, and whole cycles from 40 on. */
double cy_rounded(double cycles);

/* What a case costs; NAN: there is no such chain. */
struct cy_derived {
    size_t index; /* of the case */
    double copy;  /* of moves alone */
    double other; /* with arithmetic */
    double at_least;
};

/* The rules of a class in their order, at most as many as there are cases.
   Returns how many.  *agree becomes false if a case that rules cannot tell from
   the plain one costs something else. */
size_t cy_derive(const struct cy_results *results, const char *class,
                 struct cy_derived *rules, bool *agree);

/* Writes a case's rule as JSON, or two rules, with a comma between, if moves
   alone cost something else. */
void cy_derived_write(FILE *out, const struct cy_derived *rule);

#endif
