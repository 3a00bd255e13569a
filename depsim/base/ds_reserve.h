/*
 * ds_reserve: a large range of addresses that becomes memory where it is used.
 *
 * It is mapped chunk by chunk, and who uses it need not ask first: the first
 * access to a chunk faults, and whoever catches the fault calls ds_reserve_open
 * (in Valgrind: core/ds_faults).  So what is not used takes neither memory nor
 * addresses: no limit of the program counts it, and mlockall does not fill it.
 *
 * The range is in the middle of user space, where neither Valgrind nor the
 * kernel maps anything, so Valgrind's address space manager need not know.
 *
 * Limits: there is one reserve in a process.  An access of the program's own
 * to its addresses opens a chunk, too.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_RESERVE_H
#define DS_RESERVE_H

#include "pub_tool_basics.h"

/* The size of a chunk, in bytes.  With it, half of the chunks of 257 GiB are
   fewer mappings than the kernel allows (vm.max_map_count). */
#define DS_RESERVE_CHUNK ((SizeT)4 << 20)

/* The start of the range, which is that of a chunk. */
#define DS_RESERVE_START ((Addr)1 << 45)

#define DS_RESERVE_PAGE ((SizeT)4096)

/* By chunk: is it memory?  For the next function. */
extern UChar ds_reserve_opened[];

/* Sets the size in bytes, up to 512 GiB; returns the start.  Call it first. */
void *ds_reserve_init(SizeT size);

/* May an address in the range be used without a fault?  If not, it reads 0. */
static inline Bool ds_reserve_is_open(const void *p)
{
    return ds_reserve_opened[((Addr)p - DS_RESERVE_START) / DS_RESERVE_CHUNK];
}

/* Opens the chunk of an address, zeroed.  False if it is open or not in the
   range.  Out of memory ends the run with a message. */
Bool ds_reserve_open(Addr a);

/* Makes whole pages zero again.  They take no memory afterwards, unless the
   program has locked them. */
void ds_reserve_clear(void *p, SizeT size);

/* Visits each page of these that may not be zero.  O(open pages). */
void ds_reserve_visit(void *p, SizeT size, void (*visit)(void *page));

/* Bytes of these that are in memory.  O(open pages). */
SizeT ds_reserve_resident(void *p, SizeT size);

#endif
