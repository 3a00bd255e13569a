/*
 * ds_sites: the instructions that access memory, each with a small number.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "count/ds_sites.h"

#include "base/ds_message.h"
#include "count/ds_shadow.h"

static struct ds_table table, writer_table;

static struct ds_site **sites; /* by id - 1 */
static SizeT n_sites, n_room;

struct ds_writer *ds_sites_writers;
SizeT ds_sites_n_writers;
static SizeT writers_room;

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

static UInt new_writer(struct ds_writer w)
{
    SizeT n = ds_sites_n_writers;

    if (n == writers_room) {
        writers_room = n == 0 ? 4096 : 2 * n;
        ds_sites_writers = VG_(realloc)("ds.writers", ds_sites_writers,
                                        writers_room * sizeof w);
    }
    if (2 * n + 3 > DS_WRITER_MAX)
        ds_message_refuse("instructions: more than %llu stores",
                          DS_WRITER_MAX / 2);
    ds_sites_writers[n] = w;
    ds_sites_n_writers = n + 1;
    return (UInt)(2 * n + 2);
}

UInt ds_sites_writer(const struct ds_site *site, SizeT n, UInt place)
{
    struct {
        struct ds_key key;
        UInt number;
    } * w;

    w = ds_table_obtain(
        &writer_table, (struct ds_key){{site->reader.id, n, place}}, sizeof *w);

    tl_assert(n >= 1 && n >> 32 == 0);
    if (w->number == 0)
        w->number = new_writer((struct ds_writer){site->reader.id, (UInt)n});
    return w->number;
}
