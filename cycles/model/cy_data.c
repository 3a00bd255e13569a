/*
 * cy_data: what the databases know about a program.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "model/cy_data.h"

#include <assert.h>
#include <stdlib.h>

#include "array.h"

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int block_order(const void *pa, const void *pb)
{
    const struct cy_block *a = pa, *b = pb;

    if (a->object != b->object)
        return a->object < b->object ? -1 : 1;
    return compare(a->start, b->start);
}

static int pair_order(const void *pa, const void *pb)
{
    const struct cy_pair *a = pa, *b = pb;

    if (a->object != b->object)
        return a->object < b->object ? -1 : 1;
    if (a->load != b->load)
        return compare(a->load, b->load);
    if (a->store != b->store)
        return compare(a->store, b->store);
    return (a->delta_k > b->delta_k) - (a->delta_k < b->delta_k);
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
    free(data->names);
    free(data->blocks);
    free(data->predicted.pairs);
    free(data->observed.pairs);
    free(data->in_blocks.pairs);
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
    if (p->n > 1)
        qsort(p->pairs, p->n, sizeof *p->pairs, pair_order);
    /* Damage ended the reading before this. */
    for (size_t i = 0; i < p->n; i++)
        assert(p->pairs[i].support >= 0 && p->pairs[i].support <= 1);
}

void cy_data_sort(struct cy_data *data)
{
    if (data->n_blocks > 1)
        qsort(data->blocks, data->n_blocks, sizeof *data->blocks, block_order);
    sort_pairs(&data->predicted);
    sort_pairs(&data->observed);
    sort_pairs(&data->in_blocks);
}

uint32_t cy_data_block(const struct cy_data *data, uint32_t object,
                       uint64_t address)
{
    size_t low = 0, high = data->n_blocks;

    assert(object < data->n_objects && data->n_blocks < CY_NO_BLOCK);
    /* The first block that starts after the address. */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct cy_block *b = &data->blocks[middle];

        if (b->object < object || (b->object == object && b->start <= address))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || data->blocks[low - 1].object != object ||
        data->blocks[low - 1].end <= address)
        return CY_NO_BLOCK;
    return (uint32_t)(low - 1);
}

const struct cy_pair *cy_pairs_of_load(const struct cy_pairs *pairs,
                                       uint32_t object, uint64_t load,
                                       size_t *n)
{
    size_t low = 0, high = pairs->n;
    const struct cy_pair *first;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct cy_pair *p = &pairs->pairs[middle];

        if (p->object < object || (p->object == object && p->load < load))
            low = middle + 1;
        else
            high = middle;
    }
    assert(low == 0 || pairs->pairs[low - 1].object < object ||
           pairs->pairs[low - 1].load < load); /* they are sorted */
    *n = 0;
    if (low == pairs->n)
        return NULL;
    first = &pairs->pairs[low];
    for (; low + *n < pairs->n && first[*n].object == object &&
           first[*n].load == load;
         ++*n)
        ;
    return *n > 0 ? first : NULL;
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
