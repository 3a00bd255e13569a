/*
 * ds_sites: the instructions that access memory, each with a small number.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "count/ds_sites.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_mallocfree.h"

#include "base/ds_message.h"
#include "count/ds_shadow.h"

static struct ds_table table;

static struct ds_site **sites; /* by id - 1 */
static SizeT n_sites, n_room;

struct ds_site *ds_sites_obtain(UInt object, Addr address)
{
    struct ds_site *site = ds_table_obtain(
        &table, (struct ds_key){{object, address, 0}}, sizeof *site);

    if (site->reader.id != 0)
        return site;
    if (n_sites == n_room) {
        n_room = n_room == 0 ? 4096 : 2 * n_room;
        sites = VG_(realloc)("ds.sites", sites, n_room * sizeof *sites);
    }
    if (n_sites >= DS_WRITER_MAX)
        ds_message_refuse("instructions: more than %llu access memory",
                          DS_WRITER_MAX);
    sites[n_sites++] = site;
    site->reader.id = (UInt)n_sites;
    tl_assert(site->reader.id <= DS_WRITER_MAX);
    return site;
}

const struct ds_site *ds_sites_get(ULong id)
{
    tl_assert(id >= 1 && id <= n_sites && sites[id - 1]->reader.id == id);
    return sites[id - 1];
}
