/* The block of an address and of an instruction, by sd_program and by a linear
   search. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "functions.h"

/* Blocks of one byte and of many; some bytes are no instructions. */
BEFORE_EACH()
{
    analyse("85c0 7403 909090 c3 0606 85c0 90 eb00 c3", 10);
    assert_true(program.n_blocks >= 5);
}

TEST(an_address_is_in_the_last_block_that_begins_at_or_before_it)
{
    for (uint64_t at = 0xff0; at < 0x1020; at++) {
        uint32_t block = SD_NO_BLOCK;

        for (uint32_t i = 0; i < program.n_blocks; i++)
            if (at - blocks.blocks[i].address < blocks.blocks[i].size)
                block = i;
        assert_int_equal(sd_program_block(&program, at), block);
    }
}

TEST(blocks_without_instructions_have_no_site)
{
    bool some_are_empty = false;

    for (uint32_t i = 0; i < program.n_blocks; i++) {
        const struct sd_block *block = &blocks.blocks[i];

        some_are_empty |= block->n_insns == 0;
        for (uint32_t k = 1; k <= block->n_insns; k++) {
            uint32_t site = (uint32_t)block->first + k;

            assert_int_equal(sd_program_block_of(&program, site), i);
        }
    }
    assert_true(some_are_empty);
}
