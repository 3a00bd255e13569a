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
#include <stdint.h>
#include <stdio.h>

#include "diag.h"
#include "arch.h"

/* --- Which processor this is, as the kernel says in /proc/cpuinfo --- */

/* Sizes of buffers are from the optimization guides of AMD and Intel; names of
   cores are LLVM's.  All processors of the machine count as the first one. */
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

/* How the bytes of a load overlap those of the store. */
enum cy_relation {
    CY_SAME,          /* the same bytes */
    CY_CONTAINED,     /* fewer bytes, all from this store */
    CY_PARTIAL,       /* some bytes from elsewhere, not from a recent store */
    CY_SEVERAL,       /* bytes of several recent stores */
    CY_CROSSING,      /* same or contained, across a line of 64 bytes */
    CY_CROSSING_PAGE, /* same or contained, across a page of 4096 bytes */
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
    bool load_parts, store_parts; /* the instruction has several accesses, as
                                     AArch64's pairs have */
    bool locked; /* one of the instructions is atomic, or exclusive */
};

enum cy_how { CY_FORWARDED, CY_RENAMED, CY_FAILED };

/* What a value costs on its way through memory. */
struct cy_cost {
    enum cy_how how;
    double cycles;   /* from the stored value to the loaded one */
    double at_least; /* that each passage with arithmetic needs, from load to
                        load; 0: nothing is known */
    bool is_guessed; /* the file says that nobody measured it */
};

/* The part of an instruction that computes in registers, without its load or
   store. */
struct cy_insn {
    const char *mnemonic; /* capstone's name, without AT&T's suffix of size */
    const char *form;     /* its operands, as doc/machine.md has them: "rr" */
    unsigned bits;        /* of its widest operand; 0: unknown */
    bool locked;          /* it is atomic */
};

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
    double line_cycles; /* of a line with more; see struct cy_lines */
    unsigned branches;  /* whose ways are predicted in a cycle; 0: unknown */
};

/* What the file says about the processor as a whole.  The texts live as long as
   the machine. */
struct cy_facts {
    enum arch arch;
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

/* The name of the file for code of an architecture on a processor that has no
   relative among those with a file. */
const char *cy_machine_of(enum arch arch);

/* Reads the file in `directory` (as above) for code of an architecture on the
   processor that this runs on; if it has none, that of its nearest relative: of
   the same vendor, then of the nearest family, then of the nearest model; and
   without one, cy_machine_of(). */
struct cy_machine *cy_machine_here(const char *directory, enum arch arch,
                                   struct diag *d);

/* Writes the names of all files in `directory` (as above) with their sources,
   and which one is taken for this processor. */
int cy_machine_list(FILE *out, const char *directory, struct diag *d);

/* Writes what each kind of forward costs, a line for each rule of the file. */
void cy_machine_penalties(FILE *out, const struct cy_machine *machine);

/* The machine of a file that says nothing. */
const struct cy_machine *cy_machine_none(void);

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

/* What fetching costs, by the lines of the code.

   A cache of decoded instructions gives those of a line in a cycle, if they
   take no more than some places, and of the first line, if they take half as
   many, together with the next one's.  A line with more places is dense, and
   takes longer; less so after one that is not.  (Found on Zen 5 with loops of 7
   to 191 instructions that begin at eight places of a line.) */
#define CY_LINE 64 /* bytes */

/* A run of instructions, up to a taken branch. */
struct cy_lines {
    const struct cy_dispatch *dispatch;
    uint64_t line;
    unsigned places, all; /* of the line so far, and of the run */
    double cycles;        /* of the lines before */
    bool has_line, is_begun, is_after_sparse;
};

/* The places of an instruction that has some uops by llvm-mca.  A place of
   AMD's processors, whose lines are known, holds two. */
unsigned cy_lines_places(const struct cy_dispatch *dispatch, unsigned uops);

/* Begins a run.  The dispatch has line_places. */
void cy_lines_begin(struct cy_lines *l, const struct cy_dispatch *dispatch);

/* The next instruction begins at an address, and takes some places in the
   dispatch; 0: it fused with the one before. */
void cy_lines_add(struct cy_lines *l, uint64_t address, unsigned places);

/* Ends the run: the cycles that its lines take. */
double cy_lines_end(struct cy_lines *l);

/* --- Inside: a machine file in memory --- */

/* A rule has a set of values for each key, as bits of a number; an empty set
   matches every value.  A question has one value for each key.  One table of
   keys serves to read rules, to match them and to write them. */
enum cy_key_kind {
    CY_KEY_WORDS,   /* bit i: the i-th of the words */
    CY_KEY_WIDTHS,  /* bit i: 2^i bits */
    CY_KEY_NUMBERS, /* bit i: the number i; bit 62: 62 or more */
    CY_KEY_TRUTHS,  /* bit 0: false, or the number 0; bit 1: true */
};

struct cy_key {
    const char *name;
    enum cy_key_kind kind;
    const char *const *words; /* of CY_KEY_WORDS; NULL ends them */
    size_t offset, size;      /* of the value in struct cy_through */
};

/* The first keys are of the load; rules for loads have these only. */
#define CY_N_LOAD_KEYS 4
#define CY_N_KEYS      20
extern const struct cy_key cy_keys[CY_N_KEYS];

struct cy_rule {
    uint64_t sets[CY_N_KEYS];
    struct cy_cost cost;
};

/* Figures of instructions. */
struct cy_figure {
    const char **mnemonics, **forms; /* NULL ends each; forms: NULL, any */
    uint64_t bits;                   /* as CY_KEY_WIDTHS; 0: any */
    bool locked;                     /* only atomic ones */
    double cycles;
    double chained; /* after an instruction of the same figure; < 0: cycles */
    double accumulated; /* the same for the operand that is added to; < 0:
                           as for the others */
};

struct cy_match {
    const char *vendor;
    unsigned family;
    unsigned *models;
    size_t n_models;
};

struct cy_machine {
    struct cy_facts facts;
    struct cy_match *matches;
    struct cy_rule *loads, *forwards;
    struct cy_figure *latencies, *occupancies, *throughputs;
    const char **zero_idioms, **fused; /* NULL ends each */
    size_t n_matches, n_loads, n_forwards, n_latencies, n_occupancies,
        n_throughputs;
    double *rounds;  /* of the dispatch */
    void *document;  /* what the texts belong to */
    char *processor; /* that it stands for, or NULL */
};

/* The bit of a width in bits, which is a power of two; 63 if it is none. */
unsigned cy_width_bit(uint64_t bits);

#endif
