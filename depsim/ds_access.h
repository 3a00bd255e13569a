/*
 * ds_access: what happens at each load and store, called by translated code.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_ACCESS_H
#define DS_ACCESS_H

#include "pub_tool_basics.h"

#include "ds_sites.h"

/* Are dependencies counted?  Stores are followed in any case. */
extern Bool ds_access_recording;

/* The instruction at `site`, at timestamp `now`, has read the n bytes at a. */
void ds_access_load(Addr a, SizeT n, struct ds_site *site, ULong now);

/* The instruction with this site number has written them. */
void ds_access_store(Addr a, SizeT n, UInt site, ULong now);

#endif
