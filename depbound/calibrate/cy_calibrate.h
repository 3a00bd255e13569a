/*
 * cy_calibrate: writes a machine file for the processor it runs on.
 *
 * A case is a loop that is measured: a chain of links of one kind, so that the
 * cycles of a round divided by the links are the kind's latency; or
 * independent instructions, whose cycles are the time that they occupy their
 * unit.  cases.txt has all cases.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "calibrate/cy_clock.h"
#include "machine/cy_machine.h"

/* Measures for about a minute, besides at most `wait` seconds in which other
   work kept the core busy, and writes a machine file to `out`.  `name` is the
   machine's name in the file; NULL: the core's name, if known.  A machine too
   busy to measure is an error, unless `is_forced`: then the file says so.
   *uncertain is a sentence, without its full stop, that names figures which did
   not repeat; the caller frees it.  NULL: none, or no file. */
int cy_calibrate(FILE *out, const char *name, double wait, bool is_forced,
                 char **uncertain, struct diag *d);

/* --- The cases, and what they measure (cy_measure) --- */

enum cy_kind {
    CY_LATENCY,
    CY_OCCUPANCY,
    CY_UNITS, /* how many instructions of a kind begin in a cycle */
    CY_LOAD,
    CY_IDIOM,  /* the instruction is a zero idiom if the round is short */
    CY_ACCESS, /* how long an access occupies the units for it; the case's name
                  is the key in JSON */
    CY_WIDTH,  /* the links are instructions that only the dispatch limits */
    CY_ROUND,  /* a round of some instructions, and the jump back */
    CY_FUSED,  /* an instruction and a jump share a place in the dispatch if the
                  round is shorter than that of the case "dispatch" */
    CY_BESIDE, /* the case NAME_beside: latency of NAME beside other
                  instructions; the case NAME has nothing else in its chain */
    CY_FORWARD, /* the cost of a value's way from a store to a load */
};

/* The chains of a forward case: of moves alone, and with arithmetic between
   load and store.  Cases of other kinds have only CY_COPY. */
enum cy_op { CY_COPY, CY_ADD, CY_MUL, CY_N_OPS };

struct cy_case {
    const char *name;
    enum cy_kind kind;
    const char *class; /* class of registers of a forward case; else NULL */
    const char *keys;  /* keys of the figure in JSON, or mnemonics; of a forward
                          case, how it differs from the class's first case */
    const char *flag;  /* flag of /proc/cpuinfo that it needs; NULL: none */
    double links;      /* links of the chain in a round */
    bool is_whole;     /* the figure is rounded: the loop often takes less */
    const char
        *minus[CY_N_OPS];     /* a case whose latency each link includes, too */
    cy_loop *loops[CY_N_OPS]; /* NULL: there is no such chain */
};

extern const struct cy_case cy_cases[];
extern const size_t cy_n_cases;

/* Index of the first case of this name; cy_n_cases: there is none.  Only cases
   to which no name refers share a name with others. */
size_t cy_case_named(const char *name);

/* Does the processor have the flag that the case needs? */
bool cy_case_runs(const struct cy_case *c, const struct cy_cpu *cpu);

/* The most passes of a loop.  Each loop is measured in several passes, as far
   apart in time as possible, and the figure is their median.  Loops whose
   passes disagree get more passes, and a figure in whole or half cycles, since
   some processors have several speeds for the same code.  A loop without any
   speed that repeats, or that never ran undisturbed, is not steady. */
#define CY_PASSES 32

struct cy_result {
    double cycles;      /* cycles of a round; NAN: could not be measured */
    double least, most; /* passes are between, but for some odd ones */
    bool steady;
    unsigned n_passes;
    double passes[CY_PASSES];
};

struct cy_results {
    struct cy_result (*cases)[CY_N_OPS]; /* results, in cy_cases order */
    struct cy_window window;             /* sizes of buffers; 0: unclear */
    struct cy_memory memory;             /* caches; no misses: unclear */
    double undisturbed;                  /* share of all samples */
};

/* Results without figures yet, which the caller frees with cy_results_free. */
struct cy_results *cy_results_new(void);

/* Accepts NULL. */
void cy_results_free(struct cy_results *results);

/* Measures all that the processor can run, in at most 80 seconds besides what
   the clock waits. */
void cy_measure(struct cy_results *results, const struct cy_cpu *cpu,
                struct cy_clock *clock);

/* Cycles of a link of case i's chain, without the latency of its `minus`; NAN:
   there is no such chain, or it or `minus` could not be measured. */
double cy_result_of(const struct cy_results *results, size_t i, enum cy_op op);

/* Cycles of a link of the case of this name (CY_COPY); NAN if there is none. */
double cy_result_named(const struct cy_results *results, const char *name);

/* For tests: sets all but the passes from the passes so far. */
void cy_result_settle(struct cy_result *result, enum cy_kind kind);

/* For tests: the index of the last round before the clearest jump in the times
   of n rounds, each with more work than the one before; SIZE_MAX: no jump is
   clear.  A time of NAN could not be measured. */
size_t cy_jump(const double *rounds, size_t n);

/* For tests: writes the machine file of given results, like cy_calibrate. */
int cy_calibrate_write(FILE *out, const char *name, const struct cy_cpu *cpu,
                       const struct cy_results *results, bool is_forced,
                       char **uncertain, struct diag *d);

/* --- cy_derive: rules for values through memory, from measured chains --- */

/* A class of registers has a plain case, and cases that each differ from it in
   one respect.  A case that costs what the plain one does needs no rule.  The
   other cases' rules come slowest first, and the plain one last, so that an
   access that differs in several respects costs what the slowest of them does.
   Instructions that both load and store a cell have rules of their own, which
   come first. */

/* Rounds a figure to what repeats: to a whole number if one is within 1.5 %; or
   below 4 to halves, thirds, quarters, fifths, sixths or eighths within 2.5 %,
   as units that share work have them.  Else below 0.1 to twentieths, below 1 to
   hundredths, from there on to tenths, from 4 on to quarters, from 10 on to
   halves, from 40 on to whole cycles. */
double cy_rounded(double cycles);

/* Rounds what repeats less well to whole cycles, or below `below` to halves.
   Many such figures are halfway between two whole numbers, as means of two
   speeds: they are rounded down. */
double cy_halved(double cycles, double below);

/* Writes a member of an object of JSON that has others before. */
void cy_write_number(FILE *out, const char *key, double number);

/* The cost of a forward case, in cycles; NAN: it has no such chain. */
struct cy_derived {
    size_t index;                 /* index of the case in cy_cases */
    double copy;                  /* cost in chains of moves alone */
    double copy_least, copy_most; /* the same by the passes' range */
    double other;                 /* cost in chains with arithmetic */
    double at_least;
    bool is_direct; /* the rule is only of addresses of a base or the stack and
                       a displacement */
};

/* Writes the rules of a class to `rules`, in their order, at most cy_n_cases,
   and returns their number.  *agree becomes false if a case that rules cannot
   tell from the plain one has another cost. */
size_t cy_derive(const struct cy_results *results, const char *class,
                 struct cy_derived *rules, bool *agree);

/* Writes a case's rule as JSON, or two rules with a comma between if chains of
   moves alone have another cost. */
void cy_derived_write(FILE *out, const struct cy_derived *rule);

/* --- How instructions get to the dispatch, and branches --- */

/* Rounds that take fewer cycles than this fuse an instruction and the jump
   after it into one place. */
double cy_fused_below(const struct cy_results *results);

/* Writes the key `dispatch`, and those of how branches are predicted and units
   dealt, as members of an object of JSON that has others before. */
void cy_dispatch_write(FILE *out, const struct cy_results *results);

/* --- Caches and TLBs (cy_levels) ---

   A chase is a chain of loads, each of the address of the next: a random
   permutation of lines, so that no prefetcher helps.  Its cycles tell which
   level has a set of lines of that size.

   Limits: sizes and ways of the caches are what the processor says of them, but
   for the last one, which other processes and other virtual machines use, too:
   of that, chases tell what this process had, which differs from time to time.
 */

enum cy_walk {
    CY_CHASE,  /* of lines, at random */
    CY_STRIDE, /* of lines, one after the other */
    CY_SPREAD, /* lines at random, none of which waits for another */
    CY_PAGES,  /* of pages of 4 KiB, at random, a line of each */
    CY_AGED,   /* of lines, at random, the next time that they are touched */
    CY_CODE,   /* of lines of code, at random, by jumps */
};

/* Cycles that each step of a walk through so many bytes takes; NAN: it could
   not be measured.  Lines of CY_AGED were touched `age` cycles before, or as
   many as it takes to touch them all. */
typedef double cy_walking(void *context, enum cy_walk walk, size_t bytes,
                          double age);

/* Completes `memory`, which has the sizes and ways of all caches.  False if the
   levels cannot be told apart. */
bool cy_levels_find(struct cy_memory *memory, cy_walking *walking,
                    void *context);

/* Writes the key of a machine file, after another one; nothing without
   `misses`. */
void cy_levels_write(FILE *out, const struct cy_memory *memory);

/* Finds the levels of this processor, in at most about 15 seconds besides what
   the clock waits.  `misses` is 0 if that failed. */
void cy_levels_measure(struct cy_memory *memory, struct cy_clock *clock);
