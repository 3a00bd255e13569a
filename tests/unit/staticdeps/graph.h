/* graph: the control-flow graph of a few bytes at 0x1000. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "program/sd_program.h"
#include "decoder.h"

static struct sd_blocks blocks;
static struct sd_cfg *cfg;

static void release(void)
{
    sd_cfg_free(cfg);
    cfg = NULL;
    sd_blocks_fini(&blocks);
}

static inline void make_image(const struct sd_image *image)
{
    release();
    blocks = (struct sd_blocks){0};
    sd_blocks_of_image(&blocks, decoder(), image);
    cfg = sd_cfg_new(&blocks, image);
}

/* Makes the graph of the code; functions begin at the given offsets. */
static inline void make(const uint8_t *code, size_t size,
                        const size_t *functions, size_t n_functions)
{
    struct sd_section section = {
        .address = 0x1000, .bytes = (uint8_t *)(uintptr_t)code, .size = size};
    struct sd_symbol symbols[4] = {{0}};
    struct sd_image image = {.sections = &section,
                             .n_sections = 1,
                             .symbols = symbols,
                             .n_symbols = n_functions};

    for (size_t i = 0; i < n_functions; i++)
        symbols[i] = (struct sd_symbol){.name = (char *)(uintptr_t) "f",
                                        .address = 0x1000 + functions[i],
                                        .is_function = true};
    make_image(&image);
}

#define BYTES(...)                                          \
    (const uint8_t[]){__VA_ARGS__}, sizeof(const uint8_t[]) \
    {                                                       \
        __VA_ARGS__                                         \
    }
#define NO_FUNCTION NULL, 0
#define FUNCTIONS(...)             \
    (const size_t[]){__VA_ARGS__}, \
        sizeof(const size_t[]){__VA_ARGS__} / sizeof(size_t)

/* The block that begins at an offset of the code. */
static inline const struct sd_block *block_at(unsigned offset)
{
    for (size_t i = 0; i < blocks.n_blocks; i++)
        if (blocks.blocks[i].address == 0x1000 + offset)
            return &blocks.blocks[i];
    fail();
    return NULL;
}

static inline struct sd_node *at(unsigned offset)
{
    return block_at(offset)->node;
}
