/*
 * sd_extents: which bytes of an image belong to a function whose size is known.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "elf/sd_extents.h"

#include <assert.h>
#include <stdlib.h>

#include "array.h"

/* Adds the `size` bytes from an address on, unless they are none or wrap
   around. */
static void add(struct sd_extents *e, uint64_t start, uint64_t size)
{
    uint64_t end;

    if (size > 0 && !__builtin_add_overflow(start, size, &end))
        e->list[e->n++] = (struct sd_range){start, end};
}

/* Sorts the list, and makes one of those that overlap or touch. */
static void join(struct sd_extents *e)
{
    size_t kept = 0;

    array_sort(e->list, e->n, array_by_number);
    for (size_t i = 0; i < e->n; i++) {
        struct sd_range *last = kept > 0 ? &e->list[kept - 1] : NULL;

        if (last == NULL || e->list[i].start > last->end)
            e->list[kept++] = e->list[i];
        else if (e->list[i].end > last->end)
            last->end = e->list[i].end;
    }
    e->n = kept;
}

void sd_extents_init(struct sd_extents *e, const struct sd_image *image)
{
    *e = (struct sd_extents){
        .list = memory_new(image->n_symbols + image->n_frames + 1,
                           sizeof *e->list)};
    for (size_t i = 0; i < image->n_symbols; i++)
        if (image->symbols[i].is_function)
            add(e, image->symbols[i].address, image->symbols[i].size);
    for (size_t i = 0; i < image->n_frames; i++)
        add(e, image->frames[i].start,
            image->frames[i].end - image->frames[i].start);
    join(e);
}

void sd_extents_fini(struct sd_extents *e)
{
    free(e->list);
    *e = (struct sd_extents){.list = NULL};
}

bool sd_extents_hold(const struct sd_extents *e, uint64_t address)
{
    size_t end = array_bisect(0, e->n, i, e->list[i].start <= address);

    assert(end <= e->n);
    return end > 0 && address < e->list[end - 1].end;
}
