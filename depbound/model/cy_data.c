/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/cy_data.h"

#include <fnmatch.h>

#include "demangle.h"

ARRAY_ORDER(block_order, struct cy_block,
            array_order(a->object, b->object)
                ?: array_order(a->start, b->start))

ARRAY_ORDER(pair_order, struct cy_pair,
            array_order(a->object, b->object)
                ?: array_order(a->load, b->load)
                ?: array_order(a->store, b->store)
                ?: array_order(a->delta_k, b->delta_k))

void cy_data_fini(struct cy_data *data)
{
    for (size_t i = 0; i < data->n_objects; i++) {
        free(data->objects[i].path);
        free(data->objects[i].build_id);
    }
    for (size_t i = 0; i < data->n_names; i++)
        free(data->names[i]);
    free(data->objects);
    for (size_t i = 0; i < data->n_aliases; i++)
        free(data->aliases[i].name);
    free(data->names);
    free(data->aliases);
    free(data->asked);
    free(data->blocks);
    free(data->predicted.pairs);
    free(data->observed.pairs);
    free(data->in_blocks.pairs);
    free(data->classes);
    free(data->runs_of);
    free(data->by_near);
    *data = (struct cy_data){0};
}

void cy_data_add_block(struct cy_data *data, struct cy_block block)
{
    assert(block.start < block.end && block.object < data->n_objects);
    array_push(data->blocks, data->n_blocks, data->blocks_room, block);
}

void cy_pairs_add(struct cy_pairs *pairs, struct cy_pair pair)
{
    array_push(pairs->pairs, pairs->n, pairs->room, pair);
}

uint32_t cy_data_object(const struct cy_data *data, const char *build_id)
{
    assert(build_id != NULL && data->n_objects < CY_NO_OBJECT);
    for (uint32_t i = 0; i < data->n_objects; i++)
        if (strcmp(data->objects[i].build_id, build_id) == 0)
            return i;
    return CY_NO_OBJECT;
}

uint32_t cy_data_block(const struct cy_data *data, uint32_t object,
                       uint64_t address)
{
    const struct cy_block *b = data->blocks;
    size_t after; /* the first block that starts after the address */

    assert(object < data->n_objects && data->n_blocks < CY_NO_BLOCK);
    after = array_bisect(0, data->n_blocks, i,
                         b[i].object < object ||
                             (b[i].object == object && b[i].start <= address));
    if (after == 0 || b[after - 1].object != object ||
        b[after - 1].end <= address)
        return CY_NO_BLOCK;
    assert(b[after - 1].start <= address);
    return (uint32_t)(after - 1);
}

bool cy_data_is_inside(const struct cy_data *data, uint32_t block)
{
    if (block == CY_NO_BLOCK || block == 0)
        return false;
    const struct cy_block *b = &data->blocks[block];
    return b[-1].object == b->object && b[-1].start < b->start &&
           b[-1].end > b->start;
}

size_t cy_pairs_from(const struct cy_pairs *pairs, uint32_t object,
                     uint64_t load)
{
    const struct cy_pair *p = pairs->pairs;
    size_t first = array_bisect(
        0, pairs->n, i,
        p[i].object < object || (p[i].object == object && p[i].load < load));

    assert(first == 0 || p[first - 1].object < object ||
           p[first - 1].load < load); /* the pairs are sorted */
    return first;
}

const struct cy_pair *cy_pairs_of_load(const struct cy_pairs *pairs,
                                       uint32_t object, uint64_t load,
                                       size_t *n)
{
    const struct cy_pair *p = pairs->pairs;
    size_t first = cy_pairs_from(pairs, object, load), end = first;

    while (end < pairs->n && p[end].object == object && p[end].load == load)
        end++;
    *n = end - first;
    return *n > 0 ? &p[first] : NULL;
}

const struct cy_pair *cy_pairs_find(const struct cy_pairs *pairs,
                                    const struct cy_pair *ends)
{
    size_t n;
    const struct cy_pair *p =
        cy_pairs_of_load(pairs, ends->object, ends->load, &n);

    for (; n > 0; n--, p++)
        if (p->store == ends->store)
            return p;
    return NULL;
}

/* --- Ranges of addresses --- */

void cy_spans_add(struct cy_spans *s, struct cy_span span)
{
    assert(span.start < span.end);
    array_push(s->list, s->n, s->room, span);
}

ARRAY_ORDER(span_order, struct cy_span,
            array_order(a->object, b->object)
                ?: array_order(a->start, b->start))

void cy_spans_sort(struct cy_spans *s)
{
    size_t n = 0;

    array_sort(s->list, s->n, span_order);
    for (size_t i = 0; i < s->n; i++) {
        struct cy_span *last = n > 0 ? &s->list[n - 1] : NULL,
                       *span = &s->list[i];

        if (last == NULL || last->object != span->object ||
            last->end < span->start)
            s->list[n++] = *span;
        else if (last->end < span->end)
            last->end = span->end;
    }
    s->n = n;
}

bool cy_spans_have(const struct cy_spans *s, uint32_t object, uint64_t address)
{
    const struct cy_span *list = s->list;
    size_t after =
        array_bisect(0, s->n, i,
                     list[i].object < object || (list[i].object == object &&
                                                 list[i].start <= address));

    return after > 0 && list[after - 1].object == object &&
           list[after - 1].end > address;
}

/* --- Functions, and their names --- */

const char *cy_function_at(const struct cy_data *data, uint32_t object,
                           uint64_t address)
{
    uint32_t block = cy_data_block(data, object, address);

    return block != CY_NO_BLOCK ? data->blocks[block].function : NULL;
}

const struct cy_block *cy_data_of_function(const struct cy_data *data,
                                           const char *function)
{
    for (size_t i = 0; i < data->n_blocks && function != NULL; i++)
        if (data->blocks[i].function == function)
            return &data->blocks[i];
    return NULL;
}

char *cy_function_address(const char *path, uint64_t start)
{
    return memory_printf("%s+%#" PRIx64, text_base_name(path), start);
}

bool cy_function_is_address(const char *name)
{
    const char *plus = strrchr(name, '+');

    return plus != NULL && strncmp(plus, "+0x", 3) == 0 && plus[3] != '\0' &&
           plus[3 + strspn(plus + 3, "0123456789abcdef")] == '\0';
}

bool cy_data_has_namesake(const struct cy_data *data, const char *function)
{
    for (size_t i = 0; i < data->n_names && function != NULL; i++)
        if (data->names[i] != function && strcmp(data->names[i], function) == 0)
            return true;
    return false;
}

ARRAY_ORDER(by_start, struct cy_alias,
            array_order(a->object, b->object)
                ?: array_order(a->start, b->start))

ARRAY_ORDER(by_function, struct cy_alias,
            array_order((uintptr_t)a->function, (uintptr_t)b->function)
                ?: strcmp(a->name, b->name))

/* Finds the functions of aliases, and sorts the aliases. */
static void link_aliases(struct cy_data *data)
{
    struct cy_alias *list = data->aliases;

    array_sort(list, data->n_aliases, by_start);
    for (size_t i = 0; i < data->n_blocks; i++) {
        const struct cy_block *b = &data->blocks[i];
        struct cy_alias key = {.object = b->object, .start = b->function_start};
        size_t k =
            array_bisect(0, data->n_aliases, n, by_start(&list[n], &key) < 0);

        if (!b->has_function_start)
            continue;
        for (; k < data->n_aliases && by_start(&list[k], &key) == 0; k++)
            list[k].function = b->function;
    }
    array_sort(list, data->n_aliases, by_function);
}

static void sort_pairs(struct cy_pairs *p)
{
    array_sort(p->pairs, p->n, pair_order);
    /* A database with a support outside 0 to 1 was refused when it was read. */
    for (size_t i = 0; i < p->n; i++)
        assert(p->pairs[i].support >= 0 && p->pairs[i].support <= 1);
}

ARRAY_ORDER(near_order, struct cy_frequent,
            array_order(b->near, a->near) ?: array_order(a->pair, b->pair))

static void sort_by_near(struct cy_data *data)
{
    const struct cy_pairs *p = &data->observed;

    assert(p->n < UINT32_MAX);
    free(data->by_near);
    data->by_near = memory_new(p->n, sizeof *data->by_near);
    data->n_by_near = 0;
    for (size_t i = 0; i < p->n; i++)
        if (p->pairs[i].distance <= CY_MOST_APART ||
            p->pairs[i].distance == UINT64_MAX)
            data->by_near[data->n_by_near++] =
                (struct cy_frequent){p->pairs[i].near, (uint32_t)i};
    array_sort(data->by_near, data->n_by_near, near_order);
}

void cy_data_sort(struct cy_data *data)
{
    array_sort(data->blocks, data->n_blocks, block_order);
    link_aliases(data);
    sort_pairs(&data->predicted);
    sort_pairs(&data->in_blocks);
}

void cy_data_sort_observed(struct cy_data *data)
{
    sort_pairs(&data->observed);
    sort_by_near(data);
}

const struct cy_alias *cy_data_aliases(const struct cy_data *data,
                                       const char *function, size_t *n)
{
    const struct cy_alias *list = data->aliases;
    uintptr_t wanted = (uintptr_t)function;
    size_t first = array_bisect(0, data->n_aliases, i,
                                (uintptr_t)list[i].function < wanted);

    for (*n = 0; first + *n < data->n_aliases && function != NULL &&
                 list[first + *n].function == function;
         ++*n)
        ;
    return *n > 0 ? &list[first] : NULL;
}

/* --- What the user asks for --- */

bool cy_object_is_loader(const char *path)
{
    const char *name = text_base_name(path);

    return strncmp(name, "ld-", 3) == 0 || strncmp(name, "ld.so", 5) == 0;
}

bool cy_object_matches(const char *pattern, const char *path, bool is_program)
{
    if (strchr(pattern, '/') == NULL)
        path = text_base_name(path);
    return fnmatch(pattern, path, 0) == 0 ||
           (is_program && strcmp(pattern, "main") == 0);
}

static bool matches(const struct cy_data *data, const char *pattern,
                    const struct cy_object *object)
{
    const struct cy_object *program = &data->objects[data->program];

    assert(data->program < data->n_objects);
    return cy_object_matches(pattern, object->path,
                             strcmp(object->build_id, program->build_id) == 0);
}

static bool is_listed(const struct cy_data *data, const char *function)
{
    for (size_t i = 0; i < data->n_asked; i++)
        if (data->asked[i] == function)
            return true;
    return false;
}

bool cy_data_is_asked(const struct cy_data *data,
                      const struct cy_object *object, const char *function)
{
    const struct cy_wish *wish = data->wish;
    bool matched = wish == NULL || wish->n_objects == 0;

    for (size_t i = 0; !matched && i < wish->n_objects; i++)
        matched = matches(data, wish->objects[i], object);
    return matched && (wish == NULL || wish->function == NULL ||
                       is_listed(data, function));
}

static void add_asked(struct cy_data *data, const char *function)
{
    if (!is_listed(data, function))
        array_append(data, asked, function);
}

/* Checks that each pattern matches an object. */
static int ask_objects(const struct cy_data *data, struct diag *d)
{
    for (size_t i = 0; i < data->wish->n_objects; i++) {
        const char *pattern = data->wish->objects[i];
        size_t n = 0;

        while (n < data->n_objects &&
               !matches(data, pattern, &data->objects[n]))
            n++;
        if (n == data->n_objects)
            return diag_set(d, "--objects=%s: no analysed file has this name",
                            pattern);
    }
    return 0;
}

static int ask_function(struct cy_data *data, const char *name, struct diag *d)
{
    AUTO_FINI(funcfind_fini) struct funcfind find = {.asked = name};
    size_t n = data->n_names + data->n_aliases;
    AUTO_FREE const char **symbols = memory_new(n, sizeof *symbols);
    AUTO_FREE bool *is_meant = memory_new(n, sizeof *is_meant);

    for (size_t i = 0; i < data->n_names; i++)
        symbols[i] = data->names[i];
    for (size_t i = 0; i < data->n_aliases; i++)
        if (data->aliases[i].function != NULL)
            symbols[data->n_names + i] = data->aliases[i].name;
    funcfind_among(&find, symbols, n, is_meant);
    int rc = funcfind_check(&find, "--function", d);
    for (size_t i = 0; i < data->n_names; i++)
        if (is_meant[i])
            add_asked(data, data->names[i]);
    for (size_t i = 0; i < data->n_aliases; i++)
        if (is_meant[data->n_names + i])
            add_asked(data, data->aliases[i].function);
    return rc;
}

int cy_data_ask(struct cy_data *data, const struct cy_wish *wish,
                struct diag *d)
{
    data->wish = wish;
    if (ask_objects(data, d) != 0)
        return -1;
    return wish->function != NULL ? ask_function(data, wish->function, d) : 0;
}
