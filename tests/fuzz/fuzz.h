/* What the fuzz targets share: the analysis of a block within its limits. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "block/sd_analyse.h"
#include "decode/sd_blocks.h"

/* libFuzzer's entry. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the program with the text if a claim does not hold. */
void fuzz_claim(bool holds, const char *claim);

/* The decoder of the architecture, made at the first call; never NULL. */
struct sd_decoder *fuzz_decoder(enum arch arch);

/* The processor time of the process, in seconds. */
double fuzz_processor_time(void);

/* Analyses block number `i` by itself, with the default settings. */
void fuzz_run(enum arch arch, const struct sd_blocks *blocks, size_t i);

/* Analyses block number `i` with the default settings, by itself and, if it has
   a node, in its loop.  Claims that each analysis takes at most a second of
   processor time, that its dependencies lie within the block and are those of
   all iterations, and that those which the loop cannot change are equal. */
void fuzz_analyse(enum arch arch, const struct sd_blocks *blocks, size_t i);
