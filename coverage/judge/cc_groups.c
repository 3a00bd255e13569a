/*
 * cc_groups: the scores of all objects, functions or blocks one by one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "judge/cc_groups.h"

#include <assert.h>
#include <string.h>

#include "array.h"

static const char *const names[] = {
    [CC_BY_OBJECT] = "object",
    [CC_BY_FUNCTION] = "function",
    [CC_BY_BLOCK] = "block",
    [CC_BY_LINE] = "line",
};

const char *cc_by_name(enum cc_by by)
{
    assert(by != CC_BY_NONE);
    return names[by];
}

bool cc_by_parse(const char *name, enum cc_by *by)
{
    for (enum cc_by i = CC_BY_OBJECT; i <= CC_BY_LINE; i++) {
        assert(strstr(CC_BY_NAMES, names[i]) != NULL);
        if (strcmp(names[i], name) == 0) {
            *by = i;
            return true;
        }
    }
    return false;
}

/* The group of a block.  What is outside any function comes after the
   functions, by object. */
static uint32_t group_of(const struct cc_data *data, enum cc_by by, uint32_t i)
{
    const struct cc_block *b = &data->blocks[i];

    switch (by) {
    case CC_BY_NONE:
    case CC_BY_LINE:
        break;
    case CC_BY_OBJECT:
        return b->object;
    case CC_BY_FUNCTION:
        return b->function != CC_NONE ? b->function
                                      : data->n_functions + b->object;
    case CC_BY_BLOCK:
        return i;
    }
    return 0;
}

static uint32_t count_groups(const struct cc_data *data, enum cc_by by)
{
    switch (by) {
    case CC_BY_NONE:
    case CC_BY_LINE:
        break;
    case CC_BY_OBJECT:
        return data->n_objects;
    case CC_BY_FUNCTION:
        return data->n_functions + data->n_objects;
    case CC_BY_BLOCK:
        return data->n_blocks;
    }
    return 0;
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

static int group_order(const void *pa, const void *pb)
{
    const struct cc_group *a = pa, *b = pb;

    return array_order(scored(b), scored(a))
               ?: array_order(b->weight, a->weight)
               ?: array_order(a->object, b->object)
               ?: array_order(a->start, b->start);
}

/* Is any of its figures more than "no data"? */
static bool has_data(const struct cc_score *score,
                     const struct cc_bounds *bounds)
{
    for (unsigned b = 0; b < bounds->n; b++)
        if (score->tally[b].found + score->tally[b].missed > 0)
            return true;
    return score->precision.whole > 0;
}

void cc_groups_arrange(struct cc_groups *groups, const struct cc_bounds *bounds)
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
    struct cc_groups groups = {.by = by};
    uint32_t n = count_groups(data, by), *group;

    if (n == 0)
        return groups;
    group = memory_new(data->n_blocks, sizeof *group);
    for (uint32_t i = 0; i < data->n_blocks; i++) {
        group[i] = group_of(data, by, i);
        assert(group[i] < n);
    }
    groups.scores = cc_scores_new(data, group, n);
    groups.list = memory_new(n, sizeof *groups.list);
    for (uint32_t i = 0; by == CC_BY_OBJECT && i < n; i++)
        groups.list[i].object = i; /* it may have no blocks */
    describe(groups.list, data, by, group);
    for (groups.n = 0; groups.n < n; groups.n++)
        groups.list[groups.n].score = &groups.scores[groups.n];
    cc_groups_arrange(&groups, &data->bounds);
    free(group);
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
