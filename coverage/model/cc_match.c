/*
 * cc_match: joins what happened with what was predicted.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "model/cc_match.h"

#include <assert.h>

#include "executions.h"
#include "model/cc_find.h"
#include "array.h"

static void weigh_blocks(struct cc_data *data)
{
    struct executions executions = {0};

    for (uint32_t i = 0; i < data->n_blocks; i++)
        data->blocks[i].entered = 0;
    for (size_t i = 0; i < data->n_segments; i++) {
        const struct cc_segment *s = &data->segments[i];
        uint32_t block = cc_find_block(data, s->object, s->start);
        uint64_t inside_until =
            cc_is_inside(data, block) ? data->blocks[block].end : 0;
        bool fits = executions_add(&executions, s->object, s->start, s->end,
                                   inside_until, s->executions);

        assert(fits); /* see cc_data.h */
        (void)fits;
        if (block != CC_NONE)
            data->blocks[block].entered += s->executions;
    }
    executions_sum(&executions);
    for (uint32_t i = 0; i < data->n_blocks; i++) {
        struct cc_block *b = &data->blocks[i];

        b->weight = executions_of(&executions, b->object, b->start, b->end,
                                  cc_is_inside(data, i));
    }
    executions_fini(&executions);
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

    cc_sort_observed(data);
    for (size_t i = 0; i < data->n_observed; i++) {
        const struct cc_observed *from = &data->observed[i];
        struct cc_observed *to = &data->observed[n > 0 ? n - 1 : 0];

        if (n == 0 || cc_pair_order(from, to) != 0) {
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
             cc_scope_of(data, d->src_block, d->dst_block) <= data->scope)
        d->verdict = CC_MISSED;
    else
        d->verdict = CC_SPANNING;
}

/* The distance that a fixed delta_k makes; UINT64_MAX: none. */
static uint64_t distance_of(const struct cc_prediction *p,
                            uint64_t n_instructions)
{
    uint64_t distance;

    return !__builtin_mul_overflow(p->delta_k, n_instructions, &distance) &&
                   !__builtin_add_overflow(distance, p->dst_index, &distance) &&
                   !__builtin_sub_overflow(distance, p->src_index, &distance)
               ? distance
               : UINT64_MAX;
}

/* A fixed delta_k is compared with the smallest distance, unless that may be
   one between two runs of the loop. */
static void compare_distance(struct cc_observed *d,
                             const struct cc_prediction *p,
                             uint64_t n_instructions)
{
    uint64_t expected = distance_of(p, n_instructions);

    if (p->is_in_run && d->min_distance < expected)
        return;
    d->has_delta_k = true;
    d->agrees |= d->min_distance == expected;
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
        while (at < n && cc_prediction_cmp(&data->predictions[at], d) < 0)
            at++;
        for (; at < n && cc_prediction_cmp(&data->predictions[at], d) == 0;
             at++) {
            struct cc_prediction *p = &data->predictions[at];

            p->occurred = true;
            p->observed = (uint32_t)i;
            if (d->verdict == CC_MISSED)
                d->verdict = CC_FOUND;
            if (p->delta_k == CC_ANY_DELTA || p->block != p->dst_block)
                continue;
            compare_distance(d, p, data->blocks[block].n_instructions);
        }
    }
}

/* Each pair once, in order, with counts that rise with the bound. */
__attribute__((unused)) static bool is_folded(const struct cc_data *data)
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

        if (i > 0 && cc_pair_order(d - 1, d) >= 0)
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
    cc_sort_blocks(data);
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
    cc_sort_predictions(data);
    join(data);
}
