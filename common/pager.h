/*
 * pager: shows long output a screen at a time, as git does.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMMON_PAGER_H
#define COMMON_PAGER_H

#include <stdbool.h>

/* If standard output is a terminal, it goes through the command of PAGER from
   now on, or through less, which ends by itself if all fits on a screen. False:
   there is no pager, or PAGER is empty or cat, or the terminal is dumb. */
bool pager_begin(void);

/* Flushes standard output, and waits until the user has seen enough.  False:
   the command of PAGER cannot be run, so nothing was shown. */
bool pager_end(void);

#endif
