/*
 * Any machine code of the architecture FUZZ_ARCH, taken for one block.
 *
 * Reaches sd_decode, sd_decode_a64, sd_length, sd_blocks, sd_lift with VEX and
 * sd_flatten, sd_operands, sd_code and sd_prune, sd_exec, sd_op, sd_shadow and
 * sd_reroll.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sd_blocks blocks;

    sd_blocks_init(&blocks);
    sd_blocks_add_bytes(&blocks, fuzz_decoder(FUZZ_ARCH), data, size, NULL, 0);
    fuzz_analyse(FUZZ_ARCH, &blocks, 0);
    sd_blocks_fini(&blocks);
    return 0;
}
