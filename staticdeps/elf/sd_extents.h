/*
 * sd_extents: which bytes of an image belong to a function whose size is known,
 * by its symbol or by .eh_frame.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_EXTENTS_H
#define SD_EXTENTS_H

#include "elf/sd_image.h"

struct sd_extents {
    struct sd_range *list; /* sorted; no two overlap or touch */
    size_t n;
};

void sd_extents_init(struct sd_extents *extents, const struct sd_image *image);
void sd_extents_fini(struct sd_extents *extents);

bool sd_extents_hold(const struct sd_extents *extents, uint64_t address);

#endif
