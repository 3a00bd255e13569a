/*
 * cy_data: what the databases know about a program.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "model/cy_data.h"

#include <assert.h>
#include <stdlib.h>

#include "array.h"

static int block_order(const void *pa, const void *pb)
{
    const struct cy_block *a = pa, *b = pb;

    return array_order(a->object, b->object) ?: array_order(a->start, b->start);
}

static int pair_order(const void *pa, const void *pb)
{
    const struct cy_pair *a = pa, *b = pb;

    return array_order(a->object, b->object)
               ?: array_order(a->load, b->load)
               ?: array_order(a->store, b->store)
               ?: array_order(a->delta_k, b->delta_k);
}

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

static void sort_pairs(struct cy_pairs *p)
{
    array_sort(p->pairs, p->n, pair_order);
    /* A database with another support is damaged, and was refused. */
    for (size_t i = 0; i < p->n; i++)
        assert(p->pairs[i].support >= 0 && p->pairs[i].support <= 1);
}

void cy_data_sort(struct cy_data *data)
{
    array_sort(data->blocks, data->n_blocks, block_order);
    cy_data_link_aliases(data);
    sort_pairs(&data->predicted);
    sort_pairs(&data->observed);
    sort_pairs(&data->in_blocks);
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
    return (uint32_t)(after - 1);
}

bool cy_data_is_inside(const struct cy_data *data, uint32_t block)
{
    const struct cy_block *b;

    if (block == CY_NO_BLOCK || block == 0)
        return false;
    b = &data->blocks[block];
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
           p[first - 1].load < load); /* they are sorted */
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
