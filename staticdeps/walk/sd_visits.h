/*
 * sd_visits: which walks came to a block, and when, in few bytes.
 *
 * A program has a million blocks, and each call of a function that many call
 * adds its walks to the lists of all of its blocks: these lists are most of
 * what the walks of a program leave.  So a list is bytes: the step from one
 * walk's number to the next, which is mostly small, and the times, if they mean
 * anything.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_VISITS_H
#define SD_VISITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A walk comes to a block. */
struct sd_visit {
    uint32_t number;      /* of the walk, or of the block */
    uint16_t first, last; /* blocks walked before it did, for the first and the
                             last time; UINT16_MAX: or more, or the order means
                             nothing */
};

/* Of a block; NULL: no walk came to it. */
struct sd_visits;

/* Accepts NULL. */
void sd_visits_free(struct sd_visits *list);

/* Adds one of a walk whose number is above all before, from 1 on.  The list may
   move. */
void sd_visits_add(struct sd_visits **list, const struct sd_visit *visit);

/* How many there are. */
uint32_t sd_visits_n(const struct sd_visits *list);

/* Reads a list from its start: sd_visits_next() stores the next one into
   ->visit, and returns false after the last; sd_visits_seek() the next one
   of a walk with that number or a larger one, without a look at most of those
   in between. */
struct sd_visits_reader {
    const struct sd_visits *list;
    const uint8_t *at, *end;
    struct sd_visit visit;
    uint32_t mark; /* the next one */
};
struct sd_visits_reader sd_visits_read(const struct sd_visits *list);
bool sd_visits_next(struct sd_visits_reader *reader);
bool sd_visits_seek(struct sd_visits_reader *reader, uint32_t number);

#endif
