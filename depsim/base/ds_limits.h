/*
 * ds_limits: the tool's own memory, under limits that the program has set.
 *
 * A program that limits its memory leaves room for its own needs, not for the
 * tool's.  So a soft limit is lifted while the tool maps memory; the program
 * cannot see that.
 *
 * Limits: memory that the tool and Valgrind have mapped counts against the
 * limit when the program itself maps memory.  A process without privilege
 * cannot go beyond its hard limits.
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
