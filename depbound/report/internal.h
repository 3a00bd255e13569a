/*
 * internal: what every format says in the same words: cy_of_loop about a loop
 * and its instructions, cy_of_program about the program and what ran in
 * windows, cy_of_misses about misses, and cy_of_runs about what was recorded;
 * and the parts of a report, and its formats.
 *
 * The caller frees each char * that a function returns.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "report/cy_report.h"
#include "report/report.h"

/* --- What limits a loop --- */

enum cy_limit {
    CY_BY_MEMORY,
    CY_BY_REGISTERS,
    CY_BY_UNITS,
    CY_BY_MISPREDICTIONS,
    CY_BY_CACHES,
    CY_BY_UNKNOWN,
    CY_N_LIMITS
};
enum cy_limit cy_report_limit(const struct cy_cost_of_loop *loop);

/* "memory", "registers", "units", "mispredictions", "caches", or
   CY_NOT_KNOWN. */
#define CY_NOT_KNOWN "not known"
const char *cy_limit_name(enum cy_limit limit);

/* Would the loop be faster with its values in registers instead of memory? */
bool cy_report_gains(const struct cy_cost_of_loop *loop);

/* Is the loop limited by a chain, through memory or registers? */
bool cy_report_is_chained(const struct cy_cost_of_loop *loop);

/* The loop's cycles without its limit, if memory or mispredictions limit the
   loop; else NULL. */
const double *cy_report_without(const struct cy_cost_of_loop *loop);

/* The mark before a figure: ">=" if it is a lower bound, "~" if it is that of
   some iterations only, else "". */
const char *cy_report_mark(const struct cy_cost_of_loop *loop);

/* "1.00 cycles an iteration, limited by units", or that they are not known, or
   what the loop waits for. */
char *cy_report_round_text(const struct cy_report *report,
                           const struct cy_cost_of_loop *loop);

/* --- Chains --- */

/* The chain that limits the loop, or would be its next limit.  The chain is
   empty if the loop has no figure. */
const struct cy_chain *cy_report_chain(const struct cy_cost_of_loop *loop);

/* Does a chain lead to a step?  Sets the cycles that the chain waits there. */
bool cy_report_waits(const struct cy_chain *chain, uint32_t step,
                     double *cycles);

const char *cy_wait_name(enum cy_wait wait);
const char *cy_how_name(enum cy_how how);
const char *cy_relation_name(enum cy_relation relation);

/* Is a link a forward, from a store to a load? */
bool cy_report_is_forward(const struct cy_link *link);

/* Does data decide from which store a wait gets its value?  Then no register
   could hold all such values. */
bool cy_report_is_by_data(const struct cy_cost_of_loop *loop,
                          const struct cy_link *link);

/* The number of instructions from the store of a forward to the load. */
uint64_t cy_report_distance(const struct cy_cost_of_loop *loop,
                            const struct cy_forward *forward, uint32_t load);

/* Writes " of the iteration before" if the store of a forward is there. */
void cy_report_rounds(FILE *out, const struct cy_forward *forward);

/* The variable that a loop's forward goes through; NULL if it is not known. */
char *cy_report_variable(const struct cy_report *report,
                         const struct cy_cost_of_loop *loop,
                         const struct cy_forward *forward, uint32_t load);

/* Writes ", through sum", or ", through x of run()" for a local variable, or
   nothing for NULL; and frees the text. */
void cy_report_through(FILE *out, char *variable);

/* --- Names and places --- */

/* The user's name for a loop; or its function's name and aliases; or its
   address. */
char *cy_report_name(const struct cy_report *report,
                     const struct cy_cost_of_loop *loop);

/* Other symbols of a function's code, with a comma between them; NULL if there
   are none. */
char *cy_report_other_names(const struct cy_report *report,
                            const char *function);

/* The path of a loop's file. */
const char *cy_report_object(const struct cy_report *report,
                             const struct cy_cost_of_loop *loop);

/* The source line of an instruction, or its address: "0x10", or
   "OBJECT+0x10" of a library. */
struct cy_line cy_report_place(const struct cy_report *report,
                               const struct cy_cost_of_loop *loop,
                               uint32_t step);

/* Does a source line come before an instruction in a listing?  Only if the line
   or *inlined, the functions inlined there (or NULL), differ from those of the
   step before.  *last, NULL at first, keeps both; the caller frees it. */
bool cy_report_begins_line(const struct cy_report *report,
                           const struct cy_cost_of_loop *loop, uint32_t step,
                           char **last, struct cy_line *line, char **inlined);

/* The text, or NULL if the text is empty. */
const char *cy_known(const char *text);

/* --- Rows --- */

/* Puts a number.  An unknown one is null for programs and "-" for people. */
void cy_put_real(struct report_row *row, struct report_column column,
                 bool is_known, double number);

/* Puts a name or an instruction's text as `code`, and the place of the step. */
void cy_put_code(struct report_row *row, struct report_column column,
                 const struct cy_report *report,
                 const struct cy_cost_of_loop *loop, const char *code,
                 uint32_t step);

/* Puts the source line of an address, for programs. */
void cy_put_line(struct report_row *row, struct report_column column,
                 struct cy_code *code, uint32_t object, uint64_t address);

/* --- Instructions of the windows --- */

/* The place of an instruction in windows: "FILE:LINE", or "OBJECT+0x10". */
struct cy_line cy_windowed_place(const struct cy_windowed *windowed,
                                 uint32_t insn);

/* The text of a recorded instruction, or of its source line; NULL: not
   known. */
const char *cy_windowed_text(const struct cy_windowed *windowed, uint32_t insn);
const char *cy_windowed_source(const struct cy_report *report, uint32_t insn);

/* The variable that a pair goes through; NULL if it is not known. */
char *cy_windowed_variable(const struct cy_report *report,
                           const struct cy_windowed_pair *pair);

/* Are the store and the load of a pair in different functions? */
bool cy_windowed_is_behind_call(const struct cy_report *report,
                                const struct cy_windowed_pair *pair);

/* The share, in percent, of the cycles in the windows. */
double cy_windowed_share(const struct cy_windowed *windowed, double cycles);

/* The name of a cause of cycles, for programs as "causes.loads", and in texts;
   and that of a buffer that was full, for programs as "full.scheduler". */
const char *cy_cause_key(enum cy_cause cause);
const char *cy_cause_text(enum cy_cause cause);
const char *cy_full_key(enum cy_full full);

/* --- The program --- */

/* "3 loops with 90.0 % of 1000 executed instructions; 2 others left out". */
void cy_report_scope(FILE *out, const struct cy_report *report);

/* The user's patterns of objects: "libz*,main". */
char *cy_report_objects(const struct cy_report *report);

/* A sentence that says that the figures are of another processor than this one;
   NULL if they are of this one. */
char *cy_report_strange(const struct cy_report *report);

/* What a reader should know before all else: a sentence for each i below
   CY_N_NOTICES, or NULL if there is nothing to say. */
#define CY_N_NOTICES 5
char *cy_report_notice(const struct cy_report *report, unsigned i);

/* A line that says that the model does not know the program, by what was
   measured; NULL if nothing was, or it does. */
char *cy_report_mismatch(const struct cy_report *report);

/* The share of some cycles in those of the program, in percent. */
double cy_report_part(const struct cy_report *report, double cycles);

/* The share of a loop in the program's cycles, or in the executed instructions
   if these cycles are not known, in percent.  cy_report_share_of writes which
   of the two it is, if anything was executed. */
double cy_report_share(const struct cy_report *report,
                       const struct cy_cost_of_loop *loop);
void cy_report_share_of(FILE *out, const struct cy_report *report);

/* The share of a loop together with the functions that it calls, in percent;
   cy_report_share() leaves them out.  Does any listed loop call something? */
double cy_report_whole_share(const struct cy_report *report,
                             const struct cy_cost_of_loop *loop);
bool cy_report_has_called(const struct cy_report *report);

/* The share of the instructions that are not modelled, in percent. */
double cy_report_unmodelled(const struct cy_total *total);

/* Is this a function of the loader, or one that begins or ends programs?  And
   the sum of all such functions. */
bool cy_report_is_start(const struct cy_total *total);
struct cy_total cy_report_start(const struct cy_report *report);

/* What mispredictions outside the program's start cost, in percent of its
   cycles; from windows. */
double cy_report_missed(const struct cy_report *report);

/* Writes how long some cycles take, " (24.6 ns)" or " (24.6 ns at 3.69 GHz)";
   nothing if the clock is not known. */
void cy_report_time(FILE *out, const struct cy_report *report, double cycles,
                    bool tells_clock);

/* --- Misses (cy_of_misses) --- */

/* Reports misses, for people, the short report only those that cost much; puts
   them, for programs. */
void cy_report_misses(struct report *out, const struct cy_report *report,
                      bool is_short);
void cy_put_misses(struct report_row *row, const struct cy_report *report);

/* Writes what all misses cost, and what they wait for. */
void cy_miss_write_all(FILE *out, const struct cy_report *report);

/* "load", "store" or "code"; the share, in percent, that n executions are of
   all of a miss's instruction. */
const char *cy_missing_name(enum cy_missing kind);
double cy_miss_percent(const struct cy_windowed *windowed,
                       const struct cy_miss *miss, double n);

/* Write, without an end of line: which access misses, how often and why; what
   it gains if none does, and if this one, which may be NULL, does not. */
void cy_miss_write(FILE *out, const struct cy_report *report,
                   const struct cy_miss *miss);
void cy_miss_write_gain(FILE *out, const struct cy_report *report,
                        const struct cy_miss *miss);

/* --- Runs (cy_of_runs) --- */

/* Reports the programs that were recorded, if there are several; to programs,
   also those that were not. */
void cy_report_programs(struct report *out, const struct cy_report *report);

/* Puts, for programs, what was measured; nothing if nothing was. */
void cy_put_measured(struct report_row *row, const struct cy_report *report);

/* --- Formats --- */

void cy_report_text(FILE *out, const struct cy_report *report);
void cy_report_json(FILE *out, const struct cy_report *report);
void cy_report_html(FILE *out, const struct cy_report *report);
void cy_report_sarif(FILE *out, const struct cy_report *report);
void cy_report_remarks(FILE *out, const struct cy_report *report);
void cy_report_callgrind(FILE *out, const struct cy_report *report);

/* --- Tables --- */

/* Report the loops, for people; the program with its functions; the windows;
   and what has changed since the baseline; if there are such. */
void cy_report_loops(struct report *out, const struct cy_report *report);
void cy_report_program(struct report *out, const struct cy_report *report);
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
