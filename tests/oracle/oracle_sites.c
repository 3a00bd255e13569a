/*
 * oracle_sites: an array of sites, and the number of the present one of each
 * run-time address.
 *
 * Code that a program loads, unloads and loads again has two numbers for one
 * place; whoever prints them must add them up.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "oracle_sites.h"

void oracle_sites_fini(struct oracle_sites *sites)
{
    keys_fini(&sites->addresses);
    free(sites->number);
    free(sites->site);
}

uint32_t oracle_sites_execute(struct oracle_sites *sites, uint64_t address,
                              struct diag *d)
{
    struct oracle_site site = {.executions = 1};
    uint32_t at = keys_find(&sites->addresses, address);

    if (at != NO_KEY && sites->number[at] != 0) {
        sites->site[sites->number[at] - 1].executions++;
        return sites->number[at];
    }
    if (oracle_maps_place(sites->maps, address, &site.place, d) != 0)
        return 0;
    site.kind = oracle_cas_kind(site.place.code);
    array_push(sites->site, sites->n, sites->room, site);
    at = keys_add(&sites->addresses, address);
    sites->number = memory_grow(sites->number, &sites->numbers_room, at,
                                sizeof *sites->number);
    return sites->number[at] = (uint32_t)sites->n;
}

void oracle_sites_forget(struct oracle_sites *sites, uint64_t address,
                         uint64_t n)
{
    for (size_t i = 0; i < sites->addresses.n; i++)
        if (sites->addresses.list[i] - address < n)
            sites->number[i] = 0;
}
