/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "link/sd_resolve.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"

/* Longer names are not searched for: many of them may share their bytes, and
   comparing them would take any amount of time. */
#define LONGEST_NAME 4096

struct sd_offer {
    const char *name;
    uint32_t rank; /* of the object */
    uint32_t symbol;
};

/* The order of loading. */

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
    bool *is_loaded = memory_new(r->n_objects, sizeof *is_loaded);
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
    free(is_loaded);
}

/* The symbols that objects offer. */

static int compare(const void *x, const void *y)
{
    const struct sd_offer *a = x, *b = y;

    return strncmp(a->name, b->name, LONGEST_NAME)
               ?: array_order(a->rank, b->rank)
               ?: array_order(a->symbol, b->symbol);
}

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

/* Matching. */

enum match { NO_MATCH, PERHAPS, MATCH };

/* Does the offered symbol match the wanted one?  A symbol without a version
   matches the base version; PERHAPS is a default version, which matches if it
   is the only one. */
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

    found->object = object;
    for (size_t i = first; i < end; i++) {
        uint32_t symbol = r->offers[i].symbol;

        switch (match(r->objects[object], wanted,
                      &r->objects[object]->symbols[symbol], purpose)) {
        case MATCH:
            found->symbol = symbol;
            return true;
        case PERHAPS:
            if (n_perhaps++ == 0)
                found->symbol = symbol;
            break;
        case NO_MATCH:
            break;
        }
    }
    return n_perhaps == 1;
}

/* Searches the object of rank `only`, or all objects if that is SD_NO_OBJECT.
 */
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
    const struct sd_dynsym *wanted;
    struct sd_definition found = {SD_NO_OBJECT, 0};

    assert(object < r->n_objects);
    if (symbol == 0 || symbol >= o->n_symbols)
        return found;
    wanted = &o->symbols[symbol];
    if (wanted->name == NULL)
        return found;
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
