/*
 * cy_mca: asks llvm-mca what single instructions take, and need of units.
 *
 * One run of llvm-mc, which turns machine code into LLVM's assembly, and one of
 * llvm-mca serve many instructions: starting a program takes longer than its
 * work.  Answers are kept in the user's cache directory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_MCA_H
#define CY_MCA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "diag.h"
#include "arch.h"

/* An instruction, and the answer about it. */
struct cy_mca_insn {
    const uint8_t *bytes;
    uint8_t length;
    bool is_known; /* the rest is valid */
    bool may_load;
    uint16_t uops;
    double latency; /* in cycles, with that of its load */
};

struct cy_mca; /* which programs to run, and for which processor */

/* `program` is an llvm-mca of LLVM 19 or newer, with an llvm-mc beside it; NULL
   stands for the newest in PATH.  `cpu` is LLVM's name of the processor, whose
   architecture is `arch`.  NULL if there is none. */
struct cy_mca *cy_mca_new(const char *program, enum arch arch, const char *cpu,
                          struct diag *d);
void cy_mca_free(struct cy_mca *mca);

/* "llvm-mca 19.1.7, znver4" */
const char *cy_mca_name(const struct cy_mca *mca);

/* How many places the dispatch has in a cycle. */
int cy_mca_width(struct cy_mca *mca, double *width, struct diag *d);

/* Work that one of several units does. */
#define CY_MOST_UNITS 48
struct cy_mca_use {
    uint64_t units;  /* bit i: unit i may do it */
    double cycles;   /* of work; 2 may be two pieces, for different units */
    bool for_memory; /* by a unit that plain loads or stores also need */
};

/* What an instruction needs of units; more uses than there is room for are left
   out. */
#define CY_MOST_USES 8
struct cy_mca_uses {
    uint8_t n;
    struct cy_mca_use uses[CY_MOST_USES];
};

/* Asks about n instructions, each alone, and fills in the answers, and what
   they need of units. */
int cy_mca_units(struct cy_mca *mca, struct cy_mca_insn *insns,
                 struct cy_mca_uses *uses, size_t n, struct diag *d);

#endif
