/* What must hold for the walks of any image. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "decode/sd_blocks.h"
#include "program/sd_program.h"

/* Walks the first functions of an image with its graph; its data are unknown.
   Claims that no walk lasts longer than its fuel, and that walks and flow show
   the same pairs again, with a support, whatever lifted code was kept. */
void fuzz_walk(const struct sd_image *image, const struct sd_blocks *blocks,
               const struct sd_cfg *cfg);

/* As fuzz_walk, for a file and its data; a library is linked with itself. */
void fuzz_walk_file(const char *name);
