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

#include <stdbool.h>
#include <stddef.h>

#include "diag.h"
#include "machine/cy_cpu.h"

/* The register that a load fills, or a store writes. */
enum cy_class { CY_GENERAL, CY_XMM, CY_YMM, CY_ZMM };

/* How an instruction addresses memory. */
enum cy_addressing {
    CY_BASE,  /* a register and a displacement */
    CY_INDEX, /* with an index register */
    CY_RIP,
    CY_STACK, /* the stack pointer and a displacement */
    CY_PUSH,  /* push, pop, call and ret: the instruction moves the pointer */
};

enum cy_extend { CY_NONE, CY_ZERO, CY_SIGN };

/* How the bytes of a load lie to those of the store. */
enum cy_relation {
    CY_SAME,          /* the same bytes */
    CY_CONTAINED,     /* fewer bytes, all from this store */
    CY_PARTIAL,       /* some bytes from elsewhere, not from a recent store */
    CY_SEVERAL,       /* bytes of several recent stores */
    CY_CROSSING,      /* same or contained, across a line of 64 bytes */
    CY_CROSSING_PAGE, /* the same across a page of 4096 bytes */
};

/* One access to memory. */
struct cy_access {
    enum cy_class class;
    enum cy_addressing addressing;
    unsigned bits;         /* of memory: 8 to 512 */
    enum cy_extend extend; /* of a load: CY_NONE if it fills the register, or
                              is of 32 bits without a sign */
};

/* A value that goes from a store to a load. */
struct cy_through {
    struct cy_access store, load;
    enum cy_relation relation;
    unsigned offset;  /* where the load begins in the store, in bytes */
    int delta_k;      /* iterations from the store to the load; -1: unknown */
    bool load_op;     /* the load's instruction computes with the value, and
                         does not store it */
    bool store_first; /* the store is before the load in the loop's order */
    bool store_rmw;   /* the store is part of an instruction that also loads */
    bool load_rmw;    /* the load is part of one that also stores */
    bool self;        /* both are of the same instruction */
    bool copy;        /* the chain consists of moves alone */
};

enum cy_how { CY_FORWARDED, CY_RENAMED, CY_FAILED };

/* What a value costs on its way through memory. */
struct cy_cost {
    enum cy_how how;
    double cycles;   /* from the stored value to the loaded one */
    double at_least; /* that each passage with arithmetic needs, from load to
                        load; 0: nothing is known */
    size_t rule;     /* the rule's place in the file, from 0 */
};

/* The part of an instruction that computes in registers, without its load or
   store. */
struct cy_insn {
    const char *mnemonic; /* capstone's name, without AT&T's suffix of size */
    const char *form;     /* its operands, as doc/machine.md has them: "rr" */
    unsigned bits;        /* of its widest operand; 0: unknown */
};

/* Cycles for which one access takes the units for it, if many go at once, by
   the register; NAN: unknown. */
struct cy_rates {
    double load[CY_ZMM + 1], store[CY_ZMM + 1];
    double any; /* an access of either kind takes units that both need */
};

struct cy_machine;

/* Reads a file.  NULL with *d set if it cannot be read, or is wrong: the file,
   and the line or the key. */
struct cy_machine *cy_machine_read(const char *path, struct diag *d);

/* Reads the file for `cpu`: a path if it has a slash or ends in .json; else the
   name of a file, without .json, in `directory` (NULL: where the program
   installed them, or $DEPBOUND_MACHINES).  With `cpu` NULL, the first file
   there, by name, that matches the processor this runs on. */
struct cy_machine *cy_machine_find(const char *directory, const char *cpu,
                                   struct diag *d);

/* Accepts NULL. */
void cy_machine_free(struct cy_machine *machine);

/* The texts live as long as the machine. */
const char *cy_machine_name(const struct cy_machine *machine);
const char *cy_machine_source(const struct cy_machine *machine);
const char *cy_machine_llvm_cpu(const struct cy_machine *machine);

/* Figures that the calibration found noisy, by name; *n of them. */
const char *const *cy_machine_uncertain(const struct cy_machine *machine,
                                        size_t *n);

/* Is the file made for this processor? */
bool cy_machine_matches(const struct cy_machine *machine,
                        const struct cy_cpu *cpu);

struct cy_window cy_machine_window(const struct cy_machine *machine);
const struct cy_rates *cy_machine_rates(const struct cy_machine *machine);

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

/* Cycles for which the instruction occupies its unit, so that no other of its
   kind starts there. */
bool cy_machine_occupancy(const struct cy_machine *machine,
                          const struct cy_insn *insn, double *cycles);

/* Do the instruction and a conditional jump after it take one place? */
bool cy_machine_is_fused(const struct cy_machine *machine,
                         const struct cy_insn *insn);

/* Does the instruction, with the same register as both operands, give a
   constant without waiting for it? */
bool cy_machine_is_zero_idiom(const struct cy_machine *machine,
                              const struct cy_insn *insn);

#endif
