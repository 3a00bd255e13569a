/* internal: the parts of a report, and its formats. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "report/cy_of.h"

/* --- Formats --- */

void cy_report_text(FILE *out, const struct cy_report *report);
void cy_report_json(FILE *out, const struct cy_report *report);
void cy_report_html(FILE *out, const struct cy_report *report);
void cy_report_sarif(FILE *out, const struct cy_report *report);
void cy_report_remarks(FILE *out, const struct cy_report *report);
void cy_report_callgrind(FILE *out, const struct cy_report *report);

/* --- Tables --- */

/* Tables for people: the loops; the program with its functions, which programs
   get, too. */
struct report_table cy_table_loops(const struct cy_report *report);
struct report_table cy_table_program(const struct cy_report *report);
struct report_table cy_table_program_data(const struct cy_report *report);

/* Report the windows, and what has changed since the baseline. */
void cy_report_windows(struct report *out, const struct cy_report *report);
void cy_report_changes(struct report *out, const struct cy_report *report);

/* Reports the listed loops' share of the windows' cycles, and the most costly
   instructions of other code. */
void cy_report_others(struct report *out, const struct cy_report *report);

/* Reports what passes between threads, if anything does. */
void cy_report_between(struct report *out, const struct cy_report *report);

/* The share of loops that wait for other threads, in percent of the executed
   instructions; and a sentence on what that leaves out of all figures, which is
   written unless it is too little to name. */
double cy_report_waiting(const struct cy_report *report);
void cy_report_beyond(FILE *out, const struct cy_report *report);

/* --- Links and dependencies --- */

/* Report the chain of a loop; the forwards of all chains, and all that fail. */
void cy_report_links(struct report *out, const struct cy_report *report,
                     const struct cy_cost_of_loop *loop);
void cy_report_forwards(struct report *out, const struct cy_report *report);

/* Puts, for programs, a loop's chain, its forwards that fail, and its
   dependencies. */
void cy_put_links(struct report_row *row, const struct cy_report *report,
                  const struct cy_cost_of_loop *loop);

/* Writes "next iteration", or "2 iterations later". */
void cy_report_later(FILE *out, uint32_t rounds);
/* Writes "failed (partial, observed)  next iteration, distance 5". */
void cy_report_failed(FILE *out, const struct cy_cost_of_loop *loop,
                      const struct cy_link *failed);

/* A loop's dependency through memory: its steps, the iterations between them,
   and the cycles of an iteration that the chain waits for the load; 0 if that
   wait does not limit the loop. */
struct cy_dependency {
    uint32_t store, load, rounds;
    double cycles;
    double support;
    enum cy_how how;
    const struct cy_forward *forward;
};

/* The dependencies of a loop, sorted by load.  The caller frees the list. */
struct cy_dependency *cy_report_dependencies(const struct cy_cost_of_loop *loop,
                                             size_t *n);

/* --- Advice and notes --- */

/* A smaller gain, in percent, is not worth mending. */
#define CY_LEAST_GAIN 1.0

/* Does a loop have an instruction of the windows? */
bool cy_report_has(const struct cy_report *report,
                   const struct cy_cost_of_loop *loop, uint32_t insn);

/* The verdict: what to mend first, what that gains, and what comes next. */
struct cy_verdict {
    char *text;      /* up to four lines; no loops: none; the caller frees */
    size_t n_before; /* bytes of a line before these: the model does not know
                        the program */
    const struct cy_cost_of_loop *loop;  /* the loop of the text, listed or not,
                                            or the costliest one; or NULL */
    const struct cy_windowed_pair *pair; /* the text's pair, if in no such loop;
                                            or NULL */
    bool is_away;                        /* misses come first */
};
struct cy_verdict cy_verdict_of(const struct cy_report *report);

/* Advice to the author of a loop, which the caller frees; NULL if there is
   none. */
char *cy_report_advice(const struct cy_report *report,
                       const struct cy_cost_of_loop *loop);

/* The most costly wait for memory of the chain that limits a loop; NULL if
   there is none. */
const struct cy_link *cy_report_worst(const struct cy_cost_of_loop *loop);

/* Sentences on what the figure of a loop leaves out; NULL if it leaves out
   nothing.  The caller frees the text. */
char *cy_report_unknown(const struct cy_report *report,
                        const struct cy_cost_of_loop *loop);

/* Writes the sentences of cy_report_unknown() and those on guessed latencies of
   the chain, each between `before` and `after`.  `write` makes them safe. */
void cy_report_notes(FILE *out, const struct cy_report *report,
                     const struct cy_cost_of_loop *loop, const char *before,
                     const char *after,
                     void (*write)(FILE *out, const char *text));
