/*
 * cy_pace: lets a process run only while nothing else uses its core.
 *
 * A process that a busy sibling thread slows takes up to twice its time.  So
 * the process is stopped while the clock sees that, and continued when the core
 * is quiet, in slices of a millisecond.  What the caches of the core held
 * is partly lost meanwhile, and a slice may be disturbed in its midst.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include <sys/types.h>

#include "calibrate/cy_clock.h"

/* Paces a child until it ends, but does not reap it; returns the share of its
   time that lay in slices with a quiet end.  The caller and the child may run
   on one core only, the same one; a child of real-time priority gets one less
   than the caller.  If the clock may wait no more, the child runs all the same.
   Processes that the child starts are not paced. */
double cy_pace(struct cy_clock *clock, pid_t child);
