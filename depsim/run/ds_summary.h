/*
 * ds_summary: the figures of a run, and where its time went.
 *
 * Accesses are not counted one by one: their number is that in the translation
 * of each instruction, times its executions.  An access that a condition or a
 * mask prevents counts as made; those of a segment that a fault ended early do
 * not count.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_SUMMARY_H
#define DS_SUMMARY_H

#include "pub_tool_basics.h"

/* What the process is doing. */
enum ds_phase {
    DS_START_UP, /* of Valgrind, which reads symbols */
    DS_CHECK,    /* of the database */
    DS_CLIENT,
    DS_SPOOL,
    DS_IMPORT,
    DS_PHASES
};

/* Begins a phase, or begins it again; the first is DS_START_UP. */
void ds_summary_phase(enum ds_phase phase);

/* Begins a forked child: instructions and times count from here on. */
void ds_summary_restart(void);

/* Instructions that the process has executed, recorded or not. */
ULong ds_summary_instructions(void);

/* Prints the figures up to now, a line each, in O(tables). */
void ds_summary_print(UInt (*print)(const HChar *format, ...));

/* Prints the loads that alias (ds_alias), which is on. */
void ds_summary_print_aliases(UInt (*print)(const HChar *format, ...));

/* Prints the wall-clock time that each phase has taken. */
void ds_summary_print_times(UInt (*print)(const HChar *format, ...));

#endif
