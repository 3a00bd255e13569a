/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "html/cc_html.h"

/* Arcs are grouped by the block that contains them, or, if `is_between`, by the
   functions of the two blocks that they connect. */
struct grouping {
    const struct cc_data *data;
    bool is_between;
    uint32_t n;
};

/* Sets the groups of a pair; returns their number, at most 2. */
static unsigned groups_of(const struct grouping *g, uint32_t src, uint32_t dst,
                          uint32_t group[2])
{
    const uint32_t ends[] = {src, dst};
    unsigned n = 0;

    if (!g->is_between) {
        group[0] = src;
        return src == dst;
    }
    if (src == dst || cc_scope_of(g->data, src, dst) > CC_SCOPE_OBJECT)
        return 0;
    for (int end = 0; end < 2; end++) {
        uint32_t function = g->data->blocks[ends[end]].function;

        if (function != CC_NONE && (n == 0 || group[0] != function))
            group[n++] = function;
    }
    return n;
}

static bool is_false(const struct grouping *g, const struct cc_prediction *p)
{
    return !p->occurred && cc_is_judged(g->data, p);
}

static bool is_scored(const struct grouping *g, const struct cc_observed *d)
{
    return cc_is_scored(d) && cc_weight_of(g->data, d) > 0;
}

/* A group, and how hot it is. */
struct heat {
    double executed; /* instructions, over all executions */
    uint32_t group;
    size_t n_blocks, n_kept;
    bool has_arc;
};

ARRAY_ORDER(heat_order, struct heat,
            (b->has_arc - a->has_arc)
                ?: array_order(b->n_kept > 0, a->n_kept > 0)
                ?: array_order(b->executed, a->executed)
                ?: array_order(a->group, b->group))

static void mark(const struct grouping *g, struct heat *heats, uint32_t src,
                 uint32_t dst)
{
    uint32_t group[2];
    unsigned n = groups_of(g, src, dst, group);

    for (unsigned i = 0; i < n; i++)
        heats[group[i]].has_arc = true;
}

/* All groups, the hottest with an arc first.  The caller frees the list. */
static struct heat *rank(const struct grouping *g)
{
    const struct cc_data *data = g->data;
    struct heat *heats = memory_new(g->n, sizeof *heats);

    for (uint32_t i = 0; i < g->n; i++)
        heats[i].group = i;
    for (uint32_t i = 0; i < data->n_blocks; i++) {
        const struct cc_block *b = &data->blocks[i];
        uint32_t group = g->is_between ? b->function : i;

        if (group == CC_NONE)
            continue;
        heats[group].executed += (double)b->weight * (double)b->n_instructions;
        heats[group].n_blocks++;
        heats[group].n_kept += b->kept;
    }
    for (size_t i = 0; i < data->n_observed; i++)
        if (is_scored(g, &data->observed[i]))
            mark(g, heats, data->observed[i].src_block,
                 data->observed[i].dst_block);
    for (size_t i = 0; i < data->n_predictions; i++)
        if (is_false(g, &data->predictions[i]))
            mark(g, heats, data->predictions[i].block,
                 data->predictions[i].dst_block);
    array_sort(heats, g->n, heat_order);
    return heats;
}

/* Adds an arc to its groups; place[group] is the group's index, or CC_NONE. */
static void put_arc(struct cc_arc_blocks *found, const uint32_t *place,
                    const struct grouping *g, struct cc_arc arc)
{
    uint32_t group[2];
    unsigned n = groups_of(g, arc.src_block, arc.dst_block, group);

    assert((arc.observed == NULL) == (arc.kind == CC_ARC_FALSE));
    for (unsigned i = 0; i < n; i++) {
        if (place[group[i]] == CC_NONE)
            continue;
        struct cc_arc_block *b = &found->blocks[place[group[i]]];
        array_push(b->arcs, b->n, b->capacity, arc);
        b->n_kind[arc.kind]++;
    }
}

static void add_all_observed(struct cc_arc_blocks *found, const uint32_t *place,
                             const struct grouping *g)
{
    for (size_t i = 0; i < g->data->n_observed; i++) {
        const struct cc_observed *d = &g->data->observed[i];
        struct cc_arc arc = {.kind = CC_ARC_MISSED,
                             .src = d->src,
                             .dst = d->dst,
                             .src_block = d->src_block,
                             .dst_block = d->dst_block,
                             .observed = d};

        if (!is_scored(g, d))
            continue;
        if (d->verdict == CC_FOUND) {
            arc.kind = CC_ARC_FOUND;
            arc.prediction =
                cc_find_predictions(g->data, d, &arc.n_predictions);
        }
        put_arc(found, place, g, arc);
    }
}

/* Do two predictions, neighbours in their order, predict the same pair? */
static bool same_pair(const struct cc_prediction *a,
                      const struct cc_prediction *b)
{
    return a->block == b->block && a->dst_block == b->dst_block &&
           a->src == b->src && a->dst == b->dst;
}

static void add_false(struct cc_arc_blocks *found, const uint32_t *place,
                      const struct grouping *g)
{
    size_t n = g->data->n_predictions, end;

    for (size_t i = 0; i < n; i = end) {
        const struct cc_prediction *p = &g->data->predictions[i];
        struct cc_arc arc = {.kind = CC_ARC_FALSE,
                             .src = p->src,
                             .dst = p->dst,
                             .src_block = p->block,
                             .dst_block = p->dst_block,
                             .prediction = p};

        for (end = i; end < n && same_pair(p, &g->data->predictions[end]);
             end++)
            arc.n_predictions += is_false(g, &g->data->predictions[end]);
        if (arc.n_predictions > 0)
            put_arc(found, place, g, arc);
    }
}

/* Heaviest arcs first, wrong predictions last; equals in the order of code. */
static int arc_order(const void *pa, const void *pb)
{
    const struct cc_arc *a = pa, *b = pb;
    uint64_t weight_a = a->observed != NULL ? a->observed->occurrences : 0;
    uint64_t weight_b = b->observed != NULL ? b->observed->occurrences : 0;

    return array_order(weight_b, weight_a)
               ?: array_order(a->src, b->src) ?: array_order(a->dst, b->dst);
}

/* Chooses all groups with an arc, and also kept blocks without one. */
static void choose_groups(struct cc_arc_blocks *found, uint32_t *place,
                          const struct grouping *g)
{
    AUTO_FREE struct heat *heats = rank(g);

    while (found->n < g->n && (heats[found->n].has_arc ||
                               (!g->is_between && heats[found->n].n_kept > 0)))
        found->n++;
    found->blocks = memory_new(found->n, sizeof *found->blocks);
    for (size_t i = 0; i < g->n; i++)
        place[heats[i].group] = i < found->n ? (uint32_t)i : CC_NONE;
    for (size_t i = 0; i < found->n; i++) {
        const struct heat *h = &heats[i];

        assert(i == 0 || heat_order(h - 1, h) < 0);
        assert(h->n_kept > 0);
        found->blocks[i] = (struct cc_arc_block){
            .block = g->is_between ? CC_NONE : h->group,
            .function = g->is_between ? h->group : CC_NONE,
            .n_blocks = h->n_blocks,
            .n_kept = h->n_kept,
        };
    }
}

struct cc_arc_blocks cc_arcs_find(const struct cc_data *data, bool is_between)
{
    const struct grouping g = {data, is_between,
                               is_between ? data->n_functions : data->n_blocks};
    struct cc_arc_blocks found = {0};
    AUTO_FREE uint32_t *place = memory_new(g.n, sizeof *place);

    choose_groups(&found, place, &g);
    add_all_observed(&found, place, &g);
    add_false(&found, place, &g);
    for (size_t i = 0; i < found.n; i++)
        array_sort(found.blocks[i].arcs, found.blocks[i].n, arc_order);
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

ARRAY_ORDER(place_order, struct place,
            array_order(a->bottom - a->top, b->bottom - b->top)
                ?: array_order(a->top, b->top)
                ?: array_order(a->arc, b->arc))

/* Does one of the first n arcs in this lane share a row with *p? */
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
    AUTO_FREE struct place *places = memory_new(n, sizeof *places);
    unsigned used = 0;

    for (size_t i = 0; i < n; i++) {
        size_t src = span[i].src_row, dst = span[i].dst_row;

        places[i] =
            (struct place){i, src < dst ? src : dst, src < dst ? dst : src};
    }
    array_sort(places, n, place_order);
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
    assert(used <= CC_ARCS_LANES && (used > 0) == (n > 0));
    return used;
}
