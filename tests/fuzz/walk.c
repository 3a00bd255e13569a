/*
 * What must hold for the walks of any image.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "walk.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "memory.h"
#include "walk/sd_explore.h"

#define N_ROUTINES 4
#define N_WALKS    3
#define FUEL       400

/* Elements of a rep instruction count as instructions; a walk looks at its fuel
   behind each block. */
#define MOST_OF_A_BLOCK (256 * 1024)

static const struct sd_effort effort = {.rules = SD_ALL_RULES,
                                        .walks = N_WALKS,
                                        .depth = 3,
                                        .fuel = FUEL,
                                        .enough = 1,
                                        .middle_fuel = FUEL / 4,
                                        .most_comings = 64,
                                        .most_insns = 1024};

static void check_blocks(const struct sd_explorer *e, size_t n_blocks)
{
    uint32_t n = 0;

    for (size_t i = 0; i < e->walks_size; i += 1 + e->walks[i]) {
        n++;
        for (uint32_t k = 1; k <= e->walks[i]; k++)
            fuzz_claim(e->walks[i + k] < n_blocks, "walks come to blocks");
    }
    fuzz_claim(n == e->n_walks, "each walk has a list");
}

/* The block of a site. */
static uint32_t block_of(const struct sd_blocks *blocks, uint32_t site)
{
    for (uint32_t i = 0; i < blocks->n_blocks; i++)
        if (blocks->blocks[i].first < site &&
            site <= blocks->blocks[i].first + blocks->blocks[i].n_insns)
            return i;
    fuzz_claim(false, "a site is an instruction of a block");
    return 0;
}

static void check_support(const struct sd_support *s,
                          const struct sd_blocks *blocks)
{
    for (size_t i = 0; i < (size_t)1 << s->pairs.bits; i++) {
        const struct sd_walk_pair *pair = &s->pairs.table[i];
        double support;

        if (pair->src == 0)
            continue;
        support = sd_support_of(s, pair, block_of(blocks, pair->src),
                                block_of(blocks, pair->dst));
        fuzz_claim(support > 0 && support <= 1, "a pair has a support");
    }
}

/* Walks, and adds what they show. */
static void walk(const struct sd_program *p, const struct sd_blocks *blocks,
                 struct sd_support *s)
{
    struct sd_explorer e;

    sd_explorer_init(&e, p, &effort, 1);
    for (uint32_t i = 0; i < p->n_routines && i < N_ROUTINES; i++) {
        sd_explore(&e, i);
        fuzz_claim(e.n_insns <= e.n_walks * (uint64_t)(FUEL + MOST_OF_A_BLOCK),
                   "a walk ends with its fuel");
        check_blocks(&e, p->n_blocks);
        sd_support_add(s, e.walks, e.walks_size, e.pairs, e.n_pairs);
    }
    sd_explorer_fini(&e);
    check_support(s, blocks);
}

static void walk_twice(const struct sd_program *p,
                       const struct sd_blocks *blocks)
{
    struct sd_support first, second;

    sd_support_init(&first, p->n_blocks);
    sd_support_init(&second, p->n_blocks);
    walk(p, blocks, &first);
    walk(p, blocks, &second);
    fuzz_claim(first.pairs.n == second.pairs.n &&
                   first.n_walks == second.n_walks &&
                   first.pairs.bits == second.pairs.bits &&
                   memcmp(first.pairs.table, second.pairs.table,
                          sizeof *first.pairs.table << first.pairs.bits) == 0,
               "the same walks show the same");
    sd_support_fini(&first);
    sd_support_fini(&second);
}

void fuzz_walk(const struct sd_image *image, const struct sd_blocks *blocks,
               const struct sd_cfg *cfg)
{
    struct sd_contents contents = {.n = 0};
    struct sd_program program;

    sd_program_init(&program, image, blocks, cfg, &contents, NULL);
    walk_twice(&program, blocks);
    sd_program_fini(&program);
}

static void walk_joined(struct sd_link *link)
{
    struct sd_program program;
    struct sd_cfg *cfg;

    sd_link_join(link);
    cfg = sd_cfg_new(&link->blocks, &link->image);
    sd_program_init(&program, &link->image, &link->blocks, cfg, &link->contents,
                    link->library);
    program.resolvers = link->resolvers;
    program.n_resolvers = link->n_resolvers;
    walk_twice(&program, &link->blocks);
    sd_program_fini(&program);
    sd_cfg_free(cfg);
}

void fuzz_walk_file(const char *name)
{
    static struct sd_library library;
    struct sd_link link = {.library = &library};
    struct sd_blocks blocks, wanted = {.n_blocks = 0};
    struct sd_dynamic dynamic;
    struct sd_image image;
    struct diag unused;

    if (library.n == 0)
        sd_library_init(&library);
    for (unsigned i = 0; i < 2; i++) {
        if (sd_image_open(&image, name, "/usr/lib/debug", &unused) != 0)
            break;
        sd_dynamic_read(&dynamic, name, &unused);
        if (i > 0 && !sd_link_takes(&link, &image, &dynamic)) {
            sd_dynamic_fini(&dynamic);
            sd_image_close(&image);
            break;
        }
        sd_blocks_init(&blocks);
        sd_blocks_of_image(&blocks, fuzz_decoder(image.arch), &image);
        sd_link_add(&link, &image, &dynamic, &blocks, &wanted);
    }
    if (link.n_objects > 0)
        walk_joined(&link);
    sd_link_fini(&link);
}
