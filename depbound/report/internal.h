/*
 * internal: the parts of a report, and its formats.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_REPORT_INTERNAL_H
#define CY_REPORT_INTERNAL_H

#include "report/cy_of_loop.h"
#include "report/cy_of_program.h"

/* --- Formats --- */

void cy_report_text(FILE *out, const struct cy_report *report);
void cy_report_json(FILE *out, const struct cy_report *report);
void cy_report_html(FILE *out, const struct cy_report *report);
void cy_report_dot(FILE *out, const struct cy_report *report);
void cy_report_sarif(FILE *out, const struct cy_report *report);
void cy_report_remarks(FILE *out, const struct cy_report *report);
void cy_report_callgrind(FILE *out, const struct cy_report *report);

/* The listing of a loop on the page. */
void cy_html_listing(FILE *out, const struct cy_report *report,
                     const struct cy_cost_of_loop *loop);

/* --- Tables --- */

/* For people: the loops, and the program with its functions; and the latter for
   programs. */
struct report_table cy_table_loops(const struct cy_report *report);
struct report_table cy_table_program(const struct cy_report *report);
struct report_table cy_table_program_data(const struct cy_report *report);

/* What the windows say, and what has changed since the baseline. */
void cy_report_windows(struct report *out, const struct cy_report *report);
void cy_report_changes(struct report *out, const struct cy_report *report);

/* Which share of the windows' cycles the listed loops have, and the most costly
   instructions of other code. */
void cy_report_others(struct report *out, const struct cy_report *report);

/* --- Links and dependencies --- */

/* The chain of a loop; and all forwards of the chains, and those that fail. */
void cy_report_links(struct report *out, const struct cy_report *report,
                     const struct cy_cost_of_loop *loop);
void cy_report_forwards(struct report *out, const struct cy_report *report);

/* Puts the chain of a loop, its forwards that fail, and all of its
   dependencies, for programs. */
void cy_put_links(struct report_row *row, const struct cy_report *report,
                  const struct cy_cost_of_loop *loop);

/* "next iteration", or "2 iterations later". */
void cy_report_later(FILE *out, uint32_t rounds);

/* "failed (partial, observed)  next iteration, distance 5". */
void cy_report_failed(FILE *out, const struct cy_cost_of_loop *loop,
                      const struct cy_link *failed);

/* A dependency through memory of a loop: steps, iterations between them, and
   what the chain waits for it in an iteration, in cycles; 0 if that does not
   limit the loop. */
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

/* --- Advice and notes --- */

/* What gains less is not worth mending, in percent. */
#define CY_LEAST_GAIN 1.0

/* What to mend first, what that gains, and what comes next. */
struct cy_verdict {
    char *text; /* up to three lines, none without a loop; the caller frees */
    const struct cy_cost_of_loop *loop;  /* that it is about, listed or not, or
                                            the costliest one; or NULL */
    const struct cy_windowed_pair *pair; /* in no such loop; or NULL */
};
struct cy_verdict cy_verdict_of(const struct cy_report *report);

/* Advice to the author of a loop; the caller frees.  NULL: there is none. */
char *cy_report_advice(const struct cy_report *report,
                       const struct cy_cost_of_loop *loop);

/* cy_advice_chain: writes advice on a loop that a chain limits, if one explains
   the prediction; false: none does.  cy_advice: writes advice on a jump that
   limits a loop. */
bool cy_advise_chain(FILE *out, const struct cy_report *report,
                     const struct cy_cost_of_loop *loop);
void cy_advise_jump(FILE *out);

/* The wait for memory that costs most, of the chain that limits a loop; NULL:
   there is none. */
const struct cy_link *cy_report_worst(const struct cy_cost_of_loop *loop);

/* Sentences on what the figure of a loop leaves out; NULL: it is whole.  The
   caller frees. */
char *cy_report_unknown(const struct cy_report *report,
                        const struct cy_cost_of_loop *loop);

/* Writes these sentences and which latencies of the chain are guessed, each
   between two texts.  `write` makes them safe. */
void cy_report_notes(FILE *out, const struct cy_report *report,
                     const struct cy_cost_of_loop *loop, const char *before,
                     const char *after,
                     void (*write)(FILE *out, const char *text));

#endif
