/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "judge/cc_score.h"

#include "code/cc_symbolize.h"

const char *const cc_by_words[] = {
    [CC_BY_NONE] = "",
    [CC_BY_OBJECT] = "object",
    [CC_BY_FUNCTION] = "function",
    [CC_BY_BLOCK] = "block",
    [CC_BY_LINE] = "line",
    NULL,
};

/* The group of a block.  Blocks outside any function come after the functions,
   one group for each object. */
static uint32_t group_of(const struct cc_data *data, enum cc_by by, uint32_t i)
{
    const struct cc_block *b = &data->blocks[i];

    if (by == CC_BY_OBJECT)
        return b->object;
    if (by == CC_BY_FUNCTION)
        return b->function != CC_NONE ? b->function
                                      : data->n_functions + b->object;
    return i;
}

static void describe(struct cc_group *list, const struct cc_data *data,
                     enum cc_by by, const uint32_t *group)
{
    for (uint32_t i = 0; i < data->n_blocks; i++) {
        const struct cc_block *b = &data->blocks[i];
        struct cc_group *g = &list[group[i]];

        if (g->end == 0 || b->start < g->start)
            g->start = b->start;
        if (b->end > g->end)
            g->end = b->end;
        if (b->weight > g->weight)
            g->weight = b->weight;
        g->object = b->object;
        if (by != CC_BY_OBJECT && b->function != CC_NONE) {
            g->function = data->functions[b->function].name;
            g->other_names = data->functions[b->function].others;
        }
    }
}

static uint64_t scored(const struct cc_group *g)
{
    return g->score->tally[0].found_occurrences +
           g->score->tally[0].missed_occurrences;
}

ARRAY_ORDER(group_order, struct cc_group,
            array_order(scored(b), scored(a))
                ?: array_order(b->weight, a->weight)
                ?: array_order(a->object, b->object)
                ?: array_order(a->start, b->start))

/* Has the score any figure other than "no data"? */
static bool has_data(const struct cc_score *score,
                     const struct cc_bounds *bounds)
{
    for (unsigned b = 0; b < bounds->n; b++)
        if (score->tally[b].found + score->tally[b].missed > 0)
            return true;
    return score->precision.whole > 0;
}

/* Sorts the groups with data, and drops those without, except objects. */
static void arrange(struct cc_groups *groups, const struct cc_bounds *bounds)
{
    size_t n = groups->n;

    groups->n = 0;
    for (size_t i = 0; i < n; i++)
        if (groups->by == CC_BY_OBJECT ||
            has_data(groups->list[i].score, bounds))
            groups->list[groups->n++] = groups->list[i];
    array_sort(groups->list, groups->n, group_order);
    assert(groups->n < 2 ||
           group_order(&groups->list[0], &groups->list[groups->n - 1]) <= 0);
}

struct cc_groups cc_groups_new(const struct cc_data *data, enum cc_by by)
{
    const uint32_t sizes[] = {
        [CC_BY_OBJECT] = data->n_objects,
        [CC_BY_FUNCTION] = data->n_functions + data->n_objects,
        [CC_BY_BLOCK] = data->n_blocks,
        [CC_BY_LINE] = 0,
    };
    struct cc_groups groups = {.by = by};
    uint32_t n = sizes[by];

    if (n == 0)
        return groups;
    AUTO_FREE uint32_t *group = memory_new(data->n_blocks, sizeof *group);
    for (uint32_t i = 0; i < data->n_blocks; i++) {
        group[i] = group_of(data, by, i);
        assert(group[i] < n);
    }
    groups.scores = cc_scores_new(data, group, n);
    groups.list = memory_new(n, sizeof *groups.list);
    for (uint32_t i = 0; by == CC_BY_OBJECT && i < n; i++)
        groups.list[i].object = i; /* an object may have no blocks */
    describe(groups.list, data, by, group);
    for (groups.n = 0; groups.n < n; groups.n++)
        groups.list[groups.n].score = &groups.scores[groups.n];
    arrange(&groups, &data->bounds);
    return groups;
}

void cc_groups_fini(struct cc_groups *groups)
{
    cc_scores_free(groups->scores);
    free(groups->list);
    for (size_t i = 0; i < groups->n_files; i++)
        free(groups->files[i]);
    free(groups->files);
    *groups = (struct cc_groups){0};
}

/* --- Source lines --- */

/* The load of a dependency, or of a prediction. */
struct load {
    uint32_t block;
    uint64_t address;
    char *file; /* owned; "" if the line is unknown */
    int line;
    uint32_t *group; /* where to write the number of its line */
};

struct loads {
    struct load *list;
    size_t n, room;
};

static void add_load(struct loads *loads, const struct cc_data *data,
                     struct cc_symbolizer *symbolizer, uint32_t block,
                     uint64_t address, uint32_t *group)
{
    struct source_frame at =
        cc_symbolize_line(symbolizer, data->blocks[block].object, address);
    bool is_known = at.line > 0 && at.file != NULL;

    array_push(loads->list, loads->n, loads->room,
               (struct load){
                   .block = block,
                   .address = address,
                   .file = memory_text(is_known ? at.file : ""),
                   .line = is_known ? at.line : 0,
                   .group = group,
               });
}

/* Orders by object, as the blocks are, then by line. */
static int line_order(const struct cc_data *data, const struct load *a,
                      const struct load *b)
{
    uint32_t x = data->blocks[a->block].object;
    uint32_t y = data->blocks[b->block].object;

    return array_order(x, y)
               ?: strcmp(a->file, b->file) ?: array_order(a->line, b->line);
}

static int load_order(const void *pa, const void *pb, void *data)
{
    return line_order(data, pa, pb);
}

/* Adds a load to the group of its line. */
static void describe_line(struct cc_group *g, const struct cc_data *data,
                          const struct load *load)
{
    const struct cc_block *b = &data->blocks[load->block];

    if (g->end == 0 || load->address < g->start)
        g->start = load->address;
    if (load->address >= g->end)
        g->end = load->address + 1;
    if (b->weight > g->weight)
        g->weight = b->weight;
    g->object = b->object;
    g->file = load->line > 0 ? load->file : NULL;
    g->line = load->line;
}

/* Makes a group for each line of sorted loads, and takes over their texts. */
static void group_loads(struct cc_groups *groups, const struct cc_data *data,
                        struct loads *loads)
{
    groups->list = memory_new(loads->n, sizeof *groups->list);
    groups->files = memory_new(loads->n, sizeof *groups->files);
    for (size_t i = 0; i < loads->n; i++) {
        struct load *load = &loads->list[i];

        groups->files[groups->n_files++] = load->file;
        if (i == 0 || line_order(data, load - 1, load) != 0)
            groups->n++;
        describe_line(&groups->list[groups->n - 1], data, load);
        *load->group = (uint32_t)(groups->n - 1);
    }
}

struct cc_groups cc_groups_new_by_line(const struct cc_data *data,
                                       struct cc_symbolizer *symbolizer)
{
    struct cc_groups groups = {.by = CC_BY_LINE};
    AUTO_FREE uint32_t *observed =
        memory_new(data->n_observed, sizeof *observed);
    AUTO_FREE uint32_t *predictions =
        memory_new(data->n_predictions, sizeof *observed);
    struct loads loads = {0};

    for (size_t i = 0; i < data->n_observed; i++)
        if (cc_is_scored(&data->observed[i]))
            add_load(&loads, data, symbolizer, data->observed[i].dst_block,
                     data->observed[i].dst, &observed[i]);
    for (size_t i = 0; i < data->n_predictions; i++)
        if (cc_is_judged(data, &data->predictions[i]))
            add_load(&loads, data, symbolizer, data->predictions[i].dst_block,
                     data->predictions[i].dst, &predictions[i]);
    if (loads.n > 0) {
        qsort_r(loads.list, loads.n, sizeof *loads.list, load_order,
                (void *)data);
        group_loads(&groups, data, &loads);
        groups.scores = cc_scores_new_by_pair(data, observed, predictions,
                                              (uint32_t)groups.n);
        for (size_t i = 0; i < groups.n; i++)
            groups.list[i].score = &groups.scores[i];
        arrange(&groups, &data->bounds);
    }
    free(loads.list);
    return groups;
}

/* --- Single dependencies --- */

/* A record to sort: the heaviest first, equal ones as in the data. */
struct item {
    uint64_t weight;
    uint32_t number;
};

ARRAY_ORDER(item_order, struct item,
            array_order(b->weight, a->weight)
                ?: array_order(a->number, b->number))

/* The `limit` heaviest of the items, which are freed. */
static struct cc_selection select_heaviest(struct item *items, size_t n,
                                           size_t limit)
{
    struct cc_selection selection = {.n = n < limit ? n : limit, .n_all = n};

    array_sort(items, n, item_order);
    selection.items = memory_new(selection.n, sizeof *selection.items);
    for (size_t i = 0; i < selection.n; i++) {
        assert(i == 0 || item_order(&items[i - 1], &items[i]) < 0);
        selection.items[i] = items[i].number;
    }
    assert(selection.n <= limit && selection.n <= selection.n_all);
    free(items);
    return selection;
}

struct cc_selection cc_select_observed(const struct cc_data *data,
                                       enum cc_verdict verdict, unsigned bound,
                                       size_t limit)
{
    struct item *items = NULL;
    size_t n = 0, capacity = 0;

    assert(bound < data->bounds.n);
    for (size_t i = 0; i < data->n_observed; i++) {
        const struct cc_observed *d = &data->observed[i];
        uint64_t weight = cc_counts(data, d)[bound];

        if (d->verdict == verdict && weight > 0)
            array_push(items, n, capacity, (struct item){weight, (uint32_t)i});
    }
    return select_heaviest(items, n, limit);
}

struct cc_selection cc_select_false(const struct cc_data *data, size_t limit)
{
    struct item *items = NULL;
    size_t n = 0, capacity = 0;

    for (size_t i = 0; i < data->n_predictions; i++) {
        const struct cc_prediction *p = &data->predictions[i];

        if (!p->occurred && cc_is_judged(data, p))
            array_push(
                items, n, capacity,
                (struct item){data->blocks[p->block].weight, (uint32_t)i});
    }
    return select_heaviest(items, n, limit);
}

void cc_sort_heaviest(const struct cc_data *data, uint32_t *observed, size_t n,
                      unsigned bound)
{
    AUTO_FREE struct item *items = memory_new(n, sizeof *items);

    assert(bound < data->bounds.n);
    for (size_t i = 0; i < n; i++)
        items[i] = (struct item){
            cc_counts(data, &data->observed[observed[i]])[bound], observed[i]};
    array_sort(items, n, item_order);
    for (size_t i = 0; i < n; i++)
        observed[i] = items[i].number;
}
