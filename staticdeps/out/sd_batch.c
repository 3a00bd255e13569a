/*
 * sd_batch: the blocks of several objects, to be analysed together.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "out/sd_batch.h"

#include <stdlib.h>

#include "memory.h"

#define ENOUGH (1u << 20) /* bytes of code: half a second */

bool sd_batch_has_room(const struct sd_batch *batch, enum sd_arch arch)
{
    return batch->n_objects == 0 ||
           (batch->objects[0].image.arch == arch && batch->n_bytes < ENOUGH);
}

void sd_batch_add(struct sd_batch *batch, struct sd_image *image,
                  struct sd_blocks *blocks, struct sd_cfg *cfg)
{
    batch->objects = memory_grow(batch->objects, &batch->objects_room,
                                 batch->n_objects, sizeof *batch->objects);
    batch->objects[batch->n_objects++] =
        (struct sd_object){*image, cfg, batch->blocks.n_blocks};
    for (size_t i = 0; i < image->n_sections; i++)
        batch->n_bytes += image->sections[i].size;
    *image = (struct sd_image){0};
    sd_blocks_join(&batch->blocks, blocks);
}

void sd_batch_fini(struct sd_batch *batch)
{
    for (size_t i = 0; i < batch->n_objects; i++) {
        sd_image_close(&batch->objects[i].image);
        sd_cfg_free(batch->objects[i].cfg);
    }
    free(batch->objects);
    sd_blocks_fini(&batch->blocks);
    *batch = (struct sd_batch){0};
}
