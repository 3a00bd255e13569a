/*
 * cc_groups: the scores of source lines.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "judge/cc_groups.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "code/cc_symbolize.h"
#include "array.h"

/* The load of a dependency, or of a prediction. */
struct load {
    uint32_t block;
    uint64_t address;
    char *file; /* owned; "" without a line */
    int line;
    uint32_t *group; /* set to the number of its line */
};

struct loads {
    struct load *list;
    size_t n, room;
};

static void add_load(struct loads *loads, const struct cc_data *data,
                     struct cc_symbolizer *symbolizer, uint32_t block,
                     uint64_t address, uint32_t *group)
{
    struct objfile_frame at =
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

/* By object, which is the order of blocks, and line. */
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
static void describe(struct cc_group *g, const struct cc_data *data,
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

/* Numbers the lines of sorted loads, and takes over their texts. */
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
        describe(&groups->list[groups->n - 1], data, load);
        *load->group = (uint32_t)(groups->n - 1);
    }
}

struct cc_groups cc_groups_new_by_line(const struct cc_data *data,
                                       struct cc_symbolizer *symbolizer)
{
    struct cc_groups groups = {.by = CC_BY_LINE};
    uint32_t *observed = memory_new(data->n_observed, sizeof *observed);
    uint32_t *predictions = memory_new(data->n_predictions, sizeof *observed);
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
        cc_groups_arrange(&groups, &data->bounds);
    }
    free(loads.list);
    free(predictions);
    free(observed);
    return groups;
}
