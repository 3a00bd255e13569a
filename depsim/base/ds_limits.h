/*
 * ds_limits: the tool's own memory, under limits that the program has set.
 *
 * A program that limits its memory has counted what it needs itself.  A soft
 * limit is lifted for the moment in which the tool maps something; the program
 * cannot see that.
 *
 * Limits: what the tool has mapped counts, as all that Valgrind maps, when the
 * program maps something itself.  A process without privilege cannot go beyond
 * its hard limits.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_LIMITS_H
#define DS_LIMITS_H

#include "pub_tool_basics.h"

/* Lifts the limits of memory, and puts them back. */
void ds_limits_lift(void);
void ds_limits_restore(void);

#endif
