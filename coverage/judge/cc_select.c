/*
 * cc_select: the dependencies of one verdict, and the false predictions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "judge/cc_select.h"

#include <assert.h>

#include "judge/cc_score.h"
#include "array.h"

/* What is sorted: the heaviest first, of equals the first in the data. */
struct item {
    uint64_t weight;
    uint32_t number;
};

static int item_order(const void *pa, const void *pb)
{
    const struct item *a = pa, *b = pb;

    return array_order(b->weight, a->weight)
               ?: array_order(a->number, b->number);
}

/* Frees the items. */
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
    struct item *items = memory_new(n, sizeof *items);

    assert(bound < data->bounds.n);
    for (size_t i = 0; i < n; i++)
        items[i] = (struct item){
            cc_counts(data, &data->observed[observed[i]])[bound], observed[i]};
    array_sort(items, n, item_order);
    for (size_t i = 0; i < n; i++)
        observed[i] = items[i].number;
    free(items);
}
