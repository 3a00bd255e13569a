/*
 * sd_listing: a block's disassembly with an arrow for each dependency.
 *
 *     delta_k  0 1
 *     401000   o |  movq %rax, (%rdi)
 *     401003   > >  movq (%rdi), %rbx
 *     401006     o  movq %rbx, (%rsi)
 *
 * Each dependency has a column: o writes, > reads, @ does both.  An arrow that
 * leaves at the bottom comes in again at the top, delta_k iterations later.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_LISTING_H
#define SD_LISTING_H

#include <stdio.h>

#include "decode/sd_blocks.h"
#include "run/sd_reroll.h"

#define SD_LISTING_COLUMNS 16 /* dependencies beyond these have none */

/* The i-th of a block's dependencies. */
typedef const struct sd_dep *sd_listing_dep(const void *deps, size_t i);

/* Prints it; `insns` are the block's descriptions of its instructions. */
void sd_listing_print(FILE *out, struct sd_decoder *decoder,
                      const struct sd_block *block, const uint8_t *insns,
                      sd_listing_dep *dep, const void *deps, size_t n_deps);

#endif
