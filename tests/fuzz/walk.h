/*
 * What must hold for the walks of any image.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUZZ_WALK_H
#define FUZZ_WALK_H

#include "decode/sd_blocks.h"
#include "program/sd_cfg.h"

/* Walks the first functions of an image, whose graph that is.  Its data are
   unknown.  Claims that no walk lasts longer than its fuel, and that walks and
   flow show the same again, with a support, whatever was kept of functions
   before. */
void fuzz_walk(const struct sd_image *image, const struct sd_blocks *blocks,
               const struct sd_cfg *cfg);

/* The same of a file and its data; a library is linked with itself. */
void fuzz_walk_file(const char *name);

#endif
