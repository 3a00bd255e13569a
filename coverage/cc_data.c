/*
 * cc_data: what covcheck computes with.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "cc_data.h"

#include <assert.h>
#include <stdlib.h>

#include "memory.h"

bool cc_bounds_has(const struct cc_bounds *b, uint64_t bound)
{
    for (unsigned i = 0; i < b->n; i++)
        if (b->bound[i] == bound)
            return true;
    return false;
}

bool cc_bounds_add(struct cc_bounds *b, uint64_t bound)
{
    if (cc_bounds_has(b, bound))
        return true;
    if (b->n == LIFETIMES_MAX)
        return false;
    b->bound[b->n++] = bound;
    return true;
}

void cc_add_run(struct cc_data *data, int64_t run_id, bool complete)
{
    data->n_runs++;
    if (complete)
        return;
    data->incomplete_runs =
        memory_grow(data->incomplete_runs, &data->capacity.incomplete_runs,
                    data->n_incomplete, sizeof *data->incomplete_runs);
    data->incomplete_runs[data->n_incomplete++] = run_id;
}

uint32_t cc_add_object(struct cc_data *data, const char *path,
                       const char *build_id)
{
    assert(data->n_objects < CC_NONE);
    data->objects = memory_grow(data->objects, &data->capacity.objects,
                                data->n_objects, sizeof *data->objects);
    data->objects[data->n_objects] =
        (struct cc_object){memory_text(path), memory_text(build_id)};
    return data->n_objects++;
}

uint32_t cc_add_block(struct cc_data *data, struct cc_block block)
{
    assert(data->n_blocks < CC_NONE);
    data->blocks = memory_grow(data->blocks, &data->capacity.blocks,
                               data->n_blocks, sizeof *data->blocks);
    block.number = data->n_blocks;
    data->blocks[data->n_blocks] = block;
    return data->n_blocks++;
}

void cc_add_prediction(struct cc_data *data, struct cc_prediction prediction)
{
    data->predictions =
        memory_grow(data->predictions, &data->capacity.predictions,
                    data->n_predictions, sizeof *data->predictions);
    data->predictions[data->n_predictions++] = prediction;
}

void cc_add_segment(struct cc_data *data, struct cc_segment segment)
{
    data->segments = memory_grow(data->segments, &data->capacity.segments,
                                 data->n_segments, sizeof *data->segments);
    data->segments[data->n_segments++] = segment;
}

void cc_add_dynamic(struct cc_data *data, struct cc_dynamic dynamic)
{
    assert(data->n_dynamics < UINT32_MAX);
    data->dynamics = memory_grow(data->dynamics, &data->capacity.dynamics,
                                 data->n_dynamics, sizeof *data->dynamics);
    dynamic.counts = (uint32_t)data->n_dynamics;
    data->dynamics[data->n_dynamics++] = dynamic;
    for (unsigned i = 0; i < data->bounds.n; i++) {
        data->counts = memory_grow(data->counts, &data->capacity.counts,
                                   data->n_counts, sizeof *data->counts);
        data->counts[data->n_counts++] = 0;
    }
}

void cc_add_occurrences(struct cc_data *data, uint64_t lifetime,
                        uint64_t occurrences)
{
    uint64_t *last = data->counts + (data->n_counts - data->bounds.n);

    for (unsigned i = 0; i < data->bounds.n; i++)
        if (lifetime <= data->bounds.bound[i])
            last[i] += occurrences;
}

void cc_data_fini(struct cc_data *data)
{
    for (uint32_t i = 0; i < data->n_objects; i++) {
        free(data->objects[i].path);
        free(data->objects[i].build_id);
    }
    free(data->incomplete_runs);
    free(data->objects);
    free(data->blocks);
    free(data->predictions);
    free(data->segments);
    free(data->dynamics);
    free(data->counts);
    *data = (struct cc_data){0};
}
