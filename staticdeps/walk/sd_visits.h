/*
 * sd_visits: which walks visited a block, and when, in few bytes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_VISITS_H
#define SD_VISITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes a number, seven bits a byte, the lowest first; all bytes but the last
   have their eighth bit set.  Returns how many there are, at most
   SD_NUMBER_BYTES. */
#define SD_NUMBER_BYTES 10
size_t sd_number_put(uint8_t *bytes, uint64_t number);

/* A walk visits a block. */
struct sd_visit {
    uint32_t number;      /* of the walk, or of the block */
    uint16_t first, last; /* blocks walked before the first and the last visit;
                             UINT16_MAX: more, or the order means nothing */
};

/* The visits of a block, which free() frees; NULL: no walk visited it. */
struct sd_visits;

/* Adds a visit of a walk, whose number is at least 1 and above all before.  The
   list may move. */
void sd_visits_add(struct sd_visits **list, const struct sd_visit *visit);

/* The number of visits. */
uint32_t sd_visits_n(const struct sd_visits *list);

/* Reads a list from its start.  sd_visits_next() stores the next visit into
   ->visit, and returns false after the last.  sd_visits_seek() stores the next
   one of a walk with that number or a larger one. */
struct sd_visits_reader {
    const uint8_t *at, *end;
    struct sd_visit visit;
};
struct sd_visits_reader sd_visits_read(const struct sd_visits *list);
bool sd_visits_next(struct sd_visits_reader *reader);
bool sd_visits_seek(struct sd_visits_reader *reader, uint32_t number);

#endif
