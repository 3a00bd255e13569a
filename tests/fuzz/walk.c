/* What must hold for the walks of any image. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "walk.h"

#include "fuzz.h"
#include "flow/sd_flows.h"
#include "walk/sd_walk.h"

#define N_ROUTINES 4
#define N_WALKS    3
#define FUEL       400

/* The most instructions of a block, in which each element of a rep instruction
   counts: a walk checks its fuel only at the end of a block. */
#define MOST_OF_A_BLOCK (256 * 1024)

static const struct sd_effort usual = {.rules = SD_ALL_RULES,
                                       .walks = N_WALKS,
                                       .depth = 3,
                                       .fuel = FUEL,
                                       .enough = 1,
                                       .middle_fuel = FUEL / 4,
                                       .most_visits = 64,
                                       .most_insns = 1024};

static void check_blocks(const struct sd_explorer *e, size_t n_blocks)
{
    uint32_t n = 0;

    for (size_t i = 0; i < e->walks_size; i += 1 + e->walks[i].number) {
        n++;
        for (uint32_t k = 1; k <= e->walks[i].number; k++)
            fuzz_claim(e->walks[i + k].number < n_blocks,
                       "walks come to blocks");
    }
    fuzz_claim(n == e->n_walks, "each walk has a list");
}

/* The block that contains a site. */
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
    for (size_t i = 0; i < s->pairs.n; i++) {
        const struct sd_walk_pair *pair = &s->pairs.list[i];
        double support;

        support = sd_support_of(s, pair, block_of(blocks, pair->src),
                                block_of(blocks, pair->dst));
        fuzz_claim(support > 0 && support <= 1, "a pair has a support");
    }
}

/* All pairs that walks show, and those that flow adds. */
struct shown {
    struct sd_support support;
    struct sd_pairs flows;
    uint16_t *marks; /* by site */
};

static void init(struct shown *shown, const struct sd_program *p,
                 const struct sd_blocks *blocks)
{
    sd_support_init(&shown->support, p->n_blocks);
    shown->marks = memory_new(blocks->n_insns + 1, sizeof *shown->marks);
}

static void fini(struct shown *shown)
{
    sd_support_fini(&shown->support);
    sd_pairs_fini(&shown->flows);
    free(shown->marks);
}

static void add_flows(struct shown *shown, const struct sd_flows *flows,
                      const struct sd_explorer *e,
                      const struct sd_blocks *blocks)
{
    for (size_t i = 0, k = 0; i < flows->n; i++) {
        const struct sd_walk_pair *pair = &flows->list[i];

        block_of(blocks, pair->src);
        block_of(blocks, pair->dst);
        fuzz_claim(i == 0 || sd_pairs_compare(pair - 1, pair) < 0,
                   "the pairs of the flow are sorted, and each is there once");
        while (k < e->n_pairs && sd_pairs_compare(&e->pairs[k], pair) < 0)
            k++;
        fuzz_claim(k == e->n_pairs || sd_pairs_compare(&e->pairs[k], pair) != 0,
                   "no walk shows a pair of the flow");
        sd_pairs_add(&shown->flows, pair);
    }
}

/* Walks, follows the flow, and adds the pairs of both.  `forgets`: code is
   lifted anew for each function. */
static void walk(const struct sd_program *p, const struct sd_blocks *blocks,
                 struct shown *shown, bool forgets)
{
    struct sd_explorer e;
    struct sd_flows flows;
    struct sd_effort effort = usual;

    effort.is_narrow = blocks->n_insns % 2 == 1; /* both settings are tried */
    sd_explorer_init(&e, p, &effort, 1);
    sd_flows_init(&flows, &e);
    if (forgets)
        e.chunks->most = 0;
    for (uint32_t i = 0; i < p->n_routines && i < N_ROUTINES; i++) {
        sd_explore(&e, i);
        fuzz_claim(e.n_insns <= e.n_walks * (uint64_t)(FUEL + MOST_OF_A_BLOCK),
                   "a walk ends with its fuel");
        check_blocks(&e, p->n_blocks);
        sd_support_add(&shown->support, e.walks, e.walks_size, e.pairs,
                       e.n_pairs);
        for (size_t k = 0; k < e.n_notes; k++)
            shown->marks[e.notes[k].site] |= (uint16_t)e.notes[k].notes;
        if (p->routines[i].whole == i) {
            sd_flows_of(&flows, i, &e);
            add_flows(shown, &flows, &e, blocks);
        }
    }
    sd_flows_fini(&flows);
    sd_explorer_fini(&e);
    check_support(&shown->support, blocks);
}

static bool are_same(const struct sd_pairs *a, const struct sd_pairs *b)
{
    return a->n == b->n &&
           (a->n == 0 || memcmp(a->list, b->list, a->n * sizeof *a->list) == 0);
}

static void walk_twice(const struct sd_program *p,
                       const struct sd_blocks *blocks)
{
    struct shown first = {0}, second = {0};

    init(&first, p, blocks);
    init(&second, p, blocks);
    walk(p, blocks, &first, false);
    walk(p, blocks, &second, true);
    fuzz_claim(are_same(&first.support.pairs, &second.support.pairs) &&
                   first.support.n_walks == second.support.n_walks,
               "the same walks show the same");
    fuzz_claim(are_same(&first.flows, &second.flows),
               "the same flow shows the same");
    fuzz_claim(memcmp(first.marks, second.marks,
                      (blocks->n_insns + 1) * sizeof *first.marks) == 0,
               "the same walks make the same marks");
    fini(&first);
    fini(&second);
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
    struct sd_blocks blocks = {0};
    bool *wanted;
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
        sd_blocks_of_image(&blocks, fuzz_decoder(image.arch), &image);
        wanted = memory_new(blocks.n_blocks + 1, sizeof *wanted);
        sd_link_add(&link, &image, &dynamic, &blocks, wanted);
        free(wanted);
    }
    if (link.n_objects > 0)
        walk_joined(&link);
    sd_link_fini(&link);
}
