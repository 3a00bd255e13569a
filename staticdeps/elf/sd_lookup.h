/*
 * sd_lookup: address -> the section that holds it, and the innermost function
 * around it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_LOOKUP_H
#define SD_LOOKUP_H

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

struct sd_function {
    const char *name; /* the image's */
    uint64_t start, end;
    uint64_t reach; /* the farthest end of all up to this one */
};

struct sd_functions {
    struct sd_function *list; /* sorted by start */
    size_t n;

    /* Of the last search: those around it, the innermost on top. */
    size_t *around;
    size_t depth, next; /* `next` starts after it */
    uint64_t last;
};

/* One without a size, as assembly code has them, reaches up to the next
   function or the end of its section. */
void sd_functions_init(struct sd_functions *functions,
                       const struct sd_image *image);
void sd_functions_fini(struct sd_functions *functions);

/* The name to show, or NULL.  Rising addresses take constant time each; one
   below the last begins from the first function again. */
const char *sd_functions_find(struct sd_functions *functions, uint64_t address);

/* Does a function of that name, which may be one of several for the same
   code, contain the address? */
bool sd_functions_match(const struct sd_functions *functions, const char *name,
                        uint64_t address);

#endif
