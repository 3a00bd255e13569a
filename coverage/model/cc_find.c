/*
 * cc_find: the order of records in matched data, and what is found by it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "model/cc_find.h"

#include <assert.h>

#include "array.h"

/* --- Order --- */

/* For assertions alone. */
__attribute__((unused)) static bool
is_sorted(const void *array, size_t n, size_t size,
          int (*order)(const void *, const void *))
{
    const char *element = array;

    for (size_t i = 1; i < n; i++, element += size)
        if (order(element, element + size) > 0)
            return false;
    return true;
}

static int block_order(const void *pa, const void *pb)
{
    const struct cc_block *a = pa, *b = pb;

    return array_order(a->object, b->object)
               ?: array_order(a->start, b->start)
               ?: array_order(a->end, b->end)
               ?: array_order(a->number, b->number);
}

int cc_pair_order(const struct cc_observed *a, const struct cc_observed *b)
{
    int by = array_order(a->src_object, b->src_object)
                 ?: array_order(a->src, b->src)
                 ?: array_order(a->dst_object, b->dst_object)
                 ?: array_order(a->dst, b->dst);

    if (by != 0 || (a->src_object != CC_NONE && a->dst_object != CC_NONE))
        return by;
    return array_order(a->stranger, b->stranger);
}

static int observed_order(const void *a, const void *b)
{
    return cc_pair_order(a, b);
}

/* Orders predictions and weak pairs as dependencies in blocks are ordered. */
#define PAIR_ORDER(a, a_block, b, b_block) \
    (array_order((a)->a_block, (b)->b_block)                \
         ?: array_order((a)->src, (b)->src)                 \
         ?: array_order((a)->dst_block, (b)->dst_block)     \
         ?: array_order((a)->dst, (b)->dst))

int cc_prediction_cmp(const struct cc_prediction *p,
                      const struct cc_observed *d)
{
    return PAIR_ORDER(p, block, d, src_block);
}

static int prediction_order(const void *pa, const void *pb)
{
    const struct cc_prediction *a = pa, *b = pb;

    return PAIR_ORDER(a, block, b, block)
               ?: array_order(a->delta_k, b->delta_k);
}

static int unknown_order(const void *pa, const void *pb)
{
    const struct cc_unknown *a = pa, *b = pb;

    return array_order(a->block, b->block)
               ?: array_order(a->address, b->address);
}

static int access_order(const void *pa, const void *pb)
{
    const struct cc_access *a = pa, *b = pb;

    return array_order(a->block, b->block)
               ?: array_order(a->address, b->address)
               ?: array_order(a->stores, b->stores);
}

static int weak_order(const void *pa, const void *pb)
{
    const struct cc_weak *a = pa, *b = pb;

    return PAIR_ORDER(a, block, b, block);
}

/* Databases often hold their rows in order, and a look at them is cheap. */
void cc_sort(void *array, size_t n, size_t size,
             int (*order)(const void *, const void *))
{
    const char *element = array;

    for (size_t i = 1; i < n; i++, element += size)
        if (order(element, element + size) > 0) {
            qsort(array, n, size, order);
            break;
        }
}

/* Puts the blocks in order of their addresses, and renumbers what belongs to
   them. */
void cc_sort_blocks(struct cc_data *data)
{
    uint32_t *place = memory_new(data->n_blocks, sizeof *place);

    cc_sort(data->blocks, data->n_blocks, sizeof *data->blocks, block_order);
    for (uint32_t i = 0; i < data->n_blocks; i++) {
        assert(data->blocks[i].number < data->n_blocks);
        place[data->blocks[i].number] = i;
        data->blocks[i].number = i;
    }
    for (size_t i = 0; i < data->n_predictions; i++) {
        struct cc_prediction *p = &data->predictions[i];

        p->block = place[p->block];
        p->dst_block = place[p->dst_block];
    }
    for (size_t i = 0; i < data->n_unknowns; i++)
        data->unknowns[i].block = place[data->unknowns[i].block];
    for (size_t i = 0; i < data->n_accesses; i++)
        data->accesses[i].block = place[data->accesses[i].block];
    for (size_t i = 0; i < data->n_weaks; i++) {
        data->weaks[i].block = place[data->weaks[i].block];
        data->weaks[i].dst_block = place[data->weaks[i].dst_block];
    }
    free(place);
}

void cc_sort_observed(struct cc_data *data)
{
    cc_sort(data->observed, data->n_observed, sizeof *data->observed,
            observed_order);
}

void cc_sort_predictions(struct cc_data *data)
{
    cc_sort(data->unknowns, data->n_unknowns, sizeof *data->unknowns,
            unknown_order);
    cc_sort(data->accesses, data->n_accesses, sizeof *data->accesses,
            access_order);
    cc_sort(data->weaks, data->n_weaks, sizeof *data->weaks, weak_order);
    cc_sort(data->predictions, data->n_predictions, sizeof *data->predictions,
            prediction_order);
    assert(is_sorted(data->predictions, data->n_predictions,
                     sizeof *data->predictions, prediction_order));
    assert(is_sorted(data->unknowns, data->n_unknowns, sizeof *data->unknowns,
                     unknown_order));
}

/* --- What is found --- */

uint32_t cc_find_block(const struct cc_data *data, uint32_t object,
                       uint64_t address)
{
    size_t low;

    if (object == CC_NONE)
        return CC_NONE;
    /* The blocks before `low` start at or before the address. */
    low = array_bisect(0, data->n_blocks, i,
                       data->blocks[i].object < object ||
                           (data->blocks[i].object == object &&
                            data->blocks[i].start <= address));
    if (low == 0 || data->blocks[low - 1].object != object ||
        address >= data->blocks[low - 1].end)
        return CC_NONE;
    assert(data->blocks[low - 1].start <= address);
    return (uint32_t)(low - 1);
}

bool cc_is_inside(const struct cc_data *data, uint32_t block)
{
    const struct cc_block *b;

    if (block == CC_NONE || block == 0)
        return false;
    b = &data->blocks[block];
    return b[-1].object == b->object && b[-1].start < b->start &&
           b[-1].end > b->start;
}

uint32_t cc_find_observed(const struct cc_data *data, uint32_t src_object,
                          uint64_t src, uint32_t dst_object, uint64_t dst)
{
    const struct cc_observed key = {.src_object = src_object,
                                    .dst_object = dst_object,
                                    .src = src,
                                    .dst = dst};
    const struct cc_observed *found =
        array_find(&key, data->observed, data->n_observed, observed_order);

    assert(src_object < data->n_objects && dst_object < data->n_objects);
    return found != NULL ? (uint32_t)(found - data->observed) : CC_NONE;
}

const struct cc_prediction *cc_find_predictions(const struct cc_data *data,
                                                const struct cc_observed *d,
                                                size_t *n)
{
    size_t low = array_bisect(0, data->n_predictions, i,
                              cc_prediction_cmp(&data->predictions[i], d) < 0);
    size_t end;

    assert(d->verdict == CC_FOUND);
    for (end = low; end < data->n_predictions &&
                    cc_prediction_cmp(&data->predictions[end], d) == 0;)
        end++;
    assert(end > low);
    *n = end - low;
    return &data->predictions[low];
}

struct cc_access cc_find_access(const struct cc_data *data, uint32_t block,
                                uint64_t address, bool stores)
{
    const struct cc_access key = {
        .block = block, .address = address, .stores = stores, .base = 1};
    const struct cc_access *found;

    if (!data->objects[data->blocks[block].object].knows_bases)
        return (struct cc_access){.block = block, .address = address};
    found = array_find(&key, data->accesses, data->n_accesses, access_order);
    return found != NULL ? *found : key;
}

bool cc_is_weak(const struct cc_data *data, const struct cc_observed *d)
{
    const struct cc_weak key = {d->src_block, d->dst_block, d->src, d->dst};

    return array_find(&key, data->weaks, data->n_weaks, weak_order) != NULL;
}

const struct cc_unknown *cc_find_unknown(const struct cc_data *data,
                                         uint32_t block, uint64_t address)
{
    const struct cc_unknown key = {.block = block, .address = address};

    return array_find(&key, data->unknowns, data->n_unknowns, unknown_order);
}

enum cc_evidence cc_evidence_of(const struct cc_data *data,
                                const struct cc_observed *d)
{
    enum cc_evidence first = CC_N_EVIDENCES;
    size_t n;
    const struct cc_prediction *p = cc_find_predictions(data, d, &n);

    for (size_t i = 0; i < n; i++)
        if (p[i].evidence < first)
            first = p[i].evidence;
    assert(first < CC_N_EVIDENCES);
    return first;
}
