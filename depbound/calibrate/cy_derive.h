/*
 * cy_derive: rules for what goes through memory, from measured chains.
 *
 * A class of registers has a plain case, and cases that each differ from it in
 * one respect.  A case that costs what the plain one does needs no rule.  The
 * others come slowest first, and the plain one last, so that an access that
 * differs in several respects costs what the slowest of these does.
 * Instructions that both load and store a cell have rules of their own before
 * these.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CYCLES_CY_DERIVE_H
#define CYCLES_CY_DERIVE_H

#include <stdio.h>

#include "calibrate/cy_measure.h"

/* Rounds a figure to what repeats: to a whole number if one is within 1.5 %; or
   below 4 to halves, thirds, quarters, fifths or sixths within 2.5 %, as units
   that share the work have them.  Else to hundredths, tenths from 1 on,
   quarters from 4 on, halves from 10 on, and whole cycles from 40 on. */
double cy_rounded(double cycles);

/* What a case costs; NAN: there is no such chain. */
struct cy_derived {
    size_t index; /* of the case */
    double copy;  /* of moves alone */
    double other; /* with arithmetic */
    double at_least;
};

/* The rules of a class in their order, at most as many as there are cases.
   Returns how many.  *agree becomes false if a case that rules cannot tell from
   the plain one costs something else. */
size_t cy_derive(const struct cy_results *results, const char *class,
                 struct cy_derived *rules, bool *agree);

/* Writes a case's rule as JSON, or two rules, with a comma between, if moves
   alone cost something else. */
void cy_derived_write(FILE *out, const struct cy_derived *rule);

#endif
