/*
 * sd_image: the code, the symbols and the identity of an ELF file.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "elf/sd_image.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* The bytes of symbols' names that sorting compares: many symbols may share one
   long name, so that without a limit a small file could take much time. */
#define SYMBOL_NAME 4096

void sd_image_keep(struct sd_image *image, char *text)
{
    image->texts = memory_grow(image->texts, &image->texts_room, image->n_texts,
                               sizeof *image->texts);
    image->texts[image->n_texts++] = text;
}

void sd_image_add_symbol(struct sd_image *image, struct sd_symbol symbol)
{
    assert(symbol.name[0] != '\0' && image->n_symbols < UINT32_MAX);
    symbol.number = (uint32_t)image->n_symbols;
    image->symbols = memory_grow(image->symbols, &image->symbols_room,
                                 image->n_symbols, sizeof *image->symbols);
    image->symbols[image->n_symbols++] = symbol;
}

static int compare_symbols(const void *x, const void *y)
{
    const struct sd_symbol *a = x, *b = y;
    int by;

    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    by = strncmp(a->name, b->name, SYMBOL_NAME);
    return by != 0 ? by : a->number < b->number ? -1 : a->number > b->number;
}

static int compare_ranges(const void *x, const void *y)
{
    const struct sd_range *a = x, *b = y;

    return a->start < b->start ? -1 : a->start > b->start;
}

static int compare_landings(const void *x, const void *y)
{
    const struct sd_landing *a = x, *b = y;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->pad < b->pad ? -1 : a->pad > b->pad;
}

static int compare_addresses(const void *x, const void *y)
{
    const uint64_t *a = x, *b = y;

    return *a < *b ? -1 : *a > *b;
}

/* Does the invariant hold that other modules rely on? */
__attribute__((unused)) static bool is_consistent(const struct sd_image *image)
{
    for (size_t i = 0; i < image->n_sections; i++) {
        const struct sd_section *s = &image->sections[i];

        if (s->size == 0 || s->address + s->size < s->address)
            return false;
    }
    for (size_t i = 0; i < image->n_symbols; i++) {
        const struct sd_symbol *s = &image->symbols[i];
        const struct sd_section *section = &image->sections[s->section];

        if (s->section >= image->n_sections || s->name[0] == '\0' ||
            s->address - section->address > section->size ||
            (i > 0 && compare_symbols(s - 1, s) > 0))
            return false;
    }
    for (size_t i = 0; i < image->n_data; i++)
        if (image->data[i].start > image->data[i].end ||
            (i > 0 && image->data[i - 1].start > image->data[i].start))
            return false;
    return true;
}

static void sort_frames(struct sd_image *image)
{
    if (image->n_landings > 1)
        qsort(image->landings, image->n_landings, sizeof *image->landings,
              compare_landings);
    if (image->n_parts > 1)
        qsort(image->parts, image->n_parts, sizeof *image->parts,
              compare_addresses);
}

void sd_image_join_frames(struct sd_image *image, const struct sd_image *more,
                          uint64_t base)
{
    for (size_t i = 0; i < more->n_landings; i++) {
        struct sd_landing l = more->landings[i];

        image->landings = memory_grow(image->landings, &image->landings_room,
                                      image->n_landings, sizeof l);
        image->landings[image->n_landings++] =
            (struct sd_landing){l.start + base, l.end + base, l.pad + base};
    }
    for (size_t i = 0; i < more->n_parts; i++) {
        image->parts = memory_grow(image->parts, &image->parts_room,
                                   image->n_parts, sizeof *image->parts);
        image->parts[image->n_parts++] = more->parts[i] + base;
    }
    sort_frames(image);
}

void sd_image_sort(struct sd_image *image)
{
    if (image->n_data > 1)
        qsort(image->data, image->n_data, sizeof *image->data, compare_ranges);
    if (image->n_symbols > 1)
        qsort(image->symbols, image->n_symbols, sizeof *image->symbols,
              compare_symbols);
    sort_frames(image);
    assert(is_consistent(image));
}

void sd_image_rename(struct sd_image *image, const char *path)
{
    free(image->path);
    image->path = memory_text(path);
}

void sd_image_close(struct sd_image *image)
{
    for (size_t i = 0; i < image->n_sections; i++) {
        free(image->sections[i].name);
        free(image->sections[i].bytes);
    }
    for (size_t i = 0; i < image->n_texts; i++)
        free(image->texts[i]);
    free(image->texts);
    free(image->sections);
    free(image->symbols);
    free(image->starts);
    free(image->data);
    free(image->landings);
    free(image->parts);
    free(image->stubs);
    free(image->outside);
    free(image->path);
    *image = (struct sd_image){0};
}
