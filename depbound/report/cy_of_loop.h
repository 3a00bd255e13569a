/*
 * cy_of_loop: what all formats say alike of a loop and its instructions.
 *
 * Whoever gets a char * frees it.
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
    CY_BY_UNKNOWN,
    CY_N_LIMITS
};
enum cy_limit cy_report_limit(const struct cy_cost_of_loop *loop);

/* "memory", "registers", "units", "mispredictions", or CY_NOT_KNOWN. */
#define CY_NOT_KNOWN "not known"
const char *cy_limit_name(enum cy_limit limit);

/* Would the loop be faster with values that go through memory in registers? */
bool cy_report_gains(const struct cy_cost_of_loop *loop);

/* Is it a chain that limits the loop, through memory or registers? */
bool cy_report_is_chained(const struct cy_cost_of_loop *loop);

/* Its cycles without what limits it, if that is memory or mispredictions; else
   NULL. */
const double *cy_report_without(const struct cy_cost_of_loop *loop);

/* Does the loop only wait for another thread: it loads, stores nothing, and no
   iteration changes what the next one does? */
bool cy_report_is_spin(const struct cy_cost_of_loop *loop);

/* What stands before a figure that is not the whole: ">=", or "~" if it is that
   of some iterations; else "". */
const char *cy_report_mark(const struct cy_cost_of_loop *loop);

/* "1.00 cycles an iteration, limited by units", or that this is not known. */
char *cy_report_round_text(const struct cy_cost_of_loop *loop);

/* --- Chains --- */

/* The chain that limits the loop, or would limit it next.  It is empty if there
   is no figure that it could be a part of. */
const struct cy_chain *cy_report_chain(const struct cy_cost_of_loop *loop);

/* Whether a chain leads to an instruction, and the cycles that it waits there.
 */
bool cy_report_waits(const struct cy_chain *chain, uint32_t step,
                     double *cycles);

const char *cy_wait_name(enum cy_wait wait);
const char *cy_how_name(enum cy_how how);
const char *cy_relation_name(enum cy_relation relation);

/* Does the link lead from the store to the load? */
bool cy_report_is_forward(const struct cy_link *link);

/* Do data say from which store a wait gets its value?  No register has all such
   values. */
bool cy_report_is_by_data(const struct cy_cost_of_loop *loop,
                          const struct cy_link *link);

/* The number of instructions from the store of a forward to the load, along the
   way. */
uint64_t cy_report_distance(const struct cy_cost_of_loop *loop,
                            const struct cy_forward *forward, uint32_t load);

/* " of the iteration before": that of the store of a forward. */
void cy_report_rounds(FILE *out, const struct cy_forward *forward);

/* The variable through which a forward of a loop goes; NULL: not known. */
char *cy_report_variable(const struct cy_report *report,
                         const struct cy_cost_of_loop *loop,
                         const struct cy_forward *forward, uint32_t load);

/* ", through sum", of a variable; ", through x of run()" of a local one;
   nothing for NULL.  Frees it. */
void cy_report_through(FILE *out, char *variable);

/* --- Names and places --- */

/* What the user called a loop; or its function's name, with the other names
   that the function has; or its address. */
char *cy_report_name(const struct cy_report *report,
                     const struct cy_cost_of_loop *loop);

/* Other symbols of a function's code, with a comma between them; NULL: there
   are none. */
char *cy_report_other_names(const struct cy_report *report,
                            const char *function);

/* The source line of an instruction, or its address. */
struct cy_line cy_report_place(const struct cy_report *report,
                               const struct cy_cost_of_loop *loop,
                               uint32_t step);

/* Does a listing show the source line of an instruction before it, and what was
   inlined to get there, or NULL?  Not if both are those of the step before.
   *last, NULL at first, has them, and the caller frees it. */
bool cy_report_begins_line(const struct cy_report *report,
                           const struct cy_cost_of_loop *loop, uint32_t step,
                           char **last, struct cy_line *line, char **inlined);

/* The text, or NULL if it is empty. */
const char *cy_known(const char *text);

/* --- Rows --- */

/* Puts a number; unless it is known, null for programs, and "-" for people. */
void cy_put_real(struct report_row *row, struct report_column column,
                 bool is_known, double number);

/* Puts a name or the text of an instruction, and where the instruction is. */
void cy_put_code(struct report_row *row, struct report_column column,
                 const struct cy_report *report,
                 const struct cy_cost_of_loop *loop, const char *code,
                 uint32_t step);

/* Puts the source line of an address, for programs. */
void cy_put_line(struct report_row *row, struct report_column column,
                 struct cy_code *code, uint32_t object, uint64_t address);

#endif
