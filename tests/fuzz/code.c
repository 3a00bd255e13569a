/*
 * Any machine code of the architecture FUZZ_ARCH, analysed as one block, and
 * then as a function, cut into blocks, with --scope=loop and with walks.
 *
 * Reaches sd_decode, sd_blocks, sd_lift with VEX and
 * sd_flatten, sd_operands, sd_trace, sd_exec, sd_op, sd_memory,
 * sd_reroll, sd_sweep, sd_cfg, loops and sd_path,
 * sd_program, and all of walk/ and reach/.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "fuzz.h"

#include "cfg.h"
#include "walk.h"

static void analyse_function(const uint8_t *data, size_t size)
{
    uint64_t start = 0x1000;
    struct sd_section section = {
        .address = start, .bytes = (uint8_t *)(uintptr_t)data, .size = size};
    struct sd_image image = {.arch = FUZZ_ARCH,
                             .sections = &section,
                             .n_sections = 1,
                             .starts = &start,
                             .n_starts = 1};
    struct sd_blocks blocks = {0};
    struct sd_cfg *cfg;

    sd_blocks_of_image(&blocks, fuzz_decoder(FUZZ_ARCH), &image);
    cfg = sd_cfg_new(&blocks, &image);
    fuzz_check_cfg(cfg, &blocks);
    for (size_t i = 0; i < blocks.n_blocks; i++)
        fuzz_analyse(FUZZ_ARCH, &blocks, i);
    fuzz_walk(&image, &blocks, cfg);
    sd_cfg_free(cfg);
    sd_blocks_fini(&blocks);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sd_blocks blocks = {0};

    sd_blocks_add_bytes(&blocks, fuzz_decoder(FUZZ_ARCH), data, size, NULL, 0);
    fuzz_analyse(FUZZ_ARCH, &blocks, 0);
    sd_blocks_fini(&blocks);
    analyse_function(data, size);
    return 0;
}
