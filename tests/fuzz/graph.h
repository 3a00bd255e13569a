/*
 * What must hold for the graph of any image.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUZZ_GRAPH_H
#define FUZZ_GRAPH_H

#include "decode/sd_blocks.h"
#include "flow/sd_cfg.h"

/* Claims that the graph is that of these blocks, that its loops are loops and
   lie in each other, and that the ways back to some of its blocks are ways. */
void fuzz_check_graph(const struct sd_cfg *graph,
                      const struct sd_blocks *blocks);

#endif
