/*
 * cy_lines: what fetching costs, by the lines of the code.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_LINES_H
#define CY_LINES_H

#include "machine/cy_machine.h"

#define CY_LINE 64 /* bytes */

/* A run of instructions, up to a taken branch. */
struct cy_lines {
    const struct cy_dispatch *dispatch;
    uint64_t line;
    unsigned places, all; /* of the line so far, and of the run */
    double cycles;        /* of the lines before */
    bool has_line, is_begun, is_after_sparse;
};

/* The places of an instruction that has some uops by llvm-mca.  A place of
   AMD's processors, whose lines are known, holds two. */
unsigned cy_lines_places(const struct cy_dispatch *dispatch, unsigned uops);

/* Begins a run.  The dispatch has line_places. */
void cy_lines_begin(struct cy_lines *l, const struct cy_dispatch *dispatch);

/* The next instruction begins at an address, and takes some places in the
   dispatch; 0: it fused with the one before. */
void cy_lines_add(struct cy_lines *l, uint64_t address, unsigned places);

/* Ends the run: the cycles that its lines take. */
double cy_lines_end(struct cy_lines *l);

#endif
