/* What must hold for the graph of any image. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "decode/sd_blocks.h"
#include "program/sd_program.h"

/* Claims that the graph is that of these blocks, that its loops are cycles and
   nest, and that the back paths of some of its blocks are paths. */
void fuzz_check_cfg(const struct sd_cfg *cfg, const struct sd_blocks *blocks);
