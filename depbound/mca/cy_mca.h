/*
 * cy_mca: asks llvm-mca for single instructions' latencies and units.
 *
 * One run of llvm-mc, which turns machine code into LLVM's assembly, and one
 * of llvm-mca serve many instructions: starting a program takes longer than
 * its work.  Answers are kept in the user's cache directory, which only saves
 * time: after any failure the cache counts as empty, and a file that has grown
 * large is deleted.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "arch.h"

/* An instruction, and llvm-mca's answer about it. */
struct cy_mca_insn {
    const uint8_t *bytes;
    uint8_t length;
    bool is_known; /* the fields below are valid */
    bool may_load;
    uint16_t uops;
    double latency; /* in cycles, including that of its load */
};

struct cy_mca; /* which programs to run, and for which processor */

/* `program` is an llvm-mca of LLVM 19 or newer, with an llvm-mc beside it; NULL
   stands for the newest in PATH.  `cpu` is LLVM's name of the processor, whose
   architecture is `arch`.  NULL if there is none. */
struct cy_mca *cy_mca_new(const char *program, enum arch arch, const char *cpu,
                          struct diag *d);
void cy_mca_free(struct cy_mca *mca);

/* Program and processor, as in "llvm-mca 19.1.7, znver4". */
const char *cy_mca_name(const struct cy_mca *mca);

/* Sets *width to the places of the dispatch in a cycle. */
int cy_mca_width(struct cy_mca *mca, double *width, struct diag *d);

/* Work that one of several units does. */
#define CY_MOST_UNITS 48
struct cy_mca_use {
    uint64_t units;  /* bit i: unit i may do the work */
    double cycles;   /* cycles of work; 2 may be two pieces for two units */
    bool for_memory; /* done by a unit that plain loads or stores also need */
};

/* The units that an instruction needs; uses beyond CY_MOST_USES are left
   out. */
#define CY_MOST_USES 8
struct cy_mca_uses {
    uint8_t n;
    struct cy_mca_use uses[CY_MOST_USES];
};

/* Asks about n instructions, each alone, and fills in the answers and the uses
   of units. */
int cy_mca_units(struct cy_mca *mca, struct cy_mca_insn *insns,
                 struct cy_mca_uses *uses, size_t n, struct diag *d);

/* What an earlier run found out for this processor, by kind and key, from the
   cache.  NULL: nothing is kept; else the caller frees it.  `mca` may be NULL.
 */
char *cy_mca_recall(struct cy_mca *mca, const char *kind, const char *key);
void cy_mca_remember(struct cy_mca *mca, const char *kind, const char *key,
                     const char *text);

/* --- cy_dialogue: questions to llvm-mc and llvm-mca, and their answers --- */

/* An architecture as LLVM's programs know it. */
struct cy_assembly {
    const char *triple;
    /* Written after each instruction, so that an instruction for which llvm-mc
       prints two lines, or none, does not shift the others: an instruction that
       no code has, in bytes, and what llvm-mc makes of it. */
    const char *marker_bytes, *marker;
    const char *accesses; /* plain loads and stores: the units that they occupy
                             are those for memory */
};

const struct cy_assembly *cy_assembly_of(enum arch arch);

/* Is a width of the dispatch possible?  What llvm-mca prints, and what the
   cache holds, may be anything. */
bool cy_mca_is_width(double width);

/* The question for llvm-mc: a text of *size bytes, which the caller frees. */
char *cy_dialogue_code(enum arch arch, const struct cy_mca_insn *insns,
                       size_t n, size_t *size);

/* The texts that llvm-mc gives n instructions, "" for those that it does not
   know; the caller frees the texts and the array.  NULL if `text` is no output
   of llvm-mc. */
char **cy_dialogue_texts(enum arch arch, const char *text, size_t n,
                         struct diag *d);

/* The question for llvm-mca about n instructions' texts: *size bytes, which the
   caller frees. */
char *cy_dialogue_question(enum arch arch, char **texts, size_t n,
                           size_t *size);

/* Fills in n instructions and their uses from llvm-mca's JSON report with
   instruction tables. */
int cy_dialogue_units(struct cy_mca_insn *insns, struct cy_mca_uses *uses,
                      size_t n, char **texts, const char *text, size_t size,
                      struct diag *d);

/* Reads the dispatch's width from a JSON report of llvm-mca with a summary. */
int cy_dialogue_width(double *width, const char *text, size_t size,
                      struct diag *d);

/* Splits an instruction's pressure on units into uses: llvm-mca spreads each
   use evenly over the units that may do it.  The units of a use are of one
   family if that makes whole cycles. */
struct cy_mca_pressure {
    double cycles[CY_MOST_UNITS];
    unsigned family[CY_MOST_UNITS];
    bool for_memory[CY_MOST_UNITS];
};
void cy_uses_of(struct cy_mca_uses *uses, struct cy_mca_pressure pressure);
