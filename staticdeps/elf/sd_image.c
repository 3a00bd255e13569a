/*
 * sd_image: the code, the symbols and the identity of an ELF file.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "elf/sd_image.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "elf/sd_array.h"

/* The bytes of symbols' names that sorting compares: many symbols may share one
   long name, so that without a limit a small file could take much time. */
#define SYMBOL_NAME 4096

void sd_image_keep(struct sd_image *image, char *text)
{
    sd_append(image, texts, text);
}

void sd_image_add_symbol(struct sd_image *image, struct sd_symbol symbol)
{
    assert(symbol.name[0] != '\0' && image->n_symbols < UINT32_MAX);
    symbol.number = (uint32_t)image->n_symbols;
    sd_append(image, symbols, symbol);
}

static int compare_symbols(const void *x, const void *y)
{
    const struct sd_symbol *a = x, *b = y;

    return sd_order(a->address, b->address)
               ?: sd_order(a->rank, b->rank)
               ?: strncmp(a->name, b->name, SYMBOL_NAME)
               ?: sd_order(a->number, b->number);
}

static int compare_landings(const void *x, const void *y)
{
    const struct sd_landing *a = x, *b = y;

    return sd_order(a->start, b->start) ?: sd_order(a->pad, b->pad);
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
    sd_sort(image->landings, image->n_landings, compare_landings);
    sd_sort(image->parts, image->n_parts, sd_by_number);
}

void sd_image_join_frames(struct sd_image *image, const struct sd_image *more,
                          uint64_t base)
{
    for (size_t i = 0; i < more->n_landings; i++) {
        struct sd_landing l = more->landings[i];

        sd_append(
            image, landings,
            (struct sd_landing){l.start + base, l.end + base, l.pad + base});
    }
    for (size_t i = 0; i < more->n_parts; i++)
        sd_append(image, parts, more->parts[i] + base);
    sort_frames(image);
}

void sd_image_sort(struct sd_image *image)
{
    sd_sort(image->data, image->n_data, sd_by_number);
    sd_sort(image->symbols, image->n_symbols, compare_symbols);
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
