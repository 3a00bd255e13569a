/*
 * sd_visits: which walks visited a block, and when, in few bytes.
 *
 * A program may have a million blocks, and walks from each caller of a function
 * add to the lists of the function's blocks.  These lists take most of the
 * memory for the walks of a program, so they consist of bytes: the step from
 * one walk's number to the next, which is mostly small, and the times, if they
 * mean anything.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "walk/sd_visits.h"

#include <assert.h>
#include <stdlib.h>

#include "memory.h"

#define MOST_BYTES 12 /* of a visit: 5 for the step, and 3 for each time */

/* The lowest two bits of a step say how many times follow it. */
enum times { NONE, ONE, TWO };

struct sd_visits {
    uint32_t n, last; /* the number of the last walk */
    uint32_t size, room;
    uint8_t bytes[];
};

size_t sd_number_put(uint8_t *bytes, uint64_t number)
{
    size_t n = 0;

    for (; number >= 0x80; number >>= 7)
        bytes[n++] = (uint8_t)(number | 0x80);
    bytes[n++] = (uint8_t)number;
    return n;
}

static void put(struct sd_visits *list, uint64_t number)
{
    list->size += (uint32_t)sd_number_put(list->bytes + list->size, number);
}

static uint64_t get(struct sd_visits_reader *r)
{
    uint64_t number = 0;
    unsigned shift = 0;

    for (; *r->at >= 0x80; shift += 7)
        number |= (uint64_t)(*r->at++ & 0x7f) << shift;
    return number | (uint64_t)*r->at++ << shift;
}

/* Lists grow by a 32nd: if the room doubled, most of it would be empty. */
static struct sd_visits *make_room(struct sd_visits *list)
{
    bool is_new = list == NULL;
    uint64_t room = MOST_BYTES;

    if (!is_new && list->room - list->size >= MOST_BYTES)
        return list;
    if (!is_new)
        room += (uint64_t)list->room + list->room / 32;
    if (room > UINT32_MAX)
        memory_exhausted();
    list = realloc(list, sizeof *list + room);
    if (list == NULL)
        memory_exhausted();
    if (is_new)
        *list = (struct sd_visits){.n = 0};
    list->room = (uint32_t)room;
    return list;
}

void sd_visits_add(struct sd_visits **list, const struct sd_visit *c)
{
    struct sd_visits *l = *list = make_room(*list);
    enum times times = c->first == UINT16_MAX && c->last == UINT16_MAX ? NONE
                       : c->first == c->last                           ? ONE
                                                                       : TWO;

    assert(c->number > l->last && c->first <= c->last);
    put(l, (uint64_t)(c->number - l->last) << 2 | times);
    if (times != NONE)
        put(l, c->first);
    if (times == TWO)
        put(l, c->last - c->first);
    l->last = c->number;
    l->n++;
}

uint32_t sd_visits_n(const struct sd_visits *list)
{
    return list != NULL ? list->n : 0;
}

struct sd_visits_reader sd_visits_read(const struct sd_visits *list)
{
    if (list == NULL)
        return (struct sd_visits_reader){.at = NULL};
    return (struct sd_visits_reader){.at = list->bytes,
                                     .end = list->bytes + list->size};
}

bool sd_visits_next(struct sd_visits_reader *r)
{
    uint64_t step;

    if (r->at == r->end)
        return false;
    step = get(r);
    r->visit.number += (uint32_t)(step >> 2);
    r->visit.first = r->visit.last = UINT16_MAX;
    if ((step & 3) != NONE)
        r->visit.first = r->visit.last = (uint16_t)get(r);
    if ((step & 3) == TWO)
        r->visit.last = (uint16_t)(r->visit.first + get(r));
    return true;
}

bool sd_visits_seek(struct sd_visits_reader *r, uint32_t number)
{
    while (sd_visits_next(r))
        if (r->visit.number >= number)
            return true;
    return false;
}
