/*
 * cy_of_program: what every format says in the same words about the program and
 * what ran in windows.
 *
 * The caller frees each char * that a function returns.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_OF_PROGRAM_H
#define CY_OF_PROGRAM_H

#include "report/cy_report.h"

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

#endif
