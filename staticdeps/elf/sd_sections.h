/*
 * sd_sections: address -> the section of an image that holds it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_SECTIONS_H
#define SD_SECTIONS_H

#include "elf/sd_image.h"

#define SD_NO_SECTION SIZE_MAX

struct sd_sections {
    const struct sd_image *image;
    size_t *order; /* numbers of sections, sorted by address */
};

/* The image's sections must not change as long as this is in use. */
void sd_sections_init(struct sd_sections *sections,
                      const struct sd_image *image);
void sd_sections_fini(struct sd_sections *sections);

/* The number of the section, or SD_NO_SECTION.  Where sections overlap, it is
   one of them. */
size_t sd_sections_find(const struct sd_sections *sections, uint64_t address);

#endif
