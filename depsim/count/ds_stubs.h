/*
 * ds_stubs: functions that know who calls them.
 *
 * Translated code calls the slow path of a load rarely, but it sets up the
 * arguments each time.  So there are many functions, and the one that is called
 * says which load it is: only the address is left as an argument.  Each is two
 * instructions, which add its number and jump to a function of two arguments.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_STUBS_H
#define DS_STUBS_H

#include "pub_tool_basics.h"

#define DS_STUBS 65536 /* so many, of 10 bytes each */

/* The function with this number, less than DS_STUBS.  It calls
   ds_access_missed_by(a, number). */
typedef void (*ds_stub)(Addr a);
ds_stub ds_stubs_get(UInt number);

#endif
