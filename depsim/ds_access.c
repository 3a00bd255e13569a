/*
 * ds_access: what happens at each load and store, called by translated code.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "ds_access.h"

#include "ds_shadow.h"

Bool ds_access_recording;

void ds_access_load(Addr a, SizeT n, struct ds_site *site, ULong now)
{
    static struct ds_write found[DS_READ_MAX];
    struct ds_write first;
    UInt n_found;

    if (UNLIKELY(!ds_access_recording))
        return;
    n_found = ds_shadow_read(a, n, &first, found);
    if (n_found == 0)
        return;
    ds_deps_count(&site->last, first.writer, site->id, now - first.time);
    for (UInt i = 1; i < n_found; i++)
        ds_deps_count(&site->last, found[i].writer, site->id,
                      now - found[i].time);
}

void ds_access_store(Addr a, SizeT n, UInt site, ULong now)
{
    ds_shadow_write(a, n, site, now);
}
