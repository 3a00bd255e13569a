/*
 * cc_match: joins what happened with what was predicted.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "model/cc_match.h"

#include <assert.h>
#include <stdlib.h>

#include "memory.h"

/* An address where executions begin to count, or cease to. */
struct edge {
    uint32_t object;
    uint64_t address;
    uint64_t executions;
};

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Databases often hold their rows in order, and a look at them is cheap. */
static void sort(void *array, size_t n, size_t size,
                 int (*order)(const void *, const void *))
{
    const char *element = array;

    for (size_t i = 1; i < n; i++, element += size)
        if (order(element, element + size) > 0) {
            qsort(array, n, size, order);
            break;
        }
}

/* What is asserted alone is no function without assertions. */
#define FOR_ASSERT __attribute__((unused))

FOR_ASSERT static bool is_sorted(const void *array, size_t n, size_t size,
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
    int by = compare(a->object, b->object);

    by = by != 0 ? by : compare(a->start, b->start);
    by = by != 0 ? by : compare(a->end, b->end);
    return by != 0 ? by : compare(a->number, b->number);
}

static int edge_order(const void *pa, const void *pb)
{
    const struct edge *a = pa, *b = pb;
    int by = compare(a->object, b->object);

    return by != 0 ? by : compare(a->address, b->address);
}

static int pair_order(const struct cc_observed *a, const struct cc_observed *b)
{
    int by = compare(a->src_object, b->src_object);

    by = by != 0 ? by : compare(a->src, b->src);
    by = by != 0 ? by : compare(a->dst_object, b->dst_object);
    by = by != 0 ? by : compare(a->dst, b->dst);
    if (by != 0 || (a->src_object != CC_NONE && a->dst_object != CC_NONE))
        return by;
    return compare(a->stranger, b->stranger);
}

static int observed_order(const void *a, const void *b)
{
    return pair_order(a, b);
}

static int prediction_order(const void *pa, const void *pb)
{
    const struct cc_prediction *a = pa, *b = pb;
    int by = compare(a->block, b->block);

    by = by != 0 ? by : compare(a->src, b->src);
    by = by != 0 ? by : compare(a->dst_block, b->dst_block);
    by = by != 0 ? by : compare(a->dst, b->dst);
    return by != 0 ? by : compare(a->delta_k, b->delta_k);
}

static int unknown_order(const void *pa, const void *pb)
{
    const struct cc_unknown *a = pa, *b = pb;
    int by = compare(a->block, b->block);

    return by != 0 ? by : compare(a->address, b->address);
}

static int access_order(const void *pa, const void *pb)
{
    const struct cc_access *a = pa, *b = pb;
    int by = compare(a->block, b->block);

    by = by != 0 ? by : compare(a->address, b->address);
    return by != 0 ? by : compare(a->stores, b->stores);
}

static int weak_order(const void *pa, const void *pb)
{
    const struct cc_weak *a = pa, *b = pb;
    int by = compare(a->block, b->block);

    by = by != 0 ? by : compare(a->src, b->src);
    by = by != 0 ? by : compare(a->dst_block, b->dst_block);
    return by != 0 ? by : compare(a->dst, b->dst);
}

/* Puts the blocks in order of their addresses, and renumbers what belongs to
   them. */
static void sort_blocks(struct cc_data *data)
{
    uint32_t *place = memory_new(data->n_blocks, sizeof *place);

    sort(data->blocks, data->n_blocks, sizeof *data->blocks, block_order);
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

/* Adds to each block the executions of the edges at or before its start. */
static void sum_edges(struct cc_data *data, struct edge *edges, bool adds)
{
    size_t n = data->n_segments, next = 0;
    uint64_t sum = 0;
    uint32_t object = CC_NONE;

    assert(is_sorted(data->blocks, data->n_blocks, sizeof *data->blocks,
                     block_order));
    sort(edges, n, sizeof *edges, edge_order);
    for (uint32_t i = 0; i < data->n_blocks; i++) {
        struct cc_block *b = &data->blocks[i];

        if (b->object != object) {
            object = b->object;
            sum = 0;
        }
        for (; next < n && edges[next].object <= object; next++) {
            if (edges[next].object < object)
                continue;
            if (edges[next].address > b->start)
                break;
            sum += edges[next].executions;
        }
        /* Subtraction is modulo 2^64, and the difference is never negative. */
        b->weight += adds ? sum : -sum;
        assert(!adds || b->weight <= sum);
    }
}

static void weigh_blocks(struct cc_data *data)
{
    struct edge *edges = memory_new(data->n_segments, sizeof *edges);

    for (uint32_t i = 0; i < data->n_blocks; i++)
        data->blocks[i].weight = data->blocks[i].entered = 0;
    for (size_t i = 0; i < data->n_segments; i++) {
        const struct cc_segment *s = &data->segments[i];
        uint32_t block = cc_find_block(data, s->object, s->start);

        if (block != CC_NONE)
            data->blocks[block].entered += s->executions;
    }
    for (int starts = 0; starts <= 1; starts++) {
        for (size_t i = 0; i < data->n_segments; i++) {
            const struct cc_segment *s = &data->segments[i];

            edges[i] = (struct edge){s->object, starts ? s->start : s->end,
                                     s->executions};
        }
        sum_edges(data, edges, starts);
    }
    free(edges);
}

/* How many instructions a block executed: a repeated string instruction is a
   segment of its own, which starts as often as it repeats. */
static double executed_in(const struct cc_block *b)
{
    double once = (double)b->weight * (double)b->n_instructions;

    return once > (double)b->entered ? once : (double)b->entered;
}

static bool passes(const struct cc_block *b, uint64_t heaviest,
                   uint64_t executed, const struct cc_filter *filter)
{
    double weight = (double)b->weight;

    return b->weight > 0 &&
           weight * 100 >= filter->min_weight * (double)heaviest &&
           executed_in(b) * 100 >= filter->min_share * (double)executed;
}

static void keep_blocks(struct cc_data *data, const struct cc_filter *filter)
{
    uint64_t *heaviest = memory_new(data->n_objects, sizeof *heaviest);

    for (uint32_t i = 0; i < data->n_blocks; i++) {
        const struct cc_block *b = &data->blocks[i];

        if (b->weight > heaviest[b->object])
            heaviest[b->object] = b->weight;
    }
    for (uint32_t i = 0; i < data->n_blocks; i++) {
        struct cc_block *b = &data->blocks[i];

        assert(b->weight <= heaviest[b->object]);
        b->kept = passes(b, heaviest[b->object],
                         data->objects[b->object].executed, filter);
    }
    free(heaviest);
}

/* Several runs may have seen the same pair. */
static void fold_observed(struct cc_data *data)
{
    size_t n = 0;
    unsigned width = data->bounds.n;

    sort(data->observed, data->n_observed, sizeof *data->observed,
         observed_order);
    for (size_t i = 0; i < data->n_observed; i++) {
        const struct cc_observed *from = &data->observed[i];
        struct cc_observed *to = &data->observed[n > 0 ? n - 1 : 0];

        if (n == 0 || pair_order(from, to) != 0) {
            data->observed[n++] = *from;
            continue;
        }
        to->occurrences += from->occurrences;
        to->is_cross_thread |= from->is_cross_thread;
        if (from->min_distance < to->min_distance)
            to->min_distance = from->min_distance;
        if (from->max_distance > to->max_distance)
            to->max_distance = from->max_distance;
        cc_forwards_add(&to->forwards, &from->forwards);
        for (unsigned j = 0; j < width; j++)
            data->counts[(size_t)to->counts * width + j] +=
                data->counts[(size_t)from->counts * width + j];
    }
    data->n_observed = n;
}

uint32_t cc_find_block(const struct cc_data *data, uint32_t object,
                       uint64_t address)
{
    uint32_t low = 0, high = data->n_blocks;

    if (object == CC_NONE)
        return CC_NONE;
    /* The blocks before `low` start at or before the address, those from
       `high` on after it. */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct cc_block *b = &data->blocks[middle];

        if (b->object < object || (b->object == object && b->start <= address))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || data->blocks[low - 1].object != object ||
        address >= data->blocks[low - 1].end)
        return CC_NONE;
    assert(data->blocks[low - 1].start <= address);
    return low - 1;
}

uint32_t cc_find_observed(const struct cc_data *data, uint32_t src_object,
                          uint64_t src, uint32_t dst_object, uint64_t dst)
{
    const struct cc_observed key = {.src_object = src_object,
                                    .dst_object = dst_object,
                                    .src = src,
                                    .dst = dst};
    const struct cc_observed *found = NULL;

    assert(src_object < data->n_objects && dst_object < data->n_objects);
    if (data->n_observed > 0)
        found = bsearch(&key, data->observed, data->n_observed, sizeof key,
                        observed_order);
    return found != NULL ? (uint32_t)(found - data->observed) : CC_NONE;
}

static bool is_kept(const struct cc_data *data, uint32_t block)
{
    return block != CC_NONE && data->blocks[block].kept;
}

static void place_observed(const struct cc_data *data, struct cc_observed *d)
{
    d->src_block = cc_find_block(data, d->src_object, d->src);
    d->dst_block = cc_find_block(data, d->dst_object, d->dst);
    d->agrees = d->has_delta_k = false;
    if (!is_kept(data, d->src_block) && !is_kept(data, d->dst_block))
        d->verdict = CC_UNSCORED;
    else if (is_kept(data, d->src_block) && is_kept(data, d->dst_block) &&
             cc_reach_of(data, d->src_block, d->dst_block) <= data->reach)
        d->verdict = CC_MISSED;
    else
        d->verdict = CC_SPANNING;
}

static bool explains(const struct cc_prediction *p, uint64_t n_instructions,
                     uint64_t distance)
{
    uint64_t expected;

    return !__builtin_mul_overflow(p->delta_k, n_instructions, &expected) &&
           !__builtin_add_overflow(expected, p->dst_index, &expected) &&
           !__builtin_sub_overflow(expected, p->src_index, &expected) &&
           expected == distance;
}

/* How a prediction is ordered with respect to a dependency in blocks. */
static int prediction_cmp(const struct cc_prediction *p,
                          const struct cc_observed *d)
{
    int by = compare(p->block, d->src_block);

    by = by != 0 ? by : compare(p->src, d->src);
    by = by != 0 ? by : compare(p->dst_block, d->dst_block);
    return by != 0 ? by : compare(p->dst, d->dst);
}

/* Both are in the order of (block of src, src, block of dst, dst): among
   dependencies in blocks, the order of objects and addresses is that of
   blocks. */
static void join(struct cc_data *data)
{
    size_t at = 0, n = data->n_predictions;

    for (size_t i = 0; i < data->n_observed; i++) {
        struct cc_observed *d = &data->observed[i];
        uint32_t block = d->src_block;

        if (block == CC_NONE || d->dst_block == CC_NONE || d->occurrences == 0)
            continue;
        while (at < n && prediction_cmp(&data->predictions[at], d) < 0)
            at++;
        for (; at < n && prediction_cmp(&data->predictions[at], d) == 0; at++) {
            struct cc_prediction *p = &data->predictions[at];

            p->occurred = true;
            p->observed = (uint32_t)i;
            if (d->verdict == CC_MISSED)
                d->verdict = CC_FOUND;
            if (p->delta_k == CC_ANY_DELTA || p->block != p->dst_block)
                continue;
            d->has_delta_k = true;
            d->agrees |= explains(p, data->blocks[block].n_instructions,
                                  d->min_distance);
        }
    }
}

const struct cc_prediction *cc_find_predictions(const struct cc_data *data,
                                                const struct cc_observed *d,
                                                size_t *n)
{
    size_t low = 0, high = data->n_predictions, end;

    assert(d->verdict == CC_FOUND);
    /* The predictions before `low` come before the pair's. */
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (prediction_cmp(&data->predictions[middle], d) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (end = low; end < data->n_predictions &&
                    prediction_cmp(&data->predictions[end], d) == 0;)
        end++;
    assert(end > low);
    *n = end - low;
    return &data->predictions[low];
}

/* Each pair once, in order, with counts that rise with the bound. */
FOR_ASSERT static bool is_folded(const struct cc_data *data)
{
    const struct cc_bounds *bounds = &data->bounds;
    unsigned next[LIFETIMES_MAX]; /* the next larger bound, or itself */

    for (unsigned a = 0; a < bounds->n; a++) {
        next[a] = a;
        for (unsigned b = 0; b < bounds->n; b++)
            if (bounds->bound[b] > bounds->bound[a] &&
                (next[a] == a || bounds->bound[b] < bounds->bound[next[a]]))
                next[a] = b;
    }
    for (size_t i = 0; i < data->n_observed; i++) {
        const struct cc_observed *d = &data->observed[i];
        const uint64_t *counts = cc_counts(data, d);

        if (i > 0 && pair_order(d - 1, d) >= 0)
            return false;
        for (unsigned a = 0; a < bounds->n; a++)
            if (counts[a] > counts[next[a]])
                return false;
    }
    return true;
}

void cc_match(struct cc_data *data, struct cc_filter filter)
{
    assert(filter.min_weight >= 0 && filter.min_weight <= 100);
    assert(filter.min_share >= 0 && filter.min_share <= 100);
    assert(data->n_reported <= data->bounds.n);
    assert(data->n_counts >= data->n_observed * data->bounds.n);
    sort_blocks(data);
    weigh_blocks(data);
    keep_blocks(data, &filter);
    fold_observed(data);
    assert(is_folded(data));
    for (size_t i = 0; i < data->n_observed; i++)
        place_observed(data, &data->observed[i]);
    for (size_t i = 0; i < data->n_predictions; i++) {
        data->predictions[i].occurred = false;
        data->predictions[i].observed = CC_NONE;
    }
    sort(data->unknowns, data->n_unknowns, sizeof *data->unknowns,
         unknown_order);
    sort(data->accesses, data->n_accesses, sizeof *data->accesses,
         access_order);
    sort(data->weaks, data->n_weaks, sizeof *data->weaks, weak_order);
    sort(data->predictions, data->n_predictions, sizeof *data->predictions,
         prediction_order);
    assert(is_sorted(data->predictions, data->n_predictions,
                     sizeof *data->predictions, prediction_order));
    assert(is_sorted(data->unknowns, data->n_unknowns, sizeof *data->unknowns,
                     unknown_order));
    join(data);
}

struct cc_access cc_find_access(const struct cc_data *data, uint32_t block,
                                uint64_t address, bool stores)
{
    const struct cc_access key = {.block = block,
                                  .address = address,
                                  .stores = stores,
                                  .base = 1},
                           *found = NULL;

    if (!data->objects[data->blocks[block].object].knows_bases)
        return (struct cc_access){.block = block, .address = address};
    if (data->n_accesses > 0)
        found = bsearch(&key, data->accesses, data->n_accesses, sizeof key,
                        access_order);
    return found != NULL ? *found : key;
}

bool cc_is_weak(const struct cc_data *data, const struct cc_observed *d)
{
    const struct cc_weak key = {d->src_block, d->dst_block, d->src, d->dst};

    return data->n_weaks > 0 && bsearch(&key, data->weaks, data->n_weaks,
                                        sizeof key, weak_order) != NULL;
}
