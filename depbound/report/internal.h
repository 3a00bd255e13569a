/*
 * internal: what the formats of the report share.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_REPORT_INTERNAL_H
#define CY_REPORT_INTERNAL_H

#include "report/cy_report.h"
#include "report/report.h"

void cy_report_text(FILE *out, const struct cy_report *report);
void cy_report_html(FILE *out, const struct cy_report *report);
/* Writes the listing of a loop on the page. */
void cy_html_listing(FILE *out, const struct cy_report *report,
                     const struct cy_cost_of_loop *loop);
void cy_report_dot(FILE *out, const struct cy_report *report);
void cy_report_sarif(FILE *out, const struct cy_report *report);
void cy_report_remarks(FILE *out, const struct cy_report *report);
void cy_report_callgrind(FILE *out, const struct cy_report *report);

/* The loops, and the program with its functions, for people. */
struct report_table cy_table_loops(const struct cy_report *report);
struct report_table cy_table_program(const struct cy_report *report);
/* The program, with its functions, for programs. */
struct report_table cy_table_program_data(const struct cy_report *report);

/* Writes what the windows say, for people and for programs. */
void cy_report_windows(struct report *out, const struct cy_report *report);
void cy_report_windows_data(struct report *out, const struct cy_report *report);

/* Writes what has changed since the baseline, for people and for programs. */
void cy_report_changes(struct report *out, const struct cy_report *report);
void cy_report_changes_data(struct report *out, const struct cy_report *report);

/* Writes which share of the windows' cycles the listed loops have, and the most
   costly instructions of other code. */
void cy_report_others(struct report *out, const struct cy_report *report);

/* Writes the chain of a loop; all forwards of the chains, and those that fail;
   and everything that programs read. */
void cy_report_links(struct report *out, const struct cy_report *report,
                     const struct cy_cost_of_loop *loop);
void cy_report_forwards(struct report *out, const struct cy_report *report);
void cy_report_data(struct report *out, const struct cy_report *report);

/* Puts where in the source an instruction of a loop is: for people, by its step
   in a round, or for programs, by its address. */
void cy_put_place(struct report_row *row, struct report_column column,
                  const struct cy_report *report,
                  const struct cy_cost_of_loop *loop, uint32_t step);
void cy_put_line(struct report_row *row, struct report_column column,
                 const struct cy_report *report,
                 const struct cy_cost_of_loop *loop, uint64_t address);

/* Puts the chain of a loop, its forwards that fail, and all of its
   dependencies, for programs. */
void cy_put_links(struct report_row *row, const struct cy_report *report,
                  const struct cy_cost_of_loop *loop);

/* "next iteration", or "2 iterations later". */
void cy_report_later(FILE *out, uint32_t rounds);

/* "failed (partial, observed)  next iteration, distance 5". */
void cy_report_forward(FILE *out, const struct cy_cost_of_loop *loop,
                       enum cy_how how, const struct cy_forward *forward,
                       uint32_t rounds, uint32_t load);

/* The variable through which a forward of a loop goes; the caller frees.  NULL:
   not known. */
char *cy_report_variable(const struct cy_report *report,
                         const struct cy_cost_of_loop *loop,
                         const struct cy_forward *forward, uint32_t load);

/* A dependency through memory of a loop: steps, rounds between them, and what
   the chain waits for it in a round, in cycles; 0 if that does not limit the
   loop. */
struct cy_dependency {
    uint32_t store, load, rounds;
    double cycles;
    double support;
    enum cy_how how;
    const struct cy_forward *forward;
};

/* The dependencies of a loop, by load; the caller frees. */
struct cy_dependency *cy_report_dependencies(const struct cy_cost_of_loop *loop,
                                             size_t *n);

/* A loop's name, the place of an instruction, and advice, which may be empty;
   the caller frees. */
char *cy_report_name_text(const struct cy_report *report,
                          const struct cy_cost_of_loop *loop);
char *cy_report_place_text(const struct cy_report *report,
                           const struct cy_cost_of_loop *loop, uint32_t step);
/* What was inlined to get an instruction, if the listings have that; the caller
   frees.  NULL: nothing, or they have not. */
char *cy_report_inlined(const struct cy_report *report,
                        const struct cy_cost_of_loop *loop, uint32_t step);

char *cy_report_advice_text(const struct cy_report *report,
                            const struct cy_cost_of_loop *loop);

/* What to mend first, what that gains, and what comes next: up to three lines,
   none without a loop; and the loop that they are about, listed or not, or else
   the listed one that costs most, NULL without one.  The caller frees. */
char *cy_verdict_text(const struct cy_report *report);
const struct cy_cost_of_loop *cy_verdict_loop(const struct cy_report *report);

/* The pair of a store and a load in no such loop that they are about; NULL:
   they are not. */
const struct cy_windowed_pair *cy_verdict_pair(const struct cy_report *report);

/* The wait for memory that costs most, of the chain that limits a loop; NULL:
   there is none. */
const struct cy_link *cy_report_worst(const struct cy_cost_of_loop *loop);

/* Does another function load what one stored? */
bool cy_report_is_behind_call(const struct cy_report *report,
                              const struct cy_windowed_pair *pair);

/* Does the loop only wait for another thread: it loads, stores nothing, and no
   iteration changes what the next one does? */
bool cy_report_is_spin(const struct cy_cost_of_loop *loop);

/* " of the iteration before": that of the store of a forward. */
void cy_report_rounds(FILE *out, const struct cy_forward *forward);

/* Do data say from which store a wait gets its value?  No register has all such
   values. */
bool cy_report_is_by_data(const struct cy_cost_of_loop *c,
                          const struct cy_link *link);

/* What stands before a figure that is not the whole: ">=", or "~" if it is that
   of some rounds; else "". */
const char *cy_report_mark(const struct cy_cost_of_loop *loop);

/* What limits a loop. */
enum cy_limit {
    CY_BY_MEMORY,
    CY_BY_REGISTERS,
    CY_BY_UNITS,
    CY_BY_MISPREDICTIONS,
    CY_BY_UNKNOWN,
    CY_N_LIMITS
};
enum cy_limit cy_report_limit(const struct cy_cost_of_loop *loop);

/* "memory", "registers", "units", "mispredictions", or CY_NOT_KNOWN. */
#define CY_NOT_KNOWN "not known"
const char *cy_limit_name(enum cy_limit limit);

/* What gains less is not worth mending, in percent. */
#define CY_LEAST_GAIN 1.0

/* Would the loop be faster with values that go through memory in registers? */
bool cy_report_gains(const struct cy_cost_of_loop *loop);

/* Is it a chain that limits the loop, through memory or registers? */
bool cy_report_is_chained(const struct cy_cost_of_loop *loop);

/* Its cycles without what limits it, if that is memory or mispredictions; else
   NULL. */
const double *cy_report_without(const struct cy_cost_of_loop *loop);

/* "1.00 cycles an iteration, limited by units", or that this is not known; the
   caller frees. */
char *cy_report_round_text(const struct cy_cost_of_loop *loop);

/* " (24.6 ns)", or " (24.6 ns at 3.69 GHz)": how long some cycles take; nothing
   if the clock is not known. */
void cy_report_time(FILE *out, const struct cy_report *report, double cycles,
                    bool tells_clock);

/* The chain that limits the loop, or would limit it next.  It is empty if there
   is no figure that it could be a part of. */
const struct cy_chain *cy_report_chain(const struct cy_cost_of_loop *loop);

const char *cy_wait_name(enum cy_wait wait);
const char *cy_how_name(enum cy_how how);
const char *cy_relation_name(enum cy_relation relation);

/* A sentence that says that the figures are of another processor than this one;
   the caller frees.  NULL: they are not. */
char *cy_report_strange(const struct cy_report *report);

/* "3 loops with 90.0 % of 1000 executed instructions; 2 others left out". */
void cy_report_scope(FILE *out, const struct cy_report *report);

/* Does the link lead from the store to the load? */
bool cy_report_is_forward(const struct cy_link *link);

/* The number of instructions from the store of a forward to the load, along the
   way. */
uint64_t cy_report_distance(const struct cy_cost_of_loop *loop,
                            const struct cy_forward *forward, uint32_t load);

/* The share of some cycles of the run in those of the program, in percent. */
double cy_report_part(const struct cy_report *report, double cycles);

/* The share of a loop, in percent, of the cycles of the program, or of the
   executed instructions if these cycles are not known.  cy_report_share_of
   writes which, if anything was executed. */
double cy_report_share(const struct cy_report *report,
                       const struct cy_cost_of_loop *loop);
void cy_report_share_of(FILE *out, const struct cy_report *report);

/* Is it a function of the loader, or one that begins or ends programs?  The
   sum of these. */
bool cy_report_is_start(const struct cy_total *total);
struct cy_total cy_report_start(const struct cy_report *report);

/* What mispredictions cost elsewhere, in percent of the program, by windows. */
double cy_report_missed(const struct cy_report *report);

/* ", through sum", of a variable; ", through x of run()" of a local one. */
void cy_report_through(FILE *out, const char *variable);

/* Do the cycles of a listed loop have those of what it calls? */
bool cy_report_has_called(const struct cy_report *report);

/* The share of a loop's iterations with what they call, in percent, where that
   of the loop is its own instructions'. */
double cy_report_whole_share(const struct cy_report *report,
                             const struct cy_cost_of_loop *loop);

/* Instructions that the sums leave out, in percent. */
double cy_report_unmodelled(const struct cy_total *total);

/* What memory costs, in percent of the program, as "3.0%", or as ">=3.0%" if
   loops leave something out or much is in no loop.  "-": nobody looked at it.
 */
void cy_report_memory_costs(char *text, size_t size,
                            const struct cy_report *report,
                            const struct cy_total *total);

/* What programs call a cause of cycles, and a buffer that was full. */
const char *cy_report_cause_name(enum cy_cause cause);
const char *cy_report_full_name(enum cy_full full);

/* The source line of an instruction, or its address, which the caller frees;
   its text, NULL if its code cannot be read. */
char *cy_report_windowed_place(const struct cy_windowed *windowed,
                               uint32_t insn);
const char *cy_report_windowed_text(const struct cy_windowed *windowed,
                                    uint32_t insn);

/* The text of its source line; NULL: not known. */
const char *cy_report_windowed_source(const struct cy_report *report,
                                      uint32_t insn);

/* The variable that a pair goes through; the caller frees.  NULL: not known. */
char *cy_report_windowed_variable(const struct cy_report *report,
                                  const struct cy_windowed_pair *pair);

/* Percent of the cycles in the windows. */
double cy_report_windowed_share(const struct cy_report *report, double cycles);

/* The user's name of a loop, or its function's, or its address. */
void cy_report_name(FILE *out, const struct cy_report *report,
                    const struct cy_cost_of_loop *loop);

/* For programs: other symbols of a function, with a comma between them. */
void cy_put_other_names(struct report_row *row, const struct cy_report *report,
                        const char *function);

/* A function for people: with its other names, and where it begins if another
   one has its name. */
void cy_put_function(struct report_row *row, struct report_column column,
                     const struct cy_report *report, const char *function);

/* The sentences on what the figure of a loop leaves out; empty if it is whole.
   The caller frees. */
char *cy_report_unknown_text(const struct cy_report *report,
                             const struct cy_cost_of_loop *loop);

/* Notes on what the figures of a loop leave out, and which latencies of its
   chain are guessed, each between two texts.  `write` makes them safe. */
void cy_report_notes(FILE *out, const struct cy_report *report,
                     const struct cy_cost_of_loop *loop, const char *before,
                     const char *after,
                     void (*write)(FILE *out, const char *text));

/* Whether a chain leads to an instruction, and the cycles that it waits there.
 */
bool cy_report_waits(const struct cy_chain *chain, uint32_t step,
                     double *cycles);

/* The source line of an instruction, or its address. */
void cy_report_place(FILE *out, const struct cy_report *report,
                     const struct cy_cost_of_loop *loop, uint32_t step);

#endif
