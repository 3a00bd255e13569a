/*
 * cy_of_program: what every format says in the same words, of the program and
 * of what ran in windows.
 *
 * Whoever gets a char * frees it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_OF_PROGRAM_H
#define CY_OF_PROGRAM_H

#include "report/cy_report.h"

/* --- Instructions of the windows --- */

/* As above: "FILE:LINE", or "OBJECT+0x10". */
struct cy_line cy_windowed_place(const struct cy_windowed *windowed,
                                 uint32_t insn);

/* Its text, and that of its source line; NULL: not known. */
const char *cy_windowed_text(const struct cy_windowed *windowed, uint32_t insn);
const char *cy_windowed_source(const struct cy_report *report, uint32_t insn);

/* The variable that a pair goes through; NULL: not known. */
char *cy_windowed_variable(const struct cy_report *report,
                           const struct cy_windowed_pair *pair);

/* Does another function load what one stored? */
bool cy_windowed_is_behind_call(const struct cy_report *report,
                                const struct cy_windowed_pair *pair);

/* Percent of the cycles in the windows. */
double cy_windowed_share(const struct cy_windowed *windowed, double cycles);

/* What a cause of cycles is called for programs, as "causes.loads", and in
   texts; and a buffer that was full for programs, as "full.scheduler". */
const char *cy_cause_key(enum cy_cause cause);
const char *cy_cause_text(enum cy_cause cause);
const char *cy_full_key(enum cy_full full);

/* --- The program --- */

/* "3 loops with 90.0 % of 1000 executed instructions; 2 others left out". */
void cy_report_scope(FILE *out, const struct cy_report *report);

/* A sentence that says that the figures are of another processor than this one;
   NULL: they are not. */
char *cy_report_strange(const struct cy_report *report);

/* The share of some cycles of the run in those of the program, in percent. */
double cy_report_part(const struct cy_report *report, double cycles);

/* The share of a loop, in percent, of the cycles of the program, or of the
   executed instructions if these cycles are not known.  cy_report_share_of
   writes which, if anything was executed. */
double cy_report_share(const struct cy_report *report,
                       const struct cy_cost_of_loop *loop);
void cy_report_share_of(FILE *out, const struct cy_report *report);

/* The share of a loop's iterations with what they call, in percent, where that
   of the loop is its own instructions'; do any listed loops call something? */
double cy_report_whole_share(const struct cy_report *report,
                             const struct cy_cost_of_loop *loop);
bool cy_report_has_called(const struct cy_report *report);

/* Instructions that the sums leave out, in percent. */
double cy_report_unmodelled(const struct cy_total *total);

/* The functions of the loader, and those that begin or end programs: is it one,
   and what are all? */
bool cy_report_is_start(const struct cy_total *total);
struct cy_total cy_report_start(const struct cy_report *report);

/* What mispredictions cost elsewhere, in percent of the program, by windows. */
double cy_report_missed(const struct cy_report *report);

/* " (24.6 ns)", or " (24.6 ns at 3.69 GHz)": how long some cycles take; nothing
   if the clock is not known. */
void cy_report_time(FILE *out, const struct cy_report *report, double cycles,
                    bool tells_clock);

#endif
