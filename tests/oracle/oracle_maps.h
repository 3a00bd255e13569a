/* oracle_maps: which file lies where in the traced process, and what ELF
   virtual address a run-time address is. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdint.h>

#include "basics.h"
#include "oracle_cas.h"

struct oracle_maps;

struct oracle_maps *oracle_maps_new(void);
void oracle_maps_free(struct oracle_maps *maps);

/* Adds the mappings at the start of the process: the first list of segments in
   the text that `valgrind -d` prints.  -1 if there is none. */
int oracle_maps_read(struct oracle_maps *maps, const char *file,
                     struct diag *d);

/* Maps the n bytes at `address` to the file from `offset` on; NULL: to none. */
void oracle_maps_add(struct oracle_maps *maps, uint64_t address, uint64_t n,
                     const char *path, uint64_t offset);

/* A place in a file: the path without symbolic links, the ELF virtual address,
   and the code there.  Outside all files: "-", the run-time address, and zeros.
   The path lives as long as the maps. */
struct oracle_place {
    const char *object;
    uint64_t address;
    unsigned char code[ORACLE_CODE];
};

int oracle_maps_place(struct oracle_maps *maps, uint64_t address,
                      struct oracle_place *place, struct diag *d);
