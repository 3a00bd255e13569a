/*
 * cy_windowed: what the windows of a deps.db say about a program: its cycles,
 * what they are spent on, and what fixes gain.
 *
 * Each window of a run stands for an equal share of what that run recorded, so
 * a function has the share of all cycles that it has in the windows, as they
 * weigh (cy_window).  Runs without windows are not in it, but they are counted.
 *
 * Limits: as those of cy_simulate.  Instructions whose code cannot be read wait
 * for nothing, and nothing waits for them; they are counted.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_WINDOWED_H
#define CY_WINDOWED_H

#include "loops/cy_loops.h"
#include "core/cy_simulate.h"

/* Cycles of one source line. */
struct cy_windowed_line {
    char *line; /* "FILE:LINE" */
    double cycles, executed;
    double path;   /* cycles of the waits of its instructions that, from the
                      last back to the first, make up all cycles */
    uint32_t insn; /* one of its instructions */
};

/* A pair of store and load, and what the windows would take if the value stayed
   in a register. */
struct cy_windowed_pair {
    uint32_t store, load; /* instructions */
    double cycles;        /* that wait for it, forwarded or failed */
    double failed;        /* of these, failed */
    uint64_t n;           /* passages */
    uint64_t address;     /* that the first passage loaded from */
    size_t fix;  /* the first pair that the same fix removes; itself, if it is
                    that, or none was joined with it */
    double gain; /* cycles of the fix; less than 0: nobody looked */
};

struct cy_windowed {
    struct cy_windows windows;
    const struct cy_data *data;
    struct cy_data objects; /* the files of the windows */
    uint32_t *in_data;      /* what each is in `data`; UINT32_MAX: nothing */
    struct cy_code *code;   /* of these */
    struct cy_code_insn *insns;
    struct cy_mca_insn *mca;
    struct cy_simulated_insn *simulated;
    size_t n_insns, n_unread; /* distinct; without code */
    uint32_t *blocks;         /* of `data`, with each; CY_NO_BLOCK: none */
    const char **names;       /* the function of each; NULL: not known */
    const struct cy_machine *machine;
    const char *function; /* that the user asked for: lines and pairs are of
                             those that are meant; NULL: they are of all */
    struct cy_outcome outcome;
    bool has_interval;
    struct cy_interval interval;    /* of the cycles of an instruction */
    struct cy_windowed_line *lines; /* those that are known, that with most of
                                       the path first */
    size_t n_lines, lines_room;
    struct cy_windowed_pair *pairs; /* the most costly first */
    size_t n_pairs;
    double *passed, *chained; /* by instruction: cycles that it waited for
                                 values from stores, and for other values */
    /* In some of the windows: as they are, and with the fix of that name. */
    struct cy_windowed_fixed {
        double cycles, *own, *called; /* own, called: by instruction */
    } same, mended, free, predicted;
    double wide_gain;      /* cycles, if no forward failed */
    double predicted_gain; /* cycles, if no branch was mispredicted */
    struct cy_near near;
};

/* Reads and simulates the windows of a deps.db: without any, `n_insns` is 0.
   `mca` may be NULL.  `data` knows the functions of some files;
   it must live as long, as must `function`, which may be NULL: see
   there.  What runs in other functions is simulated in any case.  Call
   cy_windowed_fini after a failure, too. */
int cy_windowed_of(struct cy_windowed *w, const char *deps,
                   const struct cy_data *data, const char *function,
                   enum disasm_syntax syntax, struct cy_mca *mca,
                   const struct cy_model *model, struct diag *d);
void cy_windowed_fini(struct cy_windowed *w);

/* What a round of a loop takes in the windows, in cycles, whatever its way. */
struct cy_windowed_round {
    uint64_t n_seen; /* rounds in windows; 0: nothing else is known */
    double rounds;   /* the same, as the windows weigh */
    double own;      /* of its instructions */
    double called;   /* of what they call, but not of themselves again */
    double mended;   /* of both, with CY_FIX_MENDED */
    double released; /* of both, with CY_FIX_FREE */
    double steered;  /* of both, with CY_FIX_PREDICTED */
    bool is_least;   /* calls are so long that some may be in no window, or
                        jumps that are not known leave the loop and come
                        back */
    bool is_unknown; /* what its atomics and fences take is not known */
};

/* Are the cycles known?  Not if atomics and fences whose cost is not known may
   take a good part of them. */
bool cy_windowed_is_known(const struct cy_windowed *w);

/* How many cycles of the whole run these cycles of the windows stand for. */
double cy_windowed_whole(const struct cy_windowed *w, double cycles);

/* Cycles in the windows of the loop's own instructions. */
double cy_windowed_own(const struct cy_windowed *w, const struct cy_loop *loop);

struct cy_windowed_round cy_windowed_loop(const struct cy_windowed *w,
                                          const struct cy_loop *loop);

/* Is the instruction of the function that was asked for? */
bool cy_windowed_is_asked(const struct cy_windowed *w, uint32_t insn);

/* Cycles, in the windows, of the instruction at an address of an object of
   `data`. */
double cy_windowed_at(const struct cy_windowed *w, uint32_t object,
                      uint64_t address);

#endif
