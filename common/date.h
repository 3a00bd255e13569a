/*
 * date: when a document was made.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMMON_DATE_H
#define COMMON_DATE_H

/* The time in UTC, such as "2026-11-26 19:55 UTC", which the caller frees.  If
   SOURCE_DATE_EPOCH is set, it is that number of seconds since 1970, so that a
   document can be made again byte for byte; NULL if that is no date. */
char *date_text(void);

#endif
