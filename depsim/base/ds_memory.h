/*
 * ds_memory: memory that lives as long as the run.
 *
 * Zeroed pieces are cut from large mappings and never freed, so a piece needs
 * no header, and its untouched pages take no memory.  Out of memory ends the
 * run with a message.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_MEMORY_H
#define DS_MEMORY_H

#include "pub_tool_basics.h"

/* `size` zeroed bytes, aligned to 16, for the rest of the run. */
void *ds_memory_new(SizeT size);

/* The bytes mapped so far for all pieces. */
SizeT ds_memory_total(void);

#endif
