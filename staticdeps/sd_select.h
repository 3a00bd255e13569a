/*
 * sd_select: which blocks the user wants: --function, --range, --executed,
 * --region.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_SELECT_H
#define SD_SELECT_H

#include "decode/sd_blocks.h"
#include "out/sd_db.h"
#include "sd_options.h"

struct sd_select {
    const struct sd_options *options; /* the caller's */
    struct executed *executed;        /* NULL: whatever ran */
    bool *is_found;                   /* by --function */
    bool *is_region_found;
    bool is_range_found, is_executed_found;
};

/* On failure, ending it is harmless. */
int sd_select_init(struct sd_select *select, const struct sd_options *options,
                   struct diag *d);
void sd_select_fini(struct sd_select *select);

/* Keeps only those of the image's blocks that are wanted. */
int sd_select_apply(struct sd_select *select, const struct sd_image *image,
                    struct sd_blocks *blocks, struct diag *d);

/* Appends the image's regions that are wanted, which need not be its blocks. */
void sd_select_regions(struct sd_select *select, const struct sd_image *image,
                       struct sd_decoder *decoder, struct sd_blocks *blocks);

/* Says of each of them in *wanted, which the caller frees, after a failure too.
 */
int sd_select_among(struct sd_select *select, const struct sd_image *image,
                    const struct sd_blocks *blocks, bool **wanted,
                    struct diag *d);

/* After the last image: -1 if something that was asked for is nowhere. */
int sd_select_check(const struct sd_select *select, struct diag *d);

/* Notes in `analysis` which options chose the blocks: "filter:1", ... */
int sd_select_write(const struct sd_select *select, struct sd_db *db,
                    struct diag *d);

#endif
