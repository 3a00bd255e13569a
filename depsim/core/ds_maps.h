/*
 * ds_maps: which mappings are private, as the kernel lists them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_MAPS_H
#define DS_MAPS_H

#include "pub_tool_basics.h"

/* Calls `visit` with each part of the n bytes at `a` that is mapped privately.
   O(mappings of the process); none if the kernel does not tell. */
void ds_maps_each_private(Addr a, SizeT n, void (*visit)(Addr a, SizeT n));

#endif
