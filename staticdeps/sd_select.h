/*
 * sd_select: selects the blocks that the user wants: --function, --range,
 * --executed, --region.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "decode/sd_blocks.h"
#include "demangle.h"
#include "out/sd_db.h"
#include "sd_options.h"

/* The code that depsim saw executed. */
struct sd_executed {
    struct db *db; /* an open deps.db; NULL: no --executed */
    struct db_query *segments;
    struct sd_range *ranges; /* of one object; sorted, with gaps between them */
    size_t n, room;
};

struct sd_select {
    const struct sd_options *options; /* belong to the caller */
    struct sd_executed executed;
    struct funcfind *found; /* what each --function found */
    bool *is_region_found;
    bool is_range_found, is_executed_found;
};

/* On failure, sd_select_fini() is harmless. */
int sd_select_init(struct sd_select *select, const struct sd_options *options,
                   struct diag *d);
void sd_select_fini(struct sd_select *select);

/* Keeps only the wanted blocks of an image. */
int sd_select_apply(struct sd_select *select, const struct sd_image *image,
                    struct sd_blocks *blocks, struct diag *d);

/* Appends the image's regions that are wanted; a region need not be a block. */
void sd_select_regions(struct sd_select *select, const struct sd_image *image,
                       struct sd_decoder *decoder, struct sd_blocks *blocks);

/* Sets *wanted, by block; the caller frees it, also after a failure. */
int sd_select_among(struct sd_select *select, const struct sd_image *image,
                    const struct sd_blocks *blocks, bool **wanted,
                    struct diag *d);

/* For --min-share: by block, the instructions that it executed in all runs; the
   caller frees the array.  *least is how many a function needs to be walked.
   Without the option, *executed becomes NULL and *least 0. */
int sd_select_weigh(struct sd_select *select, const struct sd_image *image,
                    const struct sd_blocks *blocks, double **executed,
                    double *least, struct diag *d);

/* Must be called after the last image.  Fails if an option selected nothing. */
int sd_select_check(const struct sd_select *select, struct diag *d);

/* Notes in `analysis` which options chose the blocks: "filter:1", ... */
int sd_select_write(const struct sd_select *select, struct sd_db *db,
                    struct diag *d);
