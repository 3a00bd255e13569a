/*
 * sd_functions: address -> the innermost function around it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_FUNCTIONS_H
#define SD_FUNCTIONS_H

#include "elf/sd_image.h"

struct sd_function {
    const char *name; /* the image's */
    uint64_t start, end;
    uint64_t reach; /* the farthest end of all up to this one */
};

struct sd_functions {
    struct sd_function *list; /* sorted by start */
    size_t n;
};

/* One without a size, as assembly code has them, reaches up to the next
   function or the end of its section. */
void sd_functions_init(struct sd_functions *functions,
                       const struct sd_image *image);
void sd_functions_fini(struct sd_functions *functions);

/* The name to show, or NULL. */
const char *sd_functions_find(const struct sd_functions *functions,
                              uint64_t address);

/* Does a function of that name, which may be one of several for the same
   code, contain the address? */
bool sd_functions_match(const struct sd_functions *functions, const char *name,
                        uint64_t address);

#endif
