/*
 * oracle_sites: an array of sites, and a hash table from run-time addresses to
 * numbers.
 *
 * Code that a program loads, unloads and loads again has two numbers for one
 * place; whoever prints them must add them up.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "oracle_sites.h"

struct slot {
    uint64_t address;
    uint32_t site; /* 0: an address that was forgotten */
    uint32_t used; /* 0: an empty slot */
};

struct oracle_sites {
    struct oracle_maps *maps;
    struct oracle_site *site;
    size_t n, capacity;
    struct slot *slot;
    size_t n_slots, n_used;
};

struct oracle_sites *oracle_sites_new(struct oracle_maps *maps)
{
    struct oracle_sites *sites = memory_new(1, sizeof(*sites));

    sites->maps = maps;
    sites->n_slots = 1 << 12;
    sites->slot = memory_new(sites->n_slots, sizeof(*sites->slot));
    return sites;
}

void oracle_sites_free(struct oracle_sites *sites)
{
    if (sites == NULL)
        return;
    free(sites->site);
    free(sites->slot);
    free(sites);
}

static struct slot *find(const struct oracle_sites *sites, uint64_t address)
{
    size_t i = (address * 0x9E3779B97F4A7C15u) >> 20;

    for (;; i++) {
        struct slot *slot = &sites->slot[i % sites->n_slots];

        if (slot->used == 0 || slot->address == address)
            return slot;
    }
}

static void double_slots(struct oracle_sites *sites)
{
    struct slot *old = sites->slot;
    size_t n_old = sites->n_slots;

    sites->n_slots *= 2;
    sites->slot = memory_new(sites->n_slots, sizeof(*sites->slot));
    for (size_t i = 0; i < n_old; i++)
        if (old[i].used != 0)
            *find(sites, old[i].address) = old[i];
    free(old);
}

static uint32_t add(struct oracle_sites *sites, uint64_t address,
                    struct diag *d)
{
    struct oracle_site site = {.executions = 1};
    struct slot *slot;

    if (oracle_maps_place(sites->maps, address, &site.place, d) != 0)
        return 0;
    site.kind = oracle_cas_kind(site.place.code);
    if (2 * (sites->n_used + 1) > sites->n_slots)
        double_slots(sites);
    sites->site = memory_grow(sites->site, &sites->capacity, sites->n,
                              sizeof(*sites->site));
    sites->site[sites->n++] = site;
    slot = find(sites, address);
    if (slot->used == 0)
        sites->n_used++;
    *slot = (struct slot){address, (uint32_t)sites->n, 1};
    return (uint32_t)sites->n;
}

uint32_t oracle_sites_execute(struct oracle_sites *sites, uint64_t address,
                              struct diag *d)
{
    const struct slot *slot = find(sites, address);

    if (slot->site == 0)
        return add(sites, address, d);
    sites->site[slot->site - 1].executions++;
    return slot->site;
}

void oracle_sites_forget(struct oracle_sites *sites, uint64_t address,
                         uint64_t n)
{
    for (size_t i = 0; i < sites->n_slots; i++)
        if (sites->slot[i].address - address < n)
            sites->slot[i].site = 0;
}

const struct oracle_site *oracle_sites_get(const struct oracle_sites *sites,
                                           uint32_t site)
{
    return &sites->site[site - 1];
}

uint32_t oracle_sites_number(const struct oracle_sites *sites)
{
    return (uint32_t)sites->n;
}
