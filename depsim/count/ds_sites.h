/*
 * ds_sites: the instructions that access memory, each with a small number.
 *
 * An instruction is known by (object, ELF address), so code that is translated
 * again, or mapped again elsewhere, keeps its sites.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_SITES_H
#define DS_SITES_H

#include "pub_tool_basics.h"

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

#endif
