/*
 * sd_tables: tables of functions in a program's data.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "flow/sd_tables.h"

#include <stdlib.h>

void sd_tables_fini(struct sd_tables *t)
{
    free(t->list);
    *t = (struct sd_tables){.list = NULL};
}

size_t sd_tables_at(const struct sd_tables *t, int64_t offset, size_t *first)
{
    size_t low = 0, high = t->n, end;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (t->list[middle].offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    *first = end = low;
    while (end < t->n && t->list[end].offset == offset)
        end++;
    return end - low;
}
