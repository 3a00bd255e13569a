/*
 * sd_batch: the blocks of several objects, to be analysed together.
 *
 * The members of an archive are many and small: one by one, most of the time
 * would go into starting workers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_BATCH_H
#define SD_BATCH_H

#include "flow/sd_cfg.h"
#include "elf/sd_image.h"

struct sd_object {
    struct sd_image image;
    struct sd_cfg *cfg; /* NULL: the scope is the block */
    size_t first;       /* its first block */
};

/* All objects have the same architecture. */
struct sd_batch {
    struct sd_object *objects;
    size_t n_objects, objects_room;
    struct sd_blocks blocks; /* of all, in their order */
    size_t n_bytes;          /* of code */
};

/* Is there room for another object's blocks?  So many fit that workers have
   enough to do, and so few that memory does not grow with the archive. */
bool sd_batch_has_room(const struct sd_batch *batch, enum sd_arch arch);

/* Appends an object and those of its blocks that are to be analysed.  Takes
   over both, and leaves them empty, and the graph of all its blocks; accepts
   NULL for it. */
void sd_batch_add(struct sd_batch *batch, struct sd_image *image,
                  struct sd_blocks *blocks, struct sd_cfg *cfg);

/* Empties it. */
void sd_batch_fini(struct sd_batch *batch);

#endif
