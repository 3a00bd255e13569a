/*
 * sd_lookup: address -> the section that holds it, and the innermost function
 * around it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "elf/sd_lookup.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

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
    assert(list[number].address <= address);
    return address - list[number].address < list[number].size ? number
                                                              : SD_NO_SECTION;
}

static uint64_t end_of(const struct sd_image *image, size_t number)
{
    const struct sd_symbol *s = &image->symbols[number];
    const struct sd_section *section = &image->sections[s->section];
    uint64_t end;

    if (s->size > 0)
        return __builtin_add_overflow(s->address, s->size, &end) ? UINT64_MAX
                                                                 : end;
    end = section->address + section->size;
    for (size_t i = number + 1; i < image->n_symbols; i++)
        if (image->symbols[i].is_function &&
            image->symbols[i].address > s->address)
            return image->symbols[i].address < end ? image->symbols[i].address
                                                   : end;
    return end;
}

void sd_functions_init(struct sd_functions *functions,
                       const struct sd_image *image)
{
    uint64_t reach = 0;

    functions->list = memory_new(image->n_symbols, sizeof *functions->list);
    functions->n = 0;
    for (size_t i = 0; i < image->n_symbols; i++) {
        const struct sd_symbol *s = &image->symbols[i];
        uint64_t end;

        assert(i == 0 || s[-1].address <= s->address);
        if (!s->is_function)
            continue;
        end = end_of(image, i);
        assert(end >= s->address);
        reach = end > reach ? end : reach;
        functions->list[functions->n++] =
            (struct sd_function){s->name, s->address, end, reach};
    }
}

void sd_functions_fini(struct sd_functions *functions)
{
    free(functions->list);
    *functions = (struct sd_functions){0};
}

/* How many functions start at or before the address. */
static size_t starting_before(const struct sd_functions *functions,
                              uint64_t address)
{
    size_t low = 0, high = functions->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (functions->list[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const char *sd_functions_find(const struct sd_functions *functions,
                              uint64_t address)
{
    const struct sd_function *best = NULL, *f;

    for (size_t i = starting_before(functions, address); i-- > 0;) {
        f = &functions->list[i];
        if (best != NULL ? f->start < best->start : f->reach <= address)
            break;
        if (address < f->end)
            best = f; /* of several with one start, the first is shown */
    }
    return best != NULL ? best->name : NULL;
}

bool sd_functions_match(const struct sd_functions *functions, const char *name,
                        uint64_t address)
{
    for (size_t i = starting_before(functions, address);
         i-- > 0 && functions->list[i].reach > address;) {
        const struct sd_function *f = &functions->list[i];

        if (address < f->end && strcmp(f->name, name) == 0)
            return true;
    }
    return false;
}
