/*
 * ds_memory: memory that lives as long as the run.
 *
 * Zeroed pieces are cut from large mappings and never given back, so a piece
 * costs no header, and its untouched pages cost nothing.  A reserve is a large
 * range of addresses that Valgrind's address space manager does not know of: it
 * lies where Valgrind maps nothing, and takes memory where it is written to.
 * Out of memory ends the run with a message.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_MEMORY_H
#define DS_MEMORY_H

#include "pub_tool_basics.h"

#define DS_MEMORY_PAGE ((SizeT)4096)

/* `size` zeroed bytes, aligned to 16, for the rest of the run. */
void *ds_memory_new(SizeT size);

/* Bytes mapped so far for these. */
SizeT ds_memory_total(void);

/* `size` zeroed bytes of addresses, whole pages. */
void *ds_memory_reserve(SizeT size);

/* Makes whole pages of a reserve zero again, so that they take no memory. */
void ds_memory_clear(void *p, SizeT size);

/* Visits each page of a reserve that may not be zero.  O(pages), some 10^8 a
   second. */
void ds_memory_visit(void *p, SizeT size, void (*visit)(void *page));

#endif
