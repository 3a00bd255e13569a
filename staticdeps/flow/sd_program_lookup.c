/*
 * sd_program_lookup: finds the block of an address or of an instruction, and
 * the routine of a block or an address.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "flow/sd_program.h"

#include <assert.h>
#include <stdlib.h>

#include "elf/sd_array.h"

void sd_program_number_blocks(struct sd_program *p)
{
    const struct sd_image *image = p->image;
    size_t block = 0;

    p->first = memory_new(image->n_sections + 1, sizeof *p->first);
    p->by_address = memory_new(image->n_sections + 1, sizeof *p->by_address);
    for (size_t i = 0; i < image->n_sections; i++) {
        p->first[i] = block;
        for (uint64_t done = 0; done < image->sections[i].size; block++) {
            const struct sd_block *b = &p->blocks->blocks[block];

            sd_buckets_add(&p->by_address[i], b->address);
            sd_buckets_add(&p->by_insn, b->first);
            done += b->size;
        }
    }
    assert(block == p->n_blocks);
    p->first[image->n_sections] = block;
}

void sd_program_forget_blocks(struct sd_program *p)
{
    for (size_t i = 0; p->image != NULL && i < p->image->n_sections; i++)
        sd_buckets_fini(&p->by_address[i]);
    free(p->by_address);
    sd_buckets_fini(&p->by_insn);
    free(p->first);
}

uint32_t sd_program_block(const struct sd_program *p, uint64_t address)
{
    size_t section = sd_sections_find(&p->sections, address), low, high;
    const struct sd_block *blocks;

    if (section == SD_NO_SECTION || p->by_address[section].n_keys == 0)
        return SD_NO_BLOCK;
    blocks = p->blocks->blocks + p->first[section];
    sd_buckets_find(&p->by_address[section], address, &low, &high);
    low = sd_bisect(low + 1, high, i, blocks[i].address <= address) - 1;
    return (uint32_t)(p->first[section] + low);
}

uint32_t sd_program_block_of(const struct sd_program *p, uint32_t site)
{
    size_t low, high;

    assert(site != 0);
    sd_buckets_find(&p->by_insn, site - 1, &low, &high);
    low = sd_bisect(low + 1, high, i, p->blocks->blocks[i].first < site) - 1;
    while (p->blocks->blocks[low].n_insns == 0)
        low--; /* skip blocks without instructions */
    return (uint32_t)low;
}

uint32_t sd_program_whole(const struct sd_program *p, uint32_t block)
{
    uint32_t routine = p->routine_of[block];

    return routine == SD_NO_ROUTINE ? routine : p->routines[routine].whole;
}

uint32_t sd_program_routine(const struct sd_program *p, uint64_t address)
{
    uint32_t block = sd_program_block(p, address), routine;

    if (block == SD_NO_BLOCK)
        return SD_NO_ROUTINE;
    routine = p->routine_of[block - p->first_block];
    return routine != SD_NO_ROUTINE && p->routines[routine].start == address
               ? routine
               : SD_NO_ROUTINE;
}

bool sd_program_is_function(const struct sd_program *p, uint64_t address)
{
    uint32_t routine = sd_program_routine(p, address);

    return routine != SD_NO_ROUTINE && p->routines[routine].whole == routine;
}
