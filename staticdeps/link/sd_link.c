/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "link/sd_link.h"

/* --- Definitions of symbols --- */

/* Longer names are not searched for: many long names may share their bytes, so
   that comparing them could take any amount of time. */
#define LONGEST_NAME 4096

struct sd_offer {
    const char *name;
    uint32_t rank; /* place of the object in the order of loading */
    uint32_t symbol;
};

/* Appends the objects needed by the objects from number `next` on. */
static size_t load_needed(struct sd_resolver *r, bool *is_loaded, size_t next,
                          size_t n)
{
    for (; next < n; next++) {
        const struct sd_dynamic *o = r->objects[r->order[next]];

        for (size_t k = 0; k < o->n_needed; k++)
            for (uint32_t i = 0; i < r->n_objects; i++) {
                const char *soname = r->objects[i]->soname;

                if (is_loaded[i] || soname == NULL ||
                    strcmp(soname, o->needed[k]) != 0)
                    continue;
                is_loaded[i] = true;
                r->order[n++] = i;
            }
    }
    return n;
}

static void load_all(struct sd_resolver *r)
{
    AUTO_FREE bool *is_loaded = memory_new(r->n_objects, sizeof *is_loaded);
    size_t n = 0;

    for (unsigned pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < r->n_objects; i++)
            if (!is_loaded[i] && (pass == 1 || r->objects[i]->is_program)) {
                is_loaded[i] = true;
                r->order[n] = i;
                n = load_needed(r, is_loaded, n, n + 1);
            }
    assert(n == r->n_objects);
    for (uint32_t i = 0; i < n; i++)
        r->rank[r->order[i]] = i;
}

ARRAY_ORDER(compare, struct sd_offer,
            strncmp(a->name, b->name, LONGEST_NAME)
                ?: array_order(a->rank, b->rank)
                ?: array_order(a->symbol, b->symbol))

static void collect(struct sd_resolver *r)
{
    size_t n = 0;

    for (size_t i = 0; i < r->n_objects; i++)
        n += r->objects[i]->n_symbols;
    r->offers = memory_new(n + 1, sizeof *r->offers);
    for (uint32_t i = 0; i < r->n_objects; i++)
        for (uint32_t k = 0; k < r->objects[i]->n_symbols; k++) {
            const struct sd_dynsym *s = &r->objects[i]->symbols[k];

            if (s->is_offered && strnlen(s->name, LONGEST_NAME) < LONGEST_NAME)
                r->offers[r->n_offers++] =
                    (struct sd_offer){s->name, r->rank[i], k};
        }
    array_sort(r->offers, r->n_offers, compare);
}

void sd_resolver_init(struct sd_resolver *r,
                      const struct sd_dynamic *const *objects, size_t n)
{
    *r = (struct sd_resolver){.objects = objects, .n_objects = n};
    r->order = memory_new(n + 1, sizeof *r->order);
    r->rank = memory_new(n + 1, sizeof *r->rank);
    load_all(r);
    collect(r);
}

void sd_resolver_fini(struct sd_resolver *r)
{
    free(r->order);
    free(r->rank);
    free(r->offers);
    *r = (struct sd_resolver){.n_objects = 0};
}

enum match { NO_MATCH, PERHAPS, MATCH };

/* Does the offered symbol match the wanted one?  A symbol without a version
   matches the base version; PERHAPS stands for a default version, which matches
   if the object has only one. */
static enum match match(const struct sd_dynamic *object,
                        const struct sd_dynsym *wanted,
                        const struct sd_dynsym *offered,
                        enum sd_purpose purpose)
{
    if (purpose == SD_FOR_CALL && !offered->is_defined)
        return NO_MATCH;
    if (!object->has_versions)
        return MATCH;
    if (wanted->version != NULL)
        return (offered->version != NULL
                    ? strcmp(offered->version, wanted->version) == 0
                    : !wanted->has_hidden && !offered->has_hidden)
                   ? MATCH
                   : NO_MATCH;
    if (offered->version_id < 3)
        return MATCH;
    return offered->has_hidden ? NO_MATCH : PERHAPS;
}

/* Chooses among the offers of one name and object, from number `first` up to
   `end`; false if none matches. */
static bool choose(const struct sd_resolver *r, size_t first, size_t end,
                   const struct sd_dynsym *wanted, enum sd_purpose purpose,
                   struct sd_definition *found)
{
    uint32_t object = r->order[r->offers[first].rank];
    unsigned n_perhaps = 0;

    assert(first < end && end <= r->n_offers);
    found->object = object;
    for (size_t i = first; i < end; i++) {
        uint32_t symbol = r->offers[i].symbol;

        enum match m = match(r->objects[object], wanted,
                             &r->objects[object]->symbols[symbol], purpose);

        if (m == MATCH || (m == PERHAPS && n_perhaps++ == 0))
            found->symbol = symbol;
        if (m == MATCH)
            return true;
    }
    return n_perhaps == 1;
}

/* Searches the object of rank `only`, or all if `only` is SD_NO_OBJECT. */
static struct sd_definition search(const struct sd_resolver *r,
                                   const struct sd_dynsym *wanted,
                                   enum sd_purpose purpose, uint32_t only)
{
    struct sd_definition found = {SD_NO_OBJECT, 0};
    size_t end, i = array_bisect(
                    0, r->n_offers, k,
                    strncmp(r->offers[k].name, wanted->name, LONGEST_NAME) < 0);

    for (; i < r->n_offers && strcmp(r->offers[i].name, wanted->name) == 0;
         i = end) {
        uint32_t rank = r->offers[i].rank;

        end = i + 1;
        while (end < r->n_offers && r->offers[end].rank == rank &&
               strcmp(r->offers[end].name, wanted->name) == 0)
            end++;
        if (only != SD_NO_OBJECT && rank != only)
            continue;
        if (purpose == SD_FOR_COPY && r->objects[r->order[rank]]->is_program)
            continue;
        if (choose(r, i, end, wanted, purpose, &found))
            return found;
    }
    return (struct sd_definition){SD_NO_OBJECT, 0};
}

struct sd_definition sd_resolve(const struct sd_resolver *r, uint32_t object,
                                uint32_t symbol, enum sd_purpose purpose)
{
    const struct sd_dynamic *o = r->objects[object];
    struct sd_definition found = {SD_NO_OBJECT, 0};

    assert(object < r->n_objects);
    if (symbol == 0 || symbol >= o->n_symbols ||
        o->symbols[symbol].name == NULL)
        return found;
    const struct sd_dynsym *wanted = &o->symbols[symbol];
    if (wanted->is_own)
        return wanted->is_defined ? (struct sd_definition){object, symbol}
                                  : found;
    if (strnlen(wanted->name, LONGEST_NAME) == LONGEST_NAME)
        return found;
    if (o->is_symbolic && purpose != SD_FOR_COPY)
        found = search(r, wanted, purpose, r->rank[object]);
    return found.object != SD_NO_OBJECT
               ? found
               : search(r, wanted, purpose, SD_NO_OBJECT);
}

/* --- Objects --- */

/* The range of addresses for libraries, below the stacks of walks. */
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

    assert(n == 0 || wanted != NULL);
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

/* --- Relocations --- */

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

    if (rel->symbol == 0 || link->library == NULL)
        return false;
    const struct sd_dynsym *s = &dynamic->symbols[rel->symbol];
    if (s->name != NULL && (rel->kind == SD_DYN_CALLED ||
                            (s->type == SD_DYN_FUNCTION && !s->is_weak)))
        m = sd_library_find(link->library, s->name);
    if (m == NULL)
        return false;
    *value = sd_library_mark(link->library, m);
    assert((*value & SD_IFUNC_MARK) == 0);
    return true;
}

/* Finds the value of the symbol of a relocation; false if it is unknown. */
static bool value_of(struct sd_link *link, const struct sd_resolver *resolver,
                     uint32_t object, const struct sd_dynrel *rel,
                     uint64_t *value)
{
    struct sd_definition found =
        sd_resolve(resolver, object, rel->symbol,
                   rel->kind == SD_DYN_CALLED ? SD_FOR_CALL : SD_FOR_ADDRESS);

    if (found.object == SD_NO_OBJECT)
        return described(link, &link->objects[object].dynamic, rel, value);
    const struct sd_dynsym *s = symbol_of(link, found);
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

    if (found.object == SD_NO_OBJECT)
        return;
    uint64_t size = symbol_of(link, found)->size;
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
    AUTO_FREE const struct sd_dynamic **list =
        memory_new(link->n_objects, sizeof(const struct sd_dynamic *));
    AUTO_FINI(sd_resolver_fini) struct sd_resolver resolver;
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
}

void sd_link_join(struct sd_link *link)
{
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
        sd_contents_read(&contents, o->image.path, NULL);
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
    free(link->executed);
    sd_contents_fini(&link->contents);
    free(link->resolvers);
    *link = (struct sd_link){.n_objects = 0};
}
