/*
 * data: small cc_data for unit tests.
 *
 * Blocks have 16 bytes and four instructions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "unit.h"

#include "model/cc_match.h"

/* The data of the test that runs. */
static struct cc_data data;

AFTER_EACH()
{
    cc_data_fini(&data);
}

/* Adds a block of an object, in a function by its name (NULL: outside any),
   which executed `weight` times.  Returns its number. */
static inline uint32_t data_block(uint32_t object, const char *function,
                                  uint64_t start, uint64_t weight)
{
    struct cc_block block = {.object = object,
                             .function = CC_NONE,
                             .start = start,
                             .end = start + 16,
                             .n_instructions = 4,
                             .analysed = true,
                             .follows_itself = true};

    if (function != NULL)
        block.function = cc_add_function(&data, object, function, 0);
    array_append(&data, segments,
                 (struct cc_segment){object, start, start + 16, weight});
    return cc_add_block(&data, block);
}

/* Adds n occurrences at one distance, within one object. */
static inline void data_observe(uint32_t object, uint64_t src, uint64_t dst,
                                uint64_t distance, uint64_t n)
{
    uint32_t number =
        cc_add_observed(&data, (struct cc_observed){.src_object = object,
                                                    .dst_object = object,
                                                    .src = src,
                                                    .dst = dst,
                                                    .occurrences = n,
                                                    .min_distance = distance,
                                                    .max_distance = distance});

    cc_add_occurrences(&data, number, distance, n);
}

static inline void data_predict(uint32_t block, uint64_t src, uint64_t dst,
                                uint64_t delta_k)
{
    array_append(&data, predictions,
                 (struct cc_prediction){.block = block,
                                        .dst_block = block,
                                        .src = src,
                                        .dst = dst,
                                        .delta_k = delta_k});
}
