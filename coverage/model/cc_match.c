/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/cc_match.h"

#include "executions.h"

/* --- The order of the records --- */

/* Called in assertions only, so unused without them. */
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

ARRAY_ORDER(block_order, struct cc_block,
            array_order(a->object, b->object)
                ?: array_order(a->start, b->start)
                ?: array_order(a->end, b->end)
                ?: array_order(a->number, b->number))

static int pair_order(const void *pa, const void *pb)
{
    const struct cc_observed *a = pa, *b = pb;
    int by = array_order(a->src_object, b->src_object)
                 ?: array_order(a->src, b->src)
                 ?: array_order(a->dst_object, b->dst_object)
                 ?: array_order(a->dst, b->dst);

    if (by != 0 || (a->src_object != CC_NONE && a->dst_object != CC_NONE))
        return by;
    return array_order(a->unmatched, b->unmatched);
}

/* Orders predictions and weak pairs as dependencies in blocks are ordered. */
#define PAIR_ORDER(a, a_block, b, b_block) \
    (array_order((a)->a_block, (b)->b_block)                \
         ?: array_order((a)->src, (b)->src)                 \
         ?: array_order((a)->dst_block, (b)->dst_block)     \
         ?: array_order((a)->dst, (b)->dst))

static int prediction_cmp(const struct cc_prediction *p,
                          const struct cc_observed *d)
{
    return PAIR_ORDER(p, block, d, src_block);
}

ARRAY_ORDER(prediction_order, struct cc_prediction,
            PAIR_ORDER(a, block, b, block)
                ?: array_order(a->delta_k, b->delta_k))

ARRAY_ORDER(access_order, struct cc_access,
            array_order(a->block, b->block)
                ?: array_order(a->address, b->address)
                ?: array_order(a->stores, b->stores)
                ?: array_order(b->is_unknown, a->is_unknown))

ARRAY_ORDER(weak_order, struct cc_weak, PAIR_ORDER(a, block, b, block))

/* Puts the blocks in order of their addresses, and renumbers what belongs to
   them. */
static void sort_blocks(struct cc_data *data)
{
    AUTO_FREE uint32_t *place = memory_new(data->n_blocks, sizeof *place);

    array_sort(data->blocks, data->n_blocks, block_order);
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
    for (size_t i = 0; i < data->n_accesses; i++)
        data->accesses[i].block = place[data->accesses[i].block];
    for (size_t i = 0; i < data->n_weaks; i++) {
        data->weaks[i].block = place[data->weaks[i].block];
        data->weaks[i].dst_block = place[data->weaks[i].dst_block];
    }
}

/* --- What is found --- */

uint32_t cc_find_block(const struct cc_data *data, uint32_t object,
                       uint64_t address)
{
    if (object == CC_NONE)
        return CC_NONE;
    /* The blocks before `low` start at or before the address. */
    size_t low = array_bisect(0, data->n_blocks, i,
                              data->blocks[i].object < object ||
                                  (data->blocks[i].object == object &&
                                   data->blocks[i].start <= address));
    if (low == 0 || data->blocks[low - 1].object != object ||
        address >= data->blocks[low - 1].end)
        return CC_NONE;
    assert(data->blocks[low - 1].start <= address);
    return (uint32_t)(low - 1);
}

/* Does a block of matched data lie inside the last instruction of the one
   before it?  False for CC_NONE. */
static bool is_inside(const struct cc_data *data, uint32_t block)
{
    if (block == CC_NONE || block == 0)
        return false;
    const struct cc_block *b = &data->blocks[block];
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
        array_find(&key, data->observed, data->n_observed, pair_order);

    assert(src_object < data->n_objects && dst_object < data->n_objects);
    return found != NULL ? (uint32_t)(found - data->observed) : CC_NONE;
}

const struct cc_prediction *cc_find_predictions(const struct cc_data *data,
                                                const struct cc_observed *d,
                                                size_t *n)
{
    size_t low = array_bisect(0, data->n_predictions, i,
                              prediction_cmp(&data->predictions[i], d) < 0);
    size_t end;

    assert(d->verdict == CC_FOUND);
    for (end = low; end < data->n_predictions &&
                    prediction_cmp(&data->predictions[end], d) == 0;)
        end++;
    assert(end > low);
    *n = end - low;
    return &data->predictions[low];
}

struct cc_access cc_find_access(const struct cc_data *data, uint32_t block,
                                uint64_t address, bool stores)
{
    const struct cc_access *list = data->accesses;
    struct cc_access key = {.block = block,
                            .address = address,
                            .stores = stores,
                            .is_unknown = true};
    size_t i =
        array_bisect(0, data->n_accesses, k, access_order(&list[k], &key) < 0);

    if (i < data->n_accesses && list[i].block == block &&
        list[i].address == address && list[i].stores == stores)
        return list[i];
    key.is_unknown = false;
    key.base = 1;
    return key;
}

bool cc_is_weak(const struct cc_data *data, const struct cc_observed *d)
{
    const struct cc_weak key = {d->src_block, d->dst_block, d->src, d->dst};

    return array_find(&key, data->weaks, data->n_weaks, weak_order) != NULL;
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

/* --- The join --- */

static void weigh_blocks(struct cc_data *data)
{
    AUTO_FINI(executions_fini) struct executions executions = {0};

    for (uint32_t i = 0; i < data->n_blocks; i++)
        data->blocks[i].entered = 0;
    for (size_t i = 0; i < data->n_segments; i++) {
        const struct cc_segment *s = &data->segments[i];
        uint32_t block = cc_find_block(data, s->object, s->start);
        uint64_t inside_until =
            is_inside(data, block) ? data->blocks[block].end : 0;
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
                                  is_inside(data, i));
    }
}

/* A repeated string instruction is a segment of its own, which starts as often
   as it repeats: a block executed as many instructions, or more. */
static bool passes(const struct cc_block *b, uint64_t heaviest,
                   uint64_t executed, const struct cc_filter *filter)
{
    double weight = (double)b->weight;
    double in_block =
        fmax(weight * (double)b->n_instructions, (double)b->entered);

    return b->weight > 0 &&
           weight * 100 >= filter->min_weight * (double)heaviest &&
           in_block * 100 >= filter->min_share * (double)executed;
}

static void keep_blocks(struct cc_data *data, const struct cc_filter *filter)
{
    AUTO_FREE uint64_t *heaviest =
        memory_new(data->n_objects, sizeof *heaviest);

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
}

/* Merges rows of the same pair, which several runs may have seen. */
static void fold_observed(struct cc_data *data)
{
    size_t n = 0;
    unsigned width = data->bounds.n;

    array_sort(data->observed, data->n_observed, pair_order);
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

/* The distance that a fixed delta_k implies; UINT64_MAX: none. */
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
            uint64_t expected =
                distance_of(p, data->blocks[block].n_instructions);
            /* The smallest distance may lie between two runs of the loop. */
            if (p->is_in_run && d->min_distance < expected)
                continue;
            d->has_delta_k = true;
            d->agrees |= d->min_distance == expected;
        }
    }
}

/* Is each pair there once, in order, with counts that rise with the bound? */
__attribute__((unused)) static bool is_folded(const struct cc_data *data)
{
    const struct cc_bounds *bounds = &data->bounds;
    unsigned next[LIFETIMES_MAX]; /* by bound: the next larger one, or itself
                                     if it is the largest */

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
    array_sort(data->accesses, data->n_accesses, access_order);
    array_sort(data->weaks, data->n_weaks, weak_order);
    array_sort(data->predictions, data->n_predictions, prediction_order);
    assert(is_sorted(data->predictions, data->n_predictions,
                     sizeof *data->predictions, prediction_order));
    assert(is_sorted(data->accesses, data->n_accesses, sizeof *data->accesses,
                     access_order));
    join(data);
}
