/*
 * ds_sites: the instructions that access memory, each with a small number.
 *
 * An instruction is known by (object, ELF address), so code that is translated
 * again, or mapped again elsewhere, keeps its sites.
 *
 * Shadow memory knows each store of an instruction by a number of its own, the
 * writer, which determines the width of the store.  A store of more than a
 * granule has two numbers, and leaves the second one where it does not store
 * whole words.  So if the two halves of a word have the same first number, the
 * same store wrote them, not two stores that overlap.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_SITES_H
#define DS_SITES_H

#include "base/ds_valgrind.h"

#include "base/ds_table.h"
#include "count/ds_deps.h"

struct ds_site {
    struct ds_key key;       /* object, ELF virtual address */
    struct ds_reader reader; /* its id is the site's, from 1 */
};

/* The site of an instruction, made if it is new; it stays where it is. */
struct ds_site *ds_sites_obtain(UInt object, Addr address);

/* The site with this number. */
const struct ds_site *ds_sites_get(ULong id);

struct ds_writer {
    UInt site;
    UInt size; /* bytes */
};

/* The first number of the store of n bytes that is number `place` of an
   instruction; the second one is one more. */
UInt ds_sites_writer(const struct ds_site *site, SizeT n, UInt place);

/* Indexed by half of a writer's number, less 1. */
extern struct ds_writer *ds_sites_writers;
extern SizeT ds_sites_n_writers;

/* The store with this number, which is its first or its second one. */
static inline struct ds_writer ds_sites_writer_get(ULong writer)
{
    tl_assert(writer / 2 - 1 < ds_sites_n_writers);
    return ds_sites_writers[writer / 2 - 1];
}

#endif
