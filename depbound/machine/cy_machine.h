/*
 * cy_machine: what a processor needs for each step of a chain of instructions,
 * as a machine file says.
 *
 * A file holds figures, and rules for values that go through memory: the first
 * rule that matches says how many cycles pass from a store to a load.  What a
 * file does not say is unknown: the caller takes it from elsewhere, and counts
 * such cases.  doc/machine.md has the format, and how a file is made.
 *
 * Limits: a rule sees one store and one load, not the whole chain.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "arch.h"

/* --- Which processor this is, as the kernel says in /proc/cpuinfo --- */

/* Sizes of buffers are from the optimization guides of AMD and Intel; names of
   cores are LLVM's.  All processors of a computer count as the first one. */
struct cy_cpu {
    char vendor[32];        /* as cpuid has it ("GenuineIntel"); on AArch64 the
                               implementer ("0x41") */
    unsigned family, model; /* on AArch64 the architecture and the part */
    char name[128];   /* the model name; empty if the kernel does not say */
    char flags[4096]; /* each between blanks: " fpu sse2 avx512f " */
};

/* Reads the first processor of a file like /proc/cpuinfo. */
int cy_cpu_read(struct cy_cpu *cpu, const char *path, struct diag *d);

/* Entries of buffers, and cycles of a mispredicted comparison and branch after
   its operands are known; 0: unknown. */
#define CY_MOST_LOAD_SCHEDULERS 4

struct cy_window {
    unsigned scheduler, reorder_buffer, load_buffer, store_buffer;
    unsigned misprediction;
    unsigned vector_misprediction; /* how much more it costs while computations
                                      in vector registers wait for operands */
    /* Entries of separate schedulers: for accesses, for computation in vector
       registers, and for data of vector stores; and of the queue before the
       latter two, which instructions leave in order. */
    unsigned address_scheduler, vector_scheduler, vector_queue, vector_stores;
    /* Loads take in turn one of so many schedulers with so many entries each;
       0: they take that for accesses. */
    unsigned load_schedulers, load_scheduler;
    /* Registers for results that have not retired. */
    unsigned general_results, vector_results;
    unsigned retired; /* most instructions that retire in a cycle; 0: as
                         many as are dispatched */
    unsigned predicted_rounds; /* most rounds of a loop with predicted exit */
    unsigned renamed_after;    /* times in a row that a load must read from the
                                  same store to be renamed */
    unsigned store_completion; /* cycles from a stored value to the store's
                                  completion, if loads take none; 0: both take
                                  one */
};

/* A key of an object of a machine file, and the member of a struct for its
   value. */
struct cy_json_place;
struct cy_json_row {
    const char *key; /* NULL ends a table */
    int (*read)(struct cy_json_place *at,
                void *member); /* NULL: for human readers */
    size_t offset;
    bool is_always; /* read is called even if there is no value; else the member
                       stays as it is */
};

extern const struct cy_json_row cy_window_members[]; /* unsigned */
extern const struct cy_json_row cy_memory_members[]; /* the source, doubles */

struct cy_core {
    const char *vendor;
    unsigned family, first, last; /* first, last: models */
    const char *name, *llvm;
    struct cy_window window;
    bool is_golden; /* unsteady, with loops by history, as Golden Cove */
};

/* Does the processor have this flag of /proc/cpuinfo? */
bool cy_cpu_has(const struct cy_cpu *cpu, const char *flag);

/* The core of a processor.  One that is not listed is named "unknown", and
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
    unsigned bits;         /* bits of memory that the access moves: 8 to 512 */
    enum cy_extend extend; /* how a load extends; CY_NONE if it fills the
                              register, or has 32 bits and no sign */
    bool is_scaled; /* the index has a factor, or is added to a base and a
                       displacement; only on x86-64 */
};

/* A value that goes from a store to a load. */
struct cy_through {
    struct cy_access store, load;
    enum cy_relation relation;
    unsigned offset;   /* where the load begins in the store, in bytes */
    int delta_k;       /* iterations from the store to the load; -1: unknown */
    bool load_op;      /* the load's instruction computes with the value, and
                          does not store */
    bool store_first;  /* the store is before the load in the loop's order */
    bool store_rmw;    /* the store is part of an instruction that also loads */
    bool load_rmw;     /* the load is part of an instruction that also stores */
    bool self;         /* store and load belong to the same instruction */
    bool rmw_register; /* an instruction with both accesses has a register, too,
                          as in `add %rax, (%rdi)` */
    bool moved; /* the two addresses are not made of registers that only changed
                   by constants in between, nor each of registers that only did
                   so since the instruction's execution before */
    bool copy;  /* the chain consists of moves alone */
    bool load_parts, store_parts; /* the instruction has several accesses, as
                                     AArch64's pairs do */
    bool locked; /* one of the instructions is atomic, or exclusive */
};

enum cy_how { CY_FORWARDED, CY_RENAMED, CY_FAILED };

/* What a figure rests on: a measurement of such a processor, what others
   published of it, as LLVM's models do, or a guess. */
enum cy_basis { CY_MEASURED, CY_PUBLISHED, CY_GUESSED, CY_N_BASES };

/* The cost of a value's way from a store to a load. */
struct cy_cost {
    enum cy_how how;
    double cycles;   /* from the stored value to the loaded one */
    double at_least; /* cycles from load to load, if arithmetic follows, that
                        each transfer needs; 0: not known */
    bool is_guessed; /* the file says that the cost was not measured */
    enum cy_basis basis;
};

/* The part of an instruction that computes in registers, without its load or
   store. */
struct cy_insn {
    const char *mnemonic; /* capstone's, without AT&T's size suffix */
    const char *form;     /* the operands, as in doc/machine.md: "rr" */
    unsigned bits;        /* width of the widest operand; 0: unknown */
    bool locked;          /* the instruction is atomic */
    bool loads, stores;   /* it has a load, a store */
};

/* Cycles that each of many concurrent accesses adds, by class of register; NAN:
   unknown. */
struct cy_rates {
    double load[CY_ZMM + 1], store[CY_ZMM + 1];
    double any[CY_ZMM + 1]; /* in units that loads and stores share */
    double locked;          /* cycles of an instruction that locks memory */
    double pair; /* cycles of each of two stores of general registers to one
                    block of 32 bytes, which leave the store buffer together;
                    NAN: no two do */
    double line; /* the same of any two stores of at most 32 bytes to one line
                    of 64 bytes, as on Golden Cove */
};

/* How many instructions the dispatch lets begin in a cycle. */
struct cy_dispatch {
    double width;        /* places in a cycle; NAN: not known */
    bool micro_fused;    /* a load and a computation of one instruction take one
                            place, and so do a store's address and data */
    bool splits_rip;     /* ... but not with an address relative to the
                            instruction pointer and a general register */
    double split_places; /* an instruction whose load takes a place of its own
                            begins in a cycle after less than so many places; 0:
                            after any number */
    double instructions; /* in a cycle, whatever places they take; 0: unknown */
    const double
        *rounds; /* cycles of a loop's round that takes 1, 2, ... places;
                    longer ones take the places divided by the width */
    size_t n_rounds;
    double line_places; /* most places of a line of code that a cycle can fetch;
                           0: lines do not count */
    double line_cycles; /* cycles of a line with more places; see cy_lines */
    double line_most;   /* places that a cycle fetches, where each line takes at
                           least a cycle; 0: not so */
    double entry_places;  /* the same of the line that a taken branch leads to;
                             0: as many */
    double entry_numbers; /* immediates and displacements that do not take of
                             these places */
    double decode_width;  /* instructions that are decoded in a cycle, and */
    double decode_bytes;  /* bytes, if memory.decoded does not have them */
    unsigned branches;    /* branches predicted in a cycle; 0: unknown */
    unsigned line_branches;  /* taken branches of a line of code that are
                              predicted so fast; 0: all */
    double crowded_branch;   /* cycles of one in a line with more of them */
    double far_branch;       /* cycles of one that is not near (struct
                                cy_history) */
    double split_branch;     /* cycles of one that lies in two lines, or whose
                                fused comparison does; 0: as of others */
    double overruled_branch; /* more cycles of one that goes as predicted, but
                                not as its counter of two bits says */
    double late_return;      /* more cycles of a return that is known late */
    double retarget; /* more cycles of an indirect jump that goes elsewhere
                        than the last time */
    double first_target, other_target; /* more cycles of one that has several
                             targets, to the first of them and to another */
    double far; /* more cycles of a jump between the program and a shared
                   object, which lie far apart */
};

/* What the history of branches has, by which they are predicted. */
struct cy_history {
    bool is_blind; /* it does not have where branches led, nor returns and calls
                    */
    bool by_history; /* loops have no table of their own */
    unsigned taken;  /* it has only bits 2 and 3 of the address of the last byte
                        of this many taken branches; 0: not so */
    unsigned path;   /* else of how many taken branches it has the address, at
                        most CY_MOST_RETURNS; 0: not known */
    unsigned returns;  /* entries of the stack of returns, at most
                          CY_MOST_RETURNS; 0: all that are needed */
    unsigned counters; /* of branches, in all tables; a power of two; 0: not
                          known */
    unsigned targets;  /* of indirect branches, in each table; a power of two;
                          0: not known */
    unsigned near;     /* taken branches that are predicted at once; a power of
                          two; 0: all */
};

/* What lies between the core and memory. */
#define CY_BEYOND 3 /* levels beyond the first caches; the last is memory */
#define CY_TLBS   2

#define CY_CACHE_LINE 64 /* bytes */

#define CY_MOST_MISSES 64

#define CY_MOST_LINE_BRANCHES 4

#define CY_MOST_RETURNS 64

struct cy_cache {
    double kib, ways;
    double cycles;        /* to load from it, beyond those of the first cache;
                             of the first cache all of them */
    double line_cycles;   /* from one line to the next */
    double stream_cycles; /* the same, if each load waits for the one before,
                             but lines follow each other */
};

struct cy_memory {
    double misses;      /* lines of data on their way at once; 0: nothing of all
                           this is known */
    const char *source; /* where the figures come from */
    struct cy_cache data, code; /* the first caches */
    struct cy_cache decoded;    /* of decoded instructions, by the size of
                                   their code, as compilers make it; 0 KiB:
                                   not known; the key is in "dispatch" */
    double code_line_cycles;    /* of each line of code that comes from another
                                   cache while the predictor knows the way; 0: not
                                   known, then each is waited for */
    double foreseen_lines;      /* lines of code whose branches it knows */
    struct cy_cache beyond[CY_BEYOND]; /* of memory only the cycles */
    double l3_least_kib, l3_most_kib;  /* what a process may have of a cache
                                          that others share */
    double l3_lifetime; /* cycles until others have pushed out a line of such a
                           cache that was not touched; 0: they push out none */
    double pages[CY_TLBS];       /* pages that each TLB has */
    double page_cycles[CY_TLBS]; /* of a page that it has not */
};

/* How far the cycles of whole programs that were predicted for this processor
   are from those that were measured on it. */
#define CY_LEAST_PROGRAMS 5
struct cy_model_error {
    double programs; /* that were measured; 0: not known */
    double factor;   /* geometric mean of measured / predicted cycles */
    double spread;   /* standard deviation of the logarithm of that */
};

/* What the file says about the processor as a whole.  The texts live as long as
   the machine. */
struct cy_facts {
    enum arch arch;
    const char *name, *source, *llvm_cpu;
    const char *stands_for; /* the processor, if this file was chosen for lack
                               of its own; else NULL */
    bool is_typical;        /* the file is "typical", of no real processor */
    bool is_elsewhere;      /* the file is for another architecture */
    const char **uncertain; /* names of figures that the calibration found
                               noisy; NULL ends them */
    struct cy_window window;
    struct cy_rates rates;
    struct cy_dispatch dispatch;
    struct cy_memory memory;
    struct cy_model_error model_error;
    bool is_forced;    /* measured on a busy machine, by --force */
    bool is_published; /* none of the figures was measured for the file */
    struct cy_history history;
    bool units_in_turn, /* work in general registers gets its unit when it is
                           dispatched: in turn, */
        units_by_queue; /* or by how much waits for each */
    bool is_unsteady;   /* crowded branches may be as quick as others, and
                           renamed loads may be forwarded */
    bool zero_upper;    /* instructions that keep the upper half of a vector
                           register do not wait for it if it is known to be 0 */
};

/* Does work get its unit when it is dispatched? */
static inline bool cy_binds_units(const struct cy_facts *facts)
{
    return facts->units_in_turn || facts->units_by_queue;
}

struct cy_machine;

/* Reads a file.  NULL if it cannot be read or is wrong; *d names the file, and
   the line or the key. */
struct cy_machine *cy_machine_read(const char *path, struct diag *d);

/* The directory of machine files: `directory`, or, if that is NULL,
   $DEPBOUND_MACHINES or the installed one. */
const char *cy_machine_directory(const char *directory);

/* Reads the file for `cpu`: a path if it has a slash or ends in .json; else the
   name of a file, without .json, in cy_machine_directory(directory). */
struct cy_machine *cy_machine_named(const char *directory, const char *cpu,
                                    struct diag *d);

/* The name of the file that serves for code of an architecture if no file is
   for a processor of this one's vendor. */
const char *cy_machine_of(enum arch arch);

/* Reads the file in cy_machine_directory(directory) for code of an architecture
   on the processor that the program runs on; if there is none, that of the
   nearest family, then model, of the same vendor; and without one,
   cy_machine_of(). */
struct cy_machine *cy_machine_here(const char *directory, enum arch arch,
                                   struct diag *d);

/* Writes the names of all files in cy_machine_directory(directory) with their
   sources, and which one cy_machine_here takes. */
int cy_machine_list(FILE *out, const char *directory, struct diag *d);

/* Writes what each kind of forward costs, a line for each rule of the file. */
void cy_machine_penalties(FILE *out, const struct cy_machine *machine);

/* A machine of which nothing is known. */
const struct cy_machine *cy_machine_none(void);

/* Accepts NULL. */
void cy_machine_free(struct cy_machine *machine);

const struct cy_facts *cy_machine_facts(const struct cy_machine *machine);

/* How far a processor is from those that the file was made for: 0 if it is one
   of them, CY_NO_RELATIVE if none is of its vendor. */
#define CY_NO_RELATIVE UINT64_MAX
uint64_t cy_machine_distance(const struct cy_machine *machine,
                             const struct cy_cpu *cpu);

/* Each of the look-ups below is pure.  It returns false, and leaves the result
   alone, if the file does not say. */

/* Cycles from an address to the loaded value, if it is in the first cache. */
bool cy_machine_load(const struct cy_machine *machine,
                     const struct cy_access *load, double *cycles);

bool cy_machine_forward(const struct cy_machine *machine,
                        const struct cy_through *through, struct cy_cost *cost);

/* Cycles from an operand to the result.  `from` is the instruction that made
   the operand; NULL if that was a load, or is unknown. */
bool cy_machine_latency(const struct cy_machine *machine,
                        const struct cy_insn *insn, const struct cy_insn *from,
                        double *cycles);

/* Cycles to the result from the operand that a product is added to, if `from`,
   an instruction of the same kind, made that operand. */
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

/* Cycles from when all before an instruction has retired until it has, too, if
   it begins only then. */
bool cy_machine_retiring(const struct cy_machine *machine,
                         const struct cy_insn *insn, double *cycles);

/* Places that the instruction takes in the dispatch; 0: the file does not
   say. */
double cy_machine_places(const struct cy_machine *machine,
                         const struct cy_insn *insn);

/* Cycles from operands in vector registers if others are general ones, and to
   the high half of a product or a remainder; < 0: as those of
   cy_machine_latency. */
void cy_machine_parts(const struct cy_machine *machine,
                      const struct cy_insn *insn, double *kept, double *high);

/* What figures rest on: those of the whole file; of an instruction's latency,
   and of its rate, or occupancy; of a load.  What the file does not say is
   LLVM's. */
enum cy_basis cy_machine_basis(const struct cy_machine *machine);
enum cy_basis cy_machine_latency_basis(const struct cy_machine *machine,
                                       const struct cy_insn *insn);
enum cy_basis cy_machine_rate_basis(const struct cy_machine *machine,
                                    const struct cy_insn *insn);
enum cy_basis cy_machine_load_basis(const struct cy_machine *machine,
                                    const struct cy_access *load);

/* Does the instruction fuse with a conditional jump after it into one place? */
bool cy_machine_is_fused(const struct cy_machine *machine,
                         const struct cy_insn *insn);

/* Does the instruction, with one register as both operands, give a constant
   without waiting for the register? */
bool cy_machine_is_zero_idiom(const struct cy_machine *machine,
                              const struct cy_insn *insn);

/* What fetching a run of instructions costs, by its lines of code.

   A cache of decoded instructions delivers those of a line in a cycle if they
   take no more than line_places, and those of a run's first line, if they take
   half as many, together with those of the next line.  A line with more places
   is dense, and takes longer, but a cycle less after a line that is not. (Found
   on Zen 5 with loops of 7 to 191 instructions that begin at eight places of a
   line.)

   With line_most instead, each line that has a part of an instruction takes a
   cycle, and each so many places of the run: what one line has too much comes
   with the next.  (Found on Zen 4: a loop of five instructions at two places of
   a line; 13 loops of 9 to 16 places in a line and 1 to 4 in the next, which
   take a sixth of a cycle a place, and 10 to 12 places in one line, which take
   two cycles.)

   With entry_places, too, each line takes a cycle for so many places, where an
   instruction that lies in two lines counts in both, and each entry of the
   cache that has a part of the run's first line takes a cycle.  An entry has
   entry_places places, and room for
   entry_numbers immediates and displacements, of which one of 64 bits counts as
   two; each further two take a place, up to twice as many.  (Found on Zen 3
   with some 400 loops of 2 to 128 instructions with 0 to 128 immediates, in one
   line and across two.) */
#define CY_LINE 64 /* bytes of a line, of code or of data */

/* A run of instructions, up to a taken branch. */
struct cy_lines {
    const struct cy_dispatch *dispatch;
    uint64_t line;
    unsigned places, all;  /* places of the line so far, and of the run */
    unsigned numbers;      /* immediates and displacements beside `places` */
    unsigned insns, bytes; /* of the line so far */
    bool is_decoded;       /* the cache does not have the line */
    double cycles;   /* cycles of the run's lines before, without `decoding` */
    double decoding; /* those of its lines that were decoded, whose places are
                        then not in `all` */
    bool has_line, is_begun, is_after_sparse;
};

/* The places of an instruction that llvm-mca gives some micro-operations.  If
   lines count, as on AMD's processors, a place holds two. */
unsigned cy_lines_places(const struct cy_dispatch *dispatch, unsigned uops);

/* Begins a run, on a processor on which lines count. */
void cy_lines_begin(struct cy_lines *l, const struct cy_dispatch *dispatch);

/* Do lines of code count on this processor? */
bool cy_lines_count(const struct cy_dispatch *dispatch);

/* An instruction of a run. */
struct cy_fetched {
    uint64_t address;
    unsigned size;    /* bytes */
    unsigned places;  /* in the dispatch; 0: it fused with the one before */
    unsigned numbers; /* immediates and displacements */
    bool is_decoded;  /* the cache of decoded instructions does not have it */
    unsigned apart;   /* places that only the dispatch splits off */
};

/* Adds the next instruction of the run. */
void cy_lines_add(struct cy_lines *l, const struct cy_fetched *insn);

/* Ends the run, and returns the cycles that its lines take. */
double cy_lines_end(struct cy_lines *l);

/* Sets the size of a cache of data, 1 to 3, in KiB; the third is the last one.
   -1 with *d set if the file does not say what caches there are, or the size
   cannot be that of such a cache. */
int cy_machine_set_cache(struct cy_machine *machine, unsigned level, double kib,
                         struct diag *d);
