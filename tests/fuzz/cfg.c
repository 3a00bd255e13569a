/*
 * What must hold for the graph of any image.
 *
 * tests/unit/staticdeps/path.c tests that a path is the shortest.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "cfg.h"

#include "fuzz.h"

#define N_PATHS 100u

static bool leads_to(const struct sd_node *from, const struct sd_node *to)
{
    for (uint32_t i = 0; i < sd_node_n_next(from); i++)
        if (sd_node_next(from, i) == to)
            return true;
    return false;
}

/* Does the block lie in the loop? */
static bool is_inside(const struct sd_node *node, uint32_t loop)
{
    return node->loop == loop ||
           loops_child(&node->cfg->loops, loop, node->loop) != 0;
}

static void check_node(const struct sd_cfg *cfg, const struct sd_node *node)
{
    fuzz_claim(node->cfg == cfg && node == &cfg->nodes[node->number],
               "a block knows where it is");
    fuzz_claim(node->entry == NULL || node->entry->entry == node->entry,
               "a function begins where it begins");
    for (uint32_t i = 0; i < sd_node_n_next(node); i++) {
        const struct sd_node *next = sd_node_next(node, i);

        fuzz_claim(next == NULL || next->n_insns > 0 || next->n_more > 0,
                   "control comes to instructions");
    }
}

static void check_nodes(const struct sd_cfg *cfg,
                        const struct sd_blocks *blocks)
{
    fuzz_claim(cfg->n_nodes >= blocks->n_blocks, "each block has a node");
    for (size_t i = 0; i < cfg->n_nodes; i++)
        check_node(cfg, &cfg->nodes[i]);
    for (size_t i = 0; i < blocks->n_blocks; i++) {
        const struct sd_block *block = &blocks->blocks[i];
        const struct sd_node *next = cfg->nodes[i].next[0];

        fuzz_claim(next == NULL || next->n_more > 0 ||
                       next->address == block->address + block->size,
                   "a block leads to where it ends");
        fuzz_claim(block->node == &cfg->nodes[i] &&
                       block->node->address == block->address,
                   "each block has a node of its own");
    }
}

/* Checks a loop: edges within it lead to and from each of its blocks, and one
   of its headers is in no inner loop. */
static void check_loop(const struct sd_cfg *cfg, uint32_t number,
                       uint8_t *is_reached)
{
    const struct loops *loops = &cfg->loops;
    const struct loop *loop = &loops->list[number];
    const struct loop *outer = &loops->list[loop->parent];
    size_t n_headers = 0;

    fuzz_claim(loop->parent < number && loop->n > 0 &&
                   loop->first >= outer->first &&
                   loop->first + loop->n <= outer->first + outer->n,
               "a loop lies in the one around it");
    for (uint32_t i = loop->first; i < loop->first + loop->n; i++)
        is_reached[loops->nodes[i]] = 0;
    for (uint32_t i = loop->first; i < loop->first + loop->n; i++) {
        const struct sd_node *node = &cfg->nodes[loops->nodes[i]];
        bool goes_on = false;

        fuzz_claim(is_inside(node, number), "a loop holds its blocks");
        n_headers += node->is_header && node->loop == number;
        for (uint32_t k = 0; k < sd_node_n_next(node); k++) {
            const struct sd_node *next = sd_node_next(node, k);

            if (next == NULL || !is_inside(next, number))
                continue;
            goes_on = true;
            is_reached[next->number] = 1;
        }
        fuzz_claim(goes_on, "control stays in a loop");
    }
    for (uint32_t i = loop->first; i < loop->first + loop->n; i++)
        fuzz_claim(is_reached[loops->nodes[i]],
                   "control comes to each block of a loop");
    fuzz_claim(n_headers > 0, "a loop has a header");
}

static void check_loops(const struct sd_cfg *cfg)
{
    const struct loops *loops = &cfg->loops;
    uint8_t *is_seen = memory_new(cfg->n_nodes, 1);
    uint32_t *n_inside = memory_new(loops->n, sizeof *n_inside);

    fuzz_claim(loops->list[0].first == 0 && loops->list[0].n == cfg->n_nodes,
               "all blocks are in order");
    for (size_t i = 0; i < cfg->n_nodes; i++) {
        const struct sd_node *node = &cfg->nodes[loops->nodes[i]];

        fuzz_claim(!is_seen[node->number], "a block is in order once");
        is_seen[node->number] = 1;
        for (uint32_t k = node->loop; k != 0; k = loops->list[k].parent)
            n_inside[k]++;
    }
    for (uint32_t i = 1; i < loops->n; i++) {
        fuzz_claim(n_inside[i] == loops->list[i].n, "a loop has no others");
        check_loop(cfg, i, is_seen);
    }
    free(n_inside);
    free(is_seen);
}

/* Checks the steps of a path up to `end`, which begin after the block `last`
   and lie in a loop; returns the last of them. */
static const struct sd_node *follow(const struct sd_path *path, size_t first,
                                    size_t end, const struct sd_node *last,
                                    uint32_t loop)
{
    for (size_t i = first; i < end; i++) {
        const struct sd_step *step = &path->steps[i];
        const struct sd_node *node = step->node;

        fuzz_claim(leads_to(last, node), "a path follows control");
        fuzz_claim(is_inside(node, loop), "a path stays in its loop");
        fuzz_claim(step->inner == 0 || is_inside(node, step->inner),
                   "a path enters the loops that it says");
        last = node;
    }
    return last;
}

static void check_path(const struct sd_path *path, const struct sd_node *node)
{
    const struct sd_node *last;
    size_t call = 0;

    while (call < path->n_steps && path->steps[call].node != NULL)
        call++;
    last = follow(path, 0, call, node, node->loop);
    if (node->loop != 0) {
        fuzz_claim(call == path->n_steps && leads_to(last, node),
                   "a path in a loop comes back");
        return;
    }
    fuzz_claim(call < path->n_steps && last->returns,
               "what lies in no loop returns");
    if (call + 1 == path->n_steps) {
        fuzz_claim(node->entry == node, "a function begins with its first");
        return;
    }
    fuzz_claim(path->steps[call + 1].node == node->entry,
               "a function begins with its first");
    fuzz_claim(
        leads_to(follow(path, call + 2, path->n_steps, node->entry, 0), node),
        "a path by a call comes back");
}

void fuzz_check_cfg(const struct sd_cfg *cfg, const struct sd_blocks *blocks)
{
    size_t step = cfg->n_nodes / N_PATHS + 1;
    struct sd_path path = {.longest = UINT32_MAX};

    check_nodes(cfg, blocks);
    check_loops(cfg);
    for (size_t i = 0; i < cfg->n_nodes; i += step)
        if (sd_path_find(&path, &cfg->nodes[i]))
            check_path(&path, &cfg->nodes[i]);
    sd_path_fini(&path);
}
