/*
 * sd_choice: which blocks the user wants: --function, --range, --executed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_CHOICE_H
#define SD_CHOICE_H

#include "sd_blocks.h"
#include "sd_executed.h"
#include "sd_options.h"

struct sd_choice {
    const struct sd_options *options; /* the caller's */
    struct sd_executed *executed;     /* NULL: whatever ran */
    bool *is_found;                   /* by --function */
    bool is_range_found, is_executed_found;
};

/* On failure, ending it is harmless. */
int sd_choice_init(struct sd_choice *choice, const struct sd_options *options,
                   struct diag *d);
void sd_choice_fini(struct sd_choice *choice);

/* Keeps only those of the image's blocks that are wanted. */
int sd_choice_apply(struct sd_choice *choice, const struct sd_image *image,
                    struct sd_blocks *blocks, struct diag *d);

/* After the last image: -1 if something that was asked for is nowhere. */
int sd_choice_check(const struct sd_choice *choice, struct diag *d);

#endif
