/*
 * cc_arcs: the dependencies within the hottest blocks, and where to draw them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "html/cc_arcs.h"

#include <assert.h>
#include <stdlib.h>

#include "judge/cc_score.h"
#include "memory.h"

static bool is_false(const struct cc_data *data, const struct cc_prediction *p)
{
    return p->block == p->dst_block && !p->occurred && cc_is_judged(data, p);
}

static uint64_t occurrences(const struct cc_data *data,
                            const struct cc_observed *d)
{
    return cc_counts(data, d)[cc_bounds_largest(&data->bounds)];
}

static bool is_scored(const struct cc_data *data, const struct cc_observed *d)
{
    return (d->verdict == CC_FOUND || d->verdict == CC_MISSED) &&
           d->src_block == d->dst_block && occurrences(data, d) > 0;
}

/* How hot a block is, to be compared. */
struct heat {
    double executed; /* instructions, in all its executions */
    uint32_t block;
    bool has_arc;
};

static int heat_order(const void *pa, const void *pb)
{
    const struct heat *a = pa, *b = pb;

    if (a->has_arc != b->has_arc)
        return a->has_arc ? -1 : 1;
    if (a->executed != b->executed)
        return a->executed > b->executed ? -1 : 1;
    return (a->block > b->block) - (a->block < b->block);
}

/* All blocks, the hottest with an arc first; the caller frees. */
static struct heat *rank(const struct cc_data *data)
{
    struct heat *heats = memory_new(data->n_blocks, sizeof *heats);

    for (uint32_t i = 0; i < data->n_blocks; i++) {
        const struct cc_block *b = &data->blocks[i];

        heats[i].block = i;
        heats[i].executed = (double)b->weight * (double)b->n_instructions;
    }
    for (size_t i = 0; i < data->n_observed; i++)
        if (is_scored(data, &data->observed[i]))
            heats[data->observed[i].src_block].has_arc = true;
    for (size_t i = 0; i < data->n_predictions; i++) {
        const struct cc_prediction *p = &data->predictions[i];

        if (is_false(data, p))
            heats[p->block].has_arc = true;
    }
    if (data->n_blocks > 1)
        qsort(heats, data->n_blocks, sizeof *heats, heat_order);
    return heats;
}

static void add_arc(struct cc_arc_block *b, struct cc_arc arc)
{
    b->arcs = memory_grow(b->arcs, &b->capacity, b->n, sizeof *b->arcs);
    b->arcs[b->n++] = arc;
    assert((arc.observed == NULL) == (arc.kind == CC_ARC_FALSE));
    b->n_kind[arc.kind]++;
}

/* place[b] is where a block's arcs go, or CC_NONE. */
static void add_all_observed(struct cc_arc_blocks *found, const uint32_t *place,
                             const struct cc_data *data)
{
    for (size_t i = 0; i < data->n_observed; i++) {
        const struct cc_observed *d = &data->observed[i];
        struct cc_arc arc = {.src = d->src, .dst = d->dst, .observed = d};

        if (!is_scored(data, d) || place[d->src_block] == CC_NONE)
            continue;
        arc.kind = d->verdict == CC_FOUND ? CC_ARC_FOUND : CC_ARC_MISSED;
        add_arc(&found->blocks[place[d->src_block]], arc);
    }
}

/* Predictions of one pair are neighbours, in the order of delta_k. */
static bool same_pair(const struct cc_prediction *a,
                      const struct cc_prediction *b)
{
    return a->block == b->block && a->dst_block == b->dst_block &&
           a->src == b->src && a->dst == b->dst;
}

static void add_false(struct cc_arc_blocks *found, const uint32_t *place,
                      const struct cc_data *data)
{
    size_t n = data->n_predictions, end;

    for (size_t i = 0; i < n; i = end) {
        const struct cc_prediction *p = &data->predictions[i];
        struct cc_arc arc = {CC_ARC_FALSE, p->src, p->dst, NULL, p, 0, 0};

        for (end = i; end < n && same_pair(p, &data->predictions[end]); end++)
            arc.n_predictions += is_false(data, &data->predictions[end]);
        if (place[p->block] != CC_NONE && arc.n_predictions > 0)
            add_arc(&found->blocks[place[p->block]], arc);
    }
}

static int pair_order(const void *pa, const void *pb)
{
    const struct cc_arc *a = pa;
    const struct cc_prediction *b = pb;

    if (a->src != b->src)
        return a->src < b->src ? -1 : 1;
    if (b->block != b->dst_block) /* an arc has both ends in one */
        return b->block < b->dst_block ? -1 : 1;
    return (a->dst > b->dst) - (a->dst < b->dst);
}

/* The predictions of a block are one stretch of the array. */
static void add_predictions(struct cc_arc_block *b, const struct cc_data *data)
{
    size_t low = 0, high = data->n_predictions, end;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (data->predictions[middle].block < b->block)
            low = middle + 1;
        else
            high = middle;
    }
    for (end = low;
         end < data->n_predictions && data->predictions[end].block == b->block;)
        end++;
    for (size_t i = 0; i < b->n; i++) {
        struct cc_arc *arc = &b->arcs[i];
        const struct cc_prediction *p;

        if (arc->kind != CC_ARC_FOUND || low == end)
            continue;
        p = bsearch(arc, &data->predictions[low], end - low, sizeof *p,
                    pair_order);
        if (p == NULL)
            continue;
        while (p > &data->predictions[low] && same_pair(p - 1, p))
            p--;
        assert(p->src == arc->src && p->dst == arc->dst && p->occurred);
        arc->prediction = p;
        while (p < data->predictions + end && same_pair(p, arc->prediction)) {
            arc->n_predictions++;
            p++;
        }
    }
}

/* The heaviest first, the false ones last; of equals, in the order of code. */
static int arc_order(const void *pa, const void *pb)
{
    const struct cc_arc *a = pa, *b = pb;
    uint64_t weight_a = a->observed != NULL ? a->observed->occurrences : 0;
    uint64_t weight_b = b->observed != NULL ? b->observed->occurrences : 0;

    if (weight_a != weight_b)
        return weight_a > weight_b ? -1 : 1;
    if (a->src != b->src)
        return a->src < b->src ? -1 : 1;
    return (a->dst > b->dst) - (a->dst < b->dst);
}

struct cc_arc_blocks cc_arcs_find(const struct cc_data *data, size_t most)
{
    struct cc_arc_blocks found = {0};
    uint32_t *place = memory_new(data->n_blocks, sizeof *place);
    struct heat *heats = rank(data);
    size_t n = 0;

    while (n < data->n_blocks && heats[n].has_arc)
        n++;
    found.n = n < most ? n : most;
    found.n_more = n - found.n;
    found.blocks = memory_new(found.n, sizeof *found.blocks);
    for (size_t i = 0; i < data->n_blocks; i++)
        place[heats[i].block] = i < found.n ? (uint32_t)i : CC_NONE;
    for (size_t i = 0; i < found.n; i++) {
        assert(data->blocks[heats[i].block].kept);
        assert(i == 0 || heats[i - 1].executed >= heats[i].executed);
        found.blocks[i].block = heats[i].block;
    }
    add_all_observed(&found, place, data);
    add_false(&found, place, data);
    for (size_t i = 0; i < found.n; i++) {
        assert(found.blocks[i].n > 0);
        add_predictions(&found.blocks[i], data);
        if (found.blocks[i].n > 1)
            qsort(found.blocks[i].arcs, found.blocks[i].n,
                  sizeof *found.blocks[i].arcs, arc_order);
    }
    free(heats);
    free(place);
    return found;
}

void cc_arcs_free(struct cc_arc_blocks *found)
{
    for (size_t i = 0; i < found->n; i++)
        free(found->blocks[i].arcs);
    free(found->blocks);
    *found = (struct cc_arc_blocks){0};
}

struct place {
    size_t arc, top, bottom;
};

static int place_order(const void *pa, const void *pb)
{
    const struct place *a = pa, *b = pb;
    size_t length_a = a->bottom - a->top, length_b = b->bottom - b->top;

    if (length_a != length_b)
        return length_a < length_b ? -1 : 1;
    if (a->top != b->top)
        return a->top < b->top ? -1 : 1;
    return (a->arc > b->arc) - (a->arc < b->arc);
}

/* Does an arc in this lane, of the first n places, share a row? */
static bool is_taken(const struct place *places, size_t n,
                     const struct cc_arc *arcs, unsigned lane,
                     const struct place *p)
{
    for (size_t i = 0; i < n; i++)
        if (arcs[places[i].arc].lane == lane && places[i].top <= p->bottom &&
            p->top <= places[i].bottom)
            return true;
    return false;
}

unsigned cc_arcs_place(struct cc_arc *arcs, const struct cc_arc_span *span,
                       size_t n)
{
    struct place *places = memory_new(n, sizeof *places);
    unsigned used = 0;

    for (size_t i = 0; i < n; i++) {
        size_t src = span[i].src_row, dst = span[i].dst_row;

        places[i] =
            (struct place){i, src < dst ? src : dst, src < dst ? dst : src};
    }
    if (n > 1)
        qsort(places, n, sizeof *places, place_order);
    for (size_t i = 0; i < n; i++) {
        unsigned lane = 0;

        while (lane < CC_ARCS_LANES - 1 &&
               is_taken(places, i, arcs, lane, &places[i]))
            lane++;
        assert(lane == CC_ARCS_LANES - 1 ||
               !is_taken(places, i, arcs, lane, &places[i]));
        arcs[places[i].arc].lane = lane;
        used = lane + 1 > used ? lane + 1 : used;
    }
    free(places);
    assert(used <= CC_ARCS_LANES && (used > 0) == (n > 0));
    return used;
}
