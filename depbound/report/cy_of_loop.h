/*
 * cy_of_loop: what all formats say about a loop and its instructions.
 *
 * The caller frees each char * that a function returns.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_OF_LOOP_H
#define CY_OF_LOOP_H

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

#endif
