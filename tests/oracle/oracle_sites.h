/* oracle_sites: the instructions that were executed, numbered from 1. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "oracle_maps.h"

struct oracle_site {
    struct oracle_place place;
    enum oracle_kind kind;
    uint64_t executions;
};

struct oracle_sites;

/* Sites are looked up in `maps`, which must outlive the result. */
struct oracle_sites *oracle_sites_new(struct oracle_maps *maps);
void oracle_sites_free(struct oracle_sites *sites);

/* Counts an execution of the instruction at a run-time address.  Returns the
   number of its site, or 0 with *d set. */
uint32_t oracle_sites_execute(struct oracle_sites *sites, uint64_t address,
                              struct diag *d);

/* Forgets the sites of a range that has other code from now on. */
void oracle_sites_forget(struct oracle_sites *sites, uint64_t address,
                         uint64_t n);

/* The site with a number; valid until the next instruction is executed. */
const struct oracle_site *oracle_sites_get(const struct oracle_sites *sites,
                                           uint32_t site);

/* The number of the last site; that of the first is 1. */
uint32_t oracle_sites_number(const struct oracle_sites *sites);
