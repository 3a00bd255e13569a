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

/* How a child ran. */
struct cy_paced {
    double quiet; /* share of its time that lay in slices with a quiet end */
    double ghz;   /* cycles of the core in a nanosecond at these ends, by their
                     slices' lengths; 0: not known */
};

/* Paces a child until it ends, but does not reap it.  The caller and the child
   may run on one core only, the same one; a child of real-time priority gets
   one less than the caller.  If the clock may wait no more, the child runs all
   the same. Processes that the child starts are not paced. */
struct cy_paced cy_pace(struct cy_clock *clock, pid_t child);
