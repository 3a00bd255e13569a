/*
 * sd_sections: address -> the section of an image that holds it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "elf/sd_sections.h"

#include <stdlib.h>

#include "memory.h"

static int compare(const void *x, const void *y, void *argument)
{
    const struct sd_image *image = argument;
    const size_t *a = x, *b = y;
    uint64_t first = image->sections[*a].address;
    uint64_t second = image->sections[*b].address;

    if (first != second)
        return first < second ? -1 : 1;
    return *a < *b ? -1 : *a > *b;
}

void sd_sections_init(struct sd_sections *sections,
                      const struct sd_image *image)
{
    size_t n = image->n_sections;

    sections->image = image;
    sections->order = memory_new(n, sizeof *sections->order);
    for (size_t i = 0; i < n; i++)
        sections->order[i] = i;
    if (n > 1)
        qsort_r(sections->order, n, sizeof *sections->order, compare,
                (void *)(uintptr_t)image);
}

void sd_sections_fini(struct sd_sections *sections)
{
    free(sections->order);
    *sections = (struct sd_sections){0};
}

size_t sd_sections_find(const struct sd_sections *sections, uint64_t address)
{
    const struct sd_section *list = sections->image->sections;
    size_t low = 0, high = sections->image->n_sections, number;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (list[sections->order[middle]].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return SD_NO_SECTION;
    number = sections->order[low - 1];
    return address - list[number].address < list[number].size ? number
                                                              : SD_NO_SECTION;
}
