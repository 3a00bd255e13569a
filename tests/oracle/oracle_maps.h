/*
 * oracle_maps: which file lies where in the traced process, and what ELF
 * virtual address a run-time address is.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ORACLE_MAPS_H
#define ORACLE_MAPS_H

#include <stdint.h>

#include "diag.h"
#include "oracle_cas.h"

struct oracle_maps;

struct oracle_maps *oracle_maps_new(void);
void oracle_maps_free(struct oracle_maps *maps);

/* Adds what the process found at its start: the first list of segments in the
   text that `valgrind -d` prints.  -1 if there is none. */
int oracle_maps_read(struct oracle_maps *maps, const char *file,
                     struct diag *d);

/* From now on, the n bytes at `address` are those of the file from `offset`;
   with NULL, of none. */
void oracle_maps_add(struct oracle_maps *maps, uint64_t address, uint64_t n,
                     const char *path, uint64_t offset);

/* The file, with no symbolic links in its path, the ELF virtual address, and
   the code there.  Outside all files: "-", the run-time address, and zeros.
   The path lives as long as the maps. */
struct oracle_place {
    const char *object;
    uint64_t address;
    unsigned char code[ORACLE_CODE];
};

int oracle_maps_place(struct oracle_maps *maps, uint64_t address,
                      struct oracle_place *place, struct diag *d);

#endif
