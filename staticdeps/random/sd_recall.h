/*
 * sd_recall: the memory of a walk: what it holds, and which store wrote each
 * byte last.
 *
 * A byte that was never written holds what the file says, or a random number
 * that is a function of its address.  Memory consists of granules of 8 bytes;
 * an access looks up one of them, or two if it straddles.  The table starts
 * small in each walk, so that it stays in the processor's cache.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_RECALL_H
#define SD_RECALL_H

#include <stddef.h>

#include "elf/sd_contents.h"
#include "random/sd_drawn.h"
#include "random/sd_keys.h"

#define SD_NO_STORE 0u /* no store has this number */

struct sd_cell {
    struct sd_drawn value;
    uint32_t stores[8]; /* numbers of the stores that wrote the bytes */
};

struct sd_recall {
    const struct sd_contents *contents; /* NULL: nothing is known */
    struct sd_keys granules;            /* those written: address / 8 */
    struct sd_cell *cells;              /* by number of the granule */
    size_t cells_room;
    uint64_t key; /* of what was never written */
};

void sd_recall_init(struct sd_recall *recall,
                    const struct sd_contents *contents);
void sd_recall_fini(struct sd_recall *recall);

/* Forgets everything, and begins anew with other random contents. */
void sd_recall_clear(struct sd_recall *recall, uint64_t key);

/* The `size` bytes, 1 to 8, at an address, the lowest first, and the store that
   wrote each of them.  If the address `is_drawn`, what the file says counts as
   drawn, too: another address would have other contents. */
struct sd_drawn sd_recall_load(const struct sd_recall *recall, uint64_t address,
                               unsigned size, bool is_drawn,
                               uint32_t stores[8]);
void sd_recall_store(struct sd_recall *recall, uint64_t address, unsigned size,
                     struct sd_drawn value, uint32_t store);

/* Changes the value, but not the stores that wrote it. */
void sd_recall_poke(struct sd_recall *recall, uint64_t address, unsigned size,
                    struct sd_drawn value);

#endif
