/* oracle_sites: the instructions that were executed, numbered from 1. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "keys.h"
#include "oracle_maps.h"

struct oracle_site {
    struct oracle_place place;
    enum oracle_kind kind;
    uint64_t executions;
};

/* A struct with `maps` alone, which must outlive it, has no sites. */
struct oracle_sites {
    struct oracle_maps *maps;
    struct oracle_site *site; /* that of number 1 is the first */
    size_t n, room;
    struct keys addresses;
    uint32_t *number; /* of an address's site; 0: it was forgotten */
    size_t numbers_room;
};

void oracle_sites_fini(struct oracle_sites *sites);

/* Counts an execution of the instruction at a run-time address.  Returns the
   number of its site, or 0 with *d set. */
uint32_t oracle_sites_execute(struct oracle_sites *sites, uint64_t address,
                              struct diag *d);

/* Forgets the sites of a range that has other code from now on. */
void oracle_sites_forget(struct oracle_sites *sites, uint64_t address,
                         uint64_t n);
