/*
 * ds_filter: which objects take part: --objects.
 *
 * A pattern with a slash is compared with an object's whole path, one without
 * with the part after the last slash.  `main` is the program's executable,
 * whatever its name.
 *
 * In an object that takes no part, loads are ignored, and stores leave bytes
 * without a writer, so earlier writers are not seen.  This is decided when code
 * is translated, and costs nothing later.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_FILTER_H
#define DS_FILTER_H

#include "pub_tool_basics.h"

/* Finds the object that is `main`.  Call it when the program's first thread is
   about to execute its first instruction; later calls do nothing. */
void ds_filter_start(ThreadId tid);

/* The path of the object that is `main`; "" if it is unknown. */
const HChar *ds_filter_program(void);

/* Does an object take part?  O(patterns) at the first call for each. */
Bool ds_filter_admits(UInt object);

/* Writes a line for each pattern that no object matched. */
void ds_filter_complain(void);

#endif
