/*
 * cc_left_out: what ran outside the blocks that a filtered static.db holds.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "judge/cc_left_out.h"

#include <assert.h>

#include "memory.h"
#include "model/cc_match.h"

static bool is_filtered(const struct cc_data *data, uint32_t object)
{
    return object != CC_NONE && data->objects[object].filter != NULL;
}

/* Counts a dependency as one of an object with one end in it, or both. */
static void add(struct cc_left_out *left_out, const struct cc_observed *d,
                bool is_outside)
{
    left_out->dependencies++;
    left_out->occurrences += d->occurrences;
    if (!is_outside)
        return;
    left_out->has_run = true;
    left_out->outside++;
    left_out->outside_occurrences += d->occurrences;
}

static void add_observed(struct cc_left_out *list, const struct cc_data *data,
                         const struct cc_observed *d)
{
    uint32_t src = d->src_object, dst = d->dst_object;
    bool has_no_src = d->src_block == CC_NONE;
    bool has_no_dst = d->dst_block == CC_NONE;

    if (is_filtered(data, src))
        add(&list[src], d, has_no_src || (src == dst && has_no_dst));
    if (src != dst && is_filtered(data, dst))
        add(&list[dst], d, has_no_dst);
}

struct cc_left_out *cc_left_out_new(const struct cc_data *data)
{
    struct cc_left_out *list = memory_new(data->n_objects, sizeof *list);

    for (size_t i = 0; i < data->n_observed; i++)
        add_observed(list, data, &data->observed[i]);
    for (size_t i = 0; i < data->n_segments; i++) {
        const struct cc_segment *s = &data->segments[i];

        if (is_filtered(data, s->object) && s->executions > 0 &&
            cc_find_block(data, s->object, s->start) == CC_NONE)
            list[s->object].has_run = true;
    }
    for (uint32_t i = 0; i < data->n_objects; i++)
        assert(list[i].outside <= list[i].dependencies);
    return list;
}
