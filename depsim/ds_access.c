/*
 * ds_access: what happens at each load and store, called by translated code.
 *
 * The functions for one width do the usual thing themselves, without a call or
 * a branch that a loop would mispredict: the bytes have one writer, and its
 * record is at hand.  Everything else goes the general way.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "ds_access.h"

#include "ds_shadow.h"

void ds_access_load(Addr a, SizeT n, struct ds_site *site, ULong now)
{
    static struct ds_write found[DS_READ_MAX];
    UInt n_found = ds_shadow_read_any(a, n, now, found);

    for (UInt i = 0; i < n_found; i++) {
        UInt writer = found[i].writer;
        struct ds_dep *dep = ds_deps_at_hand(&site->reader, writer);

        if (dep == NULL)
            dep = ds_deps_obtain(&site->reader, writer);
        ds_deps_count(dep, found[i].distance);
    }
}

void ds_access_store(Addr a, SizeT n, ULong entry)
{
    ds_shadow_write_any(a, n, entry);
}

static inline __attribute__((always_inline)) void
load(Addr a, SizeT n, struct ds_site *site, ULong now)
{
    ULong entry;

    if (LIKELY(ds_shadow_read(a, n, &entry))) {
        struct ds_dep *dep;

        if (entry == 0)
            return;
        dep = ds_deps_at_hand(&site->reader, ds_shadow_writer(entry));
        if (LIKELY(dep != NULL)) {
            ds_deps_count(dep, now - ds_shadow_time(entry));
            return;
        }
    }
    ds_access_load(a, n, site, now);
}

#define WIDTH(n)                                                  \
    static void load_##n(Addr a, struct ds_site *site, ULong now) \
    {                                                             \
        load(a, n, site, now);                                    \
    }                                                             \
    static void store_##n(Addr a, ULong entry)                    \
    {                                                             \
        ds_shadow_write(a, n, entry);                             \
    }
WIDTH(1)
WIDTH(2)
WIDTH(4)
WIDTH(8)
WIDTH(16)
WIDTH(32)

static const struct {
    SizeT n;
    ds_access_load_n load;
    ds_access_store_n store;
} widths[] = {{1, load_1, store_1},    {2, load_2, store_2},
              {4, load_4, store_4},    {8, load_8, store_8},
              {16, load_16, store_16}, {32, load_32, store_32},
              {0, NULL, NULL}};

static UInt width(SizeT n)
{
    UInt i = 0;

    while (widths[i].n != n && widths[i].n != 0)
        i++;
    return i;
}

ds_access_load_n ds_access_load_of(SizeT n)
{
    return widths[width(n)].load;
}

ds_access_store_n ds_access_store_of(SizeT n)
{
    return widths[width(n)].store;
}
