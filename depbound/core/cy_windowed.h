/*
 * cy_windowed: what the windows of a deps.db say about a program: its cycles,
 * what they are spent on, and what fixes would gain.
 *
 * Each window of a run stands for an equal share of what that run recorded, so
 * a function has the share of all cycles that it has in the weighted windows
 * (cy_window).  Runs without windows are left out, but counted.
 *
 * Limits: as those of cy_simulate.  Instructions whose code cannot be read
 * wait for nothing, and nothing waits for them; their number is known.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "core/cy_simulate.h"
#include "loops/cy_loops.h"
#include "read/cy_read.h"

/* --- Misses of caches (cy_gains) ---

   What it costs that lines and pages are not in the first caches, by
   the instruction that asks for them, and what mending that would gain. */

/* Causes of cycles that are misses: CY_CAUSE_L2 and those after it. */
#define CY_N_MISSING (CY_CAUSE_CODE - CY_CAUSE_L2 + 1)

/* The loads or stores of an instruction, or its code. */
struct cy_miss {
    uint32_t insn;
    enum cy_missing kind;
    double cycles; /* on the critical paths of the windows, for the lines that
                      it asked for, whoever waits for them */
    double by[CY_N_MISSING]; /* the same, by cause */
    double n;                /* executions that do not find the line in the
                                first cache; this and the next are weighted */
    double from[CY_BEYOND];  /* the same, by where it is */
    double n_pages;  /* executions that do not find the page in the first TLB */
    double n_new;    /* those of `n` whose line was never touched before */
    double distance; /* median of the other lines touched since, in executions
                        of `n` without `n_new`; NAN if there are none */
    uint32_t origin; /* the load that most addresses come from, in the window;
                        CY_NO_INSN: none */
    bool is_chased;  /* the address comes from its own earlier execution */
    double cached;   /* cycles saved if its lines were in the first cache; less
                        than 0: not simulated */
    double early;    /* if it asked for them early enough */
};

struct cy_misses {
    struct cy_miss *list; /* the most costly first */
    size_t n, list_room;
};

void cy_misses_of(struct cy_misses *misses, const struct cy_outcome *outcome);
void cy_misses_fini(struct cy_misses *misses);

/* The cause that most of a miss's cycles have. */
enum cy_cause cy_miss_cause(const struct cy_miss *miss);

/* The cycles of the program over the size of the last cache. */
#define CY_SIZES 7
struct cy_curve {
    unsigned level; /* of the cache: 2 or 3; 0: not simulated */
    bool is_flat;   /* only the first and the last size were simulated, which
                       hardly differ */
    struct cy_curve_point {
        double kib, cycles; /* those of all windows */
    } points[CY_SIZES];
};

/* Cycles of one source line. */
struct cy_windowed_line {
    char *line; /* as "FILE:LINE" */
    double cycles, executed;
    double path;   /* cycles of its instructions' waits on the critical paths of
                      the windows */
    uint32_t insn; /* one of its instructions */
    uint32_t object; /* the file of the code, of those in the windows */
};

/* A pair of store and load, and what the windows would take if the value stayed
   in a register. */
struct cy_windowed_pair {
    uint32_t store, load; /* instructions */
    double cycles;        /* cycles that the load waited for the store */
    double failed;        /* the part of `cycles` in failed forwards */
    uint64_t n;           /* transfers from the store to the load */
    uint64_t address;     /* of the first transfer's load */
    size_t fix;  /* number of the first pair that the same fix removes */
    double gain; /* cycles that the fix saves; less than 0: not simulated */
};

struct cy_windowed {
    struct cy_windows windows;
    const struct cy_data *data;
    struct cy_data objects; /* has only the files of the windows */
    uint32_t *in_data;      /* by file: its number in `data`, or UINT32_MAX */
    struct cy_code *code;   /* code of the files in `objects` */
    struct cy_simulated_insn *simulated;
    struct cy_step *steps; /* by recipe */
    char **texts;          /* by instruction: its text, once it was asked for */
    size_t n_insns, n_unread; /* instructions; those with unreadable code */
    uint32_t *blocks;         /* by instruction: its block, or CY_NO_BLOCK */
    uint32_t *by_place; /* the instructions of files of `data`, sorted by file,
                           address and number */
    size_t n_by_place;
    const char **names; /* by instruction: its function, or NULL */
    const struct cy_machine *machine;
    struct cy_outcome outcome;
    double basis[CY_N_BASES]; /* cycles, by what their figures rest on */
    bool has_interval;
    struct cy_interval interval;    /* of the mean cycles of an instruction */
    struct cy_windowed_line *lines; /* known lines, greatest `path` first */
    size_t n_lines, lines_room;
    struct cy_windowed_pair *pairs; /* the most costly first */
    size_t n_pairs;
    double *passed, *chained; /* by instruction: cycles of waits for values from
                                 stores, and for other values */
    /* Cycles of a sample of the windows, by what was fixed for all of them:
       CY_FIX_NONE, CY_FIX_MENDED, CY_FIX_FREE, CY_FIX_PREDICTED; with caches
       CY_FIX_CACHED; and CY_FIX_QUICK and CY_FIX_SLOW, if the core is
       unsteady. */
    struct cy_windowed_fixed {
        double cycles, *own, *called; /* own, called: by instruction; or NULL */
    } fixed[CY_N_FIXES];
    bool has_caches;         /* caches beyond the first are simulated */
    struct cy_misses misses; /* those of the function that was asked for */
    struct cy_curve curve;
    /* Cycles of all windows if the process has the most, or the least, of the
       last cache that the machine file says. */
    double with_most, with_least;
    double wide_gain;      /* cycles saved if no forward failed */
    double predicted_gain; /* cycles saved if no branch were mispredicted */
    double cached_gain;    /* cycles saved if all were in the first caches */
    struct cy_near near;
};

/* Reads and simulates the windows of a deps.db; if it has none, `n_insns` is
   0.  `mca` may be NULL.  `data` knows the functions of some files, and what
   the user asks for: only such lines and pairs are kept, but all is simulated;
   it must live as long as *w.  Call cy_windowed_fini after a failure, too. */
int cy_windowed_of(struct cy_windowed *w, const char *deps,
                   const struct cy_data *data, enum disasm_syntax syntax,
                   struct cy_mca *mca, const struct cy_model *model,
                   struct diag *d);
void cy_windowed_fini(struct cy_windowed *w);

/* Sets the cycles of each program of a deps.db that has windows, if they are
   known: those of its own report, one of which is `reported`. */
int cy_windowed_runs(struct cy_runs *runs, const char *deps,
                     const struct cy_windowed *reported, struct cy_mca *mca,
                     const struct cy_model *model, struct diag *d);

/* What a round of a loop takes in the windows, in cycles, over all paths. */
struct cy_windowed_round {
    uint64_t n_seen;    /* rounds in windows; 0: all else here is 0 */
    double rounds;      /* rounds, times the weights of their windows */
    double own;         /* cycles of the loop's instructions */
    double called;      /* cycles of callees, without recursion into the loop */
    double mended;      /* cycles of loop and callees with CY_FIX_MENDED */
    double released;    /* cycles of loop and callees with CY_FIX_FREE */
    double steered;     /* cycles of loop and callees with CY_FIX_PREDICTED */
    double cached;      /* cycles of loop and callees with CY_FIX_CACHED */
    double quick, slow; /* those with CY_FIX_QUICK and CY_FIX_SLOW */
    bool is_least; /* the cycles are a lower bound: calls are so long that some
                      may be in no window, or lead to code that cannot be read,
                      or jumps with unknown targets leave the loop and come
                      back */
    bool is_unknown; /* the cost of its atomics and fences is not known */
};

/* Do the windows execute so many prefetch instructions that the cycles may be
   too high, since what these bring is not known? */
bool cy_windowed_prefetches(const struct cy_windowed *w);

/* Are the windows' cycles known?  Not if atomics and fences of unknown cost may
   take a good part of them. */
bool cy_windowed_is_known(const struct cy_windowed *w);

/* Scales cycles of the windows to the whole run. */
double cy_windowed_whole(const struct cy_windowed *w, double cycles);

/* Cycles of the loop's own instructions in the windows. */
double cy_windowed_own(const struct cy_windowed *w, const struct cy_loop *loop);

struct cy_windowed_round cy_windowed_loop(const struct cy_windowed *w,
                                          const struct cy_loop *loop);

/* Does the user ask for the instruction's function and object? */
bool cy_windowed_is_asked(const struct cy_windowed *w, uint32_t insn);

/* The *n instructions at an address of an object of `data`: there may be
   several, whose accesses differ. */
const uint32_t *cy_windowed_insns_at(const struct cy_windowed *w,
                                     uint32_t object, uint64_t address,
                                     size_t *n);

/* Cycles, in the windows, of the instruction at an address of an object of
   `data`. */
double cy_windowed_at(const struct cy_windowed *w, uint32_t object,
                      uint64_t address);

/* --- What only the files of depbound/core use --- */

/* Fills by_place, when in_data is known. */
void cy_windowed_sort(struct cy_windowed *w);

/* cy_basis: adds the cycles of an outcome that was concluded to those by what
   their figures rest on. */
void cy_basis_add(double cycles[CY_N_BASES], const struct cy_outcome *outcome,
                  const struct cy_simulated_insn *insns,
                  const struct cy_model *model);

/* cy_gains: fixes are simulated with each window whose number this divides. */
unsigned cy_windowed_every(const struct cy_windowed *w);

/* Finds what fixes gain, what misses cost, and the cycles over the
   size of the last cache. */
void cy_windowed_take_gains(struct cy_windowed *w, struct cy_simulation *s);
