/*
 * ds_access: what happens at each load and store, called by translated code.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_ACCESS_H
#define DS_ACCESS_H

#include "pub_tool_basics.h"

#include "ds_sites.h"

/* The instruction at a site has read the n bytes at a, at the time `now`; or
   one has written them and left this entry in shadow memory. */
void ds_access_load(Addr a, SizeT n, struct ds_site *site, ULong now);
void ds_access_store(Addr a, SizeT n, ULong entry);

/* The same for a width that is a power of two up to 32: functions without the
   argument n, of which the compiler knows more.  NULL for other widths. */
typedef void (*ds_access_load_n)(Addr a, struct ds_site *site, ULong now);
typedef void (*ds_access_store_n)(Addr a, ULong entry);

ds_access_load_n ds_access_load_of(SizeT n);
ds_access_store_n ds_access_store_of(SizeT n);

#endif
