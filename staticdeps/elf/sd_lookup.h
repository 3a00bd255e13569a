/*
 * sd_lookup: finds the section that contains an address, the innermost function
 * around it, and whether the address belongs to a function of known size.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "elf/sd_image.h"

#define SD_NO_SECTION SIZE_MAX

struct sd_sections {
    const struct sd_image *image;
    size_t *order; /* numbers of sections, sorted by address */
};

/* The image's sections must not change while *sections is in use. */
void sd_sections_init(struct sd_sections *sections,
                      const struct sd_image *image);
void sd_sections_fini(struct sd_sections *sections);

/* The number of a section that contains the address, or SD_NO_SECTION. */
size_t sd_sections_find(const struct sd_sections *sections, uint64_t address);

struct sd_function {
    const char *name; /* belongs to the image */
    uint64_t start, end;
    uint64_t reach; /* the largest end of this function and all before */
};

struct sd_functions {
    struct sd_function *list; /* sorted by start */
    size_t n;

    /* The functions around the last address, the innermost on top. */
    size_t *around;
    size_t depth, next; /* function `next` starts after the last address */
    uint64_t last;
};

/* A function without a size (assembly code) extends to the next function or the
   end of its section. */
void sd_functions_init(struct sd_functions *functions,
                       const struct sd_image *image);
void sd_functions_fini(struct sd_functions *functions);

/* The innermost function around an address; NULL if no function contains the
   address.  Rising addresses take constant time each; an address below the last
   one restarts from the first function. */
const struct sd_function *sd_functions_find(struct sd_functions *functions,
                                            uint64_t address);

/* Is an address in a function i for which is_meant[i] is set?  All functions
   around it count, since the same code may have several names. */
bool sd_functions_match(const struct sd_functions *functions,
                        const bool *is_meant, uint64_t address);

/* The bytes of functions whose size is known, by symbol or .eh_frame. */
struct sd_extents {
    struct sd_range *list; /* sorted; no two overlap or touch */
    size_t n;
};

void sd_extents_init(struct sd_extents *extents, const struct sd_image *image);
void sd_extents_fini(struct sd_extents *extents);
bool sd_extents_hold(const struct sd_extents *extents, uint64_t address);
