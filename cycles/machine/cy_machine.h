/*
 * cy_machine: what a processor needs for each step of a chain of instructions,
 * read from a machine file.
 *
 * A file holds figures, and rules for what goes through memory: the first rule
 * that matches says what a value costs from a store to a load.  What a file
 * does not say is unknown: the caller finds it elsewhere, and counts it.
 * doc/machine.md has the format, and how a file is made.
 *
 * Limits: a rule sees one store and one load, not the whole chain.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CYCLES_CY_MACHINE_H
#define CYCLES_CY_MACHINE_H

#include <stdint.h>
#include <stdio.h>

#include "diag.h"
#include "machine/cy_arch.h"
#include "machine/cy_cpu.h"
#include "machine/cy_insn.h"

/* Cycles that each access adds if many run at once, by the kind of register;
   NAN: unknown. */
struct cy_rates {
    double load[CY_ZMM + 1], store[CY_ZMM + 1];
    double any[CY_ZMM + 1]; /* in the units that loads and stores share */
    double locked;          /* an instruction that locks memory */
};

/* How many instructions begin. */
struct cy_dispatch {
    double width;        /* places for them in a cycle; NAN: unknown */
    double instructions; /* in a cycle, whatever places they take; 0: unknown */
    const double
        *rounds; /* cycles of a loop's round that takes 1, 2, ... places;
                    longer ones take the places divided by the width */
    size_t n_rounds;
    double line_places; /* of a line of code, that a cycle fetches, if its
                           instructions take no more; 0: lines do not count */
    double line_cycles; /* of a line with more; see cy_lines */
    unsigned branches;  /* whose ways are predicted in a cycle; 0: unknown */
};

/* What the file says about the processor as a whole.  The texts live as long as
   the machine. */
struct cy_facts {
    enum cy_arch arch;
    const char *name, *source, *llvm_cpu;
    const char *stands_for; /* the processor, which has no file of its own;
                               NULL: it has, or the user named the file */
    bool is_typical;        /* then the figures are of no processor */
    bool is_elsewhere;      /* then it is of another architecture than this
                               processor, which `stands_for` names */
    const char **uncertain; /* figures that the calibration found noisy, by
                               name; NULL ends them */
    struct cy_window window;
    struct cy_rates rates;
    struct cy_dispatch dispatch;
    bool is_forced;    /* made on a machine too busy to measure */
    bool is_published; /* none of the figures was measured for the file */
    bool zero_upper; /* what keeps the upper half of a vector register does not
                        wait for it if it is known to be 0 */
};

struct cy_machine;

/* Reads a file.  NULL with *d set if it cannot be read, or is wrong: the file,
   and the line or the key. */
struct cy_machine *cy_machine_read(const char *path, struct diag *d);

/* The directory of machine files: this one, or with NULL the user's choice or
   the installed one. */
const char *cy_machine_directory(const char *directory);

/* Reads the file for `cpu`: a path if it has a slash or ends in .json; else the
   name of a file, without .json, in `directory` (NULL: where the program
   installed them, or $DEPBOUND_MACHINES). */
struct cy_machine *cy_machine_named(const char *directory, const char *cpu,
                                    struct diag *d);

/* Reads the file in `directory` (as above) for code of an architecture on the
   processor that this runs on; if it has none, that of its nearest relative: of
   the same vendor, then of the nearest family, then of the nearest model; and
   without one, cy_arch_machine(). */
struct cy_machine *cy_machine_here(const char *directory, enum cy_arch arch,
                                   struct diag *d);

/* Writes the names of all files in `directory` (as above) with their sources,
   and which one is taken for this processor. */
int cy_machine_list(FILE *out, const char *directory, struct diag *d);

/* Writes what each kind of forward costs, a line for each rule of the file. */
void cy_machine_penalties(FILE *out, const struct cy_machine *machine);

/* Accepts NULL. */
void cy_machine_free(struct cy_machine *machine);

const struct cy_facts *cy_machine_facts(const struct cy_machine *machine);

/* How far the processor is from those that the file was made for: 0 if it is
   one of them, CY_NO_RELATIVE if none is of its vendor. */
#define CY_NO_RELATIVE UINT64_MAX
uint64_t cy_machine_distance(const struct cy_machine *machine,
                             const struct cy_cpu *cpu);

/* Each look-up is pure.  It gives false, and leaves the result alone, if the
   file does not say. */

/* Cycles from an address to the loaded value, the data in the first cache. */
bool cy_machine_load(const struct cy_machine *machine,
                     const struct cy_access *load, double *cycles);

bool cy_machine_forward(const struct cy_machine *machine,
                        const struct cy_through *through, struct cy_cost *cost);

/* Cycles from an operand to the result.  `from` is the instruction that made
   the operand; NULL if that was a load, or is unknown. */
bool cy_machine_latency(const struct cy_machine *machine,
                        const struct cy_insn *insn, const struct cy_insn *from,
                        double *cycles);

/* Cycles from the operand that the instruction adds to, to the result, if
   `from` made the operand as a sum of the same kind. */
bool cy_machine_accumulates(const struct cy_machine *machine,
                            const struct cy_insn *insn,
                            const struct cy_insn *from, double *cycles);

/* Cycles for which the instruction occupies its unit, so that no other of its
   kind starts there. */
bool cy_machine_occupancy(const struct cy_machine *machine,
                          const struct cy_insn *insn, double *cycles);

/* Cycles that each of many such instructions takes if none waits for another.
 */
bool cy_machine_throughput(const struct cy_machine *machine,
                           const struct cy_insn *insn, double *cycles);

/* Do the instruction and a conditional jump after it take one place? */
bool cy_machine_is_fused(const struct cy_machine *machine,
                         const struct cy_insn *insn);

/* Does the instruction, with the same register as both operands, give a
   constant without waiting for it? */
bool cy_machine_is_zero_idiom(const struct cy_machine *machine,
                              const struct cy_insn *insn);

#endif
