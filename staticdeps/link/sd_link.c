/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "link/sd_link.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "link/sd_resolve.h"

/* The libraries' addresses, below the stacks of walks. */
#define LIBRARIES    UINT64_C(0x7f0000000000)
#define END          UINT64_C(0x7ff000000000)
#define ALIGNMENT    UINT64_C(0x200000)
#define LARGEST      (UINT64_C(1) << 36) /* object: real ones are far smaller */
#define MOST_COPIES  4096
#define LARGEST_COPY (UINT64_C(1) << 20)

static uint64_t room_of(const struct sd_dynamic *dynamic)
{
    return (dynamic->end / ALIGNMENT + 2) * ALIGNMENT;
}

bool sd_link_takes(const struct sd_link *link, const struct sd_image *image,
                   const struct sd_dynamic *dynamic)
{
    uint64_t room = room_of(dynamic);

    if (!dynamic->is_linked ||
        dynamic->end > (dynamic->is_program ? LIBRARIES : LARGEST))
        return false;
    for (size_t i = 0; i < image->n_sections; i++)
        if (image->sections[i].address + image->sections[i].size > dynamic->end)
            return false;
    for (size_t i = 0; i < link->n_objects; i++) {
        if (link->objects[i].dynamic.arch != dynamic->arch ||
            (dynamic->is_program && link->objects[i].dynamic.is_program))
            return false;
        room += room_of(&link->objects[i].dynamic);
    }
    return dynamic->is_program || room < END - LIBRARIES;
}

void sd_link_add(struct sd_link *link, struct sd_image *image,
                 struct sd_dynamic *dynamic, struct sd_blocks *blocks,
                 const bool *wanted)
{
    size_t first = link->blocks.n_blocks, n = blocks->n_blocks;

    array_push(link->objects, link->n_objects, link->room,
               (struct sd_linked){.image = *image,
                                  .dynamic = *dynamic,
                                  .first_block = first,
                                  .n_blocks = n});
    array_reserve(link, wanted, first + n);
    if (n > 0)
        memcpy(link->wanted + first, wanted, n * sizeof *wanted);
    sd_blocks_join(&link->blocks, blocks);
    *image = (struct sd_image){0};
    *dynamic = (struct sd_dynamic){.end = 0};
}

size_t sd_link_object(const struct sd_link *link, uint32_t block)
{
    assert(block < link->blocks.n_blocks);
    return array_bisect(1, link->n_objects, i,
                        link->objects[i].first_block <= block) -
           1;
}

/* Chooses the bases: the executable, or else the first object, keeps its own
   addresses. */
static void place(struct sd_link *link)
{
    uint64_t next = LIBRARIES;
    size_t first = 0;

    for (size_t i = 0; i < link->n_objects; i++)
        if (link->objects[i].dynamic.is_program)
            first = i;
    for (size_t i = 0; i < link->n_objects; i++) {
        if (i == first)
            continue;
        link->objects[i].base = next;
        next += room_of(&link->objects[i].dynamic);
    }
}

static void join_image(struct sd_image *all, const struct sd_linked *o)
{
    const struct sd_image *image = &o->image;
    size_t first = all->n_sections;

    for (size_t i = 0; i < image->n_sections; i++) {
        struct sd_section s = image->sections[i];

        s.address += o->base;
        array_append(all, sections, s);
    }
    for (size_t i = 0; i < image->n_symbols; i++) {
        struct sd_symbol s = image->symbols[i];

        s.address += o->base;
        s.section += first;
        array_append(all, symbols, s);
    }
    for (size_t i = 0; i < image->n_starts; i++)
        array_append(all, starts, image->starts[i] + o->base);
    for (size_t i = 0; i < image->n_outside; i++)
        array_append(all, outside, image->outside[i]);
    for (size_t i = 0; i < image->n_stubs; i++)
        array_append(all, stubs,
                     (struct sd_stub){image->stubs[i].address + o->base,
                                      image->stubs[i].slot + o->base});
    sd_image_join_frames(all, image, o->base);
}

/* Relocations. */

static uint64_t mark(struct sd_link *link, uint64_t resolver)
{
    array_append(link, resolvers, resolver);
    return resolver | SD_IFUNC_MARK;
}

static const struct sd_dynsym *symbol_of(const struct sd_link *link,
                                         struct sd_definition d)
{
    return &link->objects[d.object].dynamic.symbols[d.symbol];
}

/* Finds the mark of a function that no object defines; false if the table of
   libraries does not describe it.  Weak symbols stay undefined, unless they are
   called. */
static bool described(const struct sd_link *link,
                      const struct sd_dynamic *dynamic,
                      const struct sd_dynrel *rel, uint64_t *value)
{
    const struct sd_model *m = NULL;
    const struct sd_dynsym *s;

    if (rel->symbol == 0 || link->library == NULL)
        return false;
    s = &dynamic->symbols[rel->symbol];
    if (s->name != NULL && (rel->kind == SD_DYN_CALLED ||
                            (s->type == SD_DYN_FUNCTION && !s->is_weak)))
        m = sd_library_find(link->library, s->name);
    if (m == NULL)
        return false;
    *value = sd_library_mark(link->library, m);
    return true;
}

/* Finds the value of a symbol; false if it is unknown. */
static bool value_of(struct sd_link *link, const struct sd_resolver *resolver,
                     uint32_t object, const struct sd_dynrel *rel,
                     uint64_t *value)
{
    struct sd_definition found =
        sd_resolve(resolver, object, rel->symbol,
                   rel->kind == SD_DYN_CALLED ? SD_FOR_CALL : SD_FOR_ADDRESS);
    const struct sd_dynsym *s;

    if (found.object == SD_NO_OBJECT)
        return described(link, &link->objects[object].dynamic, rel, value);
    s = symbol_of(link, found);
    *value = link->objects[found.object].base + s->value;
    *value = s->type == SD_DYN_IFUNC && s->is_defined
                 ? mark(link, *value)
                 : *value + (uint64_t)rel->addend;
    return true;
}

static void relocate(struct sd_link *link, const struct sd_resolver *resolver,
                     uint32_t object, const struct sd_dynrel *rel)
{
    uint64_t base = link->objects[object].base, value = 0;
    bool is_known = true;

    switch (rel->kind) {
    case SD_DYN_RELATIVE:
        value = base + (uint64_t)rel->addend;
        break;
    case SD_DYN_IN_PLACE:
        is_known = sd_contents_word(&link->contents, base + rel->place, &value);
        value += base;
        break;
    case SD_DYN_ADDRESS:
    case SD_DYN_CALLED:
        is_known = value_of(link, resolver, object, rel, &value);
        break;
    case SD_DYN_RESOLVED:
        value = mark(link, base + (uint64_t)rel->addend);
        break;
    case SD_DYN_COPY:
        return;
    case SD_DYN_UNKNOWN:
        is_known = false;
        break;
    }
    sd_contents_fill(&link->contents, base + rel->place,
                     is_known ? (const uint8_t *)&value : NULL, sizeof value);
}

/* Copies a library's data to the executable's memory, to which the library's
   own pointers lead, too (a copy relocation). */
static void copy(struct sd_link *link, const struct sd_resolver *resolver,
                 uint32_t object, const struct sd_dynrel *rel)
{
    const struct sd_linked *to = &link->objects[object];
    struct sd_definition found =
        sd_resolve(resolver, object, rel->symbol, SD_FOR_COPY);
    uint64_t size;

    if (found.object == SD_NO_OBJECT)
        return;
    size = symbol_of(link, found)->size;
    if (to->dynamic.symbols[rel->symbol].size < size)
        size = to->dynamic.symbols[rel->symbol].size;
    if (size > LARGEST_COPY)
        size = LARGEST_COPY;
    sd_contents_copy(
        &link->contents, to->base + rel->place,
        link->objects[found.object].base + symbol_of(link, found)->value, size);
}

static void relocate_all(struct sd_link *link)
{
    const struct sd_dynamic **list =
        memory_new(link->n_objects, sizeof(const struct sd_dynamic *));
    struct sd_resolver resolver;
    size_t n_copies = 0, n = 0;

    for (size_t i = 0; i < link->n_objects; i++)
        list[i] = &link->objects[i].dynamic;
    sd_resolver_init(&resolver, list, link->n_objects);
    for (uint32_t i = 0; i < link->n_objects; i++)
        for (size_t k = 0; k < list[i]->n_relocations; k++)
            relocate(link, &resolver, i, &list[i]->relocations[k]);
    for (uint32_t i = 0; i < link->n_objects; i++)
        for (size_t k = 0; k < list[i]->n_relocations; k++)
            if (list[i]->relocations[k].kind == SD_DYN_COPY &&
                n_copies++ < MOST_COPIES)
                copy(link, &resolver, i, &list[i]->relocations[k]);
    array_sort(link->resolvers, link->n_resolvers, array_by_number);
    for (size_t i = 0; i < link->n_resolvers; i++)
        if (n == 0 || link->resolvers[n - 1] != link->resolvers[i])
            link->resolvers[n++] = link->resolvers[i];
    link->n_resolvers = n;
    sd_resolver_fini(&resolver);
    free(list);
}

void sd_link_join(struct sd_link *link)
{
    struct diag ignored;

    assert(link->n_objects > 0);
    link->image = (struct sd_image){.arch = link->objects[0].image.arch,
                                    .path = link->objects[0].image.path};
    place(link);
    for (size_t i = 0; i < link->n_objects; i++) {
        struct sd_linked *o = &link->objects[i];
        struct sd_contents contents;

        join_image(&link->image, o);
        for (size_t k = o->first_block; k < o->first_block + o->n_blocks; k++) {
            link->blocks.blocks[k].address += o->base;
            if (link->blocks.blocks[k].last.has_target)
                link->blocks.blocks[k].last.target += o->base;
        }
        /* If the file cannot be read, its data are unknown. */
        sd_contents_read(&contents, o->image.path, &ignored);
        sd_contents_join(&link->contents, &contents, o->base);
    }
    relocate_all(link);
}

void sd_link_fini(struct sd_link *link)
{
    for (size_t i = 0; i < link->n_objects; i++) {
        sd_image_close(&link->objects[i].image);
        sd_dynamic_fini(&link->objects[i].dynamic);
    }
    free(link->objects);
    free(link->image.sections);
    free(link->image.symbols);
    free(link->image.starts);
    free(link->image.stubs);
    free(link->image.landings);
    free(link->image.parts);
    free(link->image.outside);
    sd_blocks_fini(&link->blocks);
    free(link->wanted);
    sd_contents_fini(&link->contents);
    free(link->resolvers);
    *link = (struct sd_link){.n_objects = 0};
}
